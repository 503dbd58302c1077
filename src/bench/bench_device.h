/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The device whose MTU a bench changes for each measurement. Each change is a trial as in setmtu try, owned
 * by this process: if it is killed, the MTU is restored at once. */

#include <stdbool.h>

#include "change/trial.h"

struct bench_device {
        struct snapshot snapshot;
        struct link link; /* as it was found */
        bool is_on_trial;
        struct trial_record record; /* of that trial */
        int pipe[2]; /* trials have the end to read, and so end with this process; -1: not open */
};

/* `link` is the device as it is now. False if that cannot be done: a message says why. */
bool bench_device_open(const struct link *link, struct bench_device *ret);

/* Gives the device `mtu` for at most `timeout_s`, and waits for its carrier. False if it has not got it: a
 * message says why. */
bool bench_device_set(struct bench_device *device, uint32_t mtu, unsigned timeout_s);

/* Whether the device still has `mtu`. */
bool bench_device_has(struct bench_device *device, uint32_t mtu);

/* Restores the MTU from before. False if the device does not have that MTU now, which is logged. */
bool bench_device_put_back(struct bench_device *device);

/* Restores the MTU if needed. For CLEANUP(), too; also if not open. */
void bench_device_close(struct bench_device *device);
