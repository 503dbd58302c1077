/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The work of `setmtu set`, also for other commands that end with it. */

#include "command/set_args.h"

struct set_options {
        bool is_runtime;   /* the device alone: nothing is written down */
        bool has_no_apply; /* the file alone */
        const char *host;  /* keep it only where the path to this host carries it; NULL: without a look */
};

/* Of the arguments, the word and the wanted MTU are the caller's. Logs what is wrong and returns an exit
 * code. */
int set_execute(struct set_args *args, const struct set_options *options);
