/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernel/neighbour.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <string.h>

/* The states with a hardware address; NUD_NOARP is for those that need none, such as multicast groups. */
#define STATES (NUD_REACHABLE | NUD_STALE | NUD_DELAY | NUD_PROBE | NUD_PERMANENT)

struct visit {
        unsigned ifindex;
        int (*take)(void *userdata, const struct sockaddr_storage *address);
        void *userdata;
};

static int take_attribute(const struct nlattr *attribute, void *userdata) {
        struct sockaddr_storage *address = userdata;
        struct sockaddr_in *v4 = (struct sockaddr_in *)address;
        struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)address;
        bool is_v6 = mnl_attr_get_payload_len(attribute) == sizeof(v6->sin6_addr);

        if (mnl_attr_get_type(attribute) != NDA_DST ||
            (!is_v6 && mnl_attr_get_payload_len(attribute) != sizeof(v4->sin_addr)))
                return MNL_CB_OK;
        address->ss_family = is_v6 ? AF_INET6 : AF_INET;
        if (is_v6)
                memcpy(&v6->sin6_addr, mnl_attr_get_payload(attribute), sizeof(v6->sin6_addr));
        else
                memcpy(&v4->sin_addr, mnl_attr_get_payload(attribute), sizeof(v4->sin_addr));
        return MNL_CB_OK;
}

static int take_neighbour(void *userdata, const struct nlmsghdr *message) {
        const struct visit *visit = userdata;
        const struct ndmsg *neighbour = mnl_nlmsg_get_payload(message);
        struct sockaddr_storage address = { .ss_family = AF_UNSPEC };
        struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&address;

        if (message->nlmsg_type != RTM_NEWNEIGH || mnl_nlmsg_get_payload_len(message) < sizeof(*neighbour))
                return -EBADMSG;
        if (!(neighbour->ndm_state & STATES) || (neighbour->ndm_flags & NTF_PROXY) ||
            (visit->ifindex > 0 && (unsigned)neighbour->ndm_ifindex != visit->ifindex))
                return 0;
        mnl_attr_parse(message, sizeof(*neighbour), take_attribute, &address);
        if (address.ss_family == AF_INET6 && IN6_IS_ADDR_LINKLOCAL(&v6->sin6_addr))
                v6->sin6_scope_id = (uint32_t)neighbour->ndm_ifindex;
        return address.ss_family == AF_UNSPEC ? 0 : visit->take(visit->userdata, &address);
}

int neighbour_each(struct netlink_socket *socket, unsigned ifindex,
                   int (*take)(void *userdata, const struct sockaddr_storage *address), void *userdata) {
        struct visit visit = { ifindex, take, userdata };

        return netlink_exchange(socket,
                                netlink_begin(socket, RTM_GETNEIGH, NLM_F_DUMP, sizeof(struct ndmsg)),
                                take_neighbour, &visit, NULL);
}
