/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "probe/path.h"

#include <assert.h>
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/exit_code.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "change/change_log.h"
#include "kernel/route.h"
#include "probe/method.h"
#include "probe/sockets.h"

/* The longest wait, and so the delay of a signal that comes just before it. */
#define WAIT_LONGEST_S 0.1

static int complain_of_interface(struct netlink_socket *socket, const char *name, int error) {
        if (error == -ENODEV)
                log_error("%s: there is no such network device", TEXT_SHOW(name));
        else
                log_error("%s: %s", TEXT_SHOW(name), change_reason(socket, error));
        return error == -ENODEV ? EXIT_CODE_ABSENT : EXIT_CODE_FAILURE;
}

/* A link-local address needs a scope (RFC 4007); one in the host name overrides `ifindex`. */
static void set_scope(struct sockaddr_storage *target, unsigned ifindex) {
        struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)target;

        if (v6->sin6_family == AF_INET6 && v6->sin6_scope_id == 0 && IN6_IS_ADDR_LINKLOCAL(&v6->sin6_addr))
                v6->sin6_scope_id = ifindex;
}

static void use_address(struct path *path, const struct addrinfo *address, unsigned ifindex) {
        memset(&path->target, 0, sizeof(path->target));
        memcpy(&path->target, address->ai_addr, address->ai_addrlen);
        path->target_size = address->ai_addrlen;
        set_scope(&path->target, ifindex);
        if (getnameinfo((struct sockaddr *)&path->target, path->target_size, path->address,
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

int path_find(struct netlink_socket *socket, const char *host, int family, const char *interface,
              struct path *ret) {
        struct addrinfo hints = { .ai_family = family, .ai_socktype = SOCK_DGRAM }, *list;
        unsigned ifindex = 0, routed;
        int r;

        memset(ret, 0, sizeof(*ret));
        text_show(ret->host, host);
        if (interface) {
                r = link_get_by_name(socket, interface, &ret->link);
                if (r < 0)
                        return complain_of_interface(socket, interface, r);
                ifindex = ret->link.ifindex;
                ret->is_bound = true;
        }
        r = getaddrinfo(host, NULL, &hints, &list);
        if (r != 0)
                return log_fail(EXIT_CODE_FAILURE, "%s: %s", ret->host,
                                r == EAI_SYSTEM ? strerror(errno) : gai_strerror(r));
        r = choose_address(socket, ret, list, ifindex, &routed);
        freeaddrinfo(list);
        if (r < 0)
                return log_fail(EXIT_CODE_FAILURE, "%s: the route to it cannot be read: %s", ret->host,
                                strerror(-r));
        if (routed == 0) {
                ret->link.ifindex = 0;
                return EXIT_CODE_DONE;
        }
        if (!interface) {
                r = link_get_by_ifindex(socket, routed, &ret->link);
                if (r < 0)
                        return complain_of_interface(socket, ret->host, r);
        }
        text_show(ret->interface, ret->link.name);
        return EXIT_CODE_DONE;
}

uint32_t path_size_least(const struct path *path) {
        return path->target.ss_family == AF_INET6 ? PROBE_SIZE_LEAST_V6 : PROBE_SIZE_LEAST_V4;
}

static void take_all(struct sockets *sockets, struct method *method) {
        struct probe_event event;

        while (sockets_receive(sockets, &event))
                method_take(method, &event, clock_monotonic_s());
}

/* Sends the due probes and reads answers after each: the socket's buffer cannot hold the answers to many.
 * Returns the number sent. */
static unsigned send_due(struct sockets *sockets, struct method *method) {
        struct probe_event event;
        struct probe probe;
        unsigned n = 0;

        while (method_send(method, clock_monotonic_s(), &probe)) {
                if (sockets_send(sockets, &probe, &event))
                        n++;
                else
                        method_take(method, &event, clock_monotonic_s());
                take_all(sockets, method);
        }
        return n;
}

static void wait_for_more(const struct sockets *sockets, double seconds) {
        struct pollfd fds[PROBE_KINDS];
        struct timespec time;

        for (enum probe_kind kind = 0; kind < PROBE_KINDS; kind++)
                fds[kind] = (struct pollfd){ .fd = sockets->fds[kind], .events = POLLIN };
        seconds = seconds < 0 ? 0 : seconds > WAIT_LONGEST_S ? WAIT_LONGEST_S : seconds;
        time = (struct timespec){ .tv_nsec = (long)(seconds * 1e9) };
        (void)ppoll(fds, PROBE_KINDS, &time, NULL);
}

/* Runs the method with the sockets and the clock. 0, or a negative errno: out of memory, or no socket. */
static int probe(const struct path *path, const struct path_settings *settings, struct path_result *ret) {
        CLEANUP(cleanup_free) struct method *method = malloc(sizeof(*method));
        CLEANUP(cleanup_free) struct sockets *sockets = malloc(sizeof(*sockets));
        struct method_settings method_settings = {
                .is_v6 = path->target.ss_family == AF_INET6,
                .size = settings->size,
                .local_mtu = settings->local_mtu,
                .timeout = settings->timeout,
        };
        double begin = clock_monotonic_s();
        int r;

        if (!method || !sockets)
                return -ENOMEM;
        r = sockets_open((const struct sockaddr *)&path->target, path->target_size,
                         path->is_bound ? path->link.ifindex : 0, path->link.name, sockets);
        if (r < 0)
                return r;
        method_settings.has_echo = sockets->fds[PROBE_ECHO] >= 0;
        method_settings.has_forward = sockets->fds[PROBE_FORWARD] >= 0;
        method_settings.has_fragmented = sockets->fds[PROBE_FRAGMENTED] >= 0;
        method_begin(method, &method_settings, begin);
        ret->n_packets = 0;
        for (;;) {
                uint32_t low, high;

                ret->n_packets += send_due(sockets, method);
                take_all(sockets, method);
                if (settings->is_interrupted ? settings->is_interrupted(settings->userdata)
                                             : interrupt_seen() != 0)
                        method_interrupt(method);
                if (method_is_done(method, clock_monotonic_s()))
                        break;
                if (settings->progress) {
                        method_progress(method, &low, &high);
                        settings->progress(settings->userdata, low, high);
                }
                wait_for_more(sockets, method_wakeup(method) - clock_monotonic_s());
        }
        ret->verdict = method->verdict;
        ret->seconds = clock_monotonic_s() - begin;
        ret->send_error = sockets->send_error;
        sockets_close(sockets);
        return 0;
}

bool path_probe(const struct path *path, const struct path_settings *settings, struct path_result *ret) {
        int r;

        if (path->link.ifindex == 0) {
                memset(ret, 0, sizeof(*ret));
                ret->verdict = (struct verdict){ .kind = VERDICT_UNREACHABLE,
                                                 .tried = settings->size,
                                                 .after_hop = -1 };
                ret->send_error = ENETUNREACH;
                return true;
        }
        r = probe(path, settings, ret);
        if (r < 0)
                log_error("%s: no socket for probing: %s", path->host, strerror(-r));
        return r == 0;
}

void path_explain(FILE *stream, const struct path *path, const struct path_result *result) {
        if (result->verdict.kind == VERDICT_UNREACHABLE && path->link.ifindex == 0)
                fprintf(stream, "there is no route to %s. Look at ip route get %s", path->host,
                        TEXT_SHOW(path->address));
        else if (result->verdict.kind == VERDICT_UNREACHABLE && result->send_error > 0)
                fprintf(stream, "nothing can be sent to %s: %s. Look at this machine's routes and firewall.",
                        path->host, strerror(result->send_error));
        else
                verdict_explain(stream, &result->verdict, path->host, path->interface);
}

char *path_text(const struct path *path, const struct path_result *result) {
        char *text = NULL;
        size_t size;
        FILE *stream = open_memstream(&text, &size);

        if (!stream)
                return NULL;
        fprintf(stream, "%s: ", verdict_word(result->verdict.kind));
        path_explain(stream, path, result);
        if (fclose(stream) == 0)
                return text;
        free(text);
        return NULL;
}

void path_log(enum log_priority priority, const struct path *path, const struct path_result *result) {
        CLEANUP(cleanup_free) char *text = path_text(path, result);

        log_message(priority, "%s: %s", path->interface, text ? text : verdict_word(result->verdict.kind));
}
