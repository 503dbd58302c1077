/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "history/mtu_history.h"

#include <errno.h>
#include <limits.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/root.h"
#include "base/whole_file.h"

/* BPF_FS_MAGIC of linux/magic.h. */
#define BPF_FILE_SYSTEM 0xcafe4a11

/* An event is read until two copies of it are equal: it may be written meanwhile. */
#define READ_ATTEMPTS 8

_Static_assert(HISTORY_EVENTS * sizeof(struct history_event) + sizeof(struct history_state) <= 256 * 1024,
               "the maps take more than was promised");

static int call_bpf(enum bpf_cmd command, union bpf_attr *attr) {
        long r = syscall(__NR_bpf, command, attr, sizeof(*attr));

        return r < 0 ? -errno : (int)r;
}

/* Opens a pinned map for reading. */
static int open_map(const char *path) {
        char buffer[PATH_MAX];
        union bpf_attr attr = { .pathname = (uintptr_t)root_path(buffer, path), .file_flags = BPF_F_RDONLY };

        return call_bpf(BPF_OBJ_GET, &attr);
}

/* -ESTALE if the values of the map have another size. */
static int check_map(int map, size_t value_size) {
        struct bpf_map_info info = { 0 };
        union bpf_attr attr = { .info = {
                                                .bpf_fd = (uint32_t)map,
                                                .info_len = sizeof(info),
                                                .info = (uintptr_t)&info,
                                } };
        int r = call_bpf(BPF_OBJ_GET_INFO_BY_FD, &attr);

        return r < 0 ? r : info.value_size == value_size ? 0 : -ESTALE;
}

static int read_value(int map, uint32_t key, void *ret) {
        union bpf_attr attr = { .map_fd = (uint32_t)map, .key = (uintptr_t)&key, .value = (uintptr_t)ret };

        return call_bpf(BPF_MAP_LOOKUP_ELEM, &attr);
}

static int read_event(int map, uint32_t slot, struct history_event *ret) {
        struct history_event again;
        int r = read_value(map, slot, ret);

        for (int i = 0; r == 0 && i < READ_ATTEMPTS; i++) {
                r = read_value(map, slot, &again);
                if (r == 0 && memcmp(&again, ret, sizeof(again)) == 0)
                        return 0;
                *ret = again;
        }
        return r < 0 ? r : -EAGAIN;
}

static int compare_events(const void *a, const void *b) {
        const struct history_event *one = a, *other = b;

        return one->sequence < other->sequence ? -1 : one->sequence > other->sequence;
}

static int read_events(int map, struct history *history) {
        history->events = calloc(HISTORY_EVENTS, sizeof(*history->events));
        if (!history->events)
                return -ENOMEM;
        for (uint32_t slot = 0; slot < HISTORY_EVENTS; slot++) {
                struct history_event *event = &history->events[history->n_events];
                int r = read_event(map, slot, event);

                /* A slot that is written all the time has the next one soon. */
                if (r < 0 && r != -EAGAIN)
                        return r;
                if (r < 0 || event->sequence == 0)
                        continue;
                history->n_events++;
        }
        qsort(history->events, history->n_events, sizeof(*history->events), compare_events);
        return 0;
}

int history_read(struct history *ret) {
        CLEANUP(cleanup_close) int state_map = open_map(HISTORY_STATE_PIN), events_map = -1;
        struct history history = { 0 };
        struct history_state state;
        struct stat own;
        int r;

        if (state_map < 0)
                return state_map;
        events_map = open_map(HISTORY_EVENTS_PIN);
        if (events_map < 0)
                return events_map;
        r = check_map(state_map, sizeof(state));
        if (r == 0)
                r = check_map(events_map, sizeof(*history.events));
        if (r == 0)
                r = read_value(state_map, 0, &state);
        if (r == 0 && state.version != HISTORY_VERSION)
                r = -ESTALE;
        if (r == 0 && (stat("/proc/self/ns/net", &own) < 0 || own.st_ino != state.netns))
                r = -EXDEV;
        if (r == 0)
                r = read_events(events_map, &history);
        if (r < 0) {
                history_free(&history);
                return r;
        }
        history.since_ns = state.since_ns;
        *ret = history;
        return 0;
}

void history_free(struct history *history) {
        free(history->events);
        *history = (struct history){ 0 };
}

const struct history_event *history_find_last(const struct history *history, unsigned ifindex) {
        for (size_t i = history->n_events; i > 0; i--) {
                const struct history_event *event = &history->events[i - 1];

                if (event->ifindex == ifindex && event->error == 0)
                        return event;
        }
        return NULL;
}

unsigned history_find_name(const struct history *history, const char *name) {
        for (size_t i = history->n_events; i > 0; i--)
                if (strcmp(history->events[i - 1].device, name) == 0)
                        return history->events[i - 1].ifindex;
        return 0;
}

static bool is_locked_down(void) {
        CLEANUP(cleanup_free) char *text = NULL;

        return whole_file_read("/sys/kernel/security/lockdown", 4096, &text, &(size_t){ 0 }) == 0 &&
               strstr(text, "[confidentiality]");
}

bool history_is_mounted(void) {
        char buffer[PATH_MAX];
        struct statfs mounted;

        return statfs(root_path(buffer, "/sys/fs/bpf"), &mounted) == 0 &&
               (unsigned long)mounted.f_type == BPF_FILE_SYSTEM;
}

/* Why there are no pins. */
static const char *find_obstacle(int *ret) {
        /* systemd(1): PID 1 writes it in a container. */
        *ret = EXIT_CODE_IN_CONTAINER;
        if (whole_file_exists("/run/systemd/container") > 0)
                return "MTU changes are not recorded in a container; on the host: setmtu history";
        *ret = EXIT_CODE_WITHOUT_BTF;
        if (whole_file_exists("/sys/kernel/btf/vmlinux") == 0)
                return "MTU changes cannot be recorded: this kernel has no /sys/kernel/btf/vmlinux "
                       "(CONFIG_DEBUG_INFO_BTF)";
        *ret = EXIT_CODE_LOCKED_DOWN;
        if (is_locked_down())
                return "MTU changes cannot be recorded: the kernel runs with lockdown=confidentiality; "
                       "lockdown=integrity permits it";
        *ret = EXIT_CODE_NOT_RECORDED;
        if (!history_is_mounted())
                return "MTU changes are not recorded: /sys/fs/bpf is not mounted; to begin: mount -t bpf "
                       "bpf /sys/fs/bpf && systemctl restart setmtu-history";
        if (whole_file_exists(LIBEXECDIR "/setmtu-history") == 0)
                return "MTU changes are not recorded: setmtu-history is not installed";
        return "MTU changes are not recorded; to begin: systemctl enable --now setmtu-history";
}

const char *history_fault(int error, int *ret) {
        if (error == -ENOENT)
                return find_obstacle(ret);
        *ret = EXIT_CODE_NOT_RECORDED;
        if (error == -EXDEV)
                return "MTU changes are recorded in the host's network namespace only";
        if (error == -ESTALE)
                return "another version of setmtu records MTU changes; to begin anew: systemctl restart "
                       "setmtu-history";
        *ret = EXIT_CODE_FAILURE;
        if (error == -EACCES || error == -EPERM)
                return "only root can read which MTU changes were recorded";
        return strerror(-error);
}
