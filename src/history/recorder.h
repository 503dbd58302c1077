/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Starts and stops the recording of MTU changes: BPF programs that stay in the kernel without a process,
 * held by pins in HISTORY_DIRECTORY. */

#include "base/attributes.h"

/* Begins to record changes in the network namespace of the caller. 1, or 0 if this version of setmtu records
 * them already. Errors: -ENOENT if the kernel has none of the functions that are known to set an MTU; -EPERM
 * without CAP_BPF and CAP_PERFMON, or where the kernel permits no tracing; those of bpf(2) and mkdir(2).
 * Nothing is left of an attempt that failed. */
MUST_USE int recorder_start(void);

/* Ends it, and forgets the changes. 0 also if nothing was recorded; otherwise an error of unlink(2) or
 * rmdir(2). */
MUST_USE int recorder_stop(void);
