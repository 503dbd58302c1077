/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The steps that change MTUs: which device, to which value, in which order, and why. Only this file orders
 * changes: `setmtu plan` prints the steps, and change/carry_out.h carries them out for all programs. The
 * rules of the kernel are in plan/stack.h. No I/O. */

#include "base/attributes.h"
#include "plan/device_status.h"

enum step_action {
        STEP_SET,    /* give the device `to` */
        STEP_KEEP,   /* it has `to`, or will have it by an earlier step */
        STEP_REFUSE, /* the device cannot have `to`; the kernel is not asked */
        STEP_ABSENT, /* the device is not there */
        STEP_FALL,   /* the kernel lowers it to `to` with the device below, without a request */
        STEP_WAIT,   /* DEVICE_STATE_WAITING; nothing is done */
};

enum step_reason {
        STEP_ABSENT_NOW,
        STEP_HAS_IT,
        STEP_HAS_MORE,
        STEP_HAS_LESS,
        STEP_BRIDGE_BEFORE,    /* its ports */
        STEP_BRIDGE_AFTER,     /* its ports */
        STEP_BRIDGE_PINNED,    /* it has the MTU, and keeps it from then on */
        STEP_BEFORE_LOWER,     /* lowered before `other`, on which it stands */
        STEP_AFTER_LOWER,      /* raised after `other`, on which it stands */
        STEP_AFTER_LEADER,     /* `other` changes it too, to another value */
        STEP_BY_LEADER,        /* `other` changes it too, to this value, also by STEP_FALL */
        STEP_BY_SETTER,        /* `other`, a bond or team, sets its ports */
        STEP_REGAINS,          /* what it had before it fell with `other` */
        STEP_IMPOSSIBLE,       /* DEVICE_STATE_IMPOSSIBLE, or DEVICE_STATE_WAITING */
        STEP_LOWER_TOO_SMALL,  /* `other` below it has `other_mtu` by then, with room for `room` */
        STEP_SETTER_DISAGREES, /* `other`, a bond or team, gives `other_mtu` to its ports */
};

#define STEP_NONE ((size_t)-1)

struct step {
        const struct link *link;        /* owned by the table; NULL: absent */
        const struct config_line *line; /* owned by the config or the target; NULL: it has none */
        enum step_action action;
        uint32_t mtu_before_fall; /* as in struct device_status */
        uint32_t to;              /* bytes; 0: `max` of a device that states none or is absent */
        bool set_up;              /* bring the link up, too */
        bool is_given;            /* the device is one of the targets that the caller has given */
        bool is_dependent; /* it is on top of a target and no target itself: its failure is not the target's
                            */
        bool is_apart;     /* no change of another device changes it */
        unsigned stage;    /* ascending; steps of one stage do not depend on each other */
        size_t after;      /* index of the step that has to succeed first, or STEP_NONE */
        enum step_reason reason;
        const struct link *other;
        const struct config_line *other_line; /* of `other`; NULL: it has none */
        uint32_t other_mtu, room;
        struct fit fit; /* of a line that says auto */
};

struct steps {
        struct step *items; /* what is lowered first, upper devices first; then the rest, lower devices
                               first; then absent ones. STEP_FALL comes directly after its cause */
        size_t n_items;
        const struct device_statuses *statuses; /* what the steps are made from */
        const struct link_table *links;
};

/* One device that is to be changed. */
struct step_target {
        const struct link *link;        /* of the table */
        const struct config_line *line; /* its line; NULL: it gets `mtu` */
        uint32_t mtu;                   /* the MTU to restore */
        bool is_alone; /* the devices that it depends on stay as they are, whatever their lines say */
};

/* The steps for the targets, for the devices that these depend on, and for those that depend on them:
 *
 * - A device below is raised first if its own line allows that; a port gets its MTU through its bond.
 * - A device on top of a changed one gets the MTU of its own line, as far as the device below allows it.
 *   Without a line, its MTU from before the kernel lowered it is restored. Devices on trial do not change.
 * - A device whose line says auto gets what fits then, before a device that it depends on is lowered.
 *
 * If `targets` is NULL, each device with a line is a target, also an absent one. `statuses` and `links` must
 * not change afterwards. -ENOMEM, with `ret` untouched, is the only error. */
int steps_make(const struct device_statuses *statuses, const struct link_table *links,
               const struct step_target *targets, size_t n_targets, struct steps *ret);

/* What a device of the table has once all lines are in effect, and devices without one have their earlier
 * MTU back, where the status says `restored`. */
struct step_outcome {
        uint32_t mtu;
        const struct link *by; /* the device whose change gives it that; itself if none does */
};

/* `ret` has room for the devices of the table. -ENOMEM is the only error. */
MUST_USE NONNULL int steps_foresee(const struct device_statuses *statuses, const struct link_table *links,
                                   struct step_outcome *ret);
NONNULL void steps_free(struct steps *steps);
