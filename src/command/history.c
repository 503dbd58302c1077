/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu history: who changed an MTU, as the kernel has recorded it. */

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/text.h"
#include "command/command.h"
#include "command/facts_output.h"
#include "command/prepare.h"
#include "kernel/link.h"

enum { OPTION_JSON };

struct history_view {
        struct history history;
        struct link_table links;
        const struct command_line *line; /* the devices to show; none: all */
};

static void history_view_cleanup(struct history_view *view) {
        history_free(&view->history);
        link_table_free(&view->links);
}

/* The device of that name; one that is gone by its last name; 0: there is none. */
static unsigned find_device(const struct history_view *view, const char *name) {
        const struct link *link = link_table_by_name(&view->links, name);

        return link ? link->ifindex : history_find_name(&view->history, name);
}

static bool is_shown(const struct history_view *view, unsigned ifindex) {
        for (int i = 0; i < view->line->n_words; i++)
                if (find_device(view, view->line->words[i]) == ifindex)
                        return true;
        return view->line->n_words == 0;
}

static bool print_events(const struct history_view *view) {
        struct table table = { .n_columns = 4, .is_text = { [3] = true } };
        char time[32];

        printf("Recorded since %s.\n", history_local_time(time, view->history.since_ns));
        for (size_t i = 0; i < view->history.n_events; i++)
                if (is_shown(view, view->history.events[i].ifindex))
                        history_add_row(&table, &view->history, &view->links, &view->history.events[i]);
        if (table.n_cells == 0)
                puts("No MTU was changed since then.");
        if (!table_print(&table))
                return false;
        for (size_t i = 0; i < view->links.n_links; i++) {
                const struct link *link = &view->links.links[i];
                const struct history_event *last = history_find_difference(&view->history, link);

                if (last && is_shown(view, link->ifindex))
                        paragraph_print(0, 2,
                                        "%s: the MTU is %u, not the recorded %u: it was changed inside the "
                                        "kernel, or by the driver.",
                                        link->name, link->mtu, last->after);
        }
        return true;
}

static bool print_events_json(const struct history_view *view) {
        json_t *events = json_array(), *differences = json_array();

        for (size_t i = 0; i < view->history.n_events; i++)
                if (is_shown(view, view->history.events[i].ifindex))
                        events = json_append(events, history_event_json(&view->history, &view->links,
                                                                        &view->history.events[i]));
        for (size_t i = 0; i < view->links.n_links; i++) {
                const struct link *link = &view->links.links[i];
                const struct history_event *last = history_find_difference(&view->history, link);

                if (!last || !is_shown(view, link->ifindex))
                        continue;
                differences = json_append(differences,
                                          JSON_OBJECT({
                                                          { "name", json_text(link->name) },
                                                          { "mtu", json_integer(link->mtu) },
                                                          { "recorded", json_integer(last->after) },
                                          }));
        }
        return json_print(JSON_OBJECT({
                        { "since", history_time_json(view->history.since_ns) },
                        { "events", events },
                        { "unrecorded", differences },
        }));
}

static int read_links(struct link_table *ret) {
        CLEANUP(netlink_socket_cleanup) struct netlink_socket *socket = NULL;
        int r = netlink_socket_open(&socket);

        return r < 0 ? r : link_get_all(socket, ret);
}

static int run_history(const struct command_line *line) {
        CLEANUP(history_view_cleanup) struct history_view view = { .line = line };
        int exit_code, r = history_read(&view.history);

        if (r < 0) {
                const char *fault = history_fault(r, &exit_code);

                return log_fail(exit_code, "%s", fault);
        }
        r = read_links(&view.links);
        if (r < 0)
                return log_fail(EXIT_CODE_FAILURE, "the network devices cannot be read: %s", strerror(-r));
        for (int i = 0; i < line->n_words; i++)
                if (find_device(&view, line->words[i]) == 0)
                        return prepare_no_device(line->words[i], ", and none was recorded",
                                                 link_table_alike(&view.links, line->words[i]));
        if (!(line->options[OPTION_JSON] ? print_events_json(&view) : print_events(&view)))
                return EXIT_CODE_FAILURE;
        return EXIT_CODE_DONE;
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
