/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernel/route.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>

static struct nlmsghdr *write_request(struct netlink_socket *socket, const struct sockaddr *to,
                                      unsigned ifindex) {
        struct nlmsghdr *request = netlink_begin(socket, RTM_GETROUTE, 0, sizeof(struct rtmsg));
        struct rtmsg *route = mnl_nlmsg_get_payload(request);
        const struct sockaddr_in *v4 = (const void *)to;
        const struct sockaddr_in6 *v6 = (const void *)to;
        bool is_v6 = to->sa_family == AF_INET6;

        route->rtm_family = (unsigned char)to->sa_family;
        route->rtm_dst_len = is_v6 ? 128 : 32;
        mnl_attr_put(request, RTA_DST, route->rtm_dst_len / 8,
                     is_v6 ? (const void *)&v6->sin6_addr : &v4->sin_addr);
        if (is_v6 && ifindex == 0)
                ifindex = v6->sin6_scope_id;
        if (ifindex > 0)
                mnl_attr_put_u32(request, RTA_OIF, ifindex);
        return request;
}

struct found_route {
        unsigned ifindex;
        uint32_t mtu;
};

static int take_metric(const struct nlattr *attribute, void *userdata) {
        struct found_route *found = userdata;

        if (mnl_attr_get_type(attribute) == RTAX_MTU && mnl_attr_validate(attribute, MNL_TYPE_U32) >= 0)
                found->mtu = mnl_attr_get_u32(attribute);
        return MNL_CB_OK;
}

static int take_attribute(const struct nlattr *attribute, void *userdata) {
        struct found_route *found = userdata;

        if (mnl_attr_get_type(attribute) == RTA_METRICS)
                return mnl_attr_parse_nested(attribute, take_metric, found);
        if (mnl_attr_get_type(attribute) == RTA_OIF && mnl_attr_validate(attribute, MNL_TYPE_U32) >= 0)
                found->ifindex = mnl_attr_get_u32(attribute);
        return MNL_CB_OK;
}

static int take_route(void *userdata, const struct nlmsghdr *message) {
        const struct rtmsg *route = mnl_nlmsg_get_payload(message);
        struct found_route *found = userdata;

        if (message->nlmsg_type != RTM_NEWROUTE || mnl_nlmsg_get_payload_len(message) < sizeof(*route))
                return -EBADMSG;
        /* IPv6 answers with these types; IPv4 answers with an error. */
        if (route->rtm_type == RTN_UNREACHABLE || route->rtm_type == RTN_BLACKHOLE ||
            route->rtm_type == RTN_PROHIBIT)
                return -ENETUNREACH;
        return mnl_attr_parse(message, sizeof(*route), take_attribute, found) < 0 ? -EBADMSG : 0;
}

int route_get_interface(struct netlink_socket *socket, const struct sockaddr *to, unsigned ifindex,
                        unsigned *ret_ifindex) {
        struct found_route found = { 0 };
        int r = netlink_exchange(socket, write_request(socket, to, ifindex), take_route, &found, NULL);

        if (r == 0 && found.ifindex == 0)
                r = -ENETUNREACH;
        if (r == 0)
                *ret_ifindex = found.ifindex;
        return r;
}

bool route_is_none(int error) {
        static const int none[] = {
                -ENETUNREACH, -EHOSTUNREACH, -EACCES, -EINVAL, -EAFNOSUPPORT, -EOPNOTSUPP
        };

        for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
                if (error == none[i])
                        return true;
        return false;
}

int route_get_mtu(struct netlink_socket *socket, const struct sockaddr *to, uint32_t *ret_mtu) {
        struct nlmsghdr *request = write_request(socket, to, 0);
        struct rtmsg *route = mnl_nlmsg_get_payload(request);
        struct found_route found = { 0 };
        int r;

        /* The route as configured, not a cached exception. */
        route->rtm_flags |= RTM_F_FIB_MATCH;
        r = netlink_exchange(socket, request, take_route, &found, NULL);
        if (r == 0)
                *ret_mtu = found.mtu;
        return r;
}
