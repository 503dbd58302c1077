/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Carries out steps of plan/step.h, in their order, and reports the result of each. Prints nothing, except
 * that memory is out. */

#include "base/attributes.h"
#include "change/mtu_change.h"
#include "plan/step.h"

enum step_result {
        STEP_RESULT_CHANGE,     /* `change` has the result */
        STEP_RESULT_REFUSED,    /* for the reason of the step, without a request */
        STEP_RESULT_ABSENT,     /* no such device */
        STEP_RESULT_UNREADABLE, /* the device could not be read: `error` */
        STEP_RESULT_SKIPPED,    /* the step before it has failed */
        STEP_RESULT_REGAINED,   /* the MTU from before its fall was restored, or `error` */
        STEP_RESULT_FELL,       /* it fell, and its MTU from before could not be recorded: `error` */
        STEP_RESULT_PUT_BACK,   /* the listener restored it, and knows the result */
};

/* Valid during the call of `report`. The socket's error text is that of the request that failed. */
struct step_report {
        const struct step *step;
        enum step_result result;
        bool is_done;             /* the device has the MTU of the step */
        int error;                /* negative errno, or 0 */
        uint32_t regained;        /* of STEP_RESULT_REGAINED */
        struct mtu_change change; /* of STEP_RESULT_CHANGE */
        bool was_set_up;          /* the link was down and is up now, or `error` says why not */
};

/* Restores the MTU of a target without a line, and logs the result; `link` has just been read. True if the
 * device has that MTU. */
struct put_back {
        bool (*run)(void *userdata, struct netlink_socket *socket, const struct link *link);
        void *userdata;
};

struct step_listener {
        void (*report)(void *userdata, struct netlink_socket *socket, const struct step_report *report);
        void *userdata;
        const struct put_back *put_back; /* NULL if there are no such targets */
};

/* A failure prevents only the steps that depend on it. True if all targets succeeded; devices that are only
 * on top of them do not count. `links` is the table of the steps. */
MUST_USE NONNULL bool steps_carry_out(const struct steps *steps, struct netlink_socket *socket,
                                      const struct step_listener *listener);
