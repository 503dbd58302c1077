/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Changes devices by steps, and logs the result of each, for the unit, the commands and setmtu-configure. */

#include "base/attributes.h"
#include "change/carry_out.h"
#include "change/snapshot.h"

/* Carries out the steps for these targets, devices of the snapshot; NULL: for all with a line. `ret`, which
 * may be NULL, has the result of each target; a target that was not reached has MTU_CHANGE_EQUAL with
 * `wanted` 0. The caller undoes those changes, or else calls change_settle(). True if the targets have the
 * MTU that they are to have. */
bool change_apply(struct snapshot *snapshot, const struct step_target *targets, size_t n_targets,
                  struct mtu_change *ret);

/* mtu_change_settle(), and a message where that fails. */
NONNULL void change_settle(const struct mtu_change *change);

/* The same for one target whose MTU is restored. If the devices on top of it cannot be determined, only the
 * target is restored: this is logged, and the result is false. */
bool change_put_back(struct snapshot *snapshot, const struct step_target *target,
                     const struct put_back *put_back);

/* The same for `link`, which has just been read and is not of the snapshot; `mtu` is restored. */
NONNULL bool change_put_back_fresh(struct snapshot *snapshot, const struct link *link, uint32_t mtu,
                                   const struct put_back *put_back);

/* Sets the MTU of `line` on `link`, which has just been read and is not of the snapshot, after reading the
 * devices that matter for it. As change_apply(). */
bool change_apply_line(struct snapshot *snapshot, const struct config_line *line, const struct link *link,
                       struct mtu_change *ret);

/* Restores the MTU of `link`, which has just been read and is not of the snapshot, from before setmtu's
 * first change; `name` is for messages. True if nothing is left to do. */
MUST_USE NONNULL bool change_restore(struct snapshot *snapshot, const char *name, const struct link *link);

/* Whether change_restore() would raise devices that fell with `link`, a device of the snapshot: an earlier
 * one may have been interrupted. */
MUST_USE NONNULL bool change_has_fallen(const struct snapshot *snapshot, const struct link *link);

/* Carries out steps that have been made already, for `setmtu apply`. */
MUST_USE NONNULL bool change_apply_steps(struct snapshot *snapshot, const struct steps *steps);

/* Logs that CAP_NET_ADMIN is missing. */
NONNULL void change_log_no_permission(const char *name);

/* Logs that the device existed and cannot be read any more. */
NONNULL void change_log_unreadable(const struct netlink_socket *socket, const char *name, int error);

/* Logs what differs from before a change that was undone. True if the MTU does not. */
NONNULL bool change_log_undone(const char *name, const struct mtu_undone *undone, uint32_t before);
/* Logs that devices on top of a restored one stay as they are, because they could not be read. */
NONNULL void change_log_alone(const char *name, int error);

/* The error text of the kernel for a failed request, or that of the errno. */
NONNULL const char *change_reason(const struct netlink_socket *socket, int error);
