/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config/backend.h"

#include <string.h>

static const char *const names[BACKEND_COUNT] = {
        [BACKEND_UNIT] = "unit",
        [BACKEND_LINK] = "link",
        [BACKEND_NETWORK] = "network",
        [BACKEND_NETWORKD] = "networkd",
        [BACKEND_NETWORKMANAGER] = "networkmanager",
        [BACKEND_NETCTL] = "netctl",
        [BACKEND_AUTO] = "auto",
};

const char *backend_name(enum backend backend) {
        return names[backend];
}

bool backend_from_name(const char *name, size_t size, enum backend *ret) {
        for (unsigned i = 0; i < BACKEND_COUNT; i++)
                if (strlen(names[i]) == size && memcmp(names[i], name, size) == 0) {
                        *ret = (enum backend)i;
                        return true;
                }
        return false;
}
