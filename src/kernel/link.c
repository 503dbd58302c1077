/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernel/link.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What `ip` takes for an answer too: a device with many attributes has a long one. */
#define ANSWER_SIZE 32768

struct link_socket {
        struct mnl_socket *mnl;
        uint32_t sequence;
        char error_text[256];
        union {
                struct nlmsghdr header; /* for the alignment */
                char bytes[ANSWER_SIZE];
        } buffer;
};

int link_socket_open(struct link_socket **ret) {
        struct link_socket *socket = malloc(sizeof(*socket));
        int on = 1;

        if (!socket)
                return -ENOMEM;
        socket->sequence = 0;
        socket->error_text[0] = '\0';
        socket->mnl = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);
        if (!socket->mnl || mnl_socket_bind(socket->mnl, 0, MNL_SOCKET_AUTOPID) < 0) {
                int error = -errno;
                link_socket_close(socket);
                return error;
        }
        /* The kernel's words with an error, and not our own request sent back. Without them errno is all
         * there is. */
        (void)mnl_socket_setsockopt(socket->mnl, NETLINK_EXT_ACK, &on, sizeof(on));
        (void)mnl_socket_setsockopt(socket->mnl, NETLINK_CAP_ACK, &on, sizeof(on));
        *ret = socket;
        return 0;
}

void link_socket_close(struct link_socket *socket) {
        if (!socket)
                return;
        if (socket->mnl)
                mnl_socket_close(socket->mnl);
        free(socket);
}

void link_socket_cleanup(struct link_socket **socket) {
        link_socket_close(*socket);
}

const char *link_socket_error_text(const struct link_socket *socket) {
        return socket->error_text[0] ? socket->error_text : NULL;
}

/* Begins a request in the socket's buffer, about the device `ifindex`; 0: none or named by an attribute. */
static struct nlmsghdr *begin(struct link_socket *socket, uint16_t type, uint16_t flags, unsigned ifindex,
                              struct ifinfomsg **ret_header) {
        struct nlmsghdr *message = mnl_nlmsg_put_header(socket->buffer.bytes);

        message->nlmsg_type = type;
        message->nlmsg_flags = NLM_F_REQUEST | flags;
        message->nlmsg_seq = ++socket->sequence;
        *ret_header = mnl_nlmsg_put_extra_header(message, sizeof(**ret_header));
        (*ret_header)->ifi_family = AF_UNSPEC;
        (*ret_header)->ifi_index = (int)ifindex;
        return message;
}

static int keep_error_text(const struct nlattr *attribute, void *userdata) {
        struct link_socket *socket = userdata;

        if (mnl_attr_get_type(attribute) == NLMSGERR_ATTR_MSG &&
            mnl_attr_validate(attribute, MNL_TYPE_NUL_STRING) >= 0)
                snprintf(socket->error_text, sizeof(socket->error_text), "%s", mnl_attr_get_str(attribute));
        return MNL_CB_OK;
}

/* Reads an acknowledgement, with the extended part behind it (NLMSGERR in netlink(7)). Returns its errno,
 * negative. */
static int read_error(struct link_socket *socket, const struct nlmsghdr *message) {
        const struct nlmsgerr *error = mnl_nlmsg_get_payload(message);
        size_t offset = sizeof(*error);

        if (mnl_nlmsg_get_payload_len(message) < sizeof(*error))
                return -EBADMSG;
        if (message->nlmsg_flags & NLM_F_ACK_TLVS) {
                /* Without NETLINK_CAP_ACK our request stands in between. */
                if (!(message->nlmsg_flags & NLM_F_CAPPED))
                        offset += (mnl_nlmsg_get_payload_len(&error->msg) + 3) & ~(size_t)3;
                if (offset < mnl_nlmsg_get_payload_len(message))
                        mnl_attr_parse(message, (unsigned)offset, keep_error_text, socket);
        }
        return error->error;
}

/* Sends the request in the buffer and reads the answer to it into the same buffer. Returns 0 with
 * `ret_answer` at the message, or at NULL for a bare acknowledgement. */
static int talk(struct link_socket *socket, struct nlmsghdr *request, const struct nlmsghdr **ret_answer) {
        socket->error_text[0] = '\0';
        if (mnl_socket_sendto(socket->mnl, request, request->nlmsg_len) < 0)
                return -errno;
        for (;;) {
                ssize_t received = mnl_socket_recvfrom(socket->mnl, socket->buffer.bytes,
                                                       sizeof(socket->buffer.bytes));
                const struct nlmsghdr *message = &socket->buffer.header;
                int left = (int)received;

                if (received < 0 && errno == EINTR)
                        continue;
                if (received < 0)
                        return -errno;
                for (; mnl_nlmsg_ok(message, left); message = mnl_nlmsg_next(message, &left)) {
                        if (message->nlmsg_seq != socket->sequence)
                                continue; /* what is left of an earlier answer */
                        if (message->nlmsg_type == NLMSG_ERROR) {
                                *ret_answer = NULL;
                                return read_error(socket, message);
                        }
                        *ret_answer = message;
                        return 0;
                }
        }
}

/* A vxlan does not say by IFLA_LINK what it stands on (vxlan_fill_info()). */
static int take_vxlan(const struct nlattr *attribute, void *userdata) {
        struct link *link = userdata;

        switch (mnl_attr_get_type(attribute)) {
        case IFLA_VXLAN_LINK:
                if (mnl_attr_validate(attribute, MNL_TYPE_U32) >= 0)
                        link->lower_ifindex = mnl_attr_get_u32(attribute);
                break;
        case IFLA_VXLAN_GROUP6:
        case IFLA_VXLAN_LOCAL6:
                link->is_over_ipv6 = true;
                break;
        default:
                break;
        }
        return MNL_CB_OK;
}

/* The kernel puts the kind before its data (rtnl_link_info_fill()). */
static int take_info(const struct nlattr *attribute, void *userdata) {
        struct link *link = userdata;

        if (mnl_attr_get_type(attribute) == IFLA_INFO_KIND &&
            mnl_attr_validate(attribute, MNL_TYPE_NUL_STRING) >= 0)
                snprintf(link->kind, sizeof(link->kind), "%s", mnl_attr_get_str(attribute));
        if (mnl_attr_get_type(attribute) == IFLA_INFO_DATA && strcmp(link->kind, "vxlan") == 0 &&
            mnl_attr_validate(attribute, MNL_TYPE_NESTED) >= 0)
                mnl_attr_parse_nested(attribute, take_vxlan, link);
        return MNL_CB_OK;
}

static void take_mac(const struct nlattr *attribute, char ret[static LINK_MAC_SIZE]) {
        const unsigned char *bytes = mnl_attr_get_payload(attribute);

        if (mnl_attr_get_payload_len(attribute) == 6)
                snprintf(ret, LINK_MAC_SIZE, "%02x:%02x:%02x:%02x:%02x:%02x", bytes[0], bytes[1], bytes[2],
                         bytes[3], bytes[4], bytes[5]);
}

static int take_address(const struct nlattr *attribute, void *userdata) {
        struct link_addresses *addresses = userdata;

        if (mnl_attr_get_type(attribute) == IFLA_ADDRESS)
                take_mac(attribute, addresses->mac);
        else if (mnl_attr_get_type(attribute) == IFLA_PERM_ADDRESS)
                take_mac(attribute, addresses->permanent);
        return MNL_CB_OK;
}

/* What a message is read into. */
struct link_parser {
        struct link link;
        /* Alternative names, where they are asked for. */
        struct link_table *table;
        int error;
};

static int take_altname(const struct nlattr *attribute, void *userdata) {
        struct link_parser *parser = userdata;

        if (mnl_attr_get_type(attribute) == IFLA_ALT_IFNAME && parser->error == 0 &&
            mnl_attr_validate(attribute, MNL_TYPE_NUL_STRING) >= 0)
                parser->error = link_table_add_altname(parser->table, parser->link.ifindex,
                                                       mnl_attr_get_str(attribute));
        return MNL_CB_OK;
}

static int take_attribute(const struct nlattr *attribute, void *userdata) {
        struct link_parser *parser = userdata;
        struct link *link = &parser->link;

        switch (mnl_attr_get_type(attribute)) {
        case IFLA_IFNAME:
                if (mnl_attr_validate(attribute, MNL_TYPE_NUL_STRING) >= 0)
                        snprintf(link->name, sizeof(link->name), "%s", mnl_attr_get_str(attribute));
                break;
        case IFLA_MTU:
                if (mnl_attr_validate(attribute, MNL_TYPE_U32) >= 0)
                        link->mtu = mnl_attr_get_u32(attribute);
                break;
        case IFLA_MIN_MTU:
                if (mnl_attr_validate(attribute, MNL_TYPE_U32) >= 0)
                        link->mtu_min = mnl_attr_get_u32(attribute);
                break;
        case IFLA_MAX_MTU:
                if (mnl_attr_validate(attribute, MNL_TYPE_U32) >= 0)
                        link->mtu_max = mnl_attr_get_u32(attribute);
                break;
        case IFLA_LINK:
                if (mnl_attr_validate(attribute, MNL_TYPE_U32) >= 0)
                        link->lower_ifindex = mnl_attr_get_u32(attribute);
                break;
        case IFLA_MASTER:
                if (mnl_attr_validate(attribute, MNL_TYPE_U32) >= 0)
                        link->controller_ifindex = mnl_attr_get_u32(attribute);
                break;
        case IFLA_LINKINFO:
                if (mnl_attr_validate(attribute, MNL_TYPE_NESTED) >= 0)
                        mnl_attr_parse_nested(attribute, take_info, link);
                break;
        case IFLA_LINK_NETNSID:
                link->is_lower_elsewhere = true;
                break;
        case IFLA_PROP_LIST:
                /* The kernel leaves out the mark of nesting here (rtnl_fill_prop_list()). */
                if (parser->table)
                        mnl_attr_parse_nested(attribute, take_altname, parser);
                break;
        default:
                break;
        }
        return MNL_CB_OK;
}

/* The two ends of such a pair name each other, and neither stands on the other. */
static bool is_pair(const char *kind) {
        return strcmp(kind, "veth") == 0 || strcmp(kind, "netkit") == 0 || strcmp(kind, "vxcan") == 0;
}

/* Reads an RTM_NEWLINK message. -EBADMSG where it is none. */
static int read_link(const struct nlmsghdr *message, struct link_parser *parser) {
        const struct ifinfomsg *header;
        struct link *link = &parser->link;

        if (message->nlmsg_type != RTM_NEWLINK || mnl_nlmsg_get_payload_len(message) < sizeof(*header))
                return -EBADMSG;
        header = mnl_nlmsg_get_payload(message);
        *link = (struct link){
                .ifindex = (unsigned)header->ifi_index,
                .up = header->ifi_flags & IFF_UP,
                .has_carrier = header->ifi_flags & IFF_LOWER_UP,
        };
        mnl_attr_parse(message, sizeof(*header), take_attribute, parser);
        if (is_pair(link->kind))
                link->is_lower_elsewhere = false;
        /* An index counts in its own namespace. Some devices say by their own one that they stand on none.
         */
        if (link->is_lower_elsewhere || is_pair(link->kind) || link->lower_ifindex == link->ifindex)
                link->lower_ifindex = 0;
        return parser->error;
}

static int get(struct link_socket *socket, struct nlmsghdr *request, struct link *ret) {
        const struct nlmsghdr *answer;
        struct link_parser parser = { .table = NULL };
        int r;

        /* Counters are most of an answer and of the kernel's work for it. */
        mnl_attr_put_u32(request, IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
        r = talk(socket, request, &answer);
        if (r == 0)
                r = answer ? read_link(answer, &parser) : -EBADMSG;
        if (r == 0)
                *ret = parser.link;
        return r;
}

int link_get_by_name(struct link_socket *socket, const char *name, struct link *ret) {
        struct ifinfomsg *header;
        struct nlmsghdr *request = begin(socket, RTM_GETLINK, 0, 0, &header);
        size_t length = strlen(name);

        if (length >= ALTIFNAMSIZ)
                return -ENODEV;
        /* The kernel takes no longer one for a name, but looks for alternative ones by either. */
        mnl_attr_put_strz(request, length < INTERFACE_NAME_SIZE ? IFLA_IFNAME : IFLA_ALT_IFNAME, name);
        return get(socket, request, ret);
}

int link_get_by_ifindex(struct link_socket *socket, unsigned ifindex, struct link *ret) {
        struct ifinfomsg *header;

        return get(socket, begin(socket, RTM_GETLINK, 0, ifindex, &header), ret);
}

int link_get_addresses(struct link_socket *socket, unsigned ifindex, struct link_addresses *ret) {
        struct link_addresses addresses = { .mac = "" };
        struct ifinfomsg *header;
        struct nlmsghdr *request = begin(socket, RTM_GETLINK, 0, ifindex, &header);
        const struct nlmsghdr *answer;
        int r;

        mnl_attr_put_u32(request, IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
        r = talk(socket, request, &answer);
        if (r < 0)
                return r;
        if (!answer || answer->nlmsg_type != RTM_NEWLINK ||
            mnl_nlmsg_get_payload_len(answer) < sizeof(*header))
                return -EBADMSG;
        mnl_attr_parse(answer, sizeof(*header), take_address, &addresses);
        *ret = addresses;
        return 0;
}

static int add_link(struct link_table *table, const struct nlmsghdr *message) {
        struct link_parser parser = { .table = table };
        int r = read_link(message, &parser);

        return r == 0 ? link_table_add(table, &parser.link) : r == -EBADMSG ? 0 : r;
}

/* One dump. `ret_changed`: devices came or went meanwhile, and some may be missing. */
static int dump(struct link_socket *socket, struct link_table *table, bool *ret_changed) {
        struct ifinfomsg *header;
        struct nlmsghdr *request = begin(socket, RTM_GETLINK, NLM_F_DUMP, 0, &header);
        int error = 0;

        *ret_changed = false;
        socket->error_text[0] = '\0';
        mnl_attr_put_u32(request, IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
        if (mnl_socket_sendto(socket->mnl, request, request->nlmsg_len) < 0)
                return -errno;
        for (;;) {
                ssize_t received = mnl_socket_recvfrom(socket->mnl, socket->buffer.bytes,
                                                       sizeof(socket->buffer.bytes));
                const struct nlmsghdr *message = &socket->buffer.header;
                int left = (int)received;

                if (received < 0 && errno == EINTR)
                        continue;
                if (received < 0)
                        return -errno;
                for (; mnl_nlmsg_ok(message, left); message = mnl_nlmsg_next(message, &left)) {
                        if (message->nlmsg_seq != socket->sequence)
                                continue;
                        *ret_changed |= message->nlmsg_flags & NLM_F_DUMP_INTR;
                        if (message->nlmsg_type == NLMSG_DONE)
                                return error;
                        if (message->nlmsg_type == NLMSG_ERROR)
                                return read_error(socket, message);
                        /* To the end in any case: what is left unread would be the next answer. */
                        if (error == 0)
                                error = add_link(table, message);
                }
        }
}

int link_get_all(struct link_socket *socket, struct link_table *ret) {
        struct link_table table = { 0 };
        bool has_changed = true;

        /* Where devices come and go all the time, the last of a few dumps has to do. */
        for (int i = 0; has_changed && i < 5; i++) {
                int r;

                link_table_free(&table);
                r = dump(socket, &table, &has_changed);
                if (r < 0) {
                        link_table_free(&table);
                        return r;
                }
        }
        link_table_sort(&table);
        *ret = table;
        return 0;
}

int link_set_mtu(struct link_socket *socket, unsigned ifindex, uint32_t mtu) {
        const struct nlmsghdr *answer;
        struct ifinfomsg *header;
        struct nlmsghdr *request = begin(socket, RTM_SETLINK, NLM_F_ACK, ifindex, &header);

        mnl_attr_put_u32(request, IFLA_MTU, mtu);
        return talk(socket, request, &answer);
}

int link_set_up(struct link_socket *socket, unsigned ifindex) {
        const struct nlmsghdr *answer;
        struct ifinfomsg *header;
        struct nlmsghdr *request = begin(socket, RTM_SETLINK, NLM_F_ACK, ifindex, &header);

        header->ifi_flags = IFF_UP;
        header->ifi_change = IFF_UP;
        return talk(socket, request, &answer);
}
