/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernel/neighbour.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>

struct neighbour_visit {
        void (*take)(void *userdata, const struct neighbour *neighbour);
        void *userdata;
};

static int take_neighbour(void *userdata, const struct nlmsghdr *message) {
        const struct neighbour_visit *visit = userdata;
        const struct ndmsg *header = mnl_nlmsg_get_payload(message);
        struct neighbour neighbour;

        if (message->nlmsg_type != RTM_NEWNEIGH || mnl_nlmsg_get_payload_len(message) < sizeof(*header))
                return -EBADMSG;
        neighbour.ifindex = (unsigned)header->ndm_ifindex;
        neighbour.controller = netlink_number(netlink_attribute(message, sizeof(*header), NDA_MASTER));
        neighbour.address = netlink_address(netlink_attribute(message, sizeof(*header), NDA_DST));
        neighbour.hardware = netlink_address(netlink_attribute(message, sizeof(*header), NDA_LLADDR));
        visit->take(visit->userdata, &neighbour);
        return 0;
}

int neighbour_each(struct netlink_socket *socket, sa_family_t family,
                   void (*take)(void *userdata, const struct neighbour *neighbour), void *userdata) {
        struct nlmsghdr *request = netlink_begin(socket, RTM_GETNEIGH, NLM_F_DUMP, sizeof(struct ndmsg));
        struct ndmsg *wanted = mnl_nlmsg_get_payload(request);
        struct neighbour_visit visit = { take, userdata };

        wanted->ndm_family = (uint8_t)family;
        return netlink_exchange(socket, request, take_neighbour, &visit, NULL);
}
