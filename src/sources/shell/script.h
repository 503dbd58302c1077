/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What scripts and commands do about MTUs, as far as that can be told without running them: what wraps a
 * command (sudo, timeout, sh -c, …) is taken off, variables, loops over words and functions are followed,
 * and so are scripts that they run, if the parser can read files. */

#include "sources/shell/shell.h"

/* The text of rc.local and other shell scripts. */
void source_script_read(const struct source_parser *parser);

/* Adds the MTUs that a whole script sets, which begins at the line of `source`. That has the kind, line,
 * file and owner of all of them. `variables` may be NULL. */
void script_read(const struct source_parser *parser, struct mtu_source source, const char *text, size_t size,
                 const struct shell_variables *variables);

/* The same for the words of one command. */
void script_read_words(const struct source_parser *parser, struct mtu_source source,
                       const struct shell_command *command, const struct shell_variables *variables);
