/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Carries out steps of plan/step.h, in their order, and says what came of each. Prints nothing, but that
 * memory is out. */

#include "base/attributes.h"
#include "change/mtu_change.h"
#include "plan/step.h"

enum step_result {
        STEP_RESULT_CHANGE,     /* `change` says what came of it */
        STEP_RESULT_REFUSED,    /* by its reason, without asking the kernel */
        STEP_RESULT_ABSENT,     /* no such device */
        STEP_RESULT_UNREADABLE, /* the kernel does not say what the device has: `error` */
        STEP_RESULT_SKIPPED,    /* the step before it has failed */
        STEP_RESULT_REGAINED,   /* what it had before it fell, or `error` */
        STEP_RESULT_FELL,       /* and what it had before could not be kept: `error` */
        STEP_RESULT_PUT_BACK,   /* by the listener, which knows what came of it */
};

/* Valid during the call of `report`. The socket's error text is that of the request that failed. */
struct step_report {
        const struct step *step;
        enum step_result result;
        bool is_done;             /* the device has what the step gives it */
        int error;                /* negative errno, or 0 */
        uint32_t regained;        /* of STEP_RESULT_REGAINED */
        struct mtu_change change; /* of STEP_RESULT_CHANGE */
        bool was_set_up;          /* the link was down and is up now, or `error` says why not */
};

/* Gives a target without a line what it gets back, and logs what came of it; `link` is fresh. True where it
 * has that. */
struct put_back {
        bool (*run)(void *userdata, struct netlink_socket *socket, const struct link *link);
        void *userdata;
};

struct step_listener {
        void (*report)(void *userdata, struct netlink_socket *socket, const struct step_report *report);
        void *userdata;
        const struct put_back *put_back; /* NULL where there are no such targets */
};

/* A failure does not keep other steps from being carried out, but for those that come after it. True where
 * all was done that was asked for; devices that only stand on the targets do not count. `links` is the table
 * of the steps. */
MUST_USE NONNULL bool steps_carry_out(const struct steps *steps, struct netlink_socket *socket,
                                      const struct step_listener *listener);
