/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernel/link.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/if_tunnel.h>
#include <linux/ip6_tunnel.h>
#include <linux/ipv6.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/text.h"

/* The result of reading a message. */
struct link_parser {
        struct link *link;
        /* Receives alternative names; NULL: not needed. */
        struct link_table *table;
        int error;
};

typedef void taker(const struct rtattr *attribute, struct link_parser *parser);

static int type_of(const struct rtattr *attribute) {
        return attribute->rta_type & NLA_TYPE_MASK;
}

static const void *data_of(const struct rtattr *attribute) {
        return (const char *)attribute + RTA_LENGTH(0);
}

/* With rtnetlink(3)'s macros: a link has some 50 attributes, for each of which mnl_attr_parse() calls four
 * functions that the loader looks up first. */
static void take_each(const struct rtattr *attribute, size_t size, taker *take, struct link_parser *parser) {
        for (int left = (int)size; RTA_OK(attribute, left);) {
                unsigned step = RTA_ALIGN(attribute->rta_len);

                take(attribute, parser);
                attribute = (const void *)((const char *)attribute + step);
                left -= (int)step;
        }
}

static void take_nested(const struct rtattr *attribute, taker *take, struct link_parser *parser) {
        take_each(data_of(attribute), RTA_PAYLOAD(attribute), take, parser);
}

static void take_number(const struct rtattr *attribute, uint32_t *ret) {
        if (RTA_PAYLOAD(attribute) == sizeof(*ret))
                memcpy(ret, data_of(attribute), sizeof(*ret));
}

/* A text that is too long is truncated. */
static void take_text(const struct rtattr *attribute, char *ret, size_t size) {
        const char *text = data_of(attribute);
        size_t length = RTA_PAYLOAD(attribute);

        if (length == 0 || text[length - 1] != '\0')
                return;
        length = length < size ? length : size;
        memcpy(ret, text, length);
        ret[length - 1] = '\0';
}

#define GRE_KINDS "gre gretap ip6gre ip6gretap"
#define IPTUN_KINDS "ipip sit ip6tnl"

/* The attributes with the addresses, IPv4 and IPv6, of the tunnels that have some. */
static const struct {
        const char *kinds;
        uint16_t remote, remote6, local, local6;
} tunnels[] = {
        { "vxlan", IFLA_VXLAN_GROUP, IFLA_VXLAN_GROUP6, IFLA_VXLAN_LOCAL, IFLA_VXLAN_LOCAL6 },
        { "geneve", IFLA_GENEVE_REMOTE, IFLA_GENEVE_REMOTE6, 0, 0 },
        { GRE_KINDS, IFLA_GRE_REMOTE, IFLA_GRE_REMOTE, IFLA_GRE_LOCAL, IFLA_GRE_LOCAL },
        { IPTUN_KINDS, IFLA_IPTUN_REMOTE, IFLA_IPTUN_REMOTE, IFLA_IPTUN_LOCAL, IFLA_IPTUN_LOCAL },
        { "vti vti6", IFLA_VTI_REMOTE, IFLA_VTI_REMOTE, IFLA_VTI_LOCAL, IFLA_VTI_LOCAL },
};

/* All zeros are no address: the tunnel has many such ends. */
static void take_end(const struct rtattr *attribute, struct link *link, struct net_address *end) {
        static const unsigned char none[sizeof(end->bytes)];
        size_t size = RTA_PAYLOAD(attribute);

        if ((size != 4 && size != 16) || memcmp(data_of(attribute), none, size) == 0)
                return;
        net_address_set(end, data_of(attribute), size);
        link->is_over_ipv6 |= size == 16;
}

/* The bytes of what the headers of a GRE or IP tunnel may have: a checksum, a key and a sequence number of 4
 * bytes each (gre_calc_hlen()); the tunnel encapsulation limit of RFC 2473, section 4.1.1, 8 bytes, which
 * ip6_tnl_xmit() adds by default; UDP of FOU, 8, or with the header of GUE, 12. */
static void take_header_option(const struct rtattr *attribute, struct link *link) {
        bool is_gre = text_is_among(link->kind, GRE_KINDS),
             is_tunnel = text_is_among(link->kind, IPTUN_KINDS);
        int type = type_of(attribute);
        const void *data = data_of(attribute);
        size_t size = RTA_PAYLOAD(attribute);
        uint32_t flags = IP6_TNL_F_IGN_ENCAP_LIMIT;
        uint16_t bits = 0;
        unsigned n = link->header_options;

        if (!is_gre && !is_tunnel)
                return;
        if (size == sizeof(bits))
                memcpy(&bits, data, sizeof(bits));
        if (is_gre && type == IFLA_GRE_OFLAGS)
                n += (bits & GRE_CSUM ? 4u : 0) + (bits & GRE_KEY ? 4u : 0) + (bits & GRE_SEQ ? 4u : 0);
        if (type == (is_gre ? IFLA_GRE_ENCAP_TYPE : IFLA_IPTUN_ENCAP_TYPE))
                n += bits == TUNNEL_ENCAP_FOU ? 8 : bits == TUNNEL_ENCAP_GUE ? 12 : 0;
        if (strncmp(link->kind, "ip6", 3) == 0 && type == (is_gre ? IFLA_GRE_FLAGS : IFLA_IPTUN_FLAGS))
                take_number(attribute, &flags);
        n += flags & IP6_TNL_F_IGN_ENCAP_LIMIT ? 0 : 8;
        link->header_options = (uint8_t)n;
}

static void take_data(const struct rtattr *attribute, struct link_parser *parser) {
        struct link *link = parser->link;
        int type = type_of(attribute);
        bool is_vxlan = strcmp(link->kind, "vxlan") == 0;

        for (size_t i = 0; i < sizeof(tunnels) / sizeof(tunnels[0]); i++) {
                if (!text_is_among(link->kind, tunnels[i].kinds))
                        continue;
                if (type == tunnels[i].remote || type == tunnels[i].remote6)
                        take_end(attribute, link, &link->remote);
                if (type == tunnels[i].local || type == tunnels[i].local6)
                        take_end(attribute, link, &link->local);
        }
        take_header_option(attribute, link);
        /* A vxlan does not report its lower device in IFLA_LINK (vxlan_fill_info()). */
        if (is_vxlan && type == IFLA_VXLAN_LINK)
                take_number(attribute, &link->lower_ifindex);
}

/* The kernel puts the kind before its data (rtnl_link_info_fill()). */
static void take_info(const struct rtattr *attribute, struct link_parser *parser) {
        if (type_of(attribute) == IFLA_INFO_KIND)
                take_text(attribute, parser->link->kind, sizeof(parser->link->kind));
        if (type_of(attribute) == IFLA_INFO_DATA)
                take_nested(attribute, take_data, parser);
}

static void take_mac(const struct rtattr *attribute, char ret[static LINK_MAC_SIZE]) {
        static const char digits[] = "0123456789abcdef";
        const unsigned char *bytes = data_of(attribute);
        size_t n = RTA_PAYLOAD(attribute);

        if (n == 0 || 3 * n > LINK_MAC_SIZE)
                return;
        for (size_t i = 0; i < n; i++) {
                ret[3 * i] = digits[bytes[i] >> 4];
                ret[3 * i + 1] = digits[bytes[i] & 15];
                ret[3 * i + 2] = ':';
        }
        ret[3 * n - 1] = '\0';
}

/* IFLA_AF_SPEC has the parameters of each protocol on the device, those of IPv6 as an array. */
static void take_protocol(const struct rtattr *attribute, struct link_parser *parser) {
        const uint32_t *values = data_of(attribute);

        if (type_of(attribute) == AF_INET6)
                take_nested(attribute, take_protocol, parser);
        else if (type_of(attribute) == IFLA_INET6_CONF &&
                 RTA_PAYLOAD(attribute) > sizeof(*values) * DEVCONF_MTU6)
                parser->link->ipv6_mtu = values[DEVCONF_MTU6];
}

static void take_altname(const struct rtattr *attribute, struct link_parser *parser) {
        char name[ALTIFNAMSIZ] = "";

        if (type_of(attribute) == IFLA_ALT_IFNAME)
                take_text(attribute, name, sizeof(name));
        if (*name && parser->error == 0)
                parser->error = link_table_add_altname(parser->table, parser->link->ifindex, name);
}

static void take_attribute(const struct rtattr *attribute, struct link_parser *parser) {
        struct link *link = parser->link;
        uint32_t number = 0;

        switch (type_of(attribute)) {
        case IFLA_IFNAME:
                take_text(attribute, link->name, sizeof(link->name));
                break;
        case IFLA_ADDRESS:
                take_mac(attribute, link->addresses.mac);
                break;
        case IFLA_PERM_ADDRESS:
                take_mac(attribute, link->addresses.permanent);
                break;
        case IFLA_MTU:
                take_number(attribute, &link->mtu);
                break;
        case IFLA_MIN_MTU:
                take_number(attribute, &link->mtu_min);
                break;
        case IFLA_MAX_MTU:
                take_number(attribute, &link->mtu_max);
                break;
        case IFLA_LINK:
                take_number(attribute, &link->lower_ifindex);
                break;
        case IFLA_MASTER:
                take_number(attribute, &link->controller_ifindex);
                break;
        case IFLA_LINKINFO:
                take_nested(attribute, take_info, parser);
                break;
        case IFLA_LINK_NETNSID:
                take_number(attribute, &number);
                link->peer_namespace = (int)number;
                link->is_lower_elsewhere = true;
                break;
        case IFLA_AF_SPEC:
                take_nested(attribute, take_protocol, parser);
                break;
        case IFLA_PROP_LIST:
                /* The kernel does not set NLA_F_NESTED here (rtnl_fill_prop_list()). */
                if (parser->table)
                        take_nested(attribute, take_altname, parser);
                break;
        default:
                break;
        }
}

/* The ends of a pair refer to each other with IFLA_LINK; neither is the lower device. */
static bool is_pair(const char *kind) {
        return strcmp(kind, "veth") == 0 || strcmp(kind, "netkit") == 0 || strcmp(kind, "vxcan") == 0;
}

/* As link_parse(). `table`: NULL, or it receives the alternative names. */
static int parse_with(const struct nlmsghdr *message, struct link_table *table, struct link *link) {
        const struct ifinfomsg *header = (const void *)(message + 1);
        struct link_parser parser = { .link = link, .table = table };

        /* A bridge sends AF_BRIDGE messages about its ports, also when they leave. */
        if ((message->nlmsg_type != RTM_NEWLINK && message->nlmsg_type != RTM_DELLINK) ||
            NLMSG_PAYLOAD(message, 0) < sizeof(*header) || header->ifi_family != AF_UNSPEC)
                return -EBADMSG;
        *link = (struct link){
                .ifindex = (unsigned)header->ifi_index,
                .up = header->ifi_flags & IFF_UP,
                .has_carrier = header->ifi_flags & IFF_LOWER_UP,
                .peer_namespace = -1,
        };
        take_each((const void *)(header + 1), IFLA_PAYLOAD(message), take_attribute, &parser);
        if (is_pair(link->kind)) {
                link->peer_ifindex = link->lower_ifindex;
                link->is_lower_elsewhere = false;
        }
        /* An ifindex counts in its own namespace. Some devices without a lower device report their own. */
        if (link->is_lower_elsewhere || is_pair(link->kind) || link->lower_ifindex == link->ifindex)
                link->lower_ifindex = 0;
        return parser.error;
}

int link_parse(const struct nlmsghdr *message, struct link *ret) {
        return parse_with(message, NULL, ret);
}

/* Begins a request about the device `ifindex`; 0: none, or named by an attribute. */
static struct nlmsghdr *begin(struct netlink_socket *socket, uint16_t type, uint16_t flags,
                              unsigned ifindex) {
        struct nlmsghdr *request = netlink_begin(socket, type, flags, sizeof(struct ifinfomsg));
        struct ifinfomsg *header = NLMSG_DATA(request);

        header->ifi_family = AF_UNSPEC;
        header->ifi_index = (int)ifindex;
        /* Without the statistics of IPv6, which are a large part of an answer. */
        if (type == RTM_GETLINK)
                mnl_attr_put_u32(request, IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
        return request;
}

static int take_link(void *userdata, const struct nlmsghdr *message) {
        return link_parse(message, userdata);
}

static int get(struct netlink_socket *socket, struct nlmsghdr *request, struct link *ret) {
        struct link link = { .ifindex = 0 };
        int r = netlink_exchange(socket, request, take_link, &link, NULL);

        if (r < 0)
                return r;
        if (link.ifindex == 0)
                return -EBADMSG;
        *ret = link;
        return 0;
}

int link_get_by_name(struct netlink_socket *socket, const char *name, struct link *ret) {
        struct nlmsghdr *request = begin(socket, RTM_GETLINK, 0, 0);
        size_t length = strlen(name);

        if (length >= ALTIFNAMSIZ)
                return -ENODEV;
        /* The kernel rejects a longer IFLA_IFNAME, but finds alternative names by either attribute. */
        mnl_attr_put_strz(request, length < INTERFACE_NAME_SIZE ? IFLA_IFNAME : IFLA_ALT_IFNAME, name);
        return get(socket, request, ret);
}

int link_get_by_ifindex(struct netlink_socket *socket, unsigned ifindex, struct link *ret) {
        return get(socket, begin(socket, RTM_GETLINK, 0, ifindex), ret);
}

int link_get_peer(struct netlink_socket *socket, const struct link *link, struct link *ret) {
        struct nlmsghdr *request = begin(socket, RTM_GETLINK, 0, link->peer_ifindex);

        if (link->peer_namespace >= 0)
                mnl_attr_put_u32(request, IFLA_TARGET_NETNSID, (uint32_t)link->peer_namespace);
        return get(socket, request, ret);
}

static int add_link(void *userdata, const struct nlmsghdr *message) {
        struct link link;
        int r = parse_with(message, userdata, &link);

        return r == 0 ? link_table_add(userdata, &link) : r == -EBADMSG ? 0 : r;
}

/* If devices come and go all the time, the last of a few dumps must do. */
#define DUMPS 5

int link_get_all(struct netlink_socket *socket, struct link_table *ret) {
        struct link_table table = { 0 };
        bool has_changed = true; /* a device may be missing */
        int r = 0;

        for (int i = 0; r == 0 && has_changed && i < DUMPS; i++) {
                has_changed = false;
                link_table_free(&table);
                r = netlink_exchange(socket, begin(socket, RTM_GETLINK, NLM_F_DUMP, 0), add_link, &table,
                                     &has_changed);
        }
        if (r < 0) {
                link_table_free(&table);
                return r;
        }
        link_table_sort(&table);
        *ret = table;
        return 0;
}

/* How often a request is sent if its answer is lost. */
#define TRIES 3

/* Reads the device, again if the answer is lost. */
static int look_again(struct netlink_socket *socket, unsigned ifindex, struct link *ret) {
        int r = -EAGAIN;

        for (int i = 0; i < TRIES; i++) {
                r = link_get_by_ifindex(socket, ifindex, ret);
                if (r == 0 || netlink_socket_was_answered(socket))
                        break;
        }
        return r;
}

static int set(struct netlink_socket *socket, unsigned ifindex, uint32_t mtu) {
        struct nlmsghdr *request = begin(socket, RTM_SETLINK, NLM_F_ACK, ifindex);

        mnl_attr_put_u32(request, IFLA_MTU, mtu);
        return netlink_exchange(socket, request, NULL, NULL, NULL);
}

/* Whether the device has the MTU now, asked for by its name: the answer to RTM_GETLINK has some 50
 * attributes more. False also if that is not known, for example after a rename. */
static bool has_mtu(const struct netlink_socket *socket, const struct link *link, uint32_t mtu) {
        struct ifreq request = { 0 };

        strcpy(request.ifr_name, link->name);
        return ioctl(netlink_socket_fd(socket), SIOCGIFMTU, &request) == 0 &&
               (uint32_t)request.ifr_mtu == mtu;
}

int link_set_mtu(struct netlink_socket *socket, const struct link *link, uint32_t mtu, struct link *ret,
                 bool *ret_is_lost) {
        int r = -EAGAIN;

        *ret_is_lost = false;
        for (int i = 0; i < TRIES; i++) {
                struct link now;
                bool is_set;
                int seen;

                r = set(socket, link->ifindex, mtu);
                is_set = r == 0;
                if (is_set && has_mtu(socket, link, mtu)) {
                        *ret = *link;
                        ret->mtu = mtu;
                        return 0;
                }
                if (r < 0 && netlink_socket_was_answered(socket))
                        break;
                seen = look_again(socket, link->ifindex, &now);
                if (seen < 0) {
                        *ret_is_lost = true;
                        return seen;
                }
                if (is_set || now.mtu != link->mtu) {
                        *ret = now;
                        return 0;
                }
        }
        return r;
}

int link_set_up(struct netlink_socket *socket, unsigned ifindex) {
        int r = -EAGAIN;

        for (int i = 0; i < TRIES; i++) {
                struct nlmsghdr *request = begin(socket, RTM_SETLINK, NLM_F_ACK, ifindex);
                struct ifinfomsg *header = NLMSG_DATA(request);
                struct link now;

                header->ifi_flags = IFF_UP;
                header->ifi_change = IFF_UP;
                r = netlink_exchange(socket, request, NULL, NULL, NULL);
                if (r == 0 || netlink_socket_was_answered(socket))
                        break;
                if (look_again(socket, ifindex, &now) == 0 && now.up)
                        return 0;
        }
        return r;
}
