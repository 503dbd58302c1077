/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan/link_table.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

void link_table_free(struct link_table *table) {
        for (size_t i = 0; i < table->n_names; i++)
                free(table->names[i].altname);
        free(table->names);
        free(table->underlays);
        free(table->links);
        *table = (struct link_table){ 0 };
}

int link_table_add(struct link_table *table, const struct link *link) {
        struct link_name *name = array_add(&table->names, &table->n_names, sizeof(*name));
        struct link *item = NULL;

        if (name) {
                *name = (struct link_name){ 0 }; /* link_table_sort() writes it */
                item = array_add(&table->links, &table->n_links, sizeof(*item));
        }
        if (!item)
                return -ENOMEM;
        *item = *link;
        return 0;
}

int link_table_add_altname(struct link_table *table, unsigned ifindex, const char *name) {
        struct link_name *item = array_add(&table->names, &table->n_names, sizeof(*item));

        if (!item)
                return -ENOMEM;
        *item = (struct link_name){ .altname = strdup(name), .ifindex = ifindex };
        item->name = item->altname;
        return item->name ? 0 : -ENOMEM;
}

/* Of two links, which begin with it. */
static int by_ifindex(const void *a, const void *b) {
        unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

        return (x > y) - (x < y);
}

void link_table_sort(struct link_table *table) {
        const struct link *link = table->links;

        if (table->n_links > 1)
                qsort(table->links, table->n_links, sizeof(*table->links), by_ifindex);
        for (size_t i = 0; i < table->n_names; i++)
                if (!table->names[i].altname) {
                        table->names[i] = (struct link_name){ link->name, NULL, link->ifindex };
                        link++;
                }
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

        for (size_t i = 0; i < table->n_names; i++) {
                unsigned typos = text_typos(name, table->names[i].name);

                if (typos < fewest) {
                        fewest = typos;
                        alike = table->names[i].name;
                }
        }
        return alike;
}
