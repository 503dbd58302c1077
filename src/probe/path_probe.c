/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "probe/method.h"
#include "probe/path.h"
#include "probe/sockets.h"

/* The longest wait, and so the delay of a signal that comes just before it. */
#define WAIT_LONGEST_S 0.1
/* Hosts that are probed at the same time. Each needs some 75 kB, and lets pass most of its time. */
#define JOBS_MAX 256
/* How much of a second's packets may be sent at once. */
#define BURST_S 0.02

/* Messages that are read between two looks at the clock. */
#define BATCH_MAX 256

/* A host that is being probed, by one flow after the other: all share the answers to UDP that it gives. */
struct path_job {
        struct method method;
        struct sockets *sockets; /* of the run, for the family of the path */
        struct sockets_host host;
        const struct path *path;
        struct path_result *result;
        double begin;
};

struct path_run {
        const struct path_settings *settings;
        struct sockets sockets[2]; /* IPv4 and IPv6 */
        bool is_open[2];           /* false: not needed yet */
        struct link_table links;   /* none: not needed yet */
        struct path_job *jobs[JOBS_MAX];
        struct sockets_host *hosts[JOBS_MAX]; /* those of `jobs` */
        size_t n_jobs;
        double now, left; /* the time, and how many packets may be sent now */
        bool is_held;     /* some are due, and have to wait for that */
        bool is_interrupted;
};

static void path_run_cleanup(struct path_run *run) {
        for (size_t i = 0; i < run->n_jobs; i++)
                free(run->jobs[i]);
        for (size_t family = 0; family < 2; family++)
                if (run->is_open[family])
                        sockets_close(&run->sockets[family]);
        link_table_free(&run->links);
}

/* This machine first ------------------------------------------------------------------------------------ */

/* What cannot be read limits nothing: the probes tell. */
static void look_at_egress(struct path_run *run, const struct path *path, struct path_result *result) {
        struct netlink_socket *socket = run->settings->socket;
        int r = socket && run->links.n_links == 0 ? link_get_all(socket, &run->links) : 0;

        if (socket && r == 0)
                r = egress_find(socket, &run->links, (const struct sockaddr *)&path->target,
                                path->link.ifindex, &result->egress);
        if (r < 0)
                result->egress = (struct egress){ 0 };
}

/* Whether this machine alone explains the verdict. The probes mind neither the route's MTU nor what the
 * kernel has learned; the answers have taught the bridges here by which port they came. */
static void judge_egress(struct path_run *run, const struct path *path, struct path_result *result) {
        struct verdict *verdict = &result->verdict;
        const struct egress *egress = &result->egress;

        if (egress->is_guess)
                look_at_egress(run, path, result);
        if (((verdict->kind == VERDICT_BLACK_HOLE || verdict->kind == VERDICT_RETURN_PATH) &&
             egress_is_narrow(egress, verdict->tried) && verdict->size >= egress->room) ||
            (verdict->kind == VERDICT_OK && egress_is_cut(egress, verdict->tried)))
                verdict->kind = VERDICT_LOCAL_LIMIT;
}

/* The run ----------------------------------------------------------------------------------------------- */

/* Begins the next flow of the host. 0 or a negative errno. */
static int begin_flow(struct path_run *run, struct path_job *job) {
        const struct path_settings *settings = run->settings;
        const struct path *path = job->path;
        const struct sockets *sockets = job->sockets;
        const struct flows *flows = &job->result->flows;
        int r = sockets_add_host(sockets, &path->target, path->link.name, flows->n, &job->host);
        double now = clock_monotonic_s();
        uint32_t own = path->link.mtu;
        const struct egress *egress = &job->result->egress;
        struct method_settings method = {
                .is_v6 = sockets->is_v6,
                .has_echo = sockets->fds[PROBE_ECHO] >= 0,
                .has_forward = sockets->fds[PROBE_FORWARD] >= 0,
                .has_fragmented = sockets->fds[PROBE_FRAGMENTED] >= 0,
                .size = job->result->verdict.tried,
                .local_mtu = !egress->is_guess && egress_is_narrow(egress, own) ? egress->room : own,
                .timeout = settings->timeout,
        };

        if (r < 0)
                return r;
        flows_prepare(flows, &job->result->verdict, &job->method, now, &method);
        method_begin(&job->method, &method, now);
        return 0;
}

/* Opens the sockets when the first host needs them. 0 or a negative errno: out of memory, or no socket. */
static int begin_host(struct path_run *run, const struct path *path, struct path_result *result) {
        size_t family = path->target.ss_family == AF_INET6;
        CLEANUP(cleanup_free) struct path_job *job = malloc(sizeof(*job));
        int r = 0;

        if (!job)
                return -ENOMEM;
        job->sockets = &run->sockets[family];
        job->path = path;
        job->result = result;
        job->begin = clock_monotonic_s();
        if (!run->is_open[family])
                r = sockets_open(&path->source, path->is_bound ? path->link.ifindex : 0, job->sockets);
        run->is_open[family] |= r == 0;
        if (r == 0)
                r = begin_flow(run, job);
        if (r < 0)
                return r;
        run->hosts[run->n_jobs] = &job->host;
        run->jobs[run->n_jobs++] = job;
        job = NULL;
        return 0;
}

static void report_result(const struct path_run *run, const struct path *path,
                          const struct path_result *result) {
        if (run->settings->report)
                run->settings->report(run->settings->userdata, path, result);
}

/* Begins with the path, or has its result at once: if it is proven, without a route, or without a socket. */
static void start_path(struct path_run *run, const struct path *path, struct path_result *result) {
        struct verdict *verdict = &result->verdict;

        if (path->is_proven) {
                verdict->kind = VERDICT_OK;
                verdict->local_mtu = path->link.mtu;
                verdict->size = verdict->forward = verdict->back = verdict->tried;
        } else if (path->link.ifindex == 0)
                verdict->kind = VERDICT_UNREACHABLE;
        else {
                look_at_egress(run, path, result);
                result->error = begin_host(run, path, result);
                if (result->error == 0)
                        return;
        }
        report_result(run, path, result);
}

/* Answers of hosts with the same address could not be told apart. */
static bool is_busy(const struct path_run *run, const struct path *path) {
        const struct net_address address = route_address((const struct sockaddr *)&path->target);

        for (size_t i = 0; i < run->n_jobs; i++)
                if (sockets_host_has(run->hosts[i], &address))
                        return true;
        return false;
}

/* A flow is done, and with the last one the host. */
static void finish_flow(struct path_run *run, size_t i) {
        unsigned n_flows = run->is_interrupted ? 1 : run->settings->flows;
        struct path_job *job = run->jobs[i];

        job->result->send_error = job->host.send_error;
        job->result->seconds = clock_monotonic_s() - job->begin;
        if (flows_take(&job->result->flows, n_flows, &job->method.verdict, &job->result->verdict)) {
                job->result->error = begin_flow(run, job);
                if (job->result->error == 0)
                        return;
        }
        judge_egress(run, job->path, job->result);
        report_result(run, job->path, job->result);
        free(job);
        run->jobs[i] = run->jobs[--run->n_jobs];
        run->hosts[i] = run->hosts[run->n_jobs];
}

/* Takes what has come, and not more at once than lets the clock be looked at in time. */
static void take_batch(struct path_run *run) {
        for (size_t family = 0; family < 2; family++) {
                struct probe_event event;
                size_t i;
                int r = 0;

                for (unsigned n = 0; n < BATCH_MAX && r >= 0 && run->is_open[family]; n++) {
                        r = sockets_receive(&run->sockets[family], run->hosts, run->n_jobs, &i, &event);
                        if (r > 0)
                                method_take(&run->jobs[i]->method, &event, clock_monotonic_s());
                }
        }
}

/* Counts the time that has passed. What waits for its turn loses no time. */
static void look_at_clock(struct path_run *run) {
        double passed = clock_monotonic_s() - run->now, rate = run->settings->rate;

        run->now += passed;
        run->left = fmin(run->left + passed * rate, fmax(BURST_S * rate, 1));
        for (size_t i = 0; i < run->n_jobs && run->is_held; i++)
                method_postpone(&run->jobs[i]->method, passed);
        run->is_held = false;
}

/* Sends the due probes and reads answers after each: the socket's buffer cannot hold the answers to many. */
static void send_due(struct path_run *run, struct path_job *job) {
        struct probe_event event;
        struct probe probe;

        while (run->settings->rate == 0 || run->left >= 1) {
                if (!method_send(&job->method, clock_monotonic_s(), &probe))
                        return;
                run->left--;
                if (sockets_send(job->sockets, &job->host, &probe, &event))
                        job->result->n_packets++;
                else
                        method_take(&job->method, &event, clock_monotonic_s());
                take_batch(run);
        }
        run->is_held |= method_wakeup(&job->method) <= clock_monotonic_s();
}

/* `is_more`: hosts wait to be begun with. */
static void wait_for_more(const struct path_run *run, bool is_more) {
        struct pollfd fds[2 * PROBE_KINDS];
        double until = run->now + WAIT_LONGEST_S;
        struct timespec time;
        nfds_t n = 0;

        for (size_t family = 0; family < 2; family++)
                for (enum probe_kind kind = 0; kind < PROBE_KINDS && run->is_open[family]; kind++)
                        fds[n++] = (struct pollfd){ .fd = run->sockets[family].fds[kind], .events = POLLIN };
        for (size_t i = 0; i < run->n_jobs && !run->is_held; i++)
                until = fmin(until, method_wakeup(&run->jobs[i]->method));
        if (run->settings->rate > 0 && (run->is_held || (is_more && run->n_jobs < JOBS_MAX)))
                until = fmin(until, run->now + (1 - run->left) / run->settings->rate);
        time = (struct timespec){ .tv_nsec = (long)(fmax(until - clock_monotonic_s(), 0) * 1e9) };
        (void)ppoll(fds, n, &time, NULL);
}

static void path_run_step(struct path_run *run) {
        const struct path_settings *settings = run->settings;

        for (size_t i = 0; i < run->n_jobs; i++)
                send_due(run, run->jobs[i]);
        take_batch(run);
        run->is_interrupted |= settings->is_interrupted ? settings->is_interrupted(settings->userdata)
                                                        : interrupt_seen() != 0;
        for (size_t i = run->n_jobs; i-- > 0;) {
                struct method *method = &run->jobs[i]->method;

                if (run->is_interrupted)
                        method_interrupt(method);
                if (!method_is_done(method, clock_monotonic_s()))
                        continue;
                finish_flow(run, i);
                /* Its report may have taken long. */
                take_batch(run);
        }
}

void path_probe(const struct path *paths, size_t n, const struct path_settings *settings,
                struct path_result *ret) {
        CLEANUP(path_run_cleanup) struct path_run run = { .settings = settings, .now = clock_monotonic_s() };
        size_t next = 0;

        for (size_t i = 0; i < n; i++) {
                uint32_t size = settings->size > 0 ? settings->size : paths[i].link.mtu;

                ret[i] = (struct path_result){
                        .verdict = { .kind = VERDICT_INCONCLUSIVE,
                                     .doubt = VERDICT_DOUBT_INTERRUPTED,
                                     .tried = size < PROBE_SIZE_LARGEST ? size : PROBE_SIZE_LARGEST,
                                     .after_hop = -1 },
                };
        }
        while ((next < n && !run.is_interrupted) || run.n_jobs > 0) {
                double room;

                look_at_clock(&run);
                room = run.left;
                for (; next < n && run.n_jobs < JOBS_MAX && !run.is_interrupted &&
                       (settings->rate == 0 || room >= 1) && !is_busy(&run, &paths[next]);
                     next++, room--)
                        start_path(&run, &paths[next], &ret[next]);
                path_run_step(&run);
                if (next < n || run.n_jobs > 0)
                        wait_for_more(&run, next < n && !is_busy(&run, &paths[next]));
        }
}
