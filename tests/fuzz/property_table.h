/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "properties.h"

/* May hold a NUL, hence the size. */
struct piece {
        const char *text;
        size_t size;
};

struct property {
        const char *name; /* also of its directory in the corpus */
        property_function *holds;
        const struct piece *pieces; /* what pseudo-random inputs are put together from */
        size_t n_pieces;
        unsigned long cases; /* how many of those; together a second, or two */
};

extern const struct property property_table[];
extern const size_t n_properties;
