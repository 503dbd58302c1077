/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

/* Two clocks of clock_gettime(2), in seconds. */

/* For durations. */
double clock_monotonic_s(void);

/* For a deadline: it goes on while the machine sleeps. */
double clock_boottime_s(void);

/* Sleeps. False if a signal ended the sleep early. */
bool clock_sleep_ms(unsigned ms);
