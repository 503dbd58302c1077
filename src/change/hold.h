/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A device on trial that receives both MTUs and sends no more than the smaller one: it has the larger one,
 * its IPv4 routes and its IPv6 get the smaller one. Packets of IP_PMTUDISC_PROBE, which setmtu probe sends,
 * obey the device alone. The kernel's rules: ip_dst_mtu_maybe_forward() in include/net/ip.h,
 * ip6_dst_mtu_maybe_forward() in include/net/ip6_route.h. A route's MTU is not locked: packets keep DF, and
 * a smaller MTU of the path still counts. */

#include "base/attributes.h"
#include "change/snapshot.h"
#include "plan/step.h"
#include "store/mtu_record.h"

/* Fills in `held` and `mtu6` of the record of a trial that is about to begin. False if the device cannot be
 * held: a message says why. */
MUST_USE NONNULL bool hold_prepare(const struct link *link, struct trial_record *record);

/* The same for the devices on top of it, which are not held: `target` is of the snapshot. */
MUST_USE NONNULL bool hold_is_alone(const struct snapshot *snapshot, const struct step_target *target);

/* Records the routes and limits what is sent, before the device gets another MTU. False if some of it
 * failed: a message says why, and hold_end() undoes the rest. */
MUST_USE NONNULL bool hold_begin(struct netlink_socket *socket, const struct link *link,
                                 const struct trial_record *record);

/* Limits IPv6 once more: the kernel gives it each new MTU of the device. As above. */
MUST_USE NONNULL bool hold_again(const struct link *link, const struct trial_record *record);

/* Lifts what is left of the limits. 0 also if there are none, or a negative errno, with a message. */
MUST_USE NONNULL int hold_end(struct netlink_socket *socket, const struct link *link,
                              const struct trial_record *record);
