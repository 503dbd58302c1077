/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What systemd does not run of a unit: service_verify() in its src/core/service.c, config_parse_exec() in
 * its src/core/load-fragment.c. */

#include "base/pool.h"
#include "system/systemd_ini.h"

/* What may stand in front of a command: systemd.service(5). */
#define UNIT_COMMAND_PREFIXES "@-:+!|"

/* The commands in the value of ExecStart= or the like. */
struct unit_line {
        size_t n_commands;   /* that systemd runs; it leaves out those behind them */
        const char *refused; /* why it leaves these out, a clause in the pool; NULL: there are none */
        bool is_fatal;       /* and with them, the whole file */
};

struct unit_line unit_line_check(struct pool *pool, const char *value);

/* Why systemd does not start the unit, a clause in the pool. NULL: it does, or the file is a drop-in. */
const char *unit_why_refused(struct pool *pool, const struct network_file *file);
