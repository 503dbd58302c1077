/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "probe/run.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "probe/method.h"
#include "probe/sockets.h"

/* A signal that comes just before the wait is seen by then. */
#define WAIT_LONGEST_S 0.1

static void take_all(struct sockets *sockets, struct method *method) {
        struct probe_event event;

        while (sockets_receive(sockets, &event))
                method_take(method, &event, clock_monotonic_s());
}

/* One by one, with a look at what comes: answers to many at once would not fit into the socket's buffer.
 * Returns how many. */
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
        struct pollfd fds[2];
        nfds_t n = sockets_poll(sockets, fds);
        struct timespec time;

        if (seconds > WAIT_LONGEST_S)
                seconds = WAIT_LONGEST_S;
        if (seconds < 0)
                seconds = 0;
        time = (struct timespec){ .tv_nsec = (long)(seconds * 1e9) };
        (void)ppoll(fds, n, &time, NULL);
}

int run_probe(const struct run_target *target, const struct run_settings *settings, struct run_result *ret) {
        CLEANUP(cleanup_free) struct method *method = malloc(sizeof(*method));
        CLEANUP(cleanup_free) struct sockets *sockets = malloc(sizeof(*sockets));
        struct method_settings method_settings = {
                .is_v6 = target->host.ss_family == AF_INET6,
                .size = settings->size,
                .local_mtu = settings->local_mtu,
                .timeout = settings->timeout,
        };
        double begin = clock_monotonic_s();
        int r;

        if (!method || !sockets)
                return -ENOMEM;
        r = sockets_open((const struct sockaddr *)&target->host, target->host_size, target->ifindex,
                         target->interface, target->is_bound, sockets);
        if (r < 0)
                return r;
        method_settings.has_echo = sockets->echo >= 0;
        method_settings.has_forward = sockets->forward >= 0;
        method_begin(method, &method_settings, begin);
        ret->n_packets = 0;
        for (;;) {
                uint32_t low, high;

                ret->n_packets += send_due(sockets, method);
                take_all(sockets, method);
                if (settings->is_interrupted && settings->is_interrupted(settings->userdata))
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
        ret->evidence = method->evidence;
        ret->seconds = clock_monotonic_s() - begin;
        ret->send_error = sockets->send_error;
        ret->has_echo = sockets->echo >= 0;
        sockets_close(sockets);
        return 0;
}
