/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernel/route.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>

static struct nlmsghdr *write_request(char *buffer, const struct sockaddr *to, unsigned ifindex) {
        struct nlmsghdr *request = mnl_nlmsg_put_header(buffer);
        struct rtmsg *route;

        request->nlmsg_type = RTM_GETROUTE;
        request->nlmsg_flags = NLM_F_REQUEST;
        request->nlmsg_seq = 1;
        route = mnl_nlmsg_put_extra_header(request, sizeof(*route));
        route->rtm_family = (unsigned char)to->sa_family;
        if (to->sa_family == AF_INET6) {
                const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)(const void *)to;

                route->rtm_dst_len = 128;
                mnl_attr_put(request, RTA_DST, sizeof(v6->sin6_addr), &v6->sin6_addr);
                if (ifindex == 0)
                        ifindex = v6->sin6_scope_id;
        } else {
                const struct sockaddr_in *v4 = (const struct sockaddr_in *)(const void *)to;

                route->rtm_dst_len = 32;
                mnl_attr_put(request, RTA_DST, sizeof(v4->sin_addr), &v4->sin_addr);
        }
        if (ifindex > 0)
                mnl_attr_put_u32(request, RTA_OIF, ifindex);
        return request;
}

static int take_attribute(const struct nlattr *attribute, void *userdata) {
        unsigned *ifindex = userdata;

        if (mnl_attr_get_type(attribute) == RTA_OIF && mnl_attr_validate(attribute, MNL_TYPE_U32) >= 0)
                *ifindex = mnl_attr_get_u32(attribute);
        return MNL_CB_OK;
}

static int take_route(const struct nlmsghdr *message, void *userdata) {
        const struct rtmsg *route = mnl_nlmsg_get_payload(message);

        if (message->nlmsg_type != RTM_NEWROUTE || mnl_nlmsg_get_payload_len(message) < sizeof(*route))
                return MNL_CB_OK;
        /* IPv6 answers so where IPv4 answers with an error. */
        if (route->rtm_type == RTN_UNREACHABLE || route->rtm_type == RTN_BLACKHOLE ||
            route->rtm_type == RTN_PROHIBIT) {
                errno = ENETUNREACH;
                return MNL_CB_ERROR;
        }
        mnl_attr_parse(message, sizeof(*route), take_attribute, userdata);
        return MNL_CB_STOP;
}

int route_get_interface(const struct sockaddr *to, unsigned ifindex, unsigned *ret_ifindex) {
        struct mnl_socket *socket = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);
        union {
                struct nlmsghdr header; /* for the alignment */
                char bytes[8192];
        } buffer;
        unsigned found = 0;
        ssize_t size = -1;
        int r;

        if (!socket)
                return -errno;
        if (mnl_socket_bind(socket, 0, MNL_SOCKET_AUTOPID) == 0) {
                struct nlmsghdr *request = write_request(buffer.bytes, to, ifindex);

                if (mnl_socket_sendto(socket, request, request->nlmsg_len) >= 0)
                        size = mnl_socket_recvfrom(socket, buffer.bytes, sizeof(buffer.bytes));
        }
        r = size < 0 ? -1
                     : mnl_cb_run(buffer.bytes, (size_t)size, 1, mnl_socket_get_portid(socket), take_route,
                                  &found);
        r = r < 0 ? -errno : found == 0 ? -ENETUNREACH : 0;
        mnl_socket_close(socket);
        if (r == 0)
                *ret_ifindex = found;
        return r;
}
