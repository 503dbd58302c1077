/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/traffic_look.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/whole_file.h"
#include "kernel/route.h"

/* How long the counters are looked at, for what has been proven. */
#define PROOF_MS 10000

int traffic_look(struct netlink_socket **diag, struct traffic *traffic) {
        bool has_changed = false, is_known;
        int r = *diag ? 0 : netlink_socket_open(NETLINK_SOCK_DIAG, diag);

        if (r < 0)
                return r;
        traffic->has_mtu_probing = whole_file_read_number("/proc/sys/net/ipv4/tcp_mtu_probing") != 0;
        traffic_begin(traffic, clock_monotonic_s());
        r = connection_each(*diag, false, traffic_take, traffic, &has_changed);
        if (r == 0 && traffic->n_waiting > 0)
                r = connection_each(*diag, true, traffic_take, traffic, &has_changed);
        is_known = traffic_end(traffic, r == 0 && !has_changed);
        return r == 0 && !is_known ? -ENOMEM : r;
}

int traffic_look_exit_code(int r) {
        return r == 0 ? EXIT_CODE_DONE
                      : log_fail(EXIT_CODE_FAILURE, "the TCP connections cannot be read from the kernel: %s",
                                 strerror(-r));
}

/* Whether connections have proven a moment ago that the path carries packets of that size. */
static bool is_proven(const struct traffic *traffic, struct netlink_socket *route, const struct path *path,
                      uint32_t size) {
        const struct net_address address = route_address((const struct sockaddr *)&path->target);
        unsigned ifindex;

        for (const struct traffic_peer *peer = traffic->peers; peer; peer = peer->next)
                if (net_address_equals(&peer->address, &address) &&
                    route_get_interface(route, (const struct sockaddr *)&path->target, peer->ifindex,
                                        &ifindex) == 0 &&
                    ifindex == path->link.ifindex && traffic_has_proven(peer, size))
                        return true;
        return false;
}

int traffic_find_proven(struct netlink_socket *route, struct path *paths, size_t n, uint32_t size) {
        CLEANUP(traffic_free) struct traffic traffic = { 0 };
        CLEANUP(netlink_socket_cleanup) struct netlink_socket *diag = NULL;
        int r = traffic_look(&diag, &traffic);

        if (r == 0 && clock_sleep_ms(PROOF_MS))
                r = traffic_look(&diag, &traffic);
        for (size_t i = 0; i < n; i++)
                paths[i].is_proven =
                                is_proven(&traffic, route, &paths[i], size > 0 ? size : paths[i].link.mtu);
        return traffic_look_exit_code(r);
}
