/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config/backend_name.h"

#include "base/text.h"

static const struct {
        const char *name;
        bool has_unit;
} backends[BACKEND_COUNT] = {
        [BACKEND_UNIT] = { .name = "unit", .has_unit = true },
        [BACKEND_LINK] = { .name = "link" },
        [BACKEND_NETWORK] = { .name = "network" },
        [BACKEND_NETWORKD] = { .name = "networkd" },
        [BACKEND_NETWORKMANAGER] = { .name = "networkmanager" },
        [BACKEND_NETCTL] = { .name = "netctl" },
        [BACKEND_AUTO] = { .name = "auto", .has_unit = true },
};

const char *backend_name(enum backend backend) {
        return backends[backend].name;
}

bool backend_from_name(const char *name, size_t size, enum backend *ret) {
        for (unsigned i = 0; i < BACKEND_COUNT; i++)
                if (text_part_is(name, size, backends[i].name)) {
                        *ret = (enum backend)i;
                        return true;
                }
        return false;
}

bool backend_has_unit(enum backend backend) {
        return backends[backend].has_unit;
}
