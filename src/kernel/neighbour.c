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

struct neighbour_visit {
        unsigned ifindex;
        void (*take)(void *userdata, const struct sockaddr_storage *address);
        void *userdata;
};

static int find_address(const struct nlattr *attribute, void *userdata) {
        if (mnl_attr_get_type(attribute) == NDA_DST)
                *(const struct nlattr **)userdata = attribute;
        return MNL_CB_OK;
}

static int take_neighbour(void *userdata, const struct nlmsghdr *message) {
        const struct neighbour_visit *visit = userdata;
        const struct ndmsg *neighbour = mnl_nlmsg_get_payload(message);
        const struct nlattr *attribute = NULL;
        struct sockaddr_storage address = { 0 };
        struct sockaddr_in *v4 = (struct sockaddr_in *)&address;
        struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&address;
        size_t size;

        if (message->nlmsg_type != RTM_NEWNEIGH || mnl_nlmsg_get_payload_len(message) < sizeof(*neighbour))
                return -EBADMSG;
        if (!(neighbour->ndm_state & STATES) || (neighbour->ndm_flags & NTF_PROXY) ||
            (visit->ifindex > 0 && (unsigned)neighbour->ndm_ifindex != visit->ifindex))
                return 0;
        (void)mnl_attr_parse(message, sizeof(*neighbour), find_address, &attribute);
        size = attribute ? mnl_attr_get_payload_len(attribute) : 0;
        if (size != sizeof(v4->sin_addr) && size != sizeof(v6->sin6_addr))
                return 0;
        address.ss_family = size == sizeof(v6->sin6_addr) ? AF_INET6 : AF_INET;
        memcpy(address.ss_family == AF_INET6 ? (void *)&v6->sin6_addr : &v4->sin_addr,
               mnl_attr_get_payload(attribute), size);
        if (address.ss_family == AF_INET6 && IN6_IS_ADDR_LINKLOCAL(&v6->sin6_addr))
                v6->sin6_scope_id = (uint32_t)neighbour->ndm_ifindex;
        visit->take(visit->userdata, &address);
        return 0;
}

int neighbour_each(struct netlink_socket *socket, sa_family_t family, unsigned ifindex,
                   void (*take)(void *userdata, const struct sockaddr_storage *address), void *userdata) {
        struct nlmsghdr *request = netlink_begin(socket, RTM_GETNEIGH, NLM_F_DUMP, sizeof(struct ndmsg));
        struct ndmsg *wanted = mnl_nlmsg_get_payload(request);
        struct neighbour_visit visit = { ifindex, take, userdata };

        wanted->ndm_family = (uint8_t)family;
        return netlink_exchange(socket, request, take_neighbour, &visit, NULL);
}
