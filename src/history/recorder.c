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

/* What holds a program where it is attached. */
#define CHANGE_BEGINS_PIN HISTORY_DIRECTORY "/change_begins"
#define CHANGE_ENDS_PIN HISTORY_DIRECTORY "/change_ends"
#define DEVICE_EVENT_PIN HISTORY_DIRECTORY "/device_event"

/* The descriptors of loaded programs and maps. */
struct recorder {
        int events, state;
        int change_begins, change_ends, device_event;
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

/* The state comes last: with it, a reader takes the rest for complete. */
static int pin_all(const struct recorder *recorder) {
        const struct {
                int fd;
                const char *path;
        } pins[] = {
                { recorder->change_begins, CHANGE_BEGINS_PIN }, { recorder->change_ends, CHANGE_ENDS_PIN },
                { recorder->device_event, DEVICE_EVENT_PIN },   { recorder->events, HISTORY_EVENTS_PIN },
                { recorder->state, HISTORY_STATE_PIN },
        };
        int r = mkdir(HISTORY_DIRECTORY, 0700) < 0 ? -errno : 0;

        for (size_t i = 0; r == 0 && i < sizeof(pins) / sizeof(pins[0]); i++)
                r = pin(pins[i].fd, pins[i].path);
        return r;
}

/* The same for both skeletons, which differ in their names. */
#define START(skeleton)                                                                                   \
        static int start_##skeleton(uint32_t netns) {                                                     \
                struct skeleton *loaded = skeleton##__open();                                             \
                int r;                                                                                    \
                                                                                                          \
                if (!loaded)                                                                              \
                        return -ENOMEM;                                                                   \
                loaded->rodata->netns = netns;                                                            \
                r = skeleton##__load(loaded);                                                             \
                if (r == 0)                                                                               \
                        r = write_state(loaded->maps.state.map_fd, netns);                                \
                if (r == 0)                                                                               \
                        r = skeleton##__attach(loaded) < 0 ? -errno : 0;                                  \
                if (r == 0)                                                                               \
                        r = pin_all(&(struct recorder){ .events = loaded->maps.events.map_fd,             \
                                                        .state = loaded->maps.state.map_fd,               \
                                                        .change_begins = loaded->links.change_begins_fd,  \
                                                        .change_ends = loaded->links.change_ends_fd,      \
                                                        .device_event = loaded->links.device_event_fd }); \
                skeleton##__destroy(loaded);                                                              \
                return r;                                                                                 \
        }

START(recorder_netif)
START(recorder_dev)

int recorder_stop(void) {
        static const char *const pins[] = { HISTORY_STATE_PIN, HISTORY_EVENTS_PIN, CHANGE_BEGINS_PIN,
                                            CHANGE_ENDS_PIN, DEVICE_EVENT_PIN };
        int r = 0;

        for (size_t i = 0; i < sizeof(pins) / sizeof(pins[0]); i++)
                if (unlink(pins[i]) < 0 && errno != ENOENT && r == 0)
                        r = -errno;
        if (r == 0 && rmdir(HISTORY_DIRECTORY) < 0 && errno != ENOENT)
                r = -errno;
        return r;
}

/* Whether all of it is there, as this version makes it. */
static bool is_recording(void) {
        CLEANUP(history_free) struct history history = { 0 };

        return history_read(&history) == 0;
}

int recorder_start(void) {
        struct stat netns;
        int r;

        if (is_recording())
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
