/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/finding.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void finding_free(struct finding *finding) {
        free(finding->device);
        free(finding->file);
        free(finding->value);
        free(finding->unclear);
        free(finding->owner);
        free(finding->through);
        free(finding->parent);
}

void findings_free(struct findings *findings) {
        for (size_t i = 0; i < findings->n_items; i++)
                finding_free(&findings->items[i]);
        free(findings->items);
        *findings = (struct findings){ 0 };
}

int findings_add(struct findings *findings, struct finding finding) {
        struct finding *items = findings->items;

        if (!(findings->n_items & (findings->n_items - 1)))
                items = reallocarray(items, findings->n_items ? 2 * findings->n_items : 1, sizeof(*items));
        if (!items) {
                finding_free(&finding);
                return -ENOMEM;
        }
        findings->items = items;
        items[findings->n_items++] = finding;
        return 0;
}

int findings_move(struct findings *to, struct findings *from) {
        size_t n = to->n_items + from->n_items, room = 1;
        struct finding *items;

        if (from->n_items > 0) {
                while (room < n)
                        room *= 2;
                items = reallocarray(to->items, room, sizeof(*items));
                if (!items)
                        return -ENOMEM;
                memcpy(items + to->n_items, from->items, from->n_items * sizeof(*items));
                *to = (struct findings){ items, n };
        }
        free(from->items);
        *from = (struct findings){ 0 };
        return 0;
}

const char *source_name(enum source source) {
        static const char *const names[SOURCE_COUNT] = {
                [SOURCE_LINK] = "link",         [SOURCE_UDEV_RULE] = "udev-rule",
                [SOURCE_UNIT] = "unit",         [SOURCE_NETWORK] = "network",
                [SOURCE_NETPLAN] = "netplan",   [SOURCE_NETWORKMANAGER] = "networkmanager",
                [SOURCE_IFUPDOWN] = "ifupdown", [SOURCE_IFUPDOWN2] = "ifupdown2",
                [SOURCE_IFCFG] = "ifcfg",       [SOURCE_NETCTL] = "netctl",
                [SOURCE_NETCFG] = "netcfg",     [SOURCE_OPENRC] = "openrc",
                [SOURCE_DHCPCD] = "dhcpcd",     [SOURCE_DHCLIENT] = "dhclient",
                [SOURCE_LEASE] = "lease",       [SOURCE_SCRIPT] = "script",
                [SOURCE_TUNED] = "tuned",       [SOURCE_DOCKER] = "docker",
                [SOURCE_FREEBSD] = "freebsd",   [SOURCE_IRIX] = "irix",
        };

        return names[source];
}

bool source_is_first_match(enum source source) {
        return source == SOURCE_LINK || source == SOURCE_NETWORK;
}
