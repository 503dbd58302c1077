/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* An edit of a device's line in CONFIG_FILE: first prepared and checked as far as possible, then carried out
 * or not. No other setmtu command edits the file meanwhile. Functions log errors and return an exit code.
 * `ret` is all zeros at first, and is to be cleaned up in any case. */

#include <stddef.h>

#include "base/attributes.h"
#include "config/config.h"

struct config_write;

struct line_change {
        const char *name;
        bool is_removal;
        struct mtu_spec spec; /* otherwise */
};

struct line_edit {
        struct config_write *write;
        const char *name;                 /* not owned; NULL: of several */
        char former[INTERFACE_NAME_SIZE]; /* the name by which its line goes no longer; or empty */
        const char *text;                 /* as it is to be */
        char *owned;                      /* that text, once it is changed */
        size_t size;
        unsigned n_changed; /* lines; 0: the file says so already */
};

/* Writes the line of the device, which may be absent, by this name, or removes it if `spec` is NULL. `line`
 * is the one that it has, or NULL; by another name it is removed. A line of a file that overrides
 * CONFIG_FILE is an error. */
int line_edit_prepare(const struct config *config, const struct config_line *line, const char *name,
                      const struct mtu_spec *spec, struct line_edit *ret);

/* Writes or removes a line of each of these devices, all or none. */
NONNULL int line_edit_prepare_changes(const struct line_change *changes, size_t n_changes,
                                      struct line_edit *ret);

/* Writes the file if anything has changed. */
int line_edit_write(struct line_edit *edit);
/* The messages of that for `result`, of config_write_replace(). */
int line_edit_log(const struct line_edit *edit, int result);
void line_edit_cleanup(struct line_edit *edit); /* for CLEANUP(); of one that is all zeros, too */
