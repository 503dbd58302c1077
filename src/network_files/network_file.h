/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* .link and .network files with their drop-ins, as far as setmtu needs them: systemd.syntax(7),
 * config_parse() in systemd's src/shared/conf-parser.c. */

#include <stdbool.h>
#include <stddef.h>

#include "base/attributes.h"
#include "base/pool.h"
#include "config/diagnostic.h"

/* What their names end in. */
#define NETWORK_FILE_LINK ".link"
#define NETWORK_FILE_NETWORK ".network"

/* The directory for the files of setmtu, which do not outlive the boot. */
#define NETWORK_FILE_DIRECTORY "/run/systemd/network"

/* One `KEY=VALUE`, in the order in which systemd reads them. */
struct network_setting {
        const char *header; /* the name in the brackets; each section has its own copy */
        const char *key;
        const char *value; /* white space around it is gone, continued lines are joined by a space */
};

/* One with only a name and a path is empty. */
struct network_file {
        const char *name; /* 99-default.link */
        const char *path; /* as the user knows it, without SETMTU_ROOT */
        struct network_setting *settings;
        size_t n_settings;
};

/* By name: the order in which systemd tries them. */
struct network_files {
        struct network_file *items;
        size_t n_items;
        struct pool pool; /* owns all of it */
};

/* Reads the files of this machine whose names end in `suffix`, as systemd-udevd and systemd-networkd find
 * them: of each name the one in the first of the directories, with its drop-ins (conf_files_list_strv() in
 * systemd's src/basic/conf-files.c, config_parse_many() in src/shared/conf-parser.c). Left out are those
 * that are masked (empty, or a link to /dev/null), those that setmtu has written, and, with a warning, bad
 * ones that systemd leaves out as well. Errors leave `ret` untouched: -ENOMEM; and those of a file or
 * directory that is there and cannot be read, which is reported as such. Without it, which one is in effect
 * for a device cannot be told. */
MUST_USE int network_files_read(const char *suffix, const struct diagnostic_sink *sink,
                                struct network_files *ret);
void network_files_free(struct network_files *files); /* for CLEANUP(), too */

/* Reads the text of the file itself or, behind it, of a drop-in. What an empty value resets in [Match] is
 * left out. -ENOMEM, or -EBADMSG where systemd would take none of the file: a section header without its
 * end, a line not in UTF-8. */
int network_file_parse(struct pool *pool, struct network_file *file, const char *text, size_t size);

/* The value of the last setting of the key in sections of this name, or NULL. */
const char *network_file_get(const struct network_file *file, const char *header, const char *key);

/* Whether the list that `key` of [Match] makes, all its assignments together, matches `name`, as
 * net_condition_test_strv() in systemd's src/shared/net-condition.c does: globs, and a "!" that inverts its
 * assignment. True if there is no such list. */
bool network_file_match_name(const struct network_file *file, const char *key, const char *name);

/* Whether that list is this one name, literally, and nothing else. */
bool network_file_names_only(const struct network_file *file, const char *key, const char *name);

/* Whether [Match] has any setting besides `key` that this kind of file can have. Without any, systemd
 * ignores the file. */
bool network_file_has_match(const struct network_file *file, const char *key);

/* Whether Unmanaged= is a word for yes: parse_boolean() in systemd's src/basic/parse-util.c. */
bool network_file_is_unmanaged(const struct network_file *file);

/* The first .network file that is for the device alone; NULL: none. */
const struct network_file *network_files_find_own(const struct network_files *files, const char *name);
