/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What a program is, by its name, its path or its text. Names are without a folder. */

#include <stdbool.h>
#include <stddef.h>

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
