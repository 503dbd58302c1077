/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The device whose MTU a bench changes for one measurement after the other. Each change is a trial as setmtu
 * try makes it, with its guard; and a keeper, a process of its own, puts the MTU back at once where this
 * process is killed. */

#include <signal.h>
#include <stdbool.h>

#include "change/trial.h"

struct bench_device {
        struct link_socket *socket; /* not owned */
        struct link link;           /* as it was found */
        struct trial_record record;
        bool is_on_trial;
        int keeper; /* the writing end of a pipe; -1: it has not been started */
};

/* Starts the keeper. `link` is the device as it is now. False where that cannot be done: it is said. */
bool bench_device_open(struct link_socket *socket, const struct link *link, struct bench_device *ret);

/* Gives the device `mtu`, `timeout_s` being the time after which the guard takes it back in any case, and
 * waits for its carrier. False where it has not got it: that is said. */
bool bench_device_set(struct bench_device *device, uint32_t mtu, unsigned timeout_s,
                      const volatile sig_atomic_t *stop);

/* Whether the device has it still, with its carrier: nobody has changed it meanwhile. */
bool bench_device_has(struct bench_device *device, uint32_t mtu);

/* Gives it back what it had. False where it does not have that now: it is said. */
bool bench_device_put_back(struct bench_device *device);

/* Puts back what is not, and lets go of the keeper. For CLEANUP(), too. */
void bench_device_close(struct bench_device *device);
