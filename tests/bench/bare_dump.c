/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* bare_dump: asks the kernel for all network devices, as setmtu status does, and throws the answer away. */

#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>

int main(void) {
        static char buffer[32768];
        struct mnl_socket *socket = mnl_socket_open(NETLINK_ROUTE);
        struct nlmsghdr *request = mnl_nlmsg_put_header(buffer);
        struct ifinfomsg *header;
        ssize_t received;

        request->nlmsg_type = RTM_GETLINK;
        request->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
        header = mnl_nlmsg_put_extra_header(request, sizeof(*header));
        header->ifi_family = AF_UNSPEC;
        mnl_attr_put_u32(request, IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
        if (!socket || mnl_socket_bind(socket, 0, MNL_SOCKET_AUTOPID) < 0 ||
            mnl_socket_sendto(socket, request, request->nlmsg_len) < 0)
                return 1;
        for (;;) {
                const struct nlmsghdr *message = (const struct nlmsghdr *)(const void *)buffer;
                int left;

                received = mnl_socket_recvfrom(socket, buffer, sizeof(buffer));
                if (received < 0)
                        return 1;
                for (left = (int)received; mnl_nlmsg_ok(message, left);
                     message = mnl_nlmsg_next(message, &left))
                        if (message->nlmsg_type == NLMSG_DONE)
                                return 0;
        }
}
