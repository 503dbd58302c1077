/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan/link_table.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

void link_table_free(struct link_table *table) {
        for (size_t i = 0; i < table->n_altnames; i++)
                free(table->altnames[i].name);
        free(table->altnames);
        free(table->underlays);
        free(table->names);
        free(table->links);
        *table = (struct link_table){ 0 };
}

/* Makes room for a name; link_table_sort() writes it. */
static bool add_name(struct link_table *table) {
        return array_add(&table->names, &table->n_names, sizeof(*table->names));
}

int link_table_add(struct link_table *table, const struct link *link) {
        struct link *item =
                        add_name(table) ? array_add(&table->links, &table->n_links, sizeof(*item)) : NULL;

        if (!item)
                return -ENOMEM;
        *item = *link;
        return 0;
}

int link_table_add_altname(struct link_table *table, unsigned ifindex, const char *name) {
        struct link_altname *item =
                        add_name(table) ? array_add(&table->altnames, &table->n_altnames, sizeof(*item))
                                        : NULL;

        if (!item)
                return -ENOMEM;
        *item = (struct link_altname){ .name = strdup(name), .ifindex = ifindex };
        return item->name ? 0 : -ENOMEM;
}

/* Of two links, which begin with it. */
static int by_ifindex(const void *a, const void *b) {
        unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

        return (x > y) - (x < y);
}

void link_table_sort(struct link_table *table) {
        struct link_name *name = table->names;

        if (table->n_links > 1)
                qsort(table->links, table->n_links, sizeof(*table->links), by_ifindex);
        for (size_t i = 0; i < table->n_links; i++)
                *name++ = (struct link_name){ table->links[i].name, table->links[i].ifindex };
        for (size_t i = 0; i < table->n_altnames; i++)
                *name++ = (struct link_name){ table->altnames[i].name, table->altnames[i].ifindex };
        if (table->n_names > 1)
                qsort(table->names, table->n_names, sizeof(*table->names), text_compare);
}

const struct link *link_table_by_ifindex(const struct link_table *table, unsigned ifindex) {
        const struct link wanted = { .ifindex = ifindex };

        if (ifindex == 0 || table->n_links == 0)
                return NULL;
        return bsearch(&wanted, table->links, table->n_links, sizeof(wanted), by_ifindex);
}

const struct link *link_table_by_name(const struct link_table *table, const char *name) {
        const struct link_name wanted = { .name = name }, *found = NULL;

        if (table->n_names > 0)
                found = bsearch(&wanted, table->names, table->n_names, sizeof(wanted), text_compare);
        return found ? link_table_by_ifindex(table, found->ifindex) : NULL;
}

const char *link_table_alike(const struct link_table *table, const char *name) {
        const char *alike = NULL;
        unsigned fewest = UINT_MAX;

        for (size_t i = 0; i < table->n_links + table->n_altnames; i++) {
                const char *candidate = i < table->n_links ? table->links[i].name
                                                           : table->altnames[i - table->n_links].name;
                unsigned typos = text_typos(name, candidate);

                if (typos < fewest) {
                        fewest = typos;
                        alike = candidate;
                }
        }
        return alike;
}
