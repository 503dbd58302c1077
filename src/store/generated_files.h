/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The files that setmtu writes for other programs: rendered in memory, found on disk, and compared. Their
 * first line marks them as written by setmtu; any other file is left alone. Paths are without
 * SETMTU_ROOT. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/attributes.h"
#include "base/pool.h"
#include "config/config.h"

/* What the first line begins with. " for NAME" follows in a file for one device, " from" in any other. */
#define GENERATED_FILES_MARK "# Written by setmtu-configure"

/* The files of one backend; static. */
struct generated_kind {
        const char *directory; /* messages count the files in it; NULL: they name each file */
        struct generated_place {
                const char *directory; /* NULL ends the list */
                const char *suffix;    /* of the names in it */
                const char *below;     /* those are directories, and it is this in each; a directory that is
                                          empty without it goes with it. Or NULL */
        } places[3];
};

struct generated_file {
        const struct generated_kind *kind;
        const struct generated_place *place; /* of a file that was found; otherwise NULL */
        char *path;
        char *text;
        size_t size;
        bool is_changed; /* by generated_files_save(): it was written, or removed */
        int error;       /* it could not be; or 0 */
};

struct generated_files {
        struct generated_file *items;
        size_t n_items;
        struct pool pool; /* owns the items and their paths */
};

void generated_files_free(struct generated_files *files); /* for CLEANUP(), too */

/* Adds a file and opens a stream for its text, which begins with the mark: for the device of `line`, without
 * a newline after it, or for all devices if `line` is NULL, with a newline. `files` must not change before
 * generated_files_end(). NULL if memory is out. */
FILE *generated_files_begin(struct generated_files *files, const struct generated_kind *kind,
                            const char *path, const struct config_line *line);
/* Closes the stream. -ENOMEM if the text is incomplete. */
int generated_files_end(struct generated_files *files, FILE *stream);

/* Adds all files of the kind that setmtu has written before. A file or directory that cannot be read is
 * reported and not added, and so is never removed. -ENOMEM is the only error. */
MUST_USE int generated_files_read(struct generated_files *files, const struct generated_kind *kind,
                                  const struct diagnostic_sink *sink);

/* NULL if there is none. */
const struct generated_file *generated_files_find(const struct generated_files *files, const char *path);

bool generated_file_text_is_ours(const char *text);
/* Whether setmtu has written the file: 1, 0, -ENOENT if there is none, or another negative errno if that
 * cannot be told. A symbolic link is never setmtu's: what it leads to may be on a file system that is
 * mounted later. */
MUST_USE NONNULL int generated_file_is_ours(const char *path);

/* Writes `wanted` and then, if `may_remove`, removes the files that are only in `before`. After an error the
 * other files are still handled. False if there was one. */
MUST_USE bool generated_files_save(struct generated_files *wanted, struct generated_files *before,
                                   bool may_remove);
