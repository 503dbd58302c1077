/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What a bench says on stdout. False where memory has been out. */

#include "bench/report.h"

/* The table, the bars where that is a terminal, and the finding. */
bool bench_print_text(const struct report *report);

/* tests/schema/bench.json. */
bool bench_print_json(const struct report *report);
