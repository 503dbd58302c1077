/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What a command line asks of setmtu bench, before anything is looked at. */

#include <stdbool.h>

#include "base/attributes.h"
#include "bench/rounds.h"
#include "config/mtu_spec.h"

#define BENCH_MTUS_DEFAULT "1500,4000,9000"
#define BENCH_OPTIONS_FAULT_SIZE (MTU_SPEC_FAULT_SIZE + 16)

/* As they were given; NULL: not. */
struct bench_options {
        const char *mtus, *runs, *time, *method, *command, *bytes, *port;
        bool is_reverse, is_both_ways;
};

/* Fills in what is measured in `rounds`, which are all zeros but for their report, and in that report; and
 * whether the device's own MTU is changed for it. The command stays the caller's. False with a mistake:
 * `fault` says which, in half a sentence that is fit for a terminal. */
NONNULL bool bench_options_parse(const struct bench_options *options, struct rounds *rounds,
                                 bool *ret_is_mtu, char fault[static BENCH_OPTIONS_FAULT_SIZE]);
