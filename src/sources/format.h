/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The formats of single files, by name, and how a file shows which one it is in. */

#include "sources/reading.h"

struct source_format {
        const char *name;                           /* as setmtu import --format takes it */
        int (*read)(const struct reading *reading); /* NULL: a unit, which takes more than a text */
        /* Patterns, as for fnmatch(3), of which one matches the end of such a file's path, from a "/" on;
         * apart by spaces. */
        const char *paths;
        /* Whether a text without a telling name looks like it. NULL: none can be told. */
        bool (*looks_like)(const char *text, size_t size);
};

/* NULL: there is none of that name. */
const struct source_format *source_format_find(const char *name);

/* By its name or else by its content. NULL: neither tells. */
const struct source_format *source_format_recognise(const char *path, const char *text, size_t size);

/* All names, apart by ", ", as far as they fit. Returns `buffer`. */
#define SOURCE_FORMAT_NAMES_SIZE 512
const char *source_format_names(char buffer[static SOURCE_FORMAT_NAMES_SIZE]);
