/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/clock.h"

#include <time.h>

static double seconds(clockid_t clock) {
        struct timespec now;

        clock_gettime(clock, &now);
        return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

double clock_monotonic_s(void) {
        return seconds(CLOCK_MONOTONIC);
}

double clock_boottime_s(void) {
        return seconds(CLOCK_BOOTTIME);
}

double clock_process_s(void) {
        return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

bool clock_sleep_ms(unsigned ms) {
        const struct timespec span = { .tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000 };

        return nanosleep(&span, NULL) == 0;
}
