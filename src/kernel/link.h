/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Network devices over rtnetlink: rtnetlink(7), linux/if_link.h. All functions return 0 or a negative errno,
 * which is the kernel's own where it answered. */

#include <stdbool.h>
#include <stdint.h>

#include "config/interface_name.h"

struct link {
        unsigned ifindex;
        char name[INTERFACE_NAME_SIZE]; /* the kernel's, also when asked for by an alternative name */
        uint32_t mtu;
        uint32_t mtu_min;
        uint32_t mtu_max;       /* 0: the device states none */
        unsigned lower_ifindex; /* IFLA_LINK: the device that this one stands on, in this namespace; 0: none
                                 */
        bool up;                /* administratively: IFF_UP */
};

/* An open rtnetlink socket; one request at a time. */
struct link_socket;

int link_socket_open(struct link_socket **ret);
/* Closes and frees; NULL is fine. */
void link_socket_close(struct link_socket *socket);
/* For CLEANUP(). */
void link_socket_cleanup(struct link_socket **socket);

/* -ENODEV where there is no such device. */
int link_get_by_name(struct link_socket *socket, const char *name, struct link *ret);
int link_get_by_ifindex(struct link_socket *socket, unsigned ifindex, struct link *ret);

/* -EPERM without CAP_NET_ADMIN; -EINVAL outside the device's limits; -ERANGE for a VLAN above its lower
 * device; -EBUSY from drivers that want the link down first. */
int link_set_mtu(struct link_socket *socket, unsigned ifindex, uint32_t mtu);
int link_set_up(struct link_socket *socket, unsigned ifindex);

/* What the kernel said about the last request that failed (its extended acknowledgement), or NULL where it
 * said nothing. Owned by the socket, until the next request. */
const char *link_socket_complaint(const struct link_socket *socket);
