/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernel/route_list.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/cleanup.h"
#include "kernel/nlattr.h"

void route_list_cleanup(struct route_list *list) {
        free(list->data);
}

/* The flags of a route that are not the state of its device. */
#define CONFIGURED_FLAGS (RTNH_F_PERVASIVE | RTNH_F_ONLINK)

static const struct nlattr *find(const struct nlmsghdr *message, unsigned type) {
        return nlattr_find(message, sizeof(struct rtmsg), type);
}

/* 0: it is not there. */
static uint32_t find_number(const struct nlmsghdr *message, unsigned type) {
        return nlattr_number(find(message, type));
}

/* A kernel's route with several next hops: calls for `ifindex`, whether one of them is through it, and
 * leaves out the flags of state. */
static bool look_at_hops(struct nlattr *hops, unsigned ifindex) {
        struct rtnexthop *hop = mnl_attr_get_payload(hops);
        int left = mnl_attr_get_payload_len(hops);
        bool is_found = false;

        while (RTNH_OK(hop, left)) {
                is_found |= (unsigned)hop->rtnh_ifindex == ifindex;
                hop->rtnh_flags &= CONFIGURED_FLAGS;
                left -= (int)RTNH_ALIGN(hop->rtnh_len);
                /* Not RTNH_NEXT(): clang does not see that it stays aligned. */
                hop = (void *)((char *)hop + RTNH_ALIGN(hop->rtnh_len));
        }
        return is_found;
}

/* With a next hop that is an object of its own, the kernel shows what is in it, and refuses both. */
static bool is_of_nexthop(unsigned type) {
        return type == RTA_OIF || type == RTA_GATEWAY || type == RTA_VIA || type == RTA_MULTIPATH ||
               type == RTA_ENCAP || type == RTA_ENCAP_TYPE;
}

static void copy_attribute(struct nlmsghdr *to, const struct nlattr *attribute) {
        mnl_attr_put(to, attribute->nla_type, mnl_attr_get_payload_len(attribute),
                     mnl_attr_get_payload(attribute));
}

/* Even if there are none: without the attribute, the kernel gives a route whose next hop is an object the
 * metrics of a similar one, fib_create_info() in net/ipv4/fib_semantics.c. */
static void put_metrics(struct nlmsghdr *to, const struct nlattr *metrics, uint32_t mtu) {
        struct nlattr *nest = mnl_attr_nest_start(to, RTA_METRICS);
        const void *end = metrics ? (const char *)metrics + metrics->nla_len : NULL;
        const struct nlattr *metric = metrics ? nlattr_at(mnl_attr_get_payload(metrics), end) : NULL;

        for (; metric; metric = nlattr_at(mnl_attr_next(metric), end))
                if (mnl_attr_get_type(metric) != RTAX_MTU)
                        copy_attribute(to, metric);
        if (mtu > 0)
                mnl_attr_put_u32(to, RTAX_MTU, mtu);
        mnl_attr_nest_end(to, nest);
}

/* Appends a route with this MTU, 0 for none. The metrics come last and the MTU last of them: equal routes
 * are equal bytes. */
static int append(struct route_list *list, const struct nlmsghdr *from, uint32_t mtu) {
        /* At most the metrics and their MTU are more than it has. */
        size_t room = from->nlmsg_len + 2 * sizeof(struct nlattr) + sizeof(mtu);
        char *data = realloc(list->data, list->size + room);
        bool has_nexthop = find(from, RTA_NH_ID);
        const void *end = mnl_nlmsg_get_payload_tail(from);
        const struct nlattr *attribute, *metrics = find(from, RTA_METRICS);
        struct nlmsghdr *to;
        struct rtmsg *route;

        if (!data)
                return -ENOMEM;
        list->data = data;
        /* libmnl before 1.0.5 pads an attribute with whatever is there. */
        memset(data + list->size, 0, room);
        to = mnl_nlmsg_put_header(data + list->size);
        to->nlmsg_type = RTM_NEWROUTE;
        route = mnl_nlmsg_put_extra_header(to, sizeof(*route));
        memcpy(route, mnl_nlmsg_get_payload(from), sizeof(*route));
        route->rtm_flags &= CONFIGURED_FLAGS;
        attribute = nlattr_at(mnl_nlmsg_get_payload_offset(from, sizeof(*route)), end);
        for (; attribute; attribute = nlattr_at(mnl_attr_next(attribute), end))
                if (attribute != metrics && !(has_nexthop && is_of_nexthop(mnl_attr_get_type(attribute))))
                        copy_attribute(to, attribute);
        put_metrics(to, metrics, mtu);
        list->size += to->nlmsg_len;
        return 0;
}

/* What the kernel replaces a route by. */
struct route_key {
        uint32_t table, priority, to;
        unsigned char length, tos;
};

struct search {
        unsigned ifindex;
        uint32_t limit;
        bool is_limited; /* those with `limit` are searched, instead of those above it */
        struct route_list *list;
        struct route_key last; /* equal ones follow each other */
        bool has_last, is_last_found;
};

static bool is_equal(const struct route_key *a, const struct route_key *b) {
        return a->table == b->table && a->priority == b->priority && a->to == b->to &&
               a->length == b->length && a->tos == b->tos;
}

static int take_limitable(void *userdata, const struct nlmsghdr *message) {
        const struct rtmsg *route = mnl_nlmsg_get_payload(message);
        struct search *search = userdata;
        const struct nlattr *hops;
        uint32_t mtu;
        struct route_key key;
        bool is_found, is_again;

        if (message->nlmsg_type != RTM_NEWROUTE || mnl_nlmsg_get_payload_len(message) < sizeof(*route))
                return -EBADMSG;
        mtu = nlattr_number(nlattr_find_in(find(message, RTA_METRICS), RTAX_MTU));
        hops = find(message, RTA_MULTIPATH);
        /* In the socket's buffer, for this caller alone. */
        is_found = (hops && look_at_hops((struct nlattr *)(uintptr_t)hops, search->ifindex)) ||
                   find_number(message, RTA_OIF) == search->ifindex;
        is_found = is_found && route->rtm_type == RTN_UNICAST;
        if (!search->is_limited && route->rtm_type == RTN_UNICAST && !hops && !find(message, RTA_OIF) &&
            find(message, RTA_NH_ID) && (mtu > search->limit || (mtu == 0 && route->rtm_family == AF_INET)))
                return -ENODATA;
        if (route->rtm_family == AF_INET6)
                return is_found && mtu > search->limit ? -EPROTONOSUPPORT : 0;
        is_found = is_found && (search->is_limited ? mtu == search->limit : mtu == 0 || mtu > search->limit);
        key = (struct route_key){ find_number(message, RTA_TABLE), find_number(message, RTA_PRIORITY),
                                  find_number(message, RTA_DST), route->rtm_dst_len, route->rtm_tos };
        is_again = search->has_last && is_equal(&key, &search->last);
        if (is_again && (is_found || search->is_last_found))
                return -ENOTUNIQ;
        search->last = key;
        search->has_last = true;
        search->is_last_found = is_found;
        return is_found ? append(search->list, message, mtu) : 0;
}

/* Lists anew what changes meanwhile. */
#define LIST_TRIES 5

static int list_routes(struct netlink_socket *socket, int family, unsigned ifindex, uint32_t limit,
                       bool is_limited, struct route_list *list) {
        bool has_changed = true;
        int r = 0;

        for (int i = 0; i < LIST_TRIES && r == 0 && has_changed; i++) {
                struct search search = { ifindex, limit, is_limited, list, .has_last = false };
                struct nlmsghdr *request =
                                netlink_begin(socket, RTM_GETROUTE, NLM_F_DUMP, sizeof(struct rtmsg));
                struct rtmsg *route = mnl_nlmsg_get_payload(request);

                route->rtm_family = (unsigned char)family;
                list->size = 0;
                has_changed = false;
                r = netlink_exchange(socket, request, take_limitable, &search, &has_changed);
        }
        return r == 0 && has_changed ? -EAGAIN : r;
}

int route_list_find(struct netlink_socket *socket, unsigned ifindex, uint32_t limit,
                    struct route_list *ret) {
        CLEANUP(route_list_cleanup) struct route_list list = { .size = 0 };
        int r = list_routes(socket, AF_INET6, ifindex, limit, false, &list);

        if (r == 0)
                r = list_routes(socket, AF_INET, ifindex, limit, false, &list);
        if (r < 0)
                return r;
        *ret = list;
        list.data = NULL;
        return 0;
}

/* Makes the kernel's route what the request says. 0 also if there is no such route any more. */
static int replace(struct netlink_socket *socket, const struct nlmsghdr *route) {
        struct nlmsghdr *request =
                        netlink_begin(socket, RTM_NEWROUTE, NLM_F_ACK | NLM_F_REPLACE, sizeof(struct rtmsg));
        int r;

        memcpy(mnl_nlmsg_get_payload(request), mnl_nlmsg_get_payload(route),
               mnl_nlmsg_get_payload_len(route));
        request->nlmsg_len = route->nlmsg_len;
        r = netlink_exchange(socket, request, NULL, NULL, NULL);
        return r == -ENOENT || r == -ESRCH || r == -ENODEV ? 0 : r;
}

static const struct nlmsghdr *find_route(const struct route_list *list, const struct nlmsghdr *route) {
        const struct nlmsghdr *item = (const void *)list->data;

        for (int left = (int)list->size; mnl_nlmsg_ok(item, left); item = mnl_nlmsg_next(item, &left))
                if (item->nlmsg_len == route->nlmsg_len && memcmp(item, route, route->nlmsg_len) == 0)
                        return item;
        return NULL;
}

/* Gives each route of `list` the MTU `limit`; or, if `limited` are those that have it now, takes it away. */
static int replace_all(struct netlink_socket *socket, const struct route_list *list, uint32_t limit,
                       const struct route_list *limited) {
        CLEANUP(route_list_cleanup) struct route_list with_limit = { .size = 0 };
        const struct nlmsghdr *route = (const void *)list->data;
        int r = 0;

        for (int left = (int)list->size; r == 0 && mnl_nlmsg_ok(route, left);
             route = mnl_nlmsg_next(route, &left)) {
                const struct nlmsghdr *changed;

                with_limit.size = 0;
                r = append(&with_limit, route, limit);
                if (r < 0)
                        break;
                changed = (const void *)with_limit.data;
                if (!limited)
                        r = replace(socket, changed);
                else if (find_route(limited, changed))
                        r = replace(socket, route);
        }
        return r;
}

int route_list_limit(struct netlink_socket *socket, const struct route_list *list, uint32_t limit) {
        return replace_all(socket, list, limit, NULL);
}

int route_list_restore(struct netlink_socket *socket, unsigned ifindex, const struct route_list *list,
                       uint32_t limit) {
        CLEANUP(route_list_cleanup) struct route_list limited = { .size = 0 };
        int r = list_routes(socket, AF_INET, ifindex, limit, true, &limited);

        return r < 0 ? r : replace_all(socket, list, limit, &limited);
}
