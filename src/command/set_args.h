/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The arguments IFACE MTU [up] [keep] of a command line, and what setmtu set makes of them. Functions log
 * errors and return an exit code. */

#include "change/snapshot.h"
#include "command/command.h"

struct set_args {
        const char *word;                 /* IFACE as it was given; not owned */
        struct config_line line;          /* its `file` is NULL; the name is known once they are resolved */
        const struct link *link;          /* of the snapshot; NULL: absent */
        const struct config_line *former; /* its line until now, by whichever of its names; NULL: none */
        uint32_t wanted; /* the MTU of the line as a number; 0: max or auto, and not known */
        bool is_certain; /* the user has confirmed the name, or max */
        char meant[128]; /* private: the word that the user has chosen instead */
        /* Options, which are not read here: */
        bool is_runtime;   /* the device alone: nothing is written down */
        bool has_no_apply; /* the file alone */
        const char *host;  /* keep it only where the path to this host carries it; NULL: any */
};

/* Reads the words. */
int set_args_parse(const struct command_line *line, struct set_args *ret);

/* Finds the device, calls it by its own name, and keeps the options that its line has. Refuses what the
 * device states that it does not take. */
int set_args_resolve(struct set_args *args, struct snapshot *snapshot);
