/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Trials of the configuration, also for setmtu reload. Functions log errors and return an exit code. */

#include <stdbool.h>

/* The time of an option; NULL: the default. */
int try_parse_time(const char *command, const char *option, const char *text, unsigned *ret_s);

/* Tries what a reload would change. `hosts`: names with commas in between, or NULL; with them, nobody is
 * asked. */
int try_configuration(unsigned timeout_s, const char *hosts, bool is_detached);
