/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "history/mtu_history.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/text.h"

/* A thread of the kernel that changes a device does so for another change just before. */
#define THREAD_DELAY_NS UINT64_C(1000000000)

/* The kernel's own rules, by the function that calls for the change; a function's name may have a suffix of
 * the compiler. Which rules these are: plan/stack.h. */
static const struct {
        const char *function;
        const char *rule;
} rules[] = {
        { "vlan_dev_work", "a VLAN follows the device below it" },
        { "vlan_device_event", "a VLAN follows the device below it" },
        { "macvlan_device_event", "a macvlan follows the device below it" },
        { "ipvlan_device_event", "an ipvlan follows the device below it" },
        { "macsec_notify", "a macsec follows the device below it" },
        { "bond_change_mtu", "a bond sets its ports" },
        { "bond_enslave", "a port takes its bond's MTU" },
        { "__bond_release_one", "a bond restores the former MTU of a port" },
        { "team_change_mtu", "a team sets its ports" },
        { "team_port_del", "a team restores the former MTU of a port" },
        { "team_", "a port takes its team's MTU" },
        { "br_mtu_auto_adjust", "a bridge takes the smallest MTU of its ports" },
};

struct line {
        char *text;
        size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void put(struct line *line, const char *format, ...) {
        va_list arguments;

        va_start(arguments, format);
        line->used += (size_t)vsnprintf(line->text + line->used, line->size - line->used, format, arguments);
        va_end(arguments);
        if (line->used >= line->size)
                line->used = line->size - 1;
}

static bool is_simple(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               (c && strchr("_./:@%+=,-()", c));
}

/* Puts text of a process: what is not plain as \xNN, and the whole in quotes where a shell would need them.
 */
static void put_word(struct line *line, const char *text, size_t size) {
        bool is_quoted = size == 0;

        for (size_t i = 0; i < size; i++)
                is_quoted |= !is_simple(text[i]);
        put(line, is_quoted ? "'" : "");
        (void)text_escape(line->text + line->used, line->size - line->used, text, size, "'\\");
        line->used += strlen(line->text + line->used);
        put(line, is_quoted ? "'" : "");
}

static void put_name(struct line *line, const char *name) {
        put_word(line, name, strlen(name));
}

const char *history_change_text(char buffer[static HISTORY_CHANGE_SIZE], const struct history_event *event) {
        struct line line = { .text = buffer, .size = HISTORY_CHANGE_SIZE };

        if (event->kind == HISTORY_NEW)
                put(&line, "%" PRIu32 " when it appeared", event->after);
        else if (event->error < 0) {
                put(&line, "%" PRIu32 " refused: %s", event->asked,
                    event->reason[0] ? event->reason : strerror(-event->error));
        } else {
                put(&line, "%" PRIu32 " -> %" PRIu32, event->before, event->after);
                if (event->after != event->asked)
                        put(&line, " (asked for %" PRIu32 ")", event->asked);
        }
        return buffer;
}

static bool is_thread(const struct history_event *event) {
        return event->arguments_size == 0 && (event->processes[0].pid == 2 || event->processes[1].pid == 2 ||
                                              event->processes[0].pid == 0);
}

/* The change of another device within which this one began: all changes are made under one lock. */
static const struct history_event *find_outer(const struct history *history,
                                              const struct history_event *event) {
        const struct history_event *end = history->events + history->n_events;

        for (const struct history_event *other = event + 1; other < end; other++)
                if (other->kind == HISTORY_CHANGE && other->ifindex != event->ifindex &&
                    other->begin_ns <= event->begin_ns && other->processes[0].pid == event->processes[0].pid)
                        return other;
        return NULL;
}

/* The last change of another device before that of a thread. */
static const struct history_event *find_earlier(const struct history *history,
                                                const struct history_event *event) {
        for (const struct history_event *other = event; other-- > history->events;)
                if (other->kind == HISTORY_CHANGE && other->error == 0 && other->ifindex != event->ifindex &&
                    !is_thread(other))
                        return event->begin_ns - other->begin_ns < THREAD_DELAY_NS ? other : NULL;
        return NULL;
}

struct history_origin history_find_origin(const struct history *history, const struct history_event *event) {
        struct history_origin origin = { .actor = event };

        if (event->kind != HISTORY_CHANGE)
                return origin;
        for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]) && !origin.rule; i++)
                if (text_after(event->function, rules[i].function))
                        origin.rule = rules[i].rule;
        if (!origin.rule)
                return origin;
        origin.other = is_thread(event) ? find_earlier(history, event) : find_outer(history, event);
        if (is_thread(event))
                origin.actor = origin.other;
        return origin;
}

static void put_command(struct line *line, const struct history_event *event) {
        const char *text = event->arguments;
        size_t left = event->arguments_size;

        if (left == 0)
                put_name(line, event->processes[0].name);
        for (bool is_first = true; left > 0; is_first = false) {
                size_t size = strnlen(text, left), step = size < left ? size + 1 : size;

                put(line, is_first ? "" : " ");
                put_word(line, text, size);
                text += step;
                left -= step;
        }
        if (event->arguments_size == HISTORY_ARGUMENTS_SIZE)
                put(line, " ...");
}

const char *history_command_text(char buffer[static HISTORY_COMMAND_SIZE],
                                 const struct history_event *event) {
        struct line line = { .text = buffer, .size = HISTORY_COMMAND_SIZE };

        buffer[0] = '\0';
        put_command(&line, event);
        return buffer;
}

static bool is_udev(const struct history_event *event) {
        return text_after(event->processes[0].name, "(udev-worker)") ||
               strcmp(event->processes[0].name, "systemd-udevd") == 0;
}

/* A write to /sys/class/net/NAME/mtu: in net/core/net-sysfs.c. */
static bool is_sysfs(const struct history_event *event) {
        return text_after(event->function, "netdev_store") || text_after(event->function, "mtu_store") ||
               text_after(event->function, "change_mtu");
}

/* How udev has done it: its command line says nothing. */
static const char *udev_means(const struct history_event *event) {
        if (event->kind == HISTORY_NEW)
                return "as it loaded the driver";
        return is_sysfs(event) ? "a rule's ATTR{mtu}" : "MTUBytes= of a .link file";
}

static void put_actor(struct line *line, const struct history_event *event) {
        if (is_udev(event))
                put(line, "udev, %s", udev_means(event));
        else {
                put_command(line, event);
                for (size_t i = 1; i < HISTORY_PROCESSES && event->processes[i].pid > 1; i++) {
                        put(line, i == 1 ? ", run by " : " < ");
                        put_name(line, event->processes[i].name);
                }
        }
        if (is_sysfs(event) && !is_udev(event))
                put(line, ", through sysfs");
        if (event->unit[0]) {
                put(line, ", in ");
                put_name(line, event->unit);
        }
}

const char *history_who_text(char buffer[static HISTORY_WHO_SIZE], const struct history *history,
                             const struct history_event *event) {
        const struct history_origin origin = history_find_origin(history, event);
        struct line line = { .text = buffer, .size = HISTORY_WHO_SIZE };

        buffer[0] = '\0';
        if (origin.rule) {
                put(&line, "the kernel: %s", origin.rule);
                if (origin.other) {
                        put(&line, " (");
                        put_name(&line, origin.other->device);
                        put(&line, ")");
                }
                if (origin.actor)
                        put(&line, "; begun by ");
        } else if (is_thread(event)) {
                put(&line, "the kernel (");
                put_name(&line, event->processes[0].name);
                put(&line, ")");
                return buffer;
        }
        if (origin.actor)
                put_actor(&line, origin.actor);
        return buffer;
}

double history_time(uint64_t boottime_ns) {
        struct timespec now, boot;

        clock_gettime(CLOCK_REALTIME, &now);
        clock_gettime(CLOCK_BOOTTIME, &boot);
        return (double)(now.tv_sec - boot.tv_sec) + (double)(now.tv_nsec - boot.tv_nsec) / 1e9 +
               (double)boottime_ns / 1e9;
}
