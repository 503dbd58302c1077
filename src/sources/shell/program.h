/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What a program is, by its name, its path or its text, and what wraps a command: sudo(8), env(1),
 * timeout(1), … Names are without a folder. */

#include "sources/shell/shell.h"

/* `program` may have a folder. */
bool program_is_shell(const char *program);

/* A shell's -c, also behind other letters: -ec, -lc. */
bool program_is_script_option(const char *word);

/* Of a language whose programs are not followed. */
bool program_is_interpreter(const char *program);

/* A text without "#!" is a script of the shell that runs it, unless a NUL in the first line says that it is
 * none: execve(2) and POSIX XCU 2.9.1. `is_executed`: no shell runs it. */
bool program_is_script(const char *text, size_t size, bool is_executed);

/* Where administrators, too, put programs for their rules. */
bool program_is_of_udev(const char *path);

/* Whether a program of setmtu has that name. A script of somebody else may have it, too. */
bool program_is_of_setmtu(const char *path);

/* Programs of the system do what their names say, and those of NixOS and their kind are elsewhere. */
bool program_is_of_system(const char *path);

/* The number of words in front of the command that a wrapper runs; 0: it is none. All of them, if that acts
 * in another network namespace. */
size_t program_wrapper_size(const struct shell_command *command);

/* The command behind all wrappers; without words, if there is none. */
struct shell_command program_skip_wrappers(const struct shell_command *command);
