/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu history: who changed an MTU, as the kernel has recorded it. */

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "command/command.h"
#include "command/facts_output.h"
#include "command/prepare.h"

enum { OPTION_JSON };

/* The device of that name; one that is gone by its last name; 0: there is none. */
static unsigned find_device(const struct facts *facts, const char *name) {
        const struct link *link = link_table_by_name(&facts->snapshot.links, name);

        return link ? link->ifindex : history_find_name(&facts->history, name);
}

/* Whether the command line names the device, or none. */
static bool is_shown(const struct facts *facts, const struct command_line *line, unsigned ifindex) {
        for (int i = 0; i < line->n_words; i++)
                if (find_device(facts, line->words[i]) == ifindex)
                        return true;
        return line->n_words == 0;
}

static bool print_events(const struct facts *facts, const struct command_line *line) {
        const struct history *history = &facts->history;
        const struct link_table *links = &facts->snapshot.links;
        bool is_json = line->options[OPTION_JSON];
        json_t *events = is_json ? json_array() : NULL, *differences = is_json ? json_array() : NULL;
        struct table table = { .n_columns = 4 };
        char time[32];

        for (size_t i = 0; i < history->n_events; i++)
                if (is_shown(facts, line, history->events[i].ifindex))
                        history_add(facts, &history->events[i], false, &table, is_json ? &events : NULL);
        if (!is_json)
                printf("Recorded since %s.\n%s", history_local_time(time, history->since_ns),
                       table.n_cells == 0 ? "No MTU was changed since then.\n" : "");
        if (!table_print(&table))
                return false;
        for (size_t i = 0; i < links->n_links; i++) {
                const struct link *link = &links->links[i];
                const struct history_event *last = history_find_last(history, link->ifindex);

                if (!last || last->after == link->mtu || !is_shown(facts, line, link->ifindex))
                        continue;
                if (is_json)
                        JSON_ADD(differences, {
                                                              { "name", json_text(link->name) },
                                                              { "mtu", json_integer(link->mtu) },
                                                              { "recorded", json_integer(last->after) },
                                              });
                else
                        paragraph_print(0, 2,
                                        "%s: the MTU is %u, not the recorded %u: it was changed inside the "
                                        "kernel, or by the driver.",
                                        link->name, link->mtu, last->after);
        }
        if (!is_json)
                return true;
        return json_print(JSON_OBJECT({
                        { "since", history_time_json(history->since_ns) },
                        { "events", events },
                        { "unrecorded", differences },
        }));
}

static int run_history(const struct command_line *line) {
        CLEANUP(facts_cleanup) struct facts facts = { 0 };

        if (!facts_open(&diagnostic_silent, &facts))
                return EXIT_CODE_FAILURE;
        if (facts.unrecorded)
                return log_fail(facts.unrecorded_exit_code, "%s", facts.unrecorded);
        for (int i = 0; i < line->n_words; i++)
                if (find_device(&facts, line->words[i]) == 0)
                        return prepare_no_device(line->words[i], ", and none was recorded",
                                                 link_table_alike(&facts.snapshot.links, line->words[i]));
        return print_events(&facts, line) ? EXIT_CODE_DONE : EXIT_CODE_FAILURE;
}

const struct command command_history = {
        .name = "history",
        .arguments = "[IFACE...]",
        .summary = "show who changed an MTU since the boot",
        .text = "Shows each recorded change of an MTU, of all devices or of those given: the time, the old "
                "and the new MTU or why the kernel rejected it, the command line, the parent processes, and "
                "the unit. Changes that the kernel makes by itself are shown with their cause. "
                "setmtu-history.service records them, in the host's network namespace. Needs root. Exit "
                "status: 20 nothing is recorded; 21 the kernel is locked down; 22 it has no BTF; 23 this is "
                "a container.",
        .examples = { "# setmtu history", "# setmtu history eth0" },
        .options = { [OPTION_JSON] = COMMAND_JSON("object") },
        .words_max = -1,
        .run = run_history,
};
