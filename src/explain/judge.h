/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The rules of each source: when it acts, on whom, and what else of its own manager goes before it. */

#include "explain/explanation.h"

/* In the order in which they act. */
enum explain_phase {
        PHASE_BIRTH,      /* the driver */
        PHASE_EARLY_RULE, /* udev rules before 80-net-setup-link.rules */
        PHASE_LINK,       /* that one applies the .link file */
        PHASE_RULE,       /* udev rules after it */
        PHASE_UNIT,       /* once at boot */
        PHASE_MANAGER,    /* when the manager brings the device up */
        PHASE_PORT,       /* a bond or team takes it */
        PHASE_DHCP,       /* dhclient, when it has a lease */
        PHASE_SCRIPT,     /* rc.local, and daemons that start behind the network */
        PHASE_TUNED,
};

/* A step as it is judged. Until the winner is known, a step that acts has the effect EXPLAIN_OVERRIDDEN. */
enum step_kind {
        KIND_OTHER,
        KIND_NETPLAN,
        KIND_LINK,
        KIND_NETWORKD_BYTES, /* MTUBytes= */
        KIND_NETWORKD_USE,   /* UseMTU= */
        KIND_NETWORKD_LEASE,
        KIND_PROFILE,      /* of NetworkManager */
        KIND_PROFILE_ELSE, /* what NetworkManager takes where a profile has no MTU */
        KIND_PROFILE_LEASE,
        KIND_INTERFACES,  /* interfaces(5) */
        KIND_POLICY,      /* of ifupdown2 */
        KIND_POLICY_ELSE, /* what ifupdown2 sets where nothing is written */
        KIND_DHCLIENT,
        KIND_DHCLIENT_LEASE,
};

/* Fills `step` but for what follows from other steps. False where the finding has nothing to do with the
 * device. */
bool judge_finding(const struct explain_device *device, const struct explain_machine *machine,
                   const struct finding *finding, struct explain_step *ret);

/* The rules between steps of one manager, for all steps of a device: turns those that stand back idle. */
void judge_precedence(struct explain_step *steps, size_t n_steps);

/* Whether the manager has the device, or nobody says otherwise. If not, `step` gets its effect and reason.
 */
bool judge_owner(const struct explain_device *device, enum owner owner, struct explain_step *step);

__attribute__((format(printf, 3, 4))) void judge_set(struct explain_step *step, enum explain_effect effect,
                                                     const char *format, ...);
