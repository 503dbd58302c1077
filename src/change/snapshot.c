/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "store/config_files.h"

static void print_mistake(void *userdata, const struct diagnostic *diagnostic) {
        struct mistakes *mistakes = userdata;
        bool is_error = diagnostic->severity == DIAGNOSTIC_ERROR;
        const char *word = is_error ? "error" : "warning";

        if (is_error)
                mistakes->n_errors++;
        else
                mistakes->n_warnings++;
        if (diagnostic->line > 0)
                fprintf(stderr, "%s:%u: %s: %s\n", diagnostic->file, diagnostic->line, word,
                        diagnostic->text);
        else
                fprintf(stderr, "%s: %s: %s\n", diagnostic->file, word, diagnostic->text);
}

struct diagnostic_sink mistakes_sink(struct mistakes *mistakes) {
        return (struct diagnostic_sink){ .report = print_mistake, .userdata = mistakes };
}

static int look(const struct diagnostic_sink *sink, struct snapshot *snapshot) {
        int r = plan_build(&snapshot->plan, sink);

        if (r == 0)
                r = link_socket_open(&snapshot->socket);
        if (r == 0)
                r = link_get_all(snapshot->socket, &snapshot->links);
        if (r == 0)
                r = device_statuses_make(&snapshot->plan.config, &snapshot->links, &snapshot->statuses);
        return r;
}

bool snapshot_take_with(struct config *config, const struct diagnostic_sink *sink, struct snapshot *ret) {
        struct snapshot snapshot = { .plan = { .config = *config } };
        int r = look(sink, &snapshot);

        if (r < 0) {
                log_error("cannot look at the network devices over rtnetlink: %s", strerror(-r));
                snapshot_cleanup(&snapshot);
                return false;
        }
        *ret = snapshot;
        return true;
}

bool snapshot_take(const struct diagnostic_sink *sink, struct snapshot *ret) {
        struct config config;

        config_init(&config);
        if (config_files_read(&config, sink) < 0) {
                log_out_of_memory();
                config_free(&config);
                return false;
        }
        return snapshot_take_with(&config, sink, ret);
}

void snapshot_cleanup(struct snapshot *snapshot) {
        device_statuses_free(&snapshot->statuses);
        link_table_free(&snapshot->links);
        link_socket_close(snapshot->socket);
        plan_free(&snapshot->plan);
        *snapshot = (struct snapshot){ 0 };
}

const struct device_status *snapshot_find(const struct snapshot *snapshot, const char *word) {
        const struct link *link = link_table_by_name(&snapshot->links, word);
        char quoted[TEXT_QUOTE_SIZE];

        for (size_t i = 0; i < snapshot->statuses.n_items; i++) {
                const struct device_status *status = &snapshot->statuses.items[i];

                if (link ? status->link == link : !status->link && strcmp(status->line->name, word) == 0)
                        return status;
        }
        log_error("%s: there is no such network device, and no line for it", text_show(quoted, word));
        return NULL;
}

const struct config_line *snapshot_line(const struct snapshot *snapshot, const struct link *link,
                                        const char *name) {
        /* The statuses begin in the order of the devices. */
        return link ? snapshot->statuses.items[link - snapshot->links.links].line
                    : config_find(&snapshot->plan.config, name);
}
