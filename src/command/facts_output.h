/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Recorded changes and mentions, as several commands print them. */

#include "history/mtu_history.h"
#include "mentions/mention.h"
#include "output/json.h"
#include "output/table.h"
#include "plan/link_table.h"

/* As journalctl(1) writes a time. Returns `buffer`. */
const char *history_local_time(char buffer[static 32], uint64_t boottime_ns);
json_t *history_time_json(uint64_t boottime_ns);

/* The device's present name; that of the time for one that is gone. */
const char *history_device(const struct link_table *links, const struct history_event *event);
json_t *history_event_json(const struct history *history, const struct link_table *links,
                           const struct history_event *event);

json_t *mention_json(const struct mention *mention, const struct link_table *links);

/* Warns, once, of what could not be read, or was left out. */
void mentions_warn_unread(const struct mentions *mentions);
