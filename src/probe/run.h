/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A probing carried out: the method, with the sockets and the clock. */

#include <sys/socket.h>

#include "probe/evidence.h"
#include "probe/verdict.h"

struct run_target {
        struct sockaddr_storage host;
        socklen_t host_size;
        unsigned ifindex; /* where packets go out */
        char interface[16];
        bool is_bound; /* whatever the routes say */
};

struct run_settings {
        uint32_t size;      /* to find out about */
        uint32_t local_mtu; /* of the interface */
        double timeout;     /* in seconds; 0: the method's own */
        /* Called now and then with what is known; either may be NULL. */
        void (*progress)(void *userdata, uint32_t low, uint32_t high);
        bool (*is_interrupted)(void *userdata);
        void *userdata;
};

struct run_result {
        struct verdict verdict;
        struct evidence evidence; /* what the verdict comes from */
        unsigned n_packets;       /* sent */
        double seconds;
        int send_error; /* a positive errno where packets could not be sent; or 0 */
        bool has_echo;  /* could be sent */
};

/* 0 or a negative errno where there can be no socket. */
int run_probe(const struct run_target *target, const struct run_settings *settings, struct run_result *ret);
