/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernel/route.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <string.h>

struct sockaddr_storage route_sockaddr(const struct net_address *address, unsigned ifindex) {
        struct sockaddr_storage ret = { .ss_family = address->size == 4 ? AF_INET : AF_INET6 };
        struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&ret;

        if (address->size == 4)
                memcpy(&((struct sockaddr_in *)&ret)->sin_addr, address->bytes, 4);
        else
                memcpy(&v6->sin6_addr, address->bytes, sizeof(v6->sin6_addr));
        if (address->size != 4 && IN6_IS_ADDR_LINKLOCAL(&v6->sin6_addr))
                v6->sin6_scope_id = ifindex;
        return ret;
}

struct net_address route_address(const struct sockaddr *address) {
        const void *from = address;
        struct net_address ret = { .size = 0 };

        if (address->sa_family == AF_INET)
                net_address_set(&ret, &((const struct sockaddr_in *)from)->sin_addr, 4);
        else if (address->sa_family == AF_INET6)
                net_address_set(&ret, &((const struct sockaddr_in6 *)from)->sin6_addr, 16);
        return ret;
}

struct found_route {
        struct route route;
        uint32_t mtu;
        bool expires;
};

static int take_route(void *userdata, const struct nlmsghdr *message) {
        const struct rtmsg *route = mnl_nlmsg_get_payload(message);
        const struct nlattr *metrics, *cache;
        const struct rta_cacheinfo *info;
        struct found_route *found = userdata;

        if (message->nlmsg_type != RTM_NEWROUTE || mnl_nlmsg_get_payload_len(message) < sizeof(*route))
                return -EBADMSG;
        /* IPv6 answers with these types; IPv4 answers with an error. */
        if (route->rtm_type == RTN_UNREACHABLE || route->rtm_type == RTN_BLACKHOLE ||
            route->rtm_type == RTN_PROHIBIT)
                return -ENETUNREACH;
        found->route.ifindex = netlink_number(netlink_attribute(message, sizeof(*route), RTA_OIF));
        found->route.gateway = netlink_address(netlink_attribute(message, sizeof(*route), RTA_GATEWAY));
        metrics = netlink_attribute(message, sizeof(*route), RTA_METRICS);
        found->mtu = netlink_number(netlink_nested(metrics, RTAX_MTU));
        cache = netlink_attribute(message, sizeof(*route), RTA_CACHEINFO);
        if (cache && mnl_attr_get_payload_len(cache) >= sizeof(*info)) {
                info = mnl_attr_get_payload(cache);
                found->expires = info->rta_expires != 0;
        }
        return 0;
}

/* `flags`: RTM_F_FIB_MATCH is for the route as configured, not a cached exception. */
static int look_up(struct netlink_socket *socket, const struct sockaddr *to, unsigned ifindex, uint32_t mark,
                   unsigned flags, struct found_route *ret) {
        struct nlmsghdr *request = netlink_begin(socket, RTM_GETROUTE, 0, sizeof(struct rtmsg));
        struct rtmsg *route = mnl_nlmsg_get_payload(request);
        const struct net_address address = route_address(to);
        int r;

        *ret = (struct found_route){ 0 };
        route->rtm_family = (unsigned char)to->sa_family;
        route->rtm_dst_len = (unsigned char)(address.size * 8);
        route->rtm_flags = flags;
        mnl_attr_put(request, RTA_DST, address.size, address.bytes);
        if (to->sa_family == AF_INET6 && ifindex == 0)
                ifindex = ((const struct sockaddr_in6 *)(const void *)to)->sin6_scope_id;
        if (ifindex > 0)
                mnl_attr_put_u32(request, RTA_OIF, ifindex);
        if (mark > 0)
                mnl_attr_put_u32(request, RTA_MARK, mark);
        r = netlink_exchange(socket, request, take_route, ret, NULL);
        return r == 0 && ret->route.ifindex == 0 && flags == 0 ? -ENETUNREACH : r;
}

int route_get_interface(struct netlink_socket *socket, const struct sockaddr *to, unsigned ifindex,
                        unsigned *ret_ifindex) {
        struct found_route found;
        int r = look_up(socket, to, ifindex, 0, 0, &found);

        if (r == 0)
                *ret_ifindex = found.route.ifindex;
        return r;
}

int route_get(struct netlink_socket *socket, const struct sockaddr *to, unsigned ifindex, uint32_t mark,
              struct route *ret) {
        struct found_route found, configured = { 0 };
        int r = look_up(socket, to, ifindex, mark, 0, &found);

        if (r == 0)
                r = look_up(socket, to, ifindex, mark, RTM_F_FIB_MATCH, &configured);
        if (r < 0)
                return r;
        *ret = found.route;
        /* Of an address of this machine, the first look-up says lo; of several equal ways, the other none.
         */
        if (configured.route.ifindex > 0)
                ret->ifindex = configured.route.ifindex;
        ret->mtu = configured.mtu;
        /* The lifetime alone may be that of a route from an advertisement. */
        ret->learned = found.expires && found.mtu != configured.mtu ? found.mtu : 0;
        return 0;
}

bool route_is_none(int error) {
        return error == -ENETUNREACH || error == -EHOSTUNREACH || error == -EACCES || error == -EINVAL ||
               error == -EAFNOSUPPORT || error == -EOPNOTSUPP;
}
