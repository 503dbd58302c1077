/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "probe/path.h"

#include <errno.h>
#include <netdb.h>
#include <string.h>
#include <unistd.h>

#include "base/exit_code.h"
#include "base/log.h"
#include "change/change_log.h"
#include "kernel/route.h"

static int complain_of_interface(struct link_socket *socket, const char *name, int error) {
        char shown[TEXT_QUOTE_SIZE];

        if (error == -ENODEV)
                log_error("%s: there is no such network device", text_show(shown, name));
        else
                log_error("%s: %s", text_show(shown, name), change_reason(socket, error));
        return error == -ENODEV ? EXIT_CODE_ABSENT : EXIT_CODE_FAILURE;
}

/* An address of a link alone needs one (RFC 4007); what the name brings goes first. */
static void set_scope(struct run_target *target, unsigned ifindex) {
        struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&target->host;

        if (v6->sin6_family == AF_INET6 && v6->sin6_scope_id == 0 && IN6_IS_ADDR_LINKLOCAL(&v6->sin6_addr))
                v6->sin6_scope_id = ifindex;
}

static void use_address(struct path *path, const struct addrinfo *address, unsigned ifindex) {
        memset(&path->target.host, 0, sizeof(path->target.host));
        memcpy(&path->target.host, address->ai_addr, address->ai_addrlen);
        path->target.host_size = address->ai_addrlen;
        set_scope(&path->target, ifindex);
        if (getnameinfo((struct sockaddr *)&path->target.host, path->target.host_size, path->address,
                        sizeof(path->address), NULL, 0, NI_NUMERICHOST) != 0)
                path->address[0] = '\0';
}

/* The first address that can be reached, in the order of getaddrinfo(3), which is RFC 6724's; or the first
 * one. */
static void choose_address(struct path *path, const struct addrinfo *list, unsigned ifindex,
                           unsigned *ret_ifindex) {
        *ret_ifindex = 0;
        for (const struct addrinfo *address = list; address; address = address->ai_next) {
                use_address(path, address, ifindex);
                if (route_get_interface((struct sockaddr *)&path->target.host, ifindex, ret_ifindex) == 0)
                        return;
        }
        use_address(path, list, ifindex);
}

int path_find(struct link_socket *socket, const char *host, int family, const char *interface,
              struct path *ret) {
        struct addrinfo hints = { .ai_family = family, .ai_socktype = SOCK_DGRAM }, *list;
        unsigned ifindex = 0;
        int r;

        memset(ret, 0, sizeof(*ret));
        text_show(ret->host, host);
        if (interface) {
                r = link_get_by_name(socket, interface, &ret->link);
                if (r < 0)
                        return complain_of_interface(socket, interface, r);
                ifindex = ret->link.ifindex;
                ret->target.is_bound = true;
        }
        r = getaddrinfo(host, NULL, &hints, &list);
        if (r != 0) {
                log_error("%s: %s", ret->host, r == EAI_SYSTEM ? strerror(errno) : gai_strerror(r));
                return EXIT_CODE_FAILURE;
        }
        choose_address(ret, list, ifindex, &ret->target.ifindex);
        freeaddrinfo(list);
        if (ret->target.ifindex == 0) {
                ret->link.ifindex = 0;
                return EXIT_CODE_DONE;
        }
        if (!interface) {
                r = link_get_by_ifindex(socket, ret->target.ifindex, &ret->link);
                if (r < 0)
                        return complain_of_interface(socket, ret->host, r);
        }
        ret->target.ifindex = ret->link.ifindex;
        strcpy(ret->target.interface, ret->link.name);
        text_show(ret->interface, ret->link.name);
        return EXIT_CODE_DONE;
}

uint32_t path_size_least(const struct path *path) {
        return path->target.host.ss_family == AF_INET6 ? PROBE_SIZE_LEAST_V6 : PROBE_SIZE_LEAST_V4;
}

bool path_probe(const struct path *path, const struct run_settings *settings, struct run_result *ret) {
        int r;

        if (path->link.ifindex == 0) {
                memset(ret, 0, sizeof(*ret));
                ret->verdict = (struct verdict){ .kind = VERDICT_UNREACHABLE,
                                                 .tried = settings->size,
                                                 .after_hop = -1 };
                ret->send_error = ENETUNREACH;
                return true;
        }
        r = run_probe(&path->target, settings, ret);
        if (r < 0)
                log_error("%s: no socket for probing: %s", path->host, strerror(-r));
        return r == 0;
}

void path_show_progress(void *userdata, uint32_t low, uint32_t high) {
        const struct path *path = userdata;

        fprintf(stderr, "\r\x1b[K%s: ", path->host);
        if (low == 0)
                fputs("no answer yet", stderr);
        else if (high == 0)
                fprintf(stderr, "%u passes", low);
        else
                fprintf(stderr, "%u passes, %u does not yet", low, high);
        fputs(" ... ", stderr);
}

void path_clear_progress(void) {
        fputs("\r\x1b[K", stderr);
}

int path_exit_code(const struct verdict *verdict) {
        static const int codes[VERDICT_COUNT] = {
                [VERDICT_OK] = EXIT_CODE_DONE,
                [VERDICT_TOO_BIG] = EXIT_CODE_TOO_BIG,
                [VERDICT_BLACK_HOLE] = EXIT_CODE_BLACK_HOLE,
                [VERDICT_FALSE_TOO_BIG] = EXIT_CODE_FALSE_TOO_BIG,
                [VERDICT_RETURN_PATH] = EXIT_CODE_RETURN_PATH,
                [VERDICT_LOCAL_LIMIT] = EXIT_CODE_LOCAL_LIMIT,
                [VERDICT_UNREACHABLE] = EXIT_CODE_UNREACHABLE,
                [VERDICT_INCONCLUSIVE] = EXIT_CODE_INCONCLUSIVE,
        };

        return (int)codes[verdict->kind];
}

void path_explain(FILE *stream, const struct path *path, const struct run_result *result) {
        char address[TEXT_QUOTE_SIZE];

        if (result->verdict.kind == VERDICT_UNREACHABLE && path->link.ifindex == 0)
                fprintf(stream, "there is no route to %s. Look at ip route get %s", path->host,
                        text_show(address, path->address));
        else if (result->verdict.kind == VERDICT_UNREACHABLE && result->send_error > 0)
                fprintf(stream, "nothing can be sent to %s: %s. Look at this machine's routes and firewall.",
                        path->host, strerror(result->send_error));
        else
                verdict_explain(stream, &result->verdict, path->host, path->interface);
}
