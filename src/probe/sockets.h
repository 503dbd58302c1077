/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Probes on the wire: ICMP echo over a ping socket where net.ipv4.ping_group_range lets this user have one,
 * otherwise over a raw socket with CAP_NET_RAW; and UDP to ports that are likely to be closed. Nothing is
 * fragmented here but for PROBE_FRAGMENTED, and what the kernel has been told of the path's MTU is not
 * minded: IP_PMTUDISC_PROBE, ip(7), ipv6(7). What comes back is read from the sockets and from their error
 * queues: IP_RECVERR. PROBE_FRAGMENTED needs a raw socket, and so CAP_NET_RAW. */

#include <netinet/in.h>
#include <sys/socket.h>

#include "probe/evidence.h"
#include "probe/packet.h"

struct sockets {
        int fds[PROBE_KINDS]; /* negative: may not be had */
        bool is_raw;          /* that of PROBE_ECHO */
        bool is_v6;
        struct sockaddr_storage source; /* that packets come from, or the unspecified address */
        unsigned ifindex;               /* where packets go out, whatever the routes say; 0: by the routes */
        uint16_t identifier;            /* of echo requests */
        uint8_t buffer[65536 + 64];     /* what the largest packet fits into */
};

/* A host that is probed through them. */
struct sockets_host {
        struct packet_mark mark;
        struct sockaddr_storage address;
        uint16_t port;          /* of UDP probe 0; random */
        bool has_one_port;      /* and of all others; otherwise each has the next */
        struct in6_addr source; /* this machine's address, once it has answered an echo request; IPv6 */
        char interface[16];     /* where packets go out */
        int send_error;         /* the last one, a positive errno; 0: none */
};

/* 0 or a negative errno if there can be no socket at all. Those of another family are others. */
int sockets_open(const struct sockaddr_storage *source, unsigned ifindex, struct sockets *sockets);
void sockets_close(struct sockets *sockets);

/* `interface` is where packets to the address go out. `flow` counts from 0; all UDP probes of one above 0 go
 * to a port of its own, so that all take the same way. 0 or a negative errno. */
int sockets_add_host(const struct sockets *sockets, const struct sockaddr_storage *address,
                     const char *interface, unsigned flow, struct sockets_host *ret);

/* Whether the address is that of the host, whatever the scope: answers could not be told apart. */
bool sockets_host_has(const struct sockets_host *host, const struct net_address *address);

/* Sends one. False if it could not be, and `ret` is what the method is to be told. */
bool sockets_send(struct sockets *sockets, struct sockets_host *host, const struct probe *probe,
                  struct probe_event *ret);

/* Looks at each queue once for what has come from, or about, one of the hosts; `ret_i` is which. 1: there is
 * `ret`; 0: nothing that matters, and there may be more to read; -1: there is nothing. */
int sockets_receive(struct sockets *sockets, struct sockets_host *const *hosts, size_t n_hosts,
                    size_t *ret_i, struct probe_event *ret);
