/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The other network namespaces of this machine, as far as they can be found: those with a name in /run/netns
 * or /run/docker/netns, and those of processes that /proc shows. network_namespaces(7). */

#include <stdint.h>

#include "base/attributes.h"
#include "kernel/netlink.h"

#define NAMESPACE_LABEL_SIZE 80

/* Valid during the call. This process is in that namespace meanwhile, with all that it does. */
struct other_namespace {
        struct netlink_socket *socket;    /* in it */
        char label[NAMESPACE_LABEL_SIZE]; /* "network namespace NAME", "network namespace of process PID" */
        int32_t own_id; /* what it knows this process's own one by, as in IFLA_LINK_NETNSID; -1: by none */
};

/* Calls `visit` for each. Needs CAP_SYS_ADMIN. 0, or the first negative errno: some were not visited. */
MUST_USE int other_namespaces_visit(void (*visit)(void *userdata, const struct other_namespace *there),
                                    void *userdata);
