/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The path to a host, and what it carries: for `setmtu probe`, and for the commands with --probe. */

#include <arpa/inet.h>

#include "base/log.h"
#include "base/text.h"
#include "kernel/link.h"
#include "probe/evidence.h"
#include "probe/verdict.h"

struct path {
        char host[TEXT_QUOTE_SIZE];                               /* as it was given, fit to be shown */
        char address[INET6_ADDRSTRLEN + 1 + INTERFACE_NAME_SIZE]; /* with its scope */
        char interface[TEXT_QUOTE_SIZE];                          /* fit to be shown */
        struct sockaddr_storage target;
        socklen_t target_size;
        bool is_bound;    /* to the interface, whatever the routes say */
        struct link link; /* the interface; ifindex 0: there is no route */
};

struct path_settings {
        uint32_t size;      /* to find out about */
        uint32_t local_mtu; /* of the interface */
        double timeout;     /* in seconds; 0: the method's own */
        /* Called regularly with the present knowledge. NULL: nothing, and interrupt_seen(). */
        void (*progress)(void *userdata, uint32_t low, uint32_t high);
        bool (*is_interrupted)(void *userdata);
        void *userdata;
};

struct path_result {
        struct verdict verdict;
        unsigned n_packets; /* sent */
        double seconds;
        int send_error; /* a positive errno where packets could not be sent; or 0 */
};

/* Finds the address of the host, of the family (AF_UNSPEC: either), and the interface: the given one or, for
 * NULL, that of the route. Logs errors and returns an exit code. */
int path_find(struct netlink_socket *socket, const char *host, int family, const char *interface,
              struct path *ret);

/* The smallest size that can be asked about. */
uint32_t path_size_least(const struct path *path);

/* Probes it. Without a route the verdict is there at once. False if it could not be done: that is said. */
bool path_probe(const struct path *path, const struct path_settings *settings, struct path_result *ret);

/* The verdict's sentences, with what is known of why nothing could be sent. */
void path_explain(FILE *stream, const struct path *path, const struct path_result *result);

/* The verdict's word and its sentences, to be freed; NULL if memory is out. */
char *path_text(const struct path *path, const struct path_result *result);

/* The same as a message about the interface; the word alone if memory is out. */
void path_log(enum log_priority priority, const struct path *path, const struct path_result *result);
