/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

/* Serves a call whose first argument is --help or --version. True where it was one: then `ret_exit_code` is
 * what to end with. */
bool standard_option(int argc, char *argv[], const char *program, const char *help, int *ret_exit_code);
