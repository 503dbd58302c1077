/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The other network namespaces of this machine, as far as they can be found: those with a name in /run/netns
 * or /run/docker/netns, and those of processes that /proc shows. network_namespaces(7). */

#include <stdint.h>

#include "base/attributes.h"
#include "kernel/netlink.h"

#define NAMESPACE_LABEL_SIZE 80

/* Valid during the call, while this process is in that namespace. */
struct other_namespace {
        struct netlink_socket *socket;    /* in it */
        char label[NAMESPACE_LABEL_SIZE]; /* "network namespace NAME", "network namespace of process PID" */
        int32_t own_id; /* the ID of this process's own namespace in it, as in IFLA_LINK_NETNSID; -1: none */
};

/* Calls `visit` for each. Needs CAP_SYS_ADMIN. 0, or the first negative errno: some were not visited. */
MUST_USE int other_namespaces_visit(void (*visit)(void *userdata, const struct other_namespace *there),
                                    void *userdata);
