/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernel/route.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

static struct nlmsghdr *write_request(struct netlink_socket *socket, const struct sockaddr *to,
                                      unsigned ifindex) {
        void *header;
        struct nlmsghdr *request = netlink_begin(socket, RTM_GETROUTE, 0, sizeof(struct rtmsg), &header);
        struct rtmsg *route = header;

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

struct found_route {
        unsigned ifindex;
        uint32_t mtu;
};

static int take_metric(const struct nlattr *attribute, void *userdata) {
        struct found_route *route = userdata;

        if (mnl_attr_get_type(attribute) == RTAX_MTU && mnl_attr_validate(attribute, MNL_TYPE_U32) >= 0)
                route->mtu = mnl_attr_get_u32(attribute);
        return MNL_CB_OK;
}

static int take_attribute(const struct nlattr *attribute, void *userdata) {
        struct found_route *route = userdata;

        if (mnl_attr_get_type(attribute) == RTA_OIF && mnl_attr_validate(attribute, MNL_TYPE_U32) >= 0)
                route->ifindex = mnl_attr_get_u32(attribute);
        if (mnl_attr_get_type(attribute) == RTA_METRICS &&
            mnl_attr_validate(attribute, MNL_TYPE_NESTED) >= 0)
                mnl_attr_parse_nested(attribute, take_metric, route);
        return MNL_CB_OK;
}

static int take_route(void *userdata, const struct nlmsghdr *message) {
        const struct rtmsg *route = mnl_nlmsg_get_payload(message);

        if (message->nlmsg_type != RTM_NEWROUTE || mnl_nlmsg_get_payload_len(message) < sizeof(*route))
                return -EBADMSG;
        /* IPv6 answers with these types; IPv4 answers with an error. */
        if (route->rtm_type == RTN_UNREACHABLE || route->rtm_type == RTN_BLACKHOLE ||
            route->rtm_type == RTN_PROHIBIT)
                return -ENETUNREACH;
        mnl_attr_parse(message, sizeof(*route), take_attribute, userdata);
        return 0;
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

void route_list_cleanup(struct route_list *list) {
        free(list->data);
}

/* The flags of a route that are not the state of its device. */
#define CONFIGURED_FLAGS (RTNH_F_PERVASIVE | RTNH_F_ONLINK)

/* `at`, or NULL if no attribute is there before `end`. */
static const struct nlattr *attribute_at(const void *at, const void *end) {
        return mnl_attr_ok(at, (int)((const char *)end - (const char *)at)) ? at : NULL;
}

static const struct nlattr *first_attribute(const struct nlmsghdr *message) {
        return attribute_at(mnl_nlmsg_get_payload_offset(message, sizeof(struct rtmsg)),
                            mnl_nlmsg_get_payload_tail(message));
}

static const struct nlattr *find_attribute(const struct nlmsghdr *message, unsigned type) {
        const struct nlattr *attribute = first_attribute(message);

        while (attribute && mnl_attr_get_type(attribute) != type)
                attribute = attribute_at(mnl_attr_next(attribute), mnl_nlmsg_get_payload_tail(message));
        return attribute;
}

static uint32_t find_number(const struct nlmsghdr *message, unsigned type) {
        const struct nlattr *attribute = find_attribute(message, type);

        return attribute && mnl_attr_validate(attribute, MNL_TYPE_U32) >= 0 ? mnl_attr_get_u32(attribute)
                                                                            : 0;
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
        const char *end = metrics ? (const char *)metrics + metrics->nla_len : NULL;
        const struct nlattr *metric = metrics ? attribute_at(mnl_attr_get_payload(metrics), end) : NULL;

        for (; metric; metric = attribute_at(mnl_attr_next(metric), end))
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
        char *data = realloc(list->data,
                             list->size + from->nlmsg_len + 2 * sizeof(struct nlattr) + sizeof(mtu));
        bool has_nexthop = find_attribute(from, RTA_NH_ID);
        const struct nlattr *attribute = first_attribute(from), *metrics = find_attribute(from, RTA_METRICS);
        struct nlmsghdr *to;
        struct rtmsg *route;

        if (!data)
                return -ENOMEM;
        list->data = data;
        to = mnl_nlmsg_put_header(data + list->size);
        to->nlmsg_type = RTM_NEWROUTE;
        route = mnl_nlmsg_put_extra_header(to, sizeof(*route));
        memcpy(route, mnl_nlmsg_get_payload(from), sizeof(*route));
        route->rtm_flags &= CONFIGURED_FLAGS;
        for (; attribute;
             attribute = attribute_at(mnl_attr_next(attribute), mnl_nlmsg_get_payload_tail(from)))
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
        struct found_route found = { 0 };
        const struct nlattr *hops;
        struct route_key key;
        bool is_found, is_again;

        if (message->nlmsg_type != RTM_NEWROUTE || mnl_nlmsg_get_payload_len(message) < sizeof(*route))
                return -EBADMSG;
        mnl_attr_parse(message, sizeof(*route), take_attribute, &found);
        hops = find_attribute(message, RTA_MULTIPATH);
        /* In the socket's buffer, for this caller alone. */
        is_found = (hops && look_at_hops((struct nlattr *)(uintptr_t)hops, search->ifindex)) ||
                   found.ifindex == search->ifindex;
        is_found = is_found && route->rtm_type == RTN_UNICAST;
        if (route->rtm_family == AF_INET6)
                return is_found && found.mtu > search->limit ? -EPROTONOSUPPORT : 0;
        is_found = is_found && (search->is_limited ? found.mtu == search->limit
                                                   : found.mtu == 0 || found.mtu > search->limit);
        key = (struct route_key){ find_number(message, RTA_TABLE), find_number(message, RTA_PRIORITY),
                                  find_number(message, RTA_DST), route->rtm_dst_len, route->rtm_tos };
        is_again = search->has_last && is_equal(&key, &search->last);
        if (is_again && (is_found || search->is_last_found))
                return -ENOTUNIQ;
        search->last = key;
        search->has_last = true;
        search->is_last_found = is_found;
        return is_found ? append(search->list, message, found.mtu) : 0;
}

/* Lists anew what changes meanwhile. */
#define LIST_TRIES 5

static int list_routes(struct netlink_socket *socket, int family, unsigned ifindex, uint32_t limit,
                       bool is_limited, struct route_list *list) {
        bool has_changed = true;
        int r = 0;

        for (int i = 0; i < LIST_TRIES && r == 0 && has_changed; i++) {
                struct search search = { ifindex, limit, is_limited, list, .has_last = false };
                void *header;
                struct nlmsghdr *request = netlink_begin(socket, RTM_GETROUTE, NLM_F_DUMP,
                                                         sizeof(struct rtmsg), &header);

                ((struct rtmsg *)header)->rtm_family = (unsigned char)family;
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
        void *header;
        struct nlmsghdr *request = netlink_begin(socket, RTM_NEWROUTE, NLM_F_ACK | NLM_F_REPLACE,
                                                 sizeof(struct rtmsg), &header);
        int r;

        memcpy(header, mnl_nlmsg_get_payload(route), mnl_nlmsg_get_payload_len(route));
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
