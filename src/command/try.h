/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Trials, also for other commands. Functions log errors and return an exit code. */

#include "command/set_args.h"

enum try_end {
        TRY_ASKS,     /* waits for an answer, or for setmtu confirm */
        TRY_DETACHES, /* prints the number of the trial, and waits for nothing */
        TRY_PROBES,   /* confirms if the paths to the hosts carry the MTUs */
};

/* The time of an option; NULL: the default. */
int try_parse_time(const char *option, const char *text, unsigned *ret_s);

/* Tries the MTU of the arguments, which are resolved and of a device that is there. When it is confirmed,
 * its line is written, and the unit started. */
int try_device(struct snapshot *snapshot, const struct set_args *args, unsigned timeout_s, enum try_end end);

/* Tries what a reload would change. `hosts`: names with commas in between, or NULL; with them, nobody is
 * asked. */
int try_configuration(unsigned timeout_s, const char *hosts, enum try_end end);
