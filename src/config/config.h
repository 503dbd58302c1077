/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The wanted MTUs from any number of texts. Later texts, and later lines of a text, override earlier ones.
 * No I/O. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"
#include "base/pool.h"
#include "base/text.h"
#include "config/diagnostic.h"
#include "config/env_file.h"
#include "config/interface_name.h"
#include "config/mtu_spec.h"

/* A larger file is neither read nor written. */
#define CONFIG_FILE_MAX (1024 * 1024)

/* One device's line, or that of all devices like a pattern. */
struct config_line {
        char name[INTERFACE_NAME_SIZE]; /* or the pattern */
        struct mtu_spec spec;
        const char *file; /* owned by the config; lines of the same text share it; NULL: a command's own */
        unsigned line;    /* 0 for the kernel command line */
        bool is_pattern;  /* also in a copy that is for one device, and has its name */
};

/* One that is all zeros is empty. */
struct config {
        struct config_line *lines; /* one a device, in the order in which the devices were first named */
        size_t n_lines;
        enum backend backend; /* for lines that name none: SETMTU_BACKEND */
        bool keep;            /* all lines are kept: SETMTU_KEEP */
        bool is_partial;      /* a file of it could not be read: lines may be missing */
        bool is_for_initrd;   /* set by the caller: for another boot, without what ends with this one */

        /* private: */
        uint32_t *slots;    /* hash table over `lines`: index + 1, 0 is free */
        size_t n_slots;     /* at least twice as many as lines */
        uint32_t *patterns; /* indices of the lines of patterns, the one that wins last */
        size_t n_patterns;
        struct pool files;
};

NONNULL void config_free(struct config *config);

/* Reads one file's text. `file` is its name for messages and is copied. Mistakes go to `sink`; each loses
 * only its own line. -ENOMEM is the only error, and keeps what was read before. */
MUST_USE NONNULL int config_parse_file(struct config *config, const char *file, const char *text,
                                       size_t size, const struct diagnostic_sink *sink);

/* The same in steps, for a caller that has to know where the lines are. */
struct config_parser {
        struct config *config;
        const char *file; /* not copied */
        const struct diagnostic_sink *sink;
        struct env_file reader; /* from env_file_open() */
};

/* Reads the next line, valid or not, into `ret`. Returns 1, 0 at the end, or -ENOMEM. */
MUST_USE NONNULL int config_parse_next(struct config_parser *parser, struct env_assignment *ret);

/* Reads the `setmtu=NAME:MTU[,NAME:MTU…]` words of a kernel command line, in the same way. */
MUST_USE NONNULL int config_parse_command_line(struct config *config, const char *file, const char *text,
                                               size_t size, const struct diagnostic_sink *sink);

/* Whether both have the same settings for the same devices, in whichever places. */
NONNULL bool config_equals(const struct config *a, const struct config *b);

/* The line with this name or this pattern, or NULL. Valid until the next text is read, as that of the next.
 */
NONNULL const struct config_line *config_find(const struct config *config, const char *name);
/* The line that applies to a device of this name: its own or, failing that, the last of the patterns that
 * match it, as fnmatch(3) without flags does in systemd. None of them means lo. The caller knows whether the
 * device is a port of a bond or team, which none means either. */
NONNULL const struct config_line *config_match(const struct config *config, const char *name);

/* The next line that overrides that of a pattern for some devices: later patterns, which may match the same
 * ones, then names that it matches. `*index` starts as 0. NULL: no more. */
NONNULL const struct config_line *config_next_override(const struct config *config,
                                                       const struct config_line *pattern, size_t *index);

/* FILE:LINE; FILE alone for the kernel command line; "this value" for one of a command's arguments. */
#define CONFIG_LINE_PLACE_SIZE TEXT_PLACE_SIZE
const char *config_line_place(char buffer[static CONFIG_LINE_PLACE_SIZE], const struct config_line *line);
#define CONFIG_LINE_PLACE(line) config_line_place((char[CONFIG_LINE_PLACE_SIZE]){ 0 }, line)
