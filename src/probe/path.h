/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The way to a host that somebody names, and what it carries: for `setmtu probe`, and for the commands that
 * change an MTU and want it carried. */

#include <arpa/inet.h>

#include "base/text.h"
#include "kernel/link.h"
#include "probe/run.h"

struct path {
        char host[TEXT_QUOTE_SIZE];                               /* as it was given, fit to be shown */
        char address[INET6_ADDRSTRLEN + 1 + INTERFACE_NAME_SIZE]; /* with its scope */
        char interface[TEXT_QUOTE_SIZE];                          /* fit to be shown */
        struct run_target target;
        struct link link; /* the interface; ifindex 0: there is no route */
};

/* Finds the host's address, of the family (AF_UNSPEC: either), and the interface: the one that is named or,
 * for NULL, where the routes lead. Says what is wrong and returns an exit code. */
int path_find(struct link_socket *socket, const char *host, int family, const char *interface,
              struct path *ret);

/* The range of sizes that can be asked about. */
uint32_t path_size_least(const struct path *path);

/* Probes it. `ret` is large. Without a route the verdict is there at once. False where it could not be done:
 * that is said. */
bool path_probe(const struct path *path, const struct run_settings *settings, struct run_result *ret);

/* The live line on a terminal, for run_settings' `progress`; `userdata` is the path. */
void path_show_progress(void *userdata, uint32_t low, uint32_t high);
void path_clear_progress(void);

int path_exit_code(const struct verdict *verdict);

/* The verdict's sentences, with what is known of why nothing could be sent. */
void path_explain(FILE *stream, const struct path *path, const struct run_result *result);
