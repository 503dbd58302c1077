/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The host of a command line, and the path to it: found, and probed. Errors are logged, and the results are
 * exit codes. */

#include "probe/path.h"

/* Finds the address of the host, of the family (AF_UNSPEC: either), and the interface: the given one or, for
 * NULL, that of the route. */
int path_find(struct netlink_socket *socket, const char *host, int family, const char *interface,
              struct path *ret);

/* path_probe() of a single path. */
int path_probe_one(const struct path *path, const struct path_settings *settings, struct path_result *ret);

/* The message about a result with an error. */
void path_log_no_socket(const struct path *path, const struct path_result *result);
