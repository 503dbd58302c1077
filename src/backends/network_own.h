/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The .link files, .network drop-ins and netctl hooks that setmtu has written before. */

#include <stdbool.h>
#include <stddef.h>

struct network_own {
        struct network_own_file {
                char *path; /* without SETMTU_ROOT */
                char *text;
        } * items;
        size_t n_items;
};

/* -ENOMEM, with `ret` untouched, is the only error. */
int network_own_read(struct network_own *ret);
void network_own_free(struct network_own *own);

/* Whether some of them are below /run: of this boot. */
bool network_own_has_runtime(const struct network_own *own);

/* Removes one of them, and the folder of a drop-in where that is empty then. 0 or a negative errno. */
int network_own_remove(const char *path);
