/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan/device_status.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/stack.h"

const char *device_state_name(enum device_state state) {
        static const char *const names[] = {
                [DEVICE_STATE_OK] = "ok",           [DEVICE_STATE_DRIFT] = "drift",
                [DEVICE_STATE_ABSENT] = "absent",   [DEVICE_STATE_IMPOSSIBLE] = "impossible",
                [DEVICE_STATE_UNSET] = "unset",     [DEVICE_STATE_UNKNOWN] = "unknown",
                [DEVICE_STATE_WAITING] = "waiting",
        };

        return names[state];
}

struct device_status device_status_of(const struct link *link, const struct config_line *line) {
        struct device_status result = { .link = link, .line = line };

        if (!line) {
                result.state = DEVICE_STATE_UNSET;
                return result;
        }
        result.wanted = line->spec.mtu;
        if (link && line->spec.mtu == MTU_MAX)
                result.wanted = line->spec.is_auto ? link->fit.mtu : link->mtu_max;
        if (!link)
                result.state = DEVICE_STATE_ABSENT;
        else if (line->spec.is_auto && link->fit.fault >= FIT_NO_BRIDGE)
                result.state = DEVICE_STATE_WAITING;
        else if (result.wanted == 0 || result.wanted < link->mtu_min ||
                 (link->mtu_max > 0 && result.wanted > link->mtu_max))
                result.state = DEVICE_STATE_IMPOSSIBLE;
        else
                result.state = link->mtu == result.wanted ? DEVICE_STATE_OK : DEVICE_STATE_DRIFT;
        return result;
}

const char *device_fit_fault(enum fit_fault fault) {
        static const char *const faults[] = {
                [FIT_NO_LOWER] = "auto is not available: the kernel names no device below it; write a "
                                 "number, or max",
                [FIT_ELSEWHERE] =
                                "auto is not available: what it stands on is in another network namespace; "
                                "write a number",
                [FIT_IPSEC] = "auto is not available: what IPsec adds depends on the cipher of each "
                              "security association, and on NAT between its ends; write a number",
                [FIT_NEGOTIATED] = "auto-N is not available: what PPP has negotiated is not known any more "
                                   "once the MTU is changed; write auto, or a number",
                [FIT_LOOP] = "auto is not available: its MTU depends on itself, by what its packets leave "
                             "by; write a number",
                [FIT_NOTHING_LEFT] = "auto is not available: nothing is left of the MTU below",
                [FIT_NO_BRIDGE] = "it is no port of a bridge yet; if a program has a tunnel by it, write "
                                  "a number",
                [FIT_NO_PORT] = "none of its ports has a line by its own name; write one, or a number for "
                                "this device",
                [FIT_NO_END] = "the other end of the tunnel is not known",
                [FIT_NO_ROUTE] = "there is no route to the other end of the tunnel",
                [FIT_NO_DEFAULT] = "there is no default route",
                [FIT_NOT_PERMITTED] = "only root may ask for the other ends of the tunnel",
                [FIT_UNREADABLE] = "the kernel does not tell how its packets leave",
        };

        return faults[fault];
}

const char *device_fault(char buffer[static DEVICE_FAULT_SIZE], const struct link *link, uint32_t wanted) {
        if (wanted == 0 && link->fit.fault != FIT_FITS)
                return device_fit_fault(link->fit.fault);
        if (wanted == 0)
                return "max is not available: the device reports no maximum; write a number";
        if (link->mtu_max > 0)
                snprintf(buffer, DEVICE_FAULT_SIZE, "%u is outside the range of this device (%u to %u)",
                         wanted, link->mtu_min, link->mtu_max);
        else
                snprintf(buffer, DEVICE_FAULT_SIZE, "%u is below the smallest MTU of this device (%u)",
                         wanted, link->mtu_min);
        return buffer;
}

/* The line of the pattern that is for a device without a line, or NULL. `own` becomes the device's. */
static const struct config_line *pattern_of(const struct config *config, const struct link_table *table,
                                            const struct link *link, struct config_line *own) {
        const struct config_line *line = config_match(config, link->name);

        if (!line || stack_setter(table, link))
                return NULL;
        *own = *line;
        strcpy(own->name, link->name);
        return own;
}

int device_statuses_make(const struct config *config, const struct link_table *table,
                         struct device_statuses *ret) {
        size_t n = table->n_links;
        struct device_status *items = calloc(n + config->n_lines + 1, sizeof(*items));
        struct config_line *lines = config->n_patterns > 0 ? calloc(n + 1, sizeof(*lines)) : NULL;

        if (!items || (config->n_patterns > 0 && !lines)) {
                free(items);
                free(lines);
                return -ENOMEM;
        }
        for (size_t i = 0; i < n; i++)
                items[i].line = config_find(config, table->links[i].name);
        for (size_t i = 0; i < table->n_names; i++) {
                const struct link_name *item = &table->names[i];
                const struct link *link = item->altname ? link_table_by_ifindex(table, item->ifindex) : NULL;

                if (link && !items[link - table->links].line)
                        items[link - table->links].line = config_find(config, item->altname);
        }
        for (size_t i = 0; lines && i < n; i++)
                if (!items[i].line)
                        items[i].line = pattern_of(config, table, &table->links[i], &lines[i]);
        for (size_t i = 0; i < n; i++) {
                items[i] = device_status_of(&table->links[i], items[i].line);
                if (!items[i].line && config->is_partial)
                        items[i].state = DEVICE_STATE_UNKNOWN;
        }
        for (size_t i = 0; i < config->n_lines; i++)
                if (!config->lines[i].is_pattern && !link_table_by_name(table, config->lines[i].name))
                        items[n++] = device_status_of(NULL, &config->lines[i]);
        *ret = (struct device_statuses){ .items = items, .n_items = n, .lines = lines };
        return 0;
}

const struct config_line *device_statuses_line(const struct device_statuses *statuses,
                                               const struct config *config, const struct link *link,
                                               const char *name) {
        return link ? statuses->items[link - statuses->items->link].line : config_match(config, name);
}

void device_statuses_free(struct device_statuses *statuses) {
        free(statuses->items);
        free(statuses->lines);
        *statuses = (struct device_statuses){ 0 };
}
