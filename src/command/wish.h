/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What IFACE MTU [up] of a command line asks for. Functions say what is wrong and return an exit code. */

#include "command/command.h"
#include "command/survey.h"

struct wish {
        const char *word;        /* IFACE as it was given; not owned */
        struct config_line line; /* its `file` is NULL; the name is known once the wish is resolved */
        const struct link *link; /* owned by the survey; NULL: absent */
};

/* Reads the words. */
int wish_parse(const struct command_line *line, struct wish *ret);

/* Finds the device, calls it by its own name, and keeps the options that its line has. Refuses what the
 * device states that it does not take. */
int wish_resolve(struct wish *wish, const struct survey *survey);
