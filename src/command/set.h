/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The work of `setmtu set`, also for other commands that end with it. */

#include "command/set_args.h"

/* Of the arguments, the word, the wanted MTU and the options are the caller's. Logs what is wrong and
 * returns an exit code. */
int set_execute(struct set_args *args);
