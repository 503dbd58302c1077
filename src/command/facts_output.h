/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What is known of the devices, for the commands that judge or explain it; and recorded changes, mentions
 * and rivals (explain/rival.h) as several commands print them. */

#include "explain/rival.h"
#include "history/mtu_history.h"
#include "output/json.h"
#include "output/table.h"

struct facts {
        struct snapshot snapshot;
        struct rivals rivals;
        struct history history;
        const char *unrecorded; /* why there is no history, as by history_fault(); or NULL */
        int unrecorded_exit_code;
};

/* Reads all but the files of other programs; mistakes in the configuration go to `sink`, or as by
 * prepare_snapshot() for NULL. False if that failed: a message says why. */
MUST_USE bool facts_open(const struct diagnostic_sink *sink, struct facts *ret);
void facts_cleanup(struct facts *facts); /* for CLEANUP(); of one that is all zeros, too */

/* As journalctl(1) writes a time. Returns `buffer`. */
const char *history_local_time(char buffer[static 32], uint64_t boottime_ns);
json_t *history_time_json(uint64_t boottime_ns);
/* Adds an event to the array or, for NULL, to the table: the time, the device unless the table is of one
 * (`is_of_one`), the change, and who made it. */
void history_add(const struct facts *facts, const struct history_event *event, bool is_of_one,
                 struct table *table, json_t **array);

json_t *mention_json(const struct mention *mention, const struct link_table *links);

/* Warns, once, of what could not be read, or was left out. */
void mentions_warn_unread(const struct mentions *mentions);

/* Finds the rivals of all lines, prints them on stderr, each with its command below it, and warns of what
 * could not be read. Returns how many there are, or -ENOMEM, which is logged. */
int rivals_report(const struct device_statuses *statuses);
/* The same for one line, of a device that is absent for NULL. */
void rivals_report_line(const struct link *link, const struct config_line *line);
