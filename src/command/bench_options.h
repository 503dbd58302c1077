/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the command line of `setmtu bench` asks for. */

#include "bench/bench_measure.h"
#include "command/command.h"

#define BENCH_MTUS_DEFAULT "1500,4000,9000"

enum bench_option {
        BENCH_OPTION_MTU,
        BENCH_OPTION_RUNS,
        BENCH_OPTION_TIME,
        BENCH_OPTION_BIDIR,
        BENCH_OPTION_REVERSE,
        BENCH_OPTION_METHOD,
        BENCH_OPTION_COMMAND,
        BENCH_OPTION_BYTES,
        BENCH_OPTION_PORT,
        BENCH_OPTION_INTERFACE,
        BENCH_OPTION_JSON,
        BENCH_OPTION_CSV,
        BENCH_OPTION_SVG,
        BENCH_OPTION_APPLY,
        BENCH_OPTION_YES,
        BENCH_OPTION_FORCE,
};

/* What is to be filled in: what of a method and a report is known before anything has been looked at. */
struct bench_options {
        struct bench_method *method;
        struct report *report;
        size_t n_runs;
        bool is_mtu; /* the device's own MTU is changed */
};

/* Returns an exit code; what is wrong has been said. */
int bench_options_parse(const struct command_line *line, struct bench_options *options);
