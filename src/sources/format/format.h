/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The formats of single files, by name, and how a file is recognized. */

#include "sources/format/readers.h"

struct source_format {
        const char *name;    /* as setmtu import --format takes it */
        source_reader *read; /* NULL: a unit, which takes more than a text; or not read */
        /* Patterns, as for fnmatch(3), of which one matches the end of such a file's path, from a "/" on;
         * apart by spaces. */
        const char *paths;
        /* Patterns, a line each, of which a line of a text matches one, or all, if the name does not tell
         * the format; or NULL. */
        const char *lines;
        bool has_all_lines;
        const char *foreign; /* whose it is, where setmtu does not read it */
        const char *beside;  /* the name of a file in the same folder that belongs to it; or NULL */
};

/* NULL: there is none of that name that is read. */
const struct source_format *source_format_find(const char *name);

/* By its name; and by that or else by its content. NULL: neither tells. */
const struct source_format *source_format_of_path(const char *path);
const struct source_format *source_format_recognise(const char *path, const char *text, size_t size);

/* All names of formats that are read, apart by ", ", in the pool. */
const char *source_format_names(struct pool *pool);
