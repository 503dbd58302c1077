/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* bare_mtu DEVICE MTU: asks the kernel for a device, sets its MTU and asks again, as setmtu-apply does, and
 * does nothing else: no configuration, no limits, no record of what was there before. */

#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>

static struct mnl_socket *mnl;
static char buffer[32768];

static int take(const struct nlattr *attribute, void *ret_mtu) {
        if (mnl_attr_get_type(attribute) == IFLA_MTU)
                *(uint32_t *)ret_mtu = mnl_attr_get_u32(attribute);
        return MNL_CB_OK;
}

/* Returns the answer's type; `mtu` is what the device is to have, 0 to ask for that. */
static uint16_t ask(const char *name, uint32_t *mtu) {
        struct nlmsghdr *message = mnl_nlmsg_put_header(buffer);
        struct ifinfomsg *header;

        message->nlmsg_type = *mtu > 0 ? RTM_SETLINK : RTM_GETLINK;
        message->nlmsg_flags = *mtu > 0 ? NLM_F_REQUEST | NLM_F_ACK : NLM_F_REQUEST;
        header = mnl_nlmsg_put_extra_header(message, sizeof(*header));
        header->ifi_family = AF_UNSPEC;
        mnl_attr_put_strz(message, IFLA_IFNAME, name);
        if (*mtu > 0)
                mnl_attr_put_u32(message, IFLA_MTU, *mtu);
        if (mnl_socket_sendto(mnl, message, message->nlmsg_len) < 0 ||
            mnl_socket_recvfrom(mnl, buffer, sizeof(buffer)) < 0)
                exit(EXIT_FAILURE);
        if (message->nlmsg_type == RTM_NEWLINK)
                mnl_attr_parse(message, sizeof(*header), take, mtu);
        return message->nlmsg_type;
}

int main(int argc, char *argv[]) {
        uint32_t before = 0, wanted = argc == 3 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0, after = 0;

        mnl = mnl_socket_open(NETLINK_ROUTE);
        if (wanted == 0 || !mnl || mnl_socket_bind(mnl, 0, MNL_SOCKET_AUTOPID) < 0 ||
            ask(argv[1], &before) != RTM_NEWLINK || ask(argv[1], &wanted) != NLMSG_ERROR ||
            ask(argv[1], &after) != RTM_NEWLINK)
                return EXIT_FAILURE;
        return after == wanted ? EXIT_SUCCESS : EXIT_FAILURE;
}
