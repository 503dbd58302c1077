/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Changes devices by the steps that they take, and logs what came of each: what the unit, the commands and
 * setmtu-configure have in common. */

#include "base/attributes.h"
#include "change/carry_out.h"
#include "change/snapshot.h"

/* Carries out the steps for these targets, devices of the snapshot; NULL: for all that have a line. `ret`
 * has what came of each target, and may be NULL; of one that was not come to, its result is MTU_CHANGE_EQUAL
 * with `wanted` 0. The caller may take those changes back, or else settles them by
 * change_settle(). True where the targets have what they are to have. */
bool change_apply(struct snapshot *snapshot, const struct step_target *targets, size_t n_targets,
                  struct mtu_change *ret);

/* mtu_change_settle(), and a message where that fails. */
NONNULL void change_settle(const struct mtu_change *change);

/* The same for one target that gets back what it had. Where it cannot be told what stands on it, it gets
 * that alone: a message says so, and the result is false. */
bool change_put_back(struct snapshot *snapshot, const struct step_target *target,
                     const struct put_back *put_back);

/* The same for `link`, fresh from the kernel and not of the snapshot, which gets back `mtu`. */
NONNULL bool change_put_back_fresh(struct snapshot *snapshot, const struct link *link, uint32_t mtu,
                                   const struct put_back *put_back);

/* Gives the device `link`, fresh from the kernel and not of the snapshot, what `line` wants, having looked
 * at what matters for that. As change_apply(). */
bool change_apply_line(struct snapshot *snapshot, const struct config_line *line, const struct link *link,
                       struct mtu_change *ret);

/* Puts back what `link`, fresh from the kernel and not of the snapshot, had before setmtu's first change;
 * `name` is what it is called in messages. True where nothing is left to do. */
MUST_USE NONNULL bool change_restore(struct snapshot *snapshot, const char *name, const struct link *link);

/* Whether devices that fell with `link`, a device of the snapshot, would rise again by change_restore(): it
 * may have been interrupted. */
MUST_USE NONNULL bool change_has_fallen(const struct snapshot *snapshot, const struct link *link);

/* Carries out steps that have been made already, for `setmtu apply`. */
MUST_USE NONNULL bool change_apply_steps(struct snapshot *snapshot, const struct steps *steps);

/* Says that CAP_NET_ADMIN is missing. */
NONNULL void change_log_no_permission(const char *name);

/* Says that the device, which was there, cannot be read any more. */
NONNULL void change_log_unreadable(const struct netlink_socket *socket, const char *name, int error);

/* Says what is not as it was before a change that was taken back. True where the MTU is. */
NONNULL bool change_log_undone(const char *name, const struct mtu_undone *undone, uint32_t before);
/* Says that devices that stand on one that has its MTU again stay as they are, since they could not be
 * looked at. */
NONNULL void change_log_alone(const char *name, int error);

/* The kernel's own words for a request that failed where it had some, errno's otherwise. */
NONNULL const char *change_reason(const struct netlink_socket *socket, int error);
