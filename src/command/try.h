/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A trial of a device, also for setmtu set. */

#include "command/set_args.h"

enum try_end {
        TRY_ASKS,     /* waits for an answer, or for setmtu confirm */
        TRY_DETACHES, /* prints the number of the trial, and waits for nothing */
        TRY_PROBES,   /* confirms if the paths to the hosts carry the MTUs */
};

/* Tries the MTU of the arguments, which are resolved and of a device that is there. When it is confirmed,
 * its line is written, and the unit started. Logs errors and returns an exit code. */
int try_device(struct snapshot *snapshot, const struct set_args *args, unsigned timeout_s, enum try_end end);
