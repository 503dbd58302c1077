/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Reads a shell script as far as possible without running it: one simple command at a time, its words
 * without their quotes (POSIX XCU 2.2, 2.3, 2.9; arrays and [[ of bash). Texts are in the pool. */

#include "sources/parser/source_parser.h"
#include "sources/shell/shell_word.h"

void shell_command_add(struct pool *pool, struct shell_command *command, struct shell_word word);

/* The same command without its first `n` words. The words are not copied. */
struct shell_command shell_command_rest(const struct shell_command *command, size_t n);

/* The next simple command, reserved word, or operator without one in front. False at the end. */
bool shell_read(struct shell *shell, struct shell_command *ret);

/* The next simple command. False at the end. */
bool shell_next(struct shell *shell, struct shell_command *ret);

/* Reports a mistake in a text that begins at `line`. */
void shell_report(const struct source_parser *parser, const struct shell_mistake *mistake, unsigned line);

/* Reads a shell file for its assignments, of which a later one may use an earlier one: ifcfg-*, netctl's
 * profiles, rc.conf. */
struct shell_variables shell_file_read(const struct source_parser *parser);

/* Whether the command that was read, NAME (, begins a function. */
bool shell_begins_function(const struct shell *shell, const struct shell_command *command);

/* Whether the condition that begins here is always true. */
bool shell_begins_endless(const struct shell *shell);
