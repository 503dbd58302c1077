/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/wish.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "programs/exit_code.h"
#include "programs/log.h"

int wish_parse(const struct command_line *line, struct wish *ret) {
        const char *mtu = line->words[1];
        char fault[REQUEST_FAULT_SIZE], quoted[TEXT_QUOTE_SIZE], name[TEXT_QUOTE_SIZE];
        struct wish wish = { .word = line->words[0] };

        text_show(name, wish.word);
        if (!request_parse(mtu, strlen(mtu), &wish.line.request, fault)) {
                log_message(LOG_PRIORITY_ERROR, "%s: %s", name, fault);
                return EXIT_CODE_USAGE;
        }
        if (line->n_words > 2 && strcmp(line->words[2], "up") != 0) {
                log_message(LOG_PRIORITY_ERROR, "%s: after the MTU there can be \"up\", not %s", name,
                            text_quote(quoted, line->words[2], strlen(line->words[2])));
                return EXIT_CODE_USAGE;
        }
        wish.line.request.up |= line->n_words > 2;
        *ret = wish;
        return EXIT_CODE_DONE;
}

static int refuse(const struct comparison *comparison) {
        const struct link *link = comparison->link;
        char name[TEXT_QUOTE_SIZE];

        text_show(name, link->name);
        if (comparison->wanted == 0)
                log_message(LOG_PRIORITY_ERROR,
                            "%s: max cannot be had: the device states no largest MTU; give a number", name);
        else if (link->mtu_max > 0)
                log_message(LOG_PRIORITY_ERROR, "%s: %u is outside what this device takes (%u to %u)", name,
                            comparison->wanted, link->mtu_min, link->mtu_max);
        else
                log_message(LOG_PRIORITY_ERROR, "%s: %u is less than this device takes (%u at least)", name,
                            comparison->wanted, link->mtu_min);
        return EXIT_CODE_FAILURE;
}

int wish_resolve(struct wish *wish, const struct survey *survey) {
        struct request *request = &wish->line.request;
        const struct link *link = link_table_by_name(&survey->links, wish->word);
        const struct config_line *line = survey_line(survey, link, wish->word);
        const char *name = line ? line->name : link ? link->name : wish->word;
        const char *fault = interface_name_fault(name, strlen(name));
        struct comparison comparison;
        enum backend backend;
        char quoted[TEXT_QUOTE_SIZE], own[TEXT_QUOTE_SIZE];

        if (fault) {
                log_message(LOG_PRIORITY_ERROR, "%s %s", text_quote(quoted, name, strlen(name)), fault);
                return EXIT_CODE_USAGE;
        }
        if (link && strcmp(link->name, wish->word) != 0)
                log_message(LOG_PRIORITY_INFO, "%s is another name of %s", text_show(quoted, wish->word),
                            text_show(own, link->name));
        strcpy(wish->line.name, name);
        wish->link = link;

        if (line) {
                request->up |= line->request.up;
                if (!request->has_backend) {
                        request->has_backend = line->request.has_backend;
                        request->backend = line->request.backend;
                }
        }
        backend = request->has_backend ? request->backend : survey->config.backend;
        if (request->mtu == MTU_MAX && backend != BACKEND_UNIT && backend != BACKEND_AUTO) {
                log_message(LOG_PRIORITY_ERROR, "%s: backend %s has no max; give a number", name,
                            backend_name(backend));
                return EXIT_CODE_FAILURE;
        }
        comparison = comparison_of(link, &wish->line);
        return comparison.state == COMPARISON_IMPOSSIBLE ? refuse(&comparison) : EXIT_CODE_DONE;
}
