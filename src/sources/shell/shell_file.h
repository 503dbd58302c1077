/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "sources/shell/shell.h"

/* Reads a shell file for its assignments, of which a later one may use an earlier one: ifcfg-*, netctl's
 * profiles, rc.conf. */
struct shell_variables shell_file_read(const struct source_parser *parser);
