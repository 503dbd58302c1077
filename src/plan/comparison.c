/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan/comparison.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *comparison_state_name(enum comparison_state state) {
        switch (state) {
        case COMPARISON_OK:
                return "ok";
        case COMPARISON_DRIFT:
                return "drift";
        case COMPARISON_ABSENT:
                return "absent";
        case COMPARISON_IMPOSSIBLE:
                return "impossible";
        case COMPARISON_UNSET:
                break;
        }
        return "unset";
}

struct comparison comparison_of(const struct link *link, const struct config_line *line) {
        struct comparison result = { .link = link, .line = line };

        if (!line) {
                result.state = COMPARISON_UNSET;
                return result;
        }
        result.wanted = line->request.mtu != MTU_MAX ? line->request.mtu : link ? link->mtu_max : 0;
        if (!link)
                result.state = COMPARISON_ABSENT;
        else if (result.wanted == 0 || result.wanted < link->mtu_min ||
                 (link->mtu_max > 0 && result.wanted > link->mtu_max))
                result.state = COMPARISON_IMPOSSIBLE;
        else
                result.state = link->mtu == result.wanted ? COMPARISON_OK : COMPARISON_DRIFT;
        return result;
}

bool comparison_is_possible(const struct config_line *line, const struct link_table *links,
                            const struct diagnostic_sink *sink) {
        const struct link *link = links ? link_table_by_name(links, line->name) : NULL;

        if (!link || strcmp(link->name, line->name) != 0 ||
            comparison_of(link, line).state != COMPARISON_IMPOSSIBLE)
                return true;
        if (!sink)
                return false;
        if (link->mtu_max > 0)
                diagnostic_report(sink, DIAGNOSTIC_ERROR, line->file, line->line, line->name,
                                  "%s: %u is not what this device takes (%u to %u)", line->name,
                                  line->request.mtu, link->mtu_min, link->mtu_max);
        else
                diagnostic_report(sink, DIAGNOSTIC_ERROR, line->file, line->line, line->name,
                                  "%s: %u is less than this device takes (%u at least)", line->name,
                                  line->request.mtu, link->mtu_min);
        return false;
}

/* Marks, in `is_met`, every line that names the link, and returns the one that counts. */
static const struct config_line *meet_lines(const struct config *config, const struct link_table *table,
                                            const struct link *link, bool *is_met) {
        const struct config_line *line = config_find(config, link->name);
        const struct link_altname *altnames;
        size_t n;

        if (line)
                is_met[line - config->lines] = true;
        altnames = link_table_altnames(table, link, &n);
        for (size_t i = 0; i < n; i++) {
                const struct config_line *other = config_find(config, altnames[i].name);

                if (!other)
                        continue;
                is_met[other - config->lines] = true;
                if (!line)
                        line = other;
        }
        return line;
}

int comparisons_make(const struct config *config, const struct link_table *table, struct comparisons *ret) {
        size_t n_max = table->n_links + config->n_lines;
        struct comparisons comparisons = { .items = calloc(n_max + 1, sizeof(*comparisons.items)) };
        bool *is_met = calloc(config->n_lines + 1, sizeof(*is_met));

        if (!comparisons.items || !is_met) {
                free(comparisons.items);
                free(is_met);
                return -ENOMEM;
        }
        for (size_t i = 0; i < table->n_links; i++) {
                const struct link *link = &table->links[i];

                comparisons.items[comparisons.n_items++] =
                                comparison_of(link, meet_lines(config, table, link, is_met));
        }
        for (size_t i = 0; i < config->n_lines; i++)
                if (!is_met[i])
                        comparisons.items[comparisons.n_items++] = comparison_of(NULL, &config->lines[i]);
        free(is_met);
        *ret = comparisons;
        return 0;
}

void comparisons_free(struct comparisons *comparisons) {
        free(comparisons->items);
        *comparisons = (struct comparisons){ 0 };
}
