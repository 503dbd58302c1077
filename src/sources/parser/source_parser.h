/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A text that is parsed for MTUs. A parser of a format only gets a struct source_parser, and opens nothing.
 * Mistakes in the text go to the sink, and parsing continues; the pool of the sources records lack of
 * memory. */

#include <sys/types.h>

#include "config/diagnostic.h"
#include "sources/parser/lines.h"
#include "sources/parser/mtu_source.h"

struct source_parser;

/* Other files of this machine, for scripts that are run. What they return is in the pool of the sources. */
struct script_files {
        /* False for what cannot be read as a text. */
        bool (*read)(const void *userdata, const char *path, const char **ret_text, size_t *ret_size);
        /* Adds the paths that a pattern means (glob(7)), sorted; `runs_parts`: those that run-parts(8) runs.
         * False if a folder cannot be listed, or if there are many more than a folder has scripts. */
        bool (*list)(const void *userdata, const char *pattern, bool runs_parts, struct pool_list *ret);
        /* Its st_mode (stat(2)); 0 if it is not there. False if that cannot be told. */
        bool (*mode)(const void *userdata, const char *path, mode_t *ret);
        const void *userdata;
        /* Reads a configuration of wg-quick(8). */
        void (*read_tunnel)(const struct source_parser *parser);
};

struct source_parser {
        const char *file; /* its name in sources and messages, shown as it is */
        const char *text; /* not owned; may hold any byte, and no NUL behind it */
        size_t size;
        const struct diagnostic_sink *sink;
        struct mtu_sources *sources; /* what is found is added there */
        size_t first;                /* those before this one do not concern the text */
        const char *inactive;        /* why all that is in the text does not take effect; NULL: it does */
        const char *owner;           /* as in a source, for a format that has no other; or NULL */
        const char *device;          /* the device of a lease, whose text does not name it; or NULL */
        const char *given;           /* what a hook gets, apart by ";": NAME=VALUE, or NAME= and what struct
                                        shell_variable has as `among`; or NULL */
        const char *beside;          /* the text of the file that a struct source_format names; or NULL */
        size_t beside_size;
        const struct script_files *files; /* NULL: scripts that the text runs are not followed */
        const char *folder;               /* where what it runs begins; NULL: not known */
        bool is_about_mtu;                /* what it runs is likely to set one, whatever it is called */
};

/* A limit above any real machine, because each device is searched among all. Further sources are reported,
 * once, and not read. */
#define SOURCES_MAX 4096u
#define SOURCE_CUT ", more than any machine has; this and the rest is not read"

/* How a program reads a number. */
enum value_rule {
        VALUE_DECIMAL, /* digits alone */
        VALUE_C,       /* strtoul() with base 0, as iproute2 does: 0x2328 and 021450 are 9000 */
        VALUE_SIZE,    /* with K, M or G of 1024: parse_size() in systemd's src/basic/parse-util.c */
};

/* The bytes that `value` says, or 0 with `ret_unclear`, a static clause that says why not. */
uint32_t source_value_read(const char *value, enum value_rule rule, const char **ret_unclear);

/* Adds a copy of `source`, up to SOURCES_MAX. Its file and owner are those of the parser where it has none.
 * Where it has a value, and neither `mtu` nor `unclear`, the value is read by the rule. */
void source_add(const struct source_parser *parser, enum value_rule rule, const struct mtu_source *source);

/* Reads another file of this machine. False if it cannot be read, or none can. */
bool source_read_file(const struct source_parser *parser, const char *path, const char **ret_text,
                      size_t *ret_size);

/* Whether a text may be about MTUs at all. */
bool source_mentions_mtu(const char *text, size_t size);

/* The last source that this file has for the device of that name. NULL: none. */
const struct mtu_source *source_find(const struct source_parser *parser, const char *device);

/* Gives `ret` the MTU of the device below, with which it is created. False if this file has none for that
 * device, or `parent` is NULL. */
bool source_inherit(const struct source_parser *parser, const char *parent, struct mtu_source *ret);

/* Remembers a profile of NetworkManager, up to SOURCES_MAX. Its texts are not copied. And the device of the
 * last one with that ID or UUID, or NULL. */
void source_add_profile(const struct source_parser *parser, const struct mtu_profile *profile);
const char *source_profile_device(const struct source_parser *parser, const char *id);

/* Lives as long as the sources. */
struct pool *source_pool(const struct source_parser *parser);

/* The lines of the text. */
struct lines source_lines(const struct source_parser *parser, bool joins);

/* Reports a line: as an error if the text after it is not read, as a warning if only the line is lost. */
#define source_fail(parser, line, ...) \
        diagnostic_report((parser)->sink, DIAGNOSTIC_ERROR, (parser)->file, line, NULL, __VA_ARGS__)
#define source_warn(parser, line, ...) \
        diagnostic_report((parser)->sink, DIAGNOSTIC_WARNING, (parser)->file, line, NULL, __VA_ARGS__)
