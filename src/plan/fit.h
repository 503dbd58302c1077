/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The MTU that fits a device: what `auto` in its line means. No I/O. The kernel is asked for the ways of
 * outer packets by kernel/underlay.h.
 *
 * - On a device below: what that carries, stack_capacity().
 * - A tunnel: the smallest MTU of the devices and routes by which it sends, less its headers.
 * - A bridge: the smallest of its ports, without those of guests and containers. With no others: the
 *   smallest of the devices and routes by which packets leave this machine.
 * - A bond or team: the smallest of its ports' lines; what a port without one has is from the bond itself.
 * - A guest's port of a bridge, a port of a bond: what that has.
 * - PPP: what it has, which was negotiated.
 *
 * The device below counts with the MTU that it will have by the lines. */

#include "base/attributes.h"
#include "plan/device_status.h"

/* Computes `fits`, one for each device of the table, all zeros at first, for those whose lines say auto; and
 * the status of these, by that. A device without a line counts with its wanted MTU, if that is known.
 * Devices that depend on each other get FIT_LOOP. -ENOMEM is the only error. */
MUST_USE NONNULL int fit_compute(const struct link_table *links, struct device_status *statuses,
                                 struct fit *fits);

/* Whether the ways of packets of such a device have to be known. */
NONNULL bool fit_needs_underlay(const struct link_table *links, const struct link *link);

/* Where the number comes from: half a sentence, in `buffer`. */
#define FIT_TEXT_SIZE 160
NONNULL const char *fit_text(char buffer[static FIT_TEXT_SIZE], const struct fit *fit);
