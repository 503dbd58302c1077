/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <errno.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "history/mtu_history.h"
#include "properties.h"

#define N_EVENTS 3

static void check(const char *text, size_t limit) {
        if (strlen(text) < limit && text_is_plain(text))
                return;
        fprintf(stderr, "%zu bytes of at most %zu: %s\n", strlen(text), limit - 1, text);
        abort();
}

static void check_all(const struct history *history) {
        for (size_t i = 0; i < history->n_events; i++) {
                const struct history_event *event = &history->events[i];
                char change[HISTORY_CHANGE_SIZE], command[HISTORY_COMMAND_SIZE], who[HISTORY_WHO_SIZE];

                /* The kernel's reason is in it as it is. */
                (void)history_change_text(change, event);
                check(history_command_text(command, event), sizeof(command));
                check(history_who_text(who, history, event), sizeof(who));
        }
        if (history->n_events > 0)
                (void)history_find_last(history, history->events[0].ifindex);
        (void)history_find_name(history, "e0");
}

/* What the recorder promises (history/event.h): texts end, and numbers are in their range. */
static void keep_promises(struct history_event *event) {
        event->device[sizeof(event->device) - 1] = '\0';
        event->unit[sizeof(event->unit) - 1] = '\0';
        event->reason[sizeof(event->reason) - 1] = '\0';
        for (size_t i = 0; i < HISTORY_PROCESSES; i++)
                event->processes[i].name[sizeof(event->processes[i].name) - 1] = '\0';
        event->function[sizeof(event->function) - 1] = '\0';
        if (event->arguments_size > sizeof(event->arguments))
                event->arguments_size = sizeof(event->arguments);
        if (event->error < -4095)
                event->error = -4095;
}

/* The input again and again, so that it reaches each field. */
void property_history(const uint8_t *data, size_t size) {
        struct history_event events[N_EVENTS];
        const struct history history = { .events = events, .n_events = N_EVENTS };
        uint8_t *bytes = (uint8_t *)events;

        memset(events, 0, sizeof(events));
        for (size_t i = 0; size > 0 && i < sizeof(events); i++)
                bytes[i] = data[i % size];
        for (size_t i = 0; i < N_EVENTS; i++)
                keep_promises(&events[i]);
        check_all(&history);
}

/* The maps that history_read() reads: file descriptors that none are, and values that the input has. */
enum { STATE_MAP = 1000000, EVENTS_MAP };

static struct {
        const uint8_t *data;
        size_t size;
        struct history_event event; /* the last one that was read */
} input;

/* What the input has no more bytes for is zero. */
static void next_bytes(void *ret, size_t size) {
        size_t n = size < input.size ? size : input.size;

        memset(ret, 0, size);
        memcpy(ret, input.data, n);
        input.data += n;
        input.size -= n;
}

static void next_state(struct history_state *ret, bool is_good) {
        struct stat own;

        next_bytes(ret, offsetof(struct history_state, slots));
        if (!is_good)
                return;
        ret->version = HISTORY_VERSION;
        if (stat("/proc/self/ns/net", &own) < 0)
                abort();
        ret->netns = own.st_ino;
}

/* A byte before each value: whether it is the one before, as when it is read again and has not changed, or
 * an error. */
static int look_up(const union bpf_attr *attr) {
        void *value = (void *)(uintptr_t)attr->value;
        uint8_t how;

        next_bytes(&how, sizeof(how));
        if (how == 0xff) {
                errno = EPERM;
                return -1;
        }
        if (attr->map_fd == STATE_MAP)
                next_state(value, how < 0xf0);
        else {
                if (how % 4 == 1 || input.size == 0)
                        next_bytes(&input.event, sizeof(input.event));
                keep_promises(&input.event);
                memcpy(value, &input.event, sizeof(input.event));
        }
        return 0;
}

static long answer_bpf(long number, enum bpf_cmd command, const union bpf_attr *attr, size_t size) {
        struct bpf_map_info *info;

        (void)number;
        (void)size;
        switch ((int)command) {
        case BPF_OBJ_GET:
                return strstr((const char *)(uintptr_t)attr->pathname, HISTORY_STATE_PIN) ? STATE_MAP
                                                                                          : EVENTS_MAP;
        case BPF_OBJ_GET_INFO_BY_FD:
                info = (struct bpf_map_info *)(uintptr_t)attr->info.info;
                info->value_size = attr->info.bpf_fd == STATE_MAP ? sizeof(struct history_state)
                                                                  : sizeof(struct history_event);
                return 0;
        case BPF_MAP_LOOKUP_ELEM:
                return look_up(attr);
        default:
                abort();
        }
}

/* The kernel's is not asked. Only here, and not by the linker: sanitizers call syscall(2) before anything
 * else runs. */
#define syscall answer_bpf
#include "history/mtu_history.c"
#undef syscall

void property_history_maps(const uint8_t *data, size_t size) {
        CLEANUP(history_free) struct history history = { 0 };

        input.data = data;
        input.size = size;
        memset(&input.event, 0, sizeof(input.event));
        if (history_read(&history) < 0) {
                if (history.events || history.n_events > 0)
                        abort();
                return;
        }
        for (size_t i = 0; i < history.n_events; i++)
                if (history.events[i].sequence == 0 ||
                    (i > 0 && history.events[i].sequence < history.events[i - 1].sequence))
                        abort();
        check_all(&history);
}
