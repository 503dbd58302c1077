/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config/backend.h"

#include <string.h>

static const struct {
        const char *name;
        bool has_unit;
} backends[BACKEND_COUNT] = {
        [BACKEND_UNIT] = { "unit", .has_unit = true },
        [BACKEND_LINK] = { "link" },
        [BACKEND_NETWORK] = { "network" },
        [BACKEND_NETWORKD] = { "networkd" },
        [BACKEND_NETWORKMANAGER] = { "networkmanager" },
        [BACKEND_NETCTL] = { "netctl" },
        [BACKEND_AUTO] = { "auto", .has_unit = true },
};

const char *backend_name(enum backend backend) {
        return backends[backend].name;
}

bool backend_from_name(const char *name, size_t size, enum backend *ret) {
        for (unsigned i = 0; i < BACKEND_COUNT; i++)
                if (strlen(backends[i].name) == size && memcmp(backends[i].name, name, size) == 0) {
                        *ret = (enum backend)i;
                        return true;
                }
        return false;
}

bool backend_has_unit(enum backend backend) {
        return backends[backend].has_unit;
}
