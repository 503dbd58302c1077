/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernel/wireguard.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/wireguard.h>

#include "base/cleanup.h"
#include "kernel/netlink.h"
#include "kernel/route.h"

struct wireguard_visit {
        void (*take)(void *userdata, const struct net_address *address);
        void *userdata;
        uint32_t mark;
        uint16_t family; /* the number of generic netlink's family */
};

static struct nlmsghdr *begin_command(struct netlink_socket *socket, uint16_t family, uint16_t flags,
                                      uint8_t command) {
        struct nlmsghdr *request = netlink_begin(socket, family, flags, sizeof(struct genlmsghdr));
        struct genlmsghdr *header = mnl_nlmsg_get_payload(request);

        header->cmd = command;
        header->version = WG_GENL_VERSION; /* that of the controller, too */
        return request;
}

static int take_family(void *userdata, const struct nlmsghdr *message) {
        const struct nlattr *id = netlink_attribute(message, sizeof(struct genlmsghdr), CTRL_ATTR_FAMILY_ID);
        struct wireguard_visit *visit = userdata;

        if (id && mnl_attr_validate(id, MNL_TYPE_U16) >= 0)
                visit->family = mnl_attr_get_u16(id);
        return 0;
}

static int take_peer(const struct nlattr *peer, void *userdata) {
        const struct nlattr *endpoint = netlink_nested(peer, WGPEER_A_ENDPOINT);
        const struct wireguard_visit *visit = userdata;
        struct net_address address = { .size = 0 };

        if (endpoint && mnl_attr_get_payload_len(endpoint) >= sizeof(struct sockaddr))
                address = route_address(mnl_attr_get_payload(endpoint));
        if (address.size > 0)
                visit->take(visit->userdata, &address);
        return MNL_CB_OK;
}

/* A device with many peers comes in several messages. */
static int take_device(void *userdata, const struct nlmsghdr *message) {
        const size_t header = sizeof(struct genlmsghdr);
        const struct nlattr *peers = netlink_attribute(message, header, WGDEVICE_A_PEERS);
        struct wireguard_visit *visit = userdata;
        uint32_t mark = netlink_number(netlink_attribute(message, header, WGDEVICE_A_FWMARK));

        visit->mark = mark > 0 ? mark : visit->mark;
        if (peers)
                (void)mnl_attr_parse_nested(peers, take_peer, visit);
        return 0;
}

int wireguard_each_endpoint(unsigned ifindex,
                            void (*take)(void *userdata, const struct net_address *address), void *userdata,
                            uint32_t *ret_mark) {
        CLEANUP(netlink_socket_cleanup) struct netlink_socket *socket = NULL;
        struct wireguard_visit visit = { .take = take, .userdata = userdata };
        struct nlmsghdr *request;
        int r = netlink_socket_open(NETLINK_GENERIC, &socket);

        if (r < 0)
                return r;
        request = begin_command(socket, GENL_ID_CTRL, 0, CTRL_CMD_GETFAMILY);
        mnl_attr_put_strz(request, CTRL_ATTR_FAMILY_NAME, WG_GENL_NAME);
        r = netlink_exchange(socket, request, take_family, &visit, NULL);
        if (r < 0)
                return r;
        request = begin_command(socket, visit.family, NLM_F_DUMP, WG_CMD_GET_DEVICE);
        mnl_attr_put_u32(request, WGDEVICE_A_IFINDEX, ifindex);
        r = netlink_exchange(socket, request, take_device, &visit, NULL);
        netlink_socket_forget(socket); /* the answer has the private key */
        if (r == 0)
                *ret_mark = visit.mark;
        return r;
}
