/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The MTU changes of this boot, as the kernel has recorded them: who made each one, and which ones were
 * refused. Recorded only where setmtu-history.service runs, and only in the host's network namespace. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"
#include "history/event.h"

/* One that is all zeros is empty. */
struct history {
        struct history_event *events; /* in the order in which the changes ended */
        size_t n_events;
        uint64_t since_ns; /* CLOCK_BOOTTIME: when recording began */
};

/* Reads all events. Errors leave `ret` untouched: -ENOENT if nothing is recorded; -EACCES or -EPERM without
 * root's rights; -ESTALE if another version of setmtu records; -EXDEV in another network namespace than the
 * recorded one; -ENOMEM; those of bpf(2). */
MUST_USE NONNULL int history_read(struct history *ret);
NONNULL void history_free(struct history *history); /* for CLEANUP(), too */

/* The last change that the device's MTU comes from, or its creation; NULL: none is recorded. */
NONNULL const struct history_event *history_find_last(const struct history *history, unsigned ifindex);
/* The index of the last device that had the name; 0: none. */
NONNULL unsigned history_find_name(const struct history *history, const char *name);

/* Whether /sys/fs/bpf is a BPF file system. */
bool history_is_mounted(void);

/* Why history_read() has failed with that error, and what to do: one sentence without a full stop; static.
 * `ret` is one of enum exit_code. */
NONNULL const char *history_fault(int error, int *ret);

/* What became of the MTU: "1500 -> 9000", "9000 when it appeared" or "70000 refused: Invalid argument".
 * Harmless on a terminal and in the journal, as is all text below. Returns `buffer`. */
#define HISTORY_CHANGE_SIZE 160
NONNULL const char *history_change_text(char buffer[static HISTORY_CHANGE_SIZE],
                                        const struct history_event *event);

/* Where the event comes from. `event` is one of the history's. */
struct history_origin {
        const char *rule; /* the kernel's own rule that made the change: a clause; or NULL */
        const struct history_event *other; /* the change of another device that led to it, or NULL */
        const struct history_event *actor; /* whose process began it: `event`, `other`, or NULL: not known */
};

NONNULL struct history_origin history_find_origin(const struct history *history,
                                                  const struct history_event *event);

/* The command line, with its words apart by spaces, or the name of a process without one. Returns `buffer`.
 */
#define HISTORY_COMMAND_SIZE 1200
NONNULL const char *history_command_text(char buffer[static HISTORY_COMMAND_SIZE],
                                         const struct history_event *event);

/* Who: "ip link set eth0 mtu 1400, run by net-tune.sh, in tune.service", or the kernel's own rule and who
 * began it. A clause without a full stop. Returns `buffer`. */
#define HISTORY_WHO_SIZE 1800
NONNULL const char *history_who_text(char buffer[static HISTORY_WHO_SIZE], const struct history *history,
                                     const struct history_event *event);

/* A time of the history as seconds since 1970. */
double history_time(uint64_t boottime_ns);
