/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Changes devices by the steps of plan/step.h, in their order, and logs the result of each, for the unit,
 * the commands and setmtu-configure. A failure prevents only the steps that depend on it. */

#include "base/attributes.h"
#include "change/mtu_change.h"
#include "change/snapshot.h"
#include "plan/step.h"

/* Carries out the steps for these targets, devices of the snapshot; NULL: for all with a line. `ret`, which
 * may be NULL, has the result of each target; a target that was not reached has MTU_CHANGE_EQUAL with
 * `wanted` 0. The caller undoes those changes, or else calls change_settle(). True if the targets have the
 * MTU that they are to have; devices that are only on top of them do not count. */
bool change_apply(struct snapshot *snapshot, const struct step_target *targets, size_t n_targets,
                  struct mtu_change *ret);

/* Makes a change final: should the device get its MTU from before again, that no longer counts as set by
 * setmtu. Logs where the record could not be updated. */
NONNULL void change_settle(const struct mtu_change *change);

/* Restores the MTU of a target without a line, and logs the result; `link` has just been read. True if the
 * device has that MTU. */
struct put_back {
        bool (*run)(void *userdata, struct netlink_socket *socket, const struct link *link);
        void *userdata;
};

/* change_apply() for one target whose MTU is restored. If the devices on top of it cannot be determined,
 * only the target is restored: this is logged, and the result is false. */
bool change_put_back(struct snapshot *snapshot, const struct step_target *target,
                     const struct put_back *put_back);

/* The same for `link`, which has just been read and is not of the snapshot; `mtu` is restored. */
NONNULL bool change_put_back_fresh(struct snapshot *snapshot, const struct link *link, uint32_t mtu,
                                   const struct put_back *put_back);

/* Sets the MTU of `line` on `link`, which has just been read and is not of the snapshot, after reading the
 * devices that matter for it. As change_apply(). */
bool change_apply_line(struct snapshot *snapshot, const struct config_line *line, const struct link *link,
                       struct mtu_change *ret);

/* The same for a line that a network manager carries out, too, which does not bring the link up. `given` is
 * the MTU that the manager has set for setmtu so far, which is no MTU from before; 0: none. */
NONNULL bool change_apply_given(struct snapshot *snapshot, const struct config_line *line,
                                const struct link *link, uint32_t given);

/* Restores the MTU of `link`, which has just been read and is not of the snapshot, from before setmtu's
 * first change; `name` is for messages. True if nothing is left to do. */
MUST_USE NONNULL bool change_restore(struct snapshot *snapshot, const char *name, const struct link *link);

/* Whether change_restore() would raise devices that fell with `link`, a device of the snapshot: an earlier
 * one may have been interrupted. */
MUST_USE NONNULL bool change_has_fallen(const struct snapshot *snapshot, const struct link *link);

/* Carries out steps that have been made already, for `setmtu apply`. */
MUST_USE NONNULL bool change_apply_steps(struct snapshot *snapshot, const struct steps *steps);
