/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A change of MTU that is undone unless it is confirmed. Nothing here waits, and nothing prints. The caller
 * holds the lock of files/change_lock.h. */

#include "change/mtu_change.h"
#include "store/trial_record.h"

/* Writes down what it takes to undo a change of `link` to `record->tried`, before it is made. The caller
 * fills name, request, tried and deadline; the rest is filled here. -EALREADY where a trial of the device is
 * waiting; errors of the record. */
int trial_prepare(const struct link *link, struct trial_record *record);

/* Whether this very trial is waiting still. Where that cannot be read, it is. Needs no lock. */
bool trial_is_waiting(unsigned ifindex, const struct trial_record *record);

/* Forgets a trial: it has been confirmed, or something else has taken its place. Returns 1, or 0 where there
 * is none. */
int trial_drop(unsigned ifindex);

enum trial_end {
        TRIAL_ENDED,
        TRIAL_NONE,    /* there is none waiting: it has been ended already */
        TRIAL_FOREIGN, /* the MTU is no longer the one that was tried: left alone, and the trial forgotten */
        TRIAL_REFUSED, /* `ret_error`; it stays and can be tried again */
};

/* Puts back the MTU from before. `ret_record` is filled but for TRIAL_NONE. */
enum trial_end trial_revert(struct link_socket *socket, unsigned ifindex, struct trial_record *ret_record,
                            int *ret_error);
