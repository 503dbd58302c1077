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
        mnl_attr_cb_t take_attribute; /* of the next answer */
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

static int take_family_attribute(const struct nlattr *attribute, void *userdata) {
        struct wireguard_visit *visit = userdata;

        if (mnl_attr_get_type(attribute) == CTRL_ATTR_FAMILY_ID &&
            mnl_attr_validate(attribute, MNL_TYPE_U16) >= 0)
                visit->family = mnl_attr_get_u16(attribute);
        return MNL_CB_OK;
}

static int take_peer_attribute(const struct nlattr *attribute, void *userdata) {
        const struct wireguard_visit *visit = userdata;
        const struct sockaddr *endpoint = mnl_attr_get_payload(attribute);
        struct net_address address;

        if (mnl_attr_get_type(attribute) != WGPEER_A_ENDPOINT ||
            mnl_attr_get_payload_len(attribute) < sizeof(struct sockaddr))
                return MNL_CB_OK;
        address = route_address(endpoint);
        if (address.size > 0)
                visit->take(visit->userdata, &address);
        return MNL_CB_OK;
}

static int take_peer(const struct nlattr *attribute, void *userdata) {
        return mnl_attr_parse_nested(attribute, take_peer_attribute, userdata);
}

/* A device with many peers comes in several messages. */
static int take_device_attribute(const struct nlattr *attribute, void *userdata) {
        struct wireguard_visit *visit = userdata;

        if (mnl_attr_get_type(attribute) == WGDEVICE_A_PEERS)
                return mnl_attr_parse_nested(attribute, take_peer, visit);
        if (mnl_attr_get_type(attribute) == WGDEVICE_A_FWMARK &&
            mnl_attr_validate(attribute, MNL_TYPE_U32) >= 0)
                visit->mark = mnl_attr_get_u32(attribute);
        return MNL_CB_OK;
}

static int take_message(void *userdata, const struct nlmsghdr *message) {
        struct wireguard_visit *visit = userdata;

        return mnl_attr_parse(message, sizeof(struct genlmsghdr), visit->take_attribute, visit) < 0
                               ? -EBADMSG
                               : 0;
}

int wireguard_each_endpoint(unsigned ifindex,
                            void (*take)(void *userdata, const struct net_address *address), void *userdata,
                            uint32_t *ret_mark) {
        CLEANUP(netlink_socket_cleanup) struct netlink_socket *socket = NULL;
        struct wireguard_visit visit = { .take_attribute = take_family_attribute,
                                         .take = take,
                                         .userdata = userdata };
        struct nlmsghdr *request;
        int r = netlink_socket_open(NETLINK_GENERIC, &socket);

        if (r < 0)
                return r;
        request = begin_command(socket, GENL_ID_CTRL, 0, CTRL_CMD_GETFAMILY);
        mnl_attr_put_strz(request, CTRL_ATTR_FAMILY_NAME, WG_GENL_NAME);
        r = netlink_exchange(socket, request, take_message, &visit, NULL);
        if (r < 0)
                return r;
        request = begin_command(socket, visit.family, NLM_F_DUMP, WG_CMD_GET_DEVICE);
        mnl_attr_put_u32(request, WGDEVICE_A_IFINDEX, ifindex);
        visit.take_attribute = take_device_attribute;
        r = netlink_exchange(socket, request, take_message, &visit, NULL);
        netlink_socket_forget(socket); /* the answer has the private key */
        if (r == 0)
                *ret_mark = visit.mark;
        return r;
}
