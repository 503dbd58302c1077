/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The input again and again, so that it reaches each field. */
void property_history(const uint8_t *data, size_t size) {
        struct history_event events[N_EVENTS];
        const struct history history = { .events = events, .n_events = N_EVENTS };
        uint8_t *bytes = (uint8_t *)events;

        memset(events, 0, sizeof(events));
        for (size_t i = 0; size > 0 && i < sizeof(events); i++)
                bytes[i] = data[i % size];
        for (size_t i = 0; i < N_EVENTS; i++)
                history_bound(&events[i]);
        for (size_t i = 0; i < N_EVENTS; i++) {
                char change[HISTORY_CHANGE_SIZE], command[HISTORY_COMMAND_SIZE], who[HISTORY_WHO_SIZE];

                check(history_change_text(change, &events[i]), sizeof(change));
                check(history_command_text(command, &events[i]), sizeof(command));
                check(history_who_text(who, &history, &events[i]), sizeof(who));
        }
        (void)history_find_last(&history, events[0].ifindex);
        (void)history_find_name(&history, "e0");
}
