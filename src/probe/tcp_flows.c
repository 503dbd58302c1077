/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "probe/tcp_flows.h"

#include <errno.h>
#include <math.h>
#include <netinet/tcp.h>
#include <poll.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "probe/traffic.h"

/* What is sent there is thrown away if anything listens (RFC 863). */
#define PORT_DISCARD 9
/* Between two packets, so that few are in a queue at once. */
#define STEP_MS 3
/* The kernel sends again after a second (TCP_TIMEOUT_INIT), without the data. */
#define WAIT_LONGEST_S 0.7
#define WAIT_LEAST_S 0.1
#define ROUNDS_MAX 12
/* What TCP_MAXSEG takes (MAX_TCP_WINDOW). */
#define MSS_MAX 32767

struct flow {
        struct sockaddr_storage from; /* with a port once there was a packet */
        bool is_lost;                 /* each large one was */
        bool is_answered;             /* the last one */
};

struct probing {
        const struct path *path;
        struct flow flows[TCP_FLOWS];
        uint32_t size;    /* of the last packet */
        unsigned n_first; /* flows whose first packet was lost */
        /* Of what tells how likely a loss is: large packets of the other flows, and small ones of these. */
        unsigned n_sent[2], n_lost[2];
};

static void set_port(struct sockaddr_storage *address, uint16_t port) {
        if (address->ss_family == AF_INET6)
                ((struct sockaddr_in6 *)address)->sin6_port = htons(port);
        else
                ((struct sockaddr_in *)address)->sin_port = htons(port);
}

static int set_option(int fd, int level, int option, int value) {
        return setsockopt(fd, level, option, &value, sizeof(value)) < 0 ? -errno : 0;
}

/* Sends a packet of `size` bytes, or nearly. 0 or a negative errno. */
static int send_packet(struct probing *probing, struct flow *flow, int fd, uint32_t size) {
        static const char data[MSS_MAX];
        const struct path *path = probing->path;
        bool is_v6 = path->target.ss_family == AF_INET6;
        /* Of IP, of TCP, and the options that the kernel sends. */
        uint32_t headers = (is_v6 ? 40U : 20U) + 20 + 20;
        struct sockaddr_storage to = path->target;
        socklen_t from_size = sizeof(flow->from);
        int r = set_option(fd, IPPROTO_TCP, TCP_FASTOPEN_NO_COOKIE, 1);
        ssize_t n;

        if (r == 0)
                r = set_option(fd, IPPROTO_TCP, TCP_MAXSEG, size < MSS_MAX ? (int)size : MSS_MAX);
        if (r == 0 && path->is_bound)
                r = set_option(fd, SOL_SOCKET, SO_BINDTOIFINDEX, (int)path->link.ifindex);
        if (r < 0)
                return r;
        /* Otherwise another one each time. */
        if (is_v6)
                (void)set_option(fd, IPPROTO_IPV6, IPV6_AUTOFLOWLABEL, 0);
        if (bind(fd, (struct sockaddr *)&flow->from, sizeof(flow->from)) < 0 ||
            getsockname(fd, (struct sockaddr *)&flow->from, &from_size) < 0)
                return -errno;
        set_port(&to, PORT_DISCARD);
        size = size - headers < sizeof(data) ? size - headers : sizeof(data);
        n = sendto(fd, data, size, MSG_FASTOPEN, (struct sockaddr *)&to, sizeof(to));
        if (n <= 0) /* EINPROGRESS: without the data */
                return n < 0 ? -errno : -EINPROGRESS;
        probing->size = (uint32_t)n + headers;
        return 0;
}

/* Whether what has come answers the packet, and not one without data that the kernel has sent after it. */
static bool is_answer(int fd) {
        struct tcp_info info = { 0 };
        socklen_t info_size = sizeof(info), error_size = sizeof(int);
        int error = EIO;

        return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &info_size) == 0 &&
               getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &error_size) == 0 &&
               (error == 0 || error == ECONNREFUSED) && info.tcpi_total_retrans == 0;
}

/* Waits until all that are open have an answer, or those without one are lost. */
static void wait_for_answers(struct probing *probing, struct pollfd fds[static TCP_FLOWS], unsigned n_open) {
        double sent = clock_monotonic_s(), passed = 0, wait = WAIT_LONGEST_S;
        unsigned n_answered = 0;

        while (n_answered < n_open && passed < wait) {
                int r = poll(fds, TCP_FLOWS, (int)((wait - passed) * 1000) + 1);

                passed = clock_monotonic_s() - sent;
                for (unsigned i = 0; i < TCP_FLOWS && r > 0; i++) {
                        if (fds[i].revents == 0)
                                continue;
                        probing->flows[i].is_answered = is_answer(fds[i].fd);
                        n_answered += probing->flows[i].is_answered;
                        cleanup_close(&fds[i].fd);
                        fds[i].fd = -1;
                        if (n_answered * 2 > n_open)
                                wait = fmin(WAIT_LONGEST_S, 2 * passed + WAIT_LEAST_S);
                }
        }
}

/* A packet by each flow, or by those that have lost all large ones. 0 or a negative errno. */
static int send_round(struct probing *probing, bool is_lost_only, uint32_t size) {
        struct pollfd fds[TCP_FLOWS];
        unsigned n_open = 0;
        int r = 0;

        for (unsigned i = 0; i < TCP_FLOWS; i++) {
                struct flow *flow = &probing->flows[i];

                fds[i] = (struct pollfd){ .fd = -1, .events = POLLOUT };
                flow->is_answered = false;
                if (r < 0 || (is_lost_only && !flow->is_lost))
                        continue;
                fds[i].fd = socket(flow->from.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
                r = fds[i].fd < 0 ? -errno : send_packet(probing, flow, fds[i].fd, size);
                n_open++;
                (void)clock_sleep_ms(STEP_MS);
        }
        if (r == 0)
                wait_for_answers(probing, fds, n_open);
        for (unsigned i = 0; i < TCP_FLOWS; i++)
                cleanup_close(&fds[i].fd);
        return r;
}

/* Takes the answers of the round: to a large packet by each flow or, by those that have lost all of these,
 * to a small one. Returns how many flows have. */
static unsigned take_round(struct probing *probing, bool is_small) {
        unsigned n_lost = 0;

        for (unsigned i = 0; i < TCP_FLOWS; i++) {
                struct flow *flow = &probing->flows[i];

                if (flow->is_lost == is_small) {
                        probing->n_sent[is_small]++;
                        probing->n_lost[is_small] += !flow->is_answered;
                } else if (flow->is_answered)
                        flow->is_lost = false;
                n_lost += flow->is_lost;
        }
        return n_lost;
}

/* The probability that chance explains all losses of that many flows since the first packet, for which they
 * were chosen. */
static double chance_of(const struct probing *probing, unsigned n_lost, unsigned rounds) {
        double loss = 0;

        for (unsigned i = 0; i < 2; i++)
                loss = fmax(loss, (probing->n_lost[i] + 1.0) / (probing->n_sent[i] + 2.0));
        return pow(probing->n_first * pow(loss, rounds), n_lost);
}

/* Looks at the flows that have lost the first packet. 0 or a negative errno. */
static int confirm(struct probing *probing, uint32_t size, unsigned *ret_n_lost) {
        for (unsigned round = 1; round <= ROUNDS_MAX && !interrupt_seen(); round++) {
                unsigned n_small_lost = probing->n_lost[true], n_lost;
                int r = send_round(probing, false, size);

                n_lost = take_round(probing, false);
                if (r < 0 || n_lost == 0)
                        return r;
                r = send_round(probing, true, TRAFFIC_SMALL);
                (void)take_round(probing, true);
                if (r < 0 || probing->n_lost[true] - n_small_lost == n_lost)
                        return r;
                if (chance_of(probing, n_lost, round) < TRAFFIC_CHANCE) {
                        *ret_n_lost = n_lost;
                        return 0;
                }
        }
        return 0;
}

int tcp_flows_probe(const struct path *path, uint32_t size, struct tcp_flows *ret) {
        struct probing probing = { .path = path };
        int r;

        *ret = (struct tcp_flows){ .n_answered = 0 };
        for (unsigned i = 0; i < TCP_FLOWS; i++)
                probing.flows[i] = (struct flow){ .from = path->source, .is_lost = true };
        r = send_round(&probing, false, size);
        if (r < 0)
                return r;
        ret->size = probing.size;
        probing.n_first = take_round(&probing, false);
        ret->n_answered = TCP_FLOWS - probing.n_first;
        /* Where most are lost, that is no single link. */
        return probing.n_first == 0 || probing.n_first > TCP_FLOWS / 2
                               ? 0
                               : confirm(&probing, size, &ret->n_lost);
}
