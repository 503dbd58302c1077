/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

/* What a program's help says of the two; the exit status follows. */
#define STANDARD_OPTION_HELP                    \
        "      --help     show this and exit\n" \
        "      --version  show the version and exit\n\n"

/* Handles --help and --version as the first argument, and ends the process then. */
void standard_option(int argc, char *argv[], const char *program, const char *help);

/* Flushes standard output at the end. False if not all of it could be written, which is reported. */
bool standard_output_end(void);
