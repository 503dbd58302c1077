/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/survey.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "files/config_files.h"
#include "programs/log.h"

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

static int look(const struct diagnostic_sink *sink, struct survey *survey) {
        int r = plan_build(&survey->config, sink, &survey->plan);

        if (r == 0)
                r = link_socket_open(&survey->socket);
        if (r == 0)
                r = link_get_all(survey->socket, &survey->links);
        if (r == 0)
                r = comparisons_make(&survey->config, &survey->links, &survey->comparisons);
        return r;
}

bool survey_make_with(struct config *config, const struct diagnostic_sink *sink, struct survey *ret) {
        struct survey survey = { .config = *config };
        int r = look(sink, &survey);

        if (r < 0) {
                log_message(LOG_PRIORITY_ERROR, "cannot look at the network devices over rtnetlink: %s",
                            strerror(-r));
                survey_cleanup(&survey);
                return false;
        }
        *ret = survey;
        return true;
}

bool survey_make(const struct diagnostic_sink *sink, struct survey *ret) {
        struct config config;

        config_init(&config);
        if (config_files_read(&config, sink) < 0) {
                log_message(LOG_PRIORITY_ERROR, "out of memory");
                config_free(&config);
                return false;
        }
        return survey_make_with(&config, sink, ret);
}

void survey_cleanup(struct survey *survey) {
        comparisons_free(&survey->comparisons);
        link_table_free(&survey->links);
        link_socket_close(survey->socket);
        plan_free(&survey->plan);
        config_free(&survey->config);
        *survey = (struct survey){ 0 };
}

const struct comparison *survey_find(const struct survey *survey, const char *word) {
        const struct link *link = link_table_by_name(&survey->links, word);
        char quoted[TEXT_QUOTE_SIZE];

        for (size_t i = 0; i < survey->comparisons.n_items; i++) {
                const struct comparison *comparison = &survey->comparisons.items[i];

                if (link ? comparison->link == link
                         : !comparison->link && strcmp(comparison->line->name, word) == 0)
                        return comparison;
        }
        log_message(LOG_PRIORITY_ERROR, "%s: there is no such network device, and no line for it",
                    text_show(quoted, word));
        return NULL;
}

const struct config_line *survey_line(const struct survey *survey, const struct link *link,
                                      const char *name) {
        /* The comparisons begin in the order of the devices. */
        return link ? survey->comparisons.items[link - survey->links.links].line
                    : config_find(&survey->config, name);
}
