/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/path_find.h"

#include <assert.h>
#include <errno.h>
#include <netdb.h>
#include <string.h>

#include "base/exit_code.h"
#include "base/log.h"
#include "command/prepare.h"
#include "kernel/netlink.h"
#include "kernel/route.h"

/* The interface of that name. */
static int find_interface(struct netlink_socket *socket, const char *name, struct link *ret) {
        int r = link_get_by_name(socket, name, ret);

        if (r == -ENODEV)
                return prepare_no_device(name, "", NULL);
        return r == 0 ? EXIT_CODE_DONE
                      : log_fail(EXIT_CODE_FAILURE, "%s: %s", name, netlink_socket_error_text(socket, r));
}

static void use_address(struct path *path, const struct addrinfo *address, unsigned ifindex) {
        struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&path->target;

        memset(&path->target, 0, sizeof(path->target));
        memcpy(&path->target, address->ai_addr, address->ai_addrlen);
        /* A link-local address needs a scope (RFC 4007); one in the host name overrides `ifindex`. */
        if (v6->sin6_family == AF_INET6 && v6->sin6_scope_id == 0 && IN6_IS_ADDR_LINKLOCAL(&v6->sin6_addr))
                v6->sin6_scope_id = ifindex;
        if (getnameinfo((struct sockaddr *)&path->target, sizeof(path->target), path->address,
                        sizeof(path->address), NULL, 0, NI_NUMERICHOST) != 0)
                path->address[0] = '\0';
}

/* Chooses the first address that has a route, in the order of getaddrinfo(3) (RFC 6724), or the first of
 * all. `ret_routed` is the interface of the route; 0: there is none. A negative errno if the kernel did not
 * answer. */
static int choose_address(struct netlink_socket *socket, struct path *path, const struct addrinfo *list,
                          unsigned ifindex, unsigned *ret_routed) {
        assert(list);
        for (const struct addrinfo *address = list; address; address = address->ai_next) {
                int r;

                use_address(path, address, ifindex);
                r = route_get_interface(socket, (struct sockaddr *)&path->target, ifindex, ret_routed);
                if (r == 0 || !netlink_socket_was_answered(socket))
                        return r;
        }
        use_address(path, list, ifindex);
        *ret_routed = 0;
        return 0;
}

/* 0.0.0.0 and :: would be this machine. */
static bool is_of_one_host(const struct sockaddr_storage *address) {
        const struct in6_addr *v6 = &((const struct sockaddr_in6 *)address)->sin6_addr;
        in_addr_t v4 = ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr);

        if (address->ss_family == AF_INET6)
                return !IN6_IS_ADDR_MULTICAST(v6) && !IN6_IS_ADDR_UNSPECIFIED(v6);
        return !IN_MULTICAST(v4) && v4 != INADDR_BROADCAST && v4 != INADDR_ANY;
}

int path_find(struct netlink_socket *socket, const char *host, int family, const char *interface,
              struct path *ret) {
        struct addrinfo hints = { .ai_family = family, .ai_socktype = SOCK_DGRAM }, *list;
        unsigned ifindex = 0, routed, scope;
        int r;

        memset(ret, 0, sizeof(*ret));
        ret->host = host;
        if (interface) {
                r = find_interface(socket, interface, &ret->link);
                if (r != EXIT_CODE_DONE)
                        return r;
                ifindex = ret->link.ifindex;
                ret->is_bound = true;
        }
        r = getaddrinfo(host, NULL, &hints, &list);
        if (r != 0)
                return log_fail(EXIT_CODE_FAILURE, "%s: %s", ret->host,
                                r == EAI_SYSTEM ? strerror(errno) : gai_strerror(r));
        r = choose_address(socket, ret, list, ifindex, &routed);
        freeaddrinfo(list);
        ret->source.ss_family = ret->target.ss_family;
        if (!is_of_one_host(&ret->target))
                return log_fail(EXIT_CODE_USAGE, "%s: %s is not the address of one host", ret->host,
                                ret->address);
        scope = ((const struct sockaddr_in6 *)&ret->target)->sin6_scope_id;
        if (ret->target.ss_family == AF_INET6 && ifindex > 0 && scope > 0 && scope != ifindex)
                return log_fail(EXIT_CODE_USAGE, "%s: is an address on another interface than %s", ret->host,
                                interface);
        if (r < 0)
                return log_fail(EXIT_CODE_FAILURE, "%s: the route to it cannot be read: %s", ret->host,
                                strerror(-r));
        if (routed == 0) {
                ret->link.ifindex = 0;
                return EXIT_CODE_DONE;
        }
        if (!interface)
                r = link_get_by_ifindex(socket, routed, &ret->link);
        return r == 0 ? EXIT_CODE_DONE
                      : log_fail(EXIT_CODE_FAILURE, "%s: %s", ret->host,
                                 netlink_socket_error_text(socket, r));
}

int path_probe_one(const struct path *path, const struct path_settings *settings, struct path_result *ret) {
        path_probe(path, 1, settings, ret);
        if (ret->error == 0)
                return EXIT_CODE_DONE;
        path_log_no_socket(path, ret);
        return EXIT_CODE_FAILURE;
}

void path_log_no_socket(const struct path *path, const struct path_result *result) {
        log_error("%s: no socket for probing: %s", path->host, strerror(-result->error));
}
