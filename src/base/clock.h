/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

/* The two clocks of clock_gettime(2) that setmtu goes by, in seconds. */

/* For how long something takes. */
double clock_monotonic_s(void);

/* For a deadline: it goes on while the machine sleeps. */
double clock_boottime_s(void);

/* Sleeps, or returns earlier where a signal was caught: false. */
bool clock_sleep_ms(unsigned ms);
