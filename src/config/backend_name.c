/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config/backend_name.h"

#include <string.h>

static const char *const names[BACKEND_COUNT] = {
        [BACKEND_AUTO] = "auto",         [BACKEND_UNIT] = "unit",
        [BACKEND_LINK] = "link",         [BACKEND_NETWORK] = "network",
        [BACKEND_NETWORKD] = "networkd", [BACKEND_NETWORKMANAGER] = "networkmanager",
};

const char *backend_name(enum backend backend) {
        return names[backend];
}

bool backend_from_name(const char *name, enum backend *ret) {
        for (unsigned i = 0; i < BACKEND_COUNT; i++)
                if (strcmp(name, names[i]) == 0) {
                        *ret = (enum backend)i;
                        return true;
                }
        return false;
}
