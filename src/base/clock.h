/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

/* Clocks of clock_gettime(2), in seconds. */

/* For durations. */
double clock_monotonic_s(void);

/* For a deadline: it goes on while the machine sleeps. */
double clock_boottime_s(void);

/* The processor time of this process, without the time in which it waits. */
double clock_process_s(void);

/* Sleeps. False if a signal ended the sleep early. */
bool clock_sleep_ms(unsigned ms);
