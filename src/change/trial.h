/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A change of MTU that is undone unless it is confirmed. Nothing here waits, and nothing prints. All
 * functions lock out other processes' calls for as long as they run. */

#include "change/mtu_change.h"
#include "files/trial_record.h"

/* Writes down what it takes to undo a change of `link` to `record->tried`, before it is made. The caller
 * fills name, request, tried and deadline; the rest is filled here. -EALREADY where a trial of the device is
 * waiting; errors of the record. */
int trial_prepare(const struct link *link, struct trial_record *record);

/* Whether this very trial is waiting still. Where that cannot be read, it is. */
bool trial_is_waiting(unsigned ifindex, const struct trial_record *record);

/* Forgets a trial: it has not begun, or something else has taken its place. Returns 1, or 0 where there is
 * none. */
int trial_drop(unsigned ifindex);

enum trial_end {
        TRIAL_ENDED,
        TRIAL_NONE,    /* there is none waiting: it has been ended already */
        TRIAL_FOREIGN, /* the MTU is no longer the one that was tried: left alone, and the trial forgotten */
        TRIAL_REFUSED, /* `error`; it stays and can be tried again */
};

/* Puts back the MTU from before. `ret_record` is filled but for TRIAL_NONE. */
enum trial_end trial_revert(struct link_socket *socket, unsigned ifindex, struct trial_record *ret_record,
                            int *ret_error);

/* Keeps the MTU: calls `keep` to write it down, while nobody else can end the trial, and forgets the trial
 * where that returns true; otherwise it goes on waiting, which is TRIAL_REFUSED with an error of 0. */
enum trial_end trial_confirm(struct link_socket *socket, unsigned ifindex,
                             bool (*keep)(void *userdata, const struct trial_record *record), void *userdata,
                             struct trial_record *ret_record, int *ret_error);
