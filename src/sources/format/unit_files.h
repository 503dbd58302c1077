/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Units that call ip(8) or ifconfig(8), above all the hand-written setmtu@.service (systemd.service(5),
 * systemd.exec(5)). */

#include "sources/parser/source_parser.h"
#include "system/systemd_ini.h"

/* A file that EnvironmentFile= names. */
struct unit_environment_file {
        const char *path;
        const char *instance; /* the one that it is for, by a specifier in its name; NULL: all */
        const char *text;     /* NULL: it could not be read */
        size_t size;
};

struct unit_text {
        const char *name;                /* setmtu@.service */
        const struct network_file *file; /* with its drop-ins: the syntax is the same */
        struct unit_environment_file *environment_files;
        size_t n_environment_files;
        struct pool_list instances; /* of a template: their names, escaped */
        bool has_others;            /* more are enabled, which are read by themselves */
        bool all_act; /* which instances are enabled is not known, and all that have a value are taken */
};

/* The text of the parser is not used. */
void source_unit_read(const struct source_parser *parser, const struct unit_text *unit);

/* Whether it can be a unit for source_unit_read() at all: it has a command, and is not one of setmtu's own.
 */
bool source_unit_is_candidate(const struct network_file *file, bool *ret_is_about_mtu);
