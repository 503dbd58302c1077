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
/* So few packets are in a queue at once, but each pause may be longer where the processor is busy. */
#define BURST 4
#define BURST_MS 8
/* The first flows of a further round, at least, and those that have lost all so far. */
#define CONTROLS 24
/* Each round begins with another flow: a firewall may let pass only the first ones. No divisor of TCP_FLOWS.
 */
#define STEP_FIRST 17
/* The kernel sends again after a second (TCP_TIMEOUT_INIT), without the data. */
#define WAIT_LONGEST_S 0.7
#define WAIT_LEAST_S 0.1
#define ROUNDS_MAX 12

struct flow {
        struct sockaddr_storage from; /* with a port once there was a packet */
        int losses;                   /* of large packets in succession, from the first on; 0: one arrived */
};

struct probing {
        const struct path *path;
        struct flow flows[TCP_FLOWS];
        unsigned n_rounds;
        int n_chosen; /* flows that have lost the first packet */
        /* What tells how likely a loss is: large packets of the others, and small ones of these. */
        unsigned n_sent[2], n_lost[2];
};

/* Sends a packet. 1; 0: something else has the port by now, or the packet is a smaller one, since the kernel
 * takes data from one piece of memory; or a negative errno. */
static int send_packet(const struct path *path, struct flow *flow, int fd, uint32_t size) {
        static const char data[UINT16_MAX];
        bool is_v6 = path->target.ss_family == AF_INET6;
        const int options[][3] = {
                { IPPROTO_TCP, TCP_FASTOPEN_NO_COOKIE, 1 },
                { IPPROTO_TCP, TCP_MAXSEG, (int)size },
                { SOL_SOCKET, SO_BINDTOIFINDEX, path->is_bound ? (int)path->link.ifindex : 0 },
                { IPPROTO_IPV6, IPV6_AUTOFLOWLABEL, 0 }, /* would be another one each time */
        };
        struct sockaddr_storage to = path->target;
        socklen_t from_size = sizeof(flow->from);
        ssize_t n;

        for (size_t i = 0; i < (is_v6 ? 4 : 3); i++)
                if (setsockopt(fd, options[i][0], options[i][1], &options[i][2], sizeof(int)) < 0)
                        return -errno;
        if (bind(fd, (struct sockaddr *)&flow->from, sizeof(flow->from)) < 0 ||
            getsockname(fd, (struct sockaddr *)&flow->from, &from_size) < 0)
                return errno == EADDRINUSE ? 0 : -errno;
        ((struct sockaddr_in *)&to)->sin_port = htons(PORT_DISCARD); /* sin6_port is the same */
        size -= is_v6 ? 80 : 60;                                     /* with the options of a SYN */
        n = sendto(fd, data, size, MSG_FASTOPEN, (struct sockaddr *)&to, sizeof(to));
        return n < 0 ? -errno : n == (ssize_t)size;
}

/* Whether what has come answers the packet, and none that the kernel has sent after it. */
static bool is_answered(int fd) {
        struct tcp_info info = { 0 };
        socklen_t info_size = sizeof(info), error_size = sizeof(int);
        int error = EIO;

        return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &info_size) == 0 &&
               getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &error_size) == 0 &&
               (error == 0 || error == ECONNREFUSED) && info.tcpi_total_retrans == 0;
}

/* Waits for all answers but those that are late by then. Closes what is answered, and what is not. */
static void wait_for_answers(struct pollfd fds[static TCP_FLOWS], unsigned n_open,
                             bool ret_answered[static TCP_FLOWS]) {
        double begin = clock_monotonic_s(), passed = 0, wait = WAIT_LONGEST_S;
        unsigned n_answered = 0;

        while (n_answered < n_open && passed < wait) {
                int n = poll(fds, TCP_FLOWS, (int)((wait - passed) * 1000) + 1);

                passed = clock_monotonic_s() - begin;
                for (unsigned i = 0; i < TCP_FLOWS && n > 0; i++) {
                        if (fds[i].revents == 0)
                                continue;
                        ret_answered[i] = is_answered(fds[i].fd);
                        n_answered += ret_answered[i];
                        cleanup_close(&fds[i].fd);
                        fds[i].fd = -1;
                        if (n_answered * 2 > n_open)
                                wait = fmin(WAIT_LONGEST_S, 2 * passed + WAIT_LEAST_S);
                }
        }
        for (unsigned i = 0; i < TCP_FLOWS; i++)
                cleanup_close(&fds[i].fd);
}

static void take_outcome(struct probing *probing, struct flow *flow, bool is_small, bool is_lost) {
        if ((flow->losses > 0) == is_small && probing->n_rounds > 0) {
                probing->n_sent[is_small]++;
                probing->n_lost[is_small] += is_lost;
        } else if (!is_small)
                flow->losses = is_lost ? flow->losses + 1 : 0;
}

/* A large packet by each flow, or by many of them; or, by those that have lost all of these, a small one.
 * Returns how many have, or a negative errno. */
static int probe_round(struct probing *probing, bool is_small, uint32_t size) {
        bool answered[TCP_FLOWS] = { false }, is_sent[TCP_FLOWS] = { false };
        struct pollfd fds[TCP_FLOWS];
        unsigned n_open = 0;
        int r = 0, n_lost = 0;

        for (unsigned i = 0; i < TCP_FLOWS; i++)
                fds[i] = (struct pollfd){ .fd = -1, .events = POLLOUT };
        for (unsigned n = 0; n < TCP_FLOWS && r >= 0; n++) {
                unsigned i = (probing->n_rounds * STEP_FIRST + n) % TCP_FLOWS;
                struct flow *flow = &probing->flows[i];

                if (flow->losses == 0 && probing->n_rounds > 0 && (is_small || n >= CONTROLS))
                        continue;
                fds[i].fd = socket(flow->from.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
                r = fds[i].fd < 0 ? -errno : send_packet(probing->path, flow, fds[i].fd, size);
                is_sent[i] = r > 0;
                if (++n_open % BURST == 0)
                        (void)clock_sleep_ms(BURST_MS);
        }
        wait_for_answers(fds, r >= 0 ? n_open : 0, answered);
        for (unsigned i = 0; i < TCP_FLOWS; i++) {
                if (is_sent[i])
                        take_outcome(probing, &probing->flows[i], is_small, !answered[i]);
                n_lost += probing->flows[i].losses > 0;
        }
        probing->n_rounds++;
        return r < 0 ? r : n_lost;
}

/* The probability that chance explains all losses of these flows since they were chosen. */
static double chance_of(const struct probing *probing) {
        double loss = 0, chance = 1;

        for (unsigned i = 0; i < 2; i++)
                loss = fmax(loss, (probing->n_lost[i] + 1.0) / (probing->n_sent[i] + 2.0));
        for (unsigned i = 0; i < TCP_FLOWS; i++)
                if (probing->flows[i].losses > 0)
                        chance *= probing->n_chosen * pow(loss, probing->flows[i].losses - 1);
        return chance;
}

int tcp_flows_probe(const struct path *path, uint32_t size) {
        struct probing probing = { .path = path };
        int n_lost;

        for (unsigned i = 0; i < TCP_FLOWS; i++)
                probing.flows[i].from = path->source;
        n_lost = probing.n_chosen = probe_round(&probing, false, size);
        for (int i = 0; i < ROUNDS_MAX && n_lost > 0 && n_lost <= TCP_FLOWS / 2 && !interrupt_seen(); i++) {
                unsigned n_small_lost = probing.n_lost[true];

                n_lost = probe_round(&probing, false, size);
                if (n_lost > 0)
                        n_lost = probe_round(&probing, true, TRAFFIC_SMALL);
                if (n_lost <= 0 || probing.n_lost[true] - n_small_lost == (unsigned)n_lost)
                        break;
                if (chance_of(&probing) < TRAFFIC_CHANCE)
                        return n_lost;
        }
        return n_lost < 0 ? n_lost : n_lost > 0 && interrupt_seen() ? -ECANCELED : 0;
}
