/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Changes devices by the steps of plan/step.h, in their order, for the unit, the commands and
 * setmtu-configure. A failure prevents only the steps that depend on it. Nothing is logged: the caller
 * passes the result to change_log() in command/change_log.h.
 *
 * Functions return 0, or a negative errno if no device was changed. */

#include "base/attributes.h"
#include "change/mtu_change.h"
#include "change/snapshot.h"
#include "plan/step.h"

/* One that is all zeros is empty. */
struct change {
        struct steps steps;         /* of devices of the snapshot */
        struct mtu_change *results; /* one for each step */
        struct mtu_change *own;     /* that of the first target; NULL: it has no step */
        bool is_done;               /* all targets are; devices that are only on top of them do not count */
        bool is_trial;              /* of the targets: see mtu_change_set() */
        bool is_set_back;           /* by change_set_back(): */
        struct earlier_mtu earlier;
        struct mtu_change alone; /* where there are no steps: what `own` is */
        int error;               /* the devices on top of it could not be looked at, and are left; or 0 */
};
NONNULL void change_free(struct change *change);

/* Makes the steps for these targets, devices of the snapshot; NULL: for all with a line. -ENOMEM is the only
 * error. */
MUST_USE int change_make(const struct snapshot *snapshot, const struct step_target *targets,
                         size_t n_targets, struct change *ret);
/* Carries them out. */
NONNULL void change_carry_out(struct snapshot *snapshot, struct change *change);
/* Both. */
MUST_USE int change_set_targets(struct snapshot *snapshot, const struct step_target *targets,
                                size_t n_targets, struct change *ret);

/* The result of a target, by its link in the snapshot. NULL: there is no step for it. */
NONNULL struct mtu_change *change_result(const struct change *change, const struct link *link);

/* change_set_targets() for the MTU of `line` on `link`, which has just been read and is not of the snapshot,
 * after reading the devices that matter for it. */
MUST_USE int change_set_line(struct snapshot *snapshot, const struct config_line *line,
                             const struct link *link, struct change *ret);

/* Sets `link`, which has just been read and is not of the snapshot, back, with the devices on top of it;
 * alone if these cannot be looked at. `error`: why the configuration is not known; or 0. */
NONNULL void change_set_back(struct snapshot *snapshot, const struct link *link,
                             const struct earlier_mtu *earlier, int error, struct change *ret);

/* Whether a restore of `link`, a device of the snapshot, would raise devices that fell with it: an earlier
 * one may have been interrupted. */
MUST_USE NONNULL bool change_has_fallen(const struct snapshot *snapshot, const struct link *link);
