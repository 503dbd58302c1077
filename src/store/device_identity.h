/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Distinguishes a network device from another one that has its ifindex at another time. The kernel has no
 * unique number for a device, so this is a list of facts. */

#include <stdbool.h>
#include <stdint.h>

#include "base/attributes.h"
#include "plan/link_table.h"

/* Each fact as text; empty: not known. */
struct device_identity {
        char name[INTERFACE_NAME_SIZE]; /* always known */
        char kind[LINK_KIND_SIZE];
        char mac[LINK_MAC_SIZE];
        char permanent[LINK_MAC_SIZE];
};

/* This network namespace, by its SO_NETNS_COOKIE, which is never reused, unlike its inode. Empty before
 * Linux 5.14. It is read once. 0 or a negative errno. */
#define DEVICE_IDENTITY_NETNS_SIZE sizeof("18446744073709551615")
NONNULL int device_identity_netns(char ret[static DEVICE_IDENTITY_NETNS_SIZE]);

/* The facts of `link` now. */
NONNULL void device_identity_of(const struct link *link, struct device_identity *ret);

/* Whether `now` may be the device: at least one fact agrees and none contradicts. A device keeps its
 * permanent address; its name or its MAC address may change, but of a device without one not both. */
NONNULL bool device_identity_matches(const struct device_identity *identity,
                                     const struct device_identity *now);
/* The same of `link`. */
NONNULL bool device_identity_is(const struct device_identity *identity, const struct link *link);
