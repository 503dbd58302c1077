/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/hold.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "change/change_log.h"
#include "kernel/route_list.h"

/* The largest MTU of a route: ip_metrics_convert() in net/ipv4/metrics.c. */
#define ROUTE_MTU_LARGEST 65520

/* The kernel's own /proc, as the devices are the kernel's own. */
static int open_mtu6(const char *name, int flags) {
        char path[sizeof("/proc/sys/net/ipv6/conf//mtu") + INTERFACE_NAME_SIZE];
        int fd;

        snprintf(path, sizeof(path), "/proc/sys/net/ipv6/conf/%s/mtu", name);
        fd = open(path, flags | O_CLOEXEC);
        return fd < 0 ? -errno : fd;
}

/* -ENOENT without IPv6. */
static int read_mtu6(const char *name, uint32_t *ret) {
        CLEANUP(cleanup_close) int fd = open_mtu6(name, O_RDONLY);
        CLEANUP(cleanup_free) char *text = NULL;
        int r = fd < 0 ? fd : whole_file_read_from(fd, TEXT_NUMBER_SIZE, &text, &(size_t){ 0 });

        if (r == 0)
                *ret = (uint32_t)strtoul(text, NULL, 10);
        return r;
}

static int write_mtu6(const char *name, uint32_t mtu) {
        CLEANUP(cleanup_close) int fd = open_mtu6(name, O_WRONLY);
        char text[TEXT_NUMBER_SIZE];

        return fd < 0 ? fd : whole_file_write_to(fd, text, (size_t)(text_put_number(text, mtu) - text));
}

static uint32_t held_mtu6(const struct trial_record *record) {
        return record->mtu6 < record->held ? record->mtu6 : record->held;
}

bool hold_prepare(const struct link *link, struct trial_record *record) {
        uint32_t held = record->tried < record->before ? record->tried : record->before;
        uint32_t least = link->mtu_min > MTU_SMALLEST_IPV6 ? link->mtu_min : MTU_SMALLEST_IPV6;
        int r;

        if (link->controller_ifindex > 0)
                return log_fail(false,
                                "%s: left as it is: --hold-sending holds nothing back on a port; try its "
                                "bridge, bond or team",
                                record->name);
        if (held < least)
                return log_fail(false, "%s: left as it is: --hold-sending needs MTUs of at least %u, not %u",
                                record->name, least, held);
        r = read_mtu6(link->name, &record->mtu6);
        if (r < 0 && r != -ENOENT)
                return log_fail(false,
                                "%s: left as it is: /proc/sys/net/ipv6/conf/%s/mtu cannot be read: %s",
                                record->name, link->name, strerror(-r));
        record->held = held < ROUTE_MTU_LARGEST ? held : ROUTE_MTU_LARGEST;
        return true;
}

bool hold_is_alone(const struct snapshot *snapshot, const struct step_target *target) {
        CLEANUP(steps_free) struct steps steps = { .n_items = 0 };
        const struct link *found = NULL;

        if (steps_make(&snapshot->statuses, &snapshot->links, target, 1, &steps) < 0)
                return log_fail(false, "%s: %s", target->line->name, strerror(ENOMEM));
        for (size_t i = 0; i < steps.n_items && !found; i++) {
                const struct step *step = &steps.items[i];

                if (step->link && step->link != target->link && step->to != step->link->mtu &&
                    step->link->controller_ifindex != target->link->ifindex &&
                    (step->action == STEP_SET || step->action == STEP_FALL))
                        found = step->link;
        }
        return !found || log_fail(false,
                                  "%s: left as it is: the MTU of %s changes with it, and --hold-sending "
                                  "does not hold that back; lower %s first, or raise it afterwards",
                                  target->line->name, found->name, found->name);
}

static const char *reason(const struct netlink_socket *socket, int error) {
        if (error == -ENOTUNIQ)
                return "two IPv4 routes have the same destination and metric; give one another metric";
        if (error == -EPROTONOSUPPORT)
                return "an IPv6 route has a larger MTU of its own, perhaps by router advertisement; "
                       "lower that first";
        if (error == -ENODATA)
                return "the kernel does not tell the devices of nexthop objects; set the sysctl "
                       "net.ipv4.nexthop_compat_mode to 1";
        return change_reason(socket, error);
}

bool hold_begin(struct netlink_socket *socket, const struct link *link, const struct trial_record *record) {
        CLEANUP(route_list_cleanup) struct route_list routes = { .size = 0 };
        int r = route_list_find(socket, link->ifindex, record->held, &routes);

        if (r < 0)
                return log_fail(false, "%s: left as it is: what it sends cannot be held to %u: %s",
                                record->name, record->held, reason(socket, r));
        r = trial_routes_write(link->ifindex, routes.data, routes.size);
        if (r < 0)
                return log_fail(false, "%s: left as it is: its routes cannot be kept in /run/setmtu: %s",
                                record->name, strerror(-r));
        r = route_list_limit(socket, &routes, record->held);
        if (r < 0)
                return log_fail(false, "%s: its IPv4 routes cannot get MTU %u: %s", record->name,
                                record->held, reason(socket, r));
        /* A raised device takes along the IPv6 routes whose own MTU is that of IPv6 on it, by
         * rt6_mtu_change_route() in net/ipv6/route.c: with this one there are none. */
        r = record->mtu6 > 0 ? write_mtu6(link->name, MTU_SMALLEST_IPV6) : 0;
        if (r < 0)
                log_error("%s: /proc/sys/net/ipv6/conf/%s/mtu: %s", record->name, link->name, strerror(-r));
        return r == 0;
}

bool hold_again(const struct link *link, const struct trial_record *record) {
        int r = record->mtu6 > 0 ? write_mtu6(link->name, held_mtu6(record)) : 0;

        if (r < 0)
                return log_fail(false, "%s: /proc/sys/net/ipv6/conf/%s/mtu: %s", record->name, link->name,
                                strerror(-r));
        log_info("%s: it receives up to %u, and sends up to %u until the trial ends", record->name,
                 record->tried < record->before ? record->before : record->tried, record->held);
        return true;
}

/* What others have set meanwhile stays. The kernel makes it that of the device whenever that changes:
 * addrconf_notify() in net/ipv6/addrconf.c. */
static int end_ipv6(const struct link *link, const struct trial_record *record) {
        uint32_t now = 0;
        int r = record->mtu6 > 0 ? read_mtu6(link->name, &now) : -ENOENT;

        if (r == 0 && (now == held_mtu6(record) || now == MTU_SMALLEST_IPV6 || now == link->mtu))
                r = write_mtu6(link->name, link->mtu == record->before ? record->mtu6 : link->mtu);
        return r == -ENOENT ? 0 : r;
}

static int end_routes(struct netlink_socket *socket, const struct link *link,
                      const struct trial_record *record) {
        CLEANUP(route_list_cleanup) struct route_list routes = { .size = 0 };
        int r = trial_routes_read(link->ifindex, &routes.data, &routes.size);

        if (r == 0)
                r = route_list_restore(socket, link->ifindex, &routes, record->held);
        if (r == -ENOTUNIQ) /* another program has added a route: not a matter of time */
                log_warning("%s: some IPv4 routes keep MTU %u: %s", record->name, record->held,
                            reason(socket, r));
        return r == -ENOENT || r == -ENOTUNIQ ? 0 : r;
}

int hold_end(struct netlink_socket *socket, const struct link *link, const struct trial_record *record) {
        int r = end_ipv6(link, record);

        if (r == 0)
                r = end_routes(socket, link, record);
        if (r == 0)
                r = trial_routes_write(link->ifindex, NULL, 0);
        if (r < 0)
                log_error("%s: what it sends is held to %u still: %s", record->name, record->held,
                          change_reason(socket, r));
        return r;
}
