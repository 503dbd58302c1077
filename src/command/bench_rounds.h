/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The measurements of setmtu bench: rounds of one of each size, in random order. */

#include "bench/report.h"
#include "change/snapshot.h"

/* Measures the sizes of the report with `link`, leaves out those that do not get through, and stores the
 * rates. Each change of the MTU is a trial as in setmtu try, owned by this process: if it is killed, the MTU
 * is restored at once. False, with a message, if this failed or was interrupted; restores the MTU in any
 * case. */
bool bench_measure(struct report *report, const struct link *link, struct snapshot *snapshot);
