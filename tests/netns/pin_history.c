/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* pin-history: makes the maps of setmtu-history below $SETMTU_ROOT/sys/fs/bpf, a BPF file system, with the
 * events of standard input: for kernels and containers in which the recorder cannot be loaded. A line is an
 * event, its fields apart by tabs: change, new, or outer for a change within which the others happened,
 * device, before, asked, after, errno, kernel function, PID, names of the process and those above it with
 * "<" between, unit, words of the command line with spaces between; \xNN is a byte, and "-" nothing. Exit
 * status: 77 if the kernel has no such maps here. */

#include <errno.h>
#include <limits.h>
#include <linux/bpf.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/root.h"
#include "history/event.h"

static int call(enum bpf_cmd command, union bpf_attr *attr) {
        return (int)syscall(__NR_bpf, command, attr, sizeof(*attr));
}

static int fail(const char *what) {
        perror(what);
        return errno == EPERM || errno == ENOSYS ? 77 : 1;
}

static int make_map(size_t value_size, uint32_t n) {
        union bpf_attr attr = { .map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .max_entries = n };

        attr.value_size = (uint32_t)value_size;
        return call(BPF_MAP_CREATE, &attr);
}

static int put(int map, uint32_t key, const void *value) {
        union bpf_attr attr = { .map_fd = (uint32_t)map };

        attr.key = (uintptr_t)&key;
        attr.value = (uintptr_t)value;
        return call(BPF_MAP_UPDATE_ELEM, &attr);
}

static int pin(int map, const char *path) {
        char buffer[PATH_MAX];
        union bpf_attr attr = { .bpf_fd = (uint32_t)map };

        attr.pathname = (uintptr_t)root_path(buffer, path);
        return call(BPF_OBJ_PIN, &attr);
}

static size_t unescape(char *text) {
        size_t used = 0;
        unsigned byte;

        for (char *c = text; *c; c++)
                if (sscanf(c, "\\x%2x", &byte) == 1) {
                        text[used++] = (char)byte;
                        c += 3;
                } else
                        text[used++] = *c;
        text[used] = '\0';
        return used;
}

static void copy(char *field, char *ret, size_t size) {
        (void)unescape(field);
        if (strcmp(field, "-") != 0)
                snprintf(ret, size, "%s", field);
}

static void read_processes(char *field, unsigned long pid, struct history_event *event) {
        char *name;

        for (size_t i = 0; i < HISTORY_PROCESSES && (name = strsep(&field, "<")); i++, pid /= 2) {
                event->processes[i].pid = (uint32_t)pid;
                copy(name, event->processes[i].name, HISTORY_NAME_SIZE);
        }
}

static void read_arguments(char *field, struct history_event *event) {
        if (strcmp(field, "-") == 0)
                return;
        for (char *word; (word = strsep(&field, " "));) {
                size_t size = unescape(word) + 1, room = HISTORY_ARGUMENTS_SIZE - event->arguments_size;

                memcpy(event->arguments + event->arguments_size, word, size < room ? size : room);
                event->arguments_size += (uint32_t)(size < room ? size : room);
        }
}

static void read_event(char *line, struct history_event *event) {
        char *fields[11];

        for (size_t i = 0; i < 11; i++)
                if (!(fields[i] = strsep(&line, "\t"))) {
                        fprintf(stderr, "too few fields\n");
                        exit(1);
                }
        event->kind = strcmp(fields[0], "new") == 0 ? HISTORY_NEW : HISTORY_CHANGE;
        copy(fields[1], event->device, HISTORY_NAME_SIZE);
        event->ifindex = if_nametoindex(event->device);
        if (event->ifindex == 0)
                event->ifindex = 7777;
        event->before = (uint32_t)atoi(fields[2]);
        event->asked = (uint32_t)atoi(fields[3]);
        event->after = (uint32_t)atoi(fields[4]);
        event->error = -atoi(fields[5]);
        copy(fields[6], event->function, HISTORY_FUNCTION_SIZE);
        read_processes(fields[8], strtoul(fields[7], NULL, 10), event);
        copy(fields[9], event->unit, HISTORY_UNIT_SIZE);
        read_arguments(fields[10], event);
}

int main(void) {
        struct history_state state = { .version = HISTORY_VERSION };
        int events_map = make_map(sizeof(struct history_event), HISTORY_EVENTS);
        int state_map = make_map(sizeof(state), 1);
        char buffer[PATH_MAX], line[4096];
        struct timespec now;
        struct stat netns;

        if (events_map < 0 || state_map < 0)
                return fail("map");
        clock_gettime(CLOCK_BOOTTIME, &now);
        state.since_ns = (uint64_t)now.tv_sec * 1000000000;
        if (stat("/proc/self/ns/net", &netns) < 0)
                return fail("namespace");
        state.netns = netns.st_ino;
        for (uint32_t i = 0; fgets(line, sizeof(line), stdin) && i < HISTORY_EVENTS; i++) {
                struct history_event event = { .sequence = i + 1 };

                line[strcspn(line, "\n")] = '\0';
                read_event(line, &event);
                event.begin_ns = state.since_ns + (strncmp(line, "outer", 5) == 0 ? 0 : i + 1);
                if (put(events_map, i, &event) < 0)
                        return fail("event");
        }
        if (put(state_map, 0, &state) < 0)
                return fail("state");
        (void)mkdir(root_path(buffer, HISTORY_DIRECTORY), 0700);
        if (pin(events_map, HISTORY_EVENTS_PIN) < 0 || pin(state_map, HISTORY_STATE_PIN) < 0)
                return fail("pin");
        return 0;
}
