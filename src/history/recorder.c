/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "history/recorder.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "history/mtu_history.h"

/* Generated from recorder.bpf.c by bpftool: programs, and how to load them without a library. */
#include <recorder_dev.lskel.h>
#include <recorder_netif.lskel.h>

/* The pins: a program stays attached as long as it has one. The state comes last: with it, a reader takes
 * the rest for complete. */
enum { CHANGE_BEGINS, CHANGE_ENDS, DEVICE_EVENT, EVENTS, STATE, PINS };
static const char *const pins[PINS] = {
        [CHANGE_BEGINS] = HISTORY_DIRECTORY "/change_begins",
        [CHANGE_ENDS] = HISTORY_DIRECTORY "/change_ends",
        [DEVICE_EVENT] = HISTORY_DIRECTORY "/device_event",
        [EVENTS] = HISTORY_EVENTS_PIN,
        [STATE] = HISTORY_STATE_PIN,
};

static int pin(int fd, const char *path) {
        union bpf_attr attr = { .pathname = (uintptr_t)path, .bpf_fd = (uint32_t)fd };

        return syscall(__NR_bpf, BPF_OBJ_PIN, &attr, sizeof(attr)) < 0 ? -errno : 0;
}

static int write_state(int map, uint32_t netns) {
        struct history_state state = { .version = HISTORY_VERSION, .netns = netns };
        union bpf_attr attr = { .map_fd = (uint32_t)map,
                                .key = (uintptr_t) & (uint32_t){ 0 },
                                .value = (uintptr_t)&state };
        struct timespec now;

        clock_gettime(CLOCK_BOOTTIME, &now);
        state.since_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
        return syscall(__NR_bpf, BPF_MAP_UPDATE_ELEM, &attr, sizeof(attr)) < 0 ? -errno : 0;
}

/* Pins the programs and maps with these descriptors. */
static int pin_all(const int fds[static PINS]) {
        int r = mkdir(HISTORY_DIRECTORY, 0700) < 0 ? -errno : 0;

        for (size_t i = 0; r == 0 && i < PINS; i++)
                r = pin(fds[i], pins[i]);
        return r;
}

/* The same for both skeletons, which differ in their names. */
#define START(skeleton)                                                                                  \
        static int start_##skeleton(uint32_t netns) {                                                    \
                struct skeleton *loaded = skeleton##__open();                                            \
                int r;                                                                                   \
                                                                                                         \
                if (!loaded)                                                                             \
                        return -ENOMEM;                                                                  \
                loaded->rodata->netns = netns;                                                           \
                r = skeleton##__load(loaded);                                                            \
                if (r == 0)                                                                              \
                        r = write_state(loaded->maps.state.map_fd, netns);                               \
                if (r == 0)                                                                              \
                        r = skeleton##__attach(loaded) < 0 ? -errno : 0;                                 \
                if (r == 0)                                                                              \
                        r = pin_all((const int[PINS]){ [CHANGE_BEGINS] = loaded->links.change_begins_fd, \
                                                       [CHANGE_ENDS] = loaded->links.change_ends_fd,     \
                                                       [DEVICE_EVENT] = loaded->links.device_event_fd,   \
                                                       [EVENTS] = loaded->maps.events.map_fd,            \
                                                       [STATE] = loaded->maps.state.map_fd });           \
                skeleton##__destroy(loaded);                                                             \
                return r;                                                                                \
        }

START(recorder_netif)
START(recorder_dev)

int recorder_stop(void) {
        int r = 0;

        for (size_t i = PINS; i-- > 0;)
                if (unlink(pins[i]) < 0 && errno != ENOENT && r == 0)
                        r = -errno;
        if (r == 0 && rmdir(HISTORY_DIRECTORY) < 0 && errno != ENOENT)
                r = -errno;
        return r;
}

int recorder_start(void) {
        CLEANUP(history_free) struct history history = { 0 };
        struct stat netns;
        int r;

        /* All of it is there, as this version makes it. */
        if (history_read(&history) == 0)
                return 0;
        /* Another version's, or what is left of a process that was killed. */
        r = recorder_stop();
        if (r < 0)
                return r;
        if (stat("/proc/self/ns/net", &netns) < 0)
                return -errno;
        r = start_recorder_netif((uint32_t)netns.st_ino);
        if (r == -ENOENT)
                r = start_recorder_dev((uint32_t)netns.st_ino);
        if (r == 0)
                return 1;
        (void)!recorder_stop();
        return r;
}
