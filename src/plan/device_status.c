/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan/device_status.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *device_state_name(enum device_state state) {
        static const char *const names[] = {
                [DEVICE_STATE_OK] = "ok",         [DEVICE_STATE_DRIFT] = "drift",
                [DEVICE_STATE_ABSENT] = "absent", [DEVICE_STATE_IMPOSSIBLE] = "impossible",
                [DEVICE_STATE_UNSET] = "unset",   [DEVICE_STATE_UNKNOWN] = "unknown",
        };

        return names[state];
}

struct device_status device_status_of(const struct link *link, const struct config_line *line) {
        struct device_status result = { .link = link, .line = line };

        if (!line) {
                result.state = DEVICE_STATE_UNSET;
                return result;
        }
        result.wanted = line->spec.mtu != MTU_MAX ? line->spec.mtu : link ? link->mtu_max : 0;
        if (!link)
                result.state = DEVICE_STATE_ABSENT;
        else if (result.wanted == 0 || result.wanted < link->mtu_min ||
                 (link->mtu_max > 0 && result.wanted > link->mtu_max))
                result.state = DEVICE_STATE_IMPOSSIBLE;
        else
                result.state = link->mtu == result.wanted ? DEVICE_STATE_OK : DEVICE_STATE_DRIFT;
        return result;
}

const char *device_status_fault(struct pool *pool, const struct device_status *status) {
        const struct link *link = status->link;

        if (status->wanted == 0)
                return "max is not available: the device reports no maximum; write a number";
        if (link->mtu_max > 0)
                return pool_print(pool, "%u is outside the range of this device (%u to %u)", status->wanted,
                                  link->mtu_min, link->mtu_max);
        return pool_print(pool, "%u is below the smallest MTU of this device (%u)", status->wanted,
                          link->mtu_min);
}

/* Marks in `is_met` every line that names the link. Returns the line in effect. */
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

int device_statuses_make(const struct config *config, const struct link_table *table,
                         struct device_statuses *ret) {
        size_t n_max = table->n_links + config->n_lines;
        struct device_statuses statuses = { .items = calloc(n_max + 1, sizeof(*statuses.items)) };
        bool *is_met = calloc(config->n_lines + 1, sizeof(*is_met));

        if (!statuses.items || !is_met) {
                free(statuses.items);
                free(is_met);
                return -ENOMEM;
        }
        for (size_t i = 0; i < table->n_links; i++) {
                const struct link *link = &table->links[i];
                struct device_status *status = &statuses.items[statuses.n_items++];

                *status = device_status_of(link, meet_lines(config, table, link, is_met));
                if (!status->line && config->is_partial)
                        status->state = DEVICE_STATE_UNKNOWN;
        }
        for (size_t i = 0; i < config->n_lines; i++)
                if (!is_met[i])
                        statuses.items[statuses.n_items++] = device_status_of(NULL, &config->lines[i]);
        free(is_met);
        *ret = statuses;
        return 0;
}

void device_statuses_free(struct device_statuses *statuses) {
        free(statuses->items);
        *statuses = (struct device_statuses){ 0 };
}
