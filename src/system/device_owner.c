/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "system/device_owner.h"

#include <stdlib.h>

static const struct {
        const char *name;
        const char *title;
} words[OWNER_COUNT] = {
        [OWNER_NETWORKD] = { "networkd", "systemd-networkd" },
        [OWNER_NETWORKMANAGER] = { "networkmanager", "NetworkManager" },
        [OWNER_IFUPDOWN] = { "ifupdown", "ifupdown" },
        [OWNER_IFUPDOWN2] = { "ifupdown2", "ifupdown2" },
        [OWNER_NETCTL] = { "netctl", "netctl" },
};

const char *owner_name(enum owner owner) {
        return words[owner].name;
}

const char *owner_title(enum owner owner) {
        return words[owner].title;
}

void owners_free(struct owners *owners) {
        for (unsigned i = 0; i < OWNER_COUNT; i++)
                free(owners->profile[i]);
        free(owners->link_file);
        free(owners->lease_file);
        *owners = (struct owners){ 0 };
}
