/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The hosts that `setmtu probe` is to probe, as a user names them. */

#include "base/pool.h"
#include "kernel/netlink.h"

/* Owned by the pool; one that is all zeros is empty. */
struct probe_hosts {
        struct pool pool;
        const char **names;
        size_t n_names;
};

/* Each name once. Without memory, the pool says so. */
void probe_hosts_add(struct probe_hosts *hosts, const char *name);

/* Adds those of a file, one a line; "-" is standard input. Empty lines and what follows a # do not count.
 * False if it cannot be read, is no text, or has a line with more than one host, which is logged. */
bool probe_hosts_add_file(struct probe_hosts *hosts, const char *file);

/* Adds the addresses in the kernel's neighbour tables, of the family (AF_UNSPEC: either) and of the
 * interface (NULL: of any). Returns an exit code; a failure is logged, and so is that there are none. */
int probe_hosts_add_neighbours(struct probe_hosts *hosts, struct netlink_socket *socket, int family,
                               const char *interface);
