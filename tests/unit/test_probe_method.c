/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The method of `setmtu probe` against simulated networks: a table of paths with the verdict that each one
 * is to have, and thousands of random ones. */

#include "rows.h"

#include "probe/flows.h"

#define HOPS_MAX 6
#define FLIGHT_MAX 4096
/* Of each path. */
#define RUNS 100

/* A link of the path, with the device before it: what it takes there and back, and what becomes of more.
 * Link 0 is this machine's own, whose packets larger than its MTU are never sent. */
struct sim_link {
        uint32_t there, back; /* the largest size; 0: any */
        bool is_switched;     /* a switch drops it, so that the router before it says nothing */
        uint32_t back_pieces; /* above that, an answer comes in fragments: IPv4, DF not set */
};

/* The router before a link, or for the last one the host itself. Hop 0 is this machine and says nothing. */
struct sim_hop {
        bool is_mute;        /* sends no ICMP */
        uint32_t says;       /* a size other than the link's; 0: the link's */
        bool says_no_number; /* a router of before RFC 1191 */
        uint32_t claims;     /* says that of anything larger, and passes it on */
        bool answers_seldom; /* one answer a second */
};

struct sim_path {
        const char *name;
        unsigned n_links;
        struct sim_link links[HOPS_MAX];
        struct sim_hop hops[HOPS_MAX]; /* hops[i] is before links[i] */
        bool is_v6;
        bool has_no_echo, has_no_udp; /* the host answers none */
        bool can_no_echo;             /* this machine may not send it */
        bool can_fragment;            /* it may send echo in fragments */
        uint32_t host_mtu;            /* that of the host, which answers in fragments of it; 0: any */
        bool drops_fragments;         /* the host does */
        bool has_other_links;         /* of equal ones: UDP takes those, without a limit */
        double udp_spent;             /* of the answers that the host gives at once, just before */
        double udp_burst;             /* how many those are; 0: 6 */
        bool is_dead;
        double rtt_s;
        double loss, reorder, duplicate; /* 0 to 1, a packet each way */
        double change_at;                /* when the first of these takes another value: */
        unsigned change_link;
        uint32_t change_to;
        uint32_t size, local_mtu; /* asked for; 0: 9000 */
        double timeout;
        bool is_further;   /* a further flow to the same host */
        bool is_answering; /* which has answered another one */
        uint32_t likely;   /* what another one carries */
        bool quotes_short; /* ICMP errors do not have the random bytes, nor tell which probe of a flow */
        /* Someone without a view of the path guesses, once, the numbers of a probe above the base size: of
         * UDP for an answer, otherwise of echo. */
        bool is_forged;
        enum probe_event_kind forged;
        /* What is expected. */
        enum verdict_kind verdict;
        enum verdict_cause cause; /* VERDICT_CAUSES: any that is true */
        uint32_t result;
        int by;               /* the hop that said so; 0: nobody */
        int after_hop;        /* of a black hole; -1: not known */
        bool has_direction;   /* of it; false: or not */
        unsigned packets_max; /* 0: any number */
        double seconds_max;
};

static uint64_t random_state = 1;

static double chance(void) {
        random_state ^= random_state << 13;
        random_state ^= random_state >> 7;
        random_state ^= random_state << 17;
        return (double)(random_state >> 11) / (double)(UINT64_C(1) << 53);
}

static unsigned below(unsigned n) {
        return (unsigned)(chance() * n);
}

struct sim {
        struct sim_path path;
        struct {
                struct probe_event event;
                double at;
        } flight[FLIGHT_MAX];
        unsigned n_flight;
        unsigned n_packets;
        double last_answer[HOPS_MAX + 1];
        double host_tokens, host_tokens_at;
};

static struct net_address address(unsigned hop) {
        return (struct net_address){ .bytes = { 10, 0, 0, (unsigned char)hop }, .size = 4 };
}

static void fly(struct sim *sim, const struct probe_event *event, double at) {
        if (sim->n_flight < FLIGHT_MAX) {
                sim->flight[sim->n_flight].event = *event;
                sim->flight[sim->n_flight++].at = at;
        }
}

/* An ICMP error is on its way. */
static void fly_error(struct sim *sim, const struct probe_event *event, double at) {
        struct probe_event quoting = *event;

        quoting.is_short = sim->path.quotes_short;
        if (quoting.is_short && sim->path.is_further)
                quoting.id = PROBE_ID_UNKNOWN;
        fly(sim, &quoting, at);
}

/* An ICMP message from a hop. */
static void say(struct sim *sim, unsigned hop, struct probe_event event, double now) {
        const struct sim_hop *router = &sim->path.hops[hop];

        if (router->is_mute || (router->answers_seldom && now < sim->last_answer[hop] + 1))
                return;
        sim->last_answer[hop] = now;
        if (chance() < sim->path.loss)
                return;
        event.from = address(hop);
        fly_error(sim, &event, now + sim->path.rtt_s * (hop + 1) / (sim->path.n_links + 1));
}

static uint32_t link_there(const struct sim *sim, unsigned i, double now) {
        const struct sim_path *path = &sim->path;

        if (path->change_at > 0 && now >= path->change_at && i == path->change_link)
                return path->change_to;
        return path->links[i].there;
}

static uint32_t link_back(const struct sim *sim, unsigned i, double now) {
        const struct sim_path *path = &sim->path;

        if (path->change_at > 0 && now >= path->change_at && i == path->change_link)
                return path->change_to;
        return path->links[i].back;
}

/* An answer on its way through what fragments what is larger than `mtu`; 0: nothing. */
static void fragment(uint32_t mtu, uint32_t *size, struct probe_event *event) {
        if (mtu == 0 || *size <= mtu)
                return;
        *size = (mtu - 20) / 8 * 8 + 20;
        event->fragment = *size;
}

/* The host's answer on its way back. */
static void answer(struct sim *sim, const struct probe *probe, double now) {
        const struct sim_path *path = &sim->path;
        struct probe_event event = { .kind = PROBE_EVENT_ANSWER,
                                     .id = probe->id,
                                     .ttl = (uint8_t)(65 - path->n_links),
                                     .from = address(path->n_links) };
        uint32_t size = probe->kind == PROBE_FORWARD ? 100 : probe->size;
        double late = chance() < path->reorder ? path->rtt_s * chance() : 0;

        if (path->is_dead || (probe->kind == PROBE_FORWARD ? path->has_no_udp : path->has_no_echo) ||
            (probe->kind == PROBE_FRAGMENTED && path->drops_fragments))
                return;
        if (probe->kind == PROBE_FORWARD) {
                /* icmp_ratelimit: six at once, and one a second. */
                double burst = path->udp_burst > 0 ? path->udp_burst : 6;

                sim->host_tokens += now - sim->host_tokens_at;
                sim->host_tokens_at = now;
                if (sim->host_tokens > burst)
                        sim->host_tokens = burst;
                if (sim->host_tokens < 1)
                        return;
                sim->host_tokens--;
        }
        fragment(path->host_mtu, &size, &event);
        for (unsigned i = path->n_links; i-- > 0;) {
                uint32_t limit = link_back(sim, i, now);

                if (limit > 0 && size > limit)
                        return;
                fragment(path->links[i].back_pieces, &size, &event);
        }
        if (chance() < path->loss)
                return;
        if (probe->kind == PROBE_FORWARD)
                fly_error(sim, &event, now + path->rtt_s + late);
        else
                fly(sim, &event, now + path->rtt_s + late);
        if (chance() < path->duplicate && probe->kind != PROBE_FORWARD)
                fly(sim, &event, now + path->rtt_s * 1.5);
}

static void forge(struct sim *sim, const struct probe *probe, double now) {
        enum probe_event_kind kind = sim->path.forged;
        struct probe_event event = { .kind = kind, .id = probe->id, .is_short = true };

        if (!sim->path.is_forged || probe->size <= PROBE_SIZE_BASE_V6 || probe->ttl > 0 ||
            probe->kind != (kind == PROBE_EVENT_ANSWER ? PROBE_FORWARD : PROBE_ECHO))
                return;
        sim->path.is_forged = false;
        event.mtu = kind == PROBE_EVENT_TOO_BIG ? 1400 : 0;
        event.from = address(kind == PROBE_EVENT_ANSWER ? sim->path.n_links : 1);
        fly(sim, &event, now + sim->path.rtt_s / 2);
}

/* A probe on its way there. */
static void carry(struct sim *sim, const struct probe *probe, double now) {
        const struct sim_path *path = &sim->path;
        uint32_t size = probe->kind == PROBE_FRAGMENTED ? PROBE_FRAGMENT_SIZE : probe->size;

        sim->n_packets++;
        forge(sim, probe, now);
        if (chance() < path->loss)
                return;
        for (unsigned i = 0; i < path->n_links; i++) {
                const struct sim_hop *router = &path->hops[i];
                const struct sim_link *link = &path->links[i];
                struct probe_event event = { .id = probe->id };
                uint32_t limit = link_there(sim, i, now);

                /* Hop i is at its end where it is the TTL-th router. */
                if (i > 0 && probe->ttl > 0 && probe->ttl <= i) {
                        event.kind = PROBE_EVENT_EXCEEDED;
                        say(sim, i, event, now);
                        return;
                }
                if (i > 0 && router->claims > 0 && size > router->claims) {
                        event.kind = PROBE_EVENT_TOO_BIG;
                        event.mtu = router->claims;
                        say(sim, i, event, now);
                }
                if (limit > 0 && size > limit && !(path->has_other_links && probe->kind == PROBE_FORWARD)) {
                        event.kind = PROBE_EVENT_TOO_BIG;
                        event.mtu = router->says_no_number ? 0 : router->says > 0 ? router->says : limit;
                        if (i > 0 && !link->is_switched)
                                say(sim, i, event, now);
                        return;
                }
        }
        answer(sim, probe, now);
}

static void take_arrived(struct sim *sim, struct method *method, double now) {
        for (unsigned i = 0; i < sim->n_flight;) {
                if (sim->flight[i].at > now) {
                        i++;
                        continue;
                }
                method_take(method, &sim->flight[i].event, now);
                sim->flight[i] = sim->flight[--sim->n_flight];
        }
}

/* Carries out a probing from `now` on; returns when it is done. */
static double simulate_from(struct sim *sim, const struct method_settings *settings, struct method *method,
                            double now) {
        sim->n_flight = 0;
        for (unsigned i = 0; i <= HOPS_MAX; i++)
                sim->last_answer[i] = now - 10;
        method_begin(method, settings, now);
        for (unsigned steps = 0;; steps++) {
                double next;
                struct probe probe;

                if (steps > 100000)
                        fail_msg("%s: it does not end", sim->path.name);
                take_arrived(sim, method, now);
                if (method_is_done(method, now))
                        return now;
                /* An answer may come before the next one is sent. */
                while (method_send(method, now, &probe)) {
                        carry(sim, &probe, now);
                        now += 1e-6;
                        take_arrived(sim, method, now);
                }
                next = method_wakeup(method);
                for (unsigned i = 0; i < sim->n_flight; i++)
                        if (sim->flight[i].at < next)
                                next = sim->flight[i].at;
                now = next > now ? next : now + 1e-6;
        }
}

/* Carries out a probing; returns how long it took. */
static double simulate(struct sim *sim, const struct sim_path *path, struct method *method) {
        struct method_settings settings = {
                .is_v6 = path->is_v6,
                .has_echo = !path->can_no_echo,
                .has_forward = true,
                .has_fragmented = path->can_fragment,
                .size = path->size > 0 ? path->size : 9000,
                .local_mtu = path->local_mtu > 0 ? path->local_mtu : 9000,
                .timeout = path->timeout,
                .is_further = path->is_further,
                .is_answering = path->is_answering,
                .udp_left = 6 - path->udp_spent,
                .likely = path->likely,
        };

        memset(sim, 0, sizeof(*sim));
        sim->path = *path;
        sim->host_tokens = (path->udp_burst > 0 ? path->udp_burst : 6) - path->udp_spent;
        return simulate_from(sim, &settings, method, 0);
}

static struct sim sim;
static struct method method;

#define MUTE \
        { .is_mute = true }

static const struct sim_path paths[] = {
        { .name = "a further flow",
          .n_links = 3,
          .is_further = true,
          .verdict = VERDICT_OK,
          .result = 9000,
          .packets_max = 1,
          .seconds_max = .011 },
        { .name = "a further flow, no UDP left",
          .n_links = 3,
          .udp_spent = 6,
          .is_further = true,
          .verdict = VERDICT_OK,
          .result = 9000,
          .packets_max = 1,
          .seconds_max = 1.1 },
        { .name = "a further flow, short quotes",
          .n_links = 3,
          .is_further = true,
          .quotes_short = true,
          .verdict = VERDICT_OK,
          .result = 9000,
          .packets_max = 2 },
        { .name = "a further flow of the base size",
          .n_links = 1,
          .size = 100,
          .is_further = true,
          .verdict = VERDICT_OK,
          .result = 100,
          .packets_max = 1 },
        { .name = "a further flow with the limit of another one",
          .n_links = 3,
          .links = { { 0 }, { .there = 1500, .is_switched = true } },
          .is_further = true,
          .likely = 1500,
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1500,
          .after_hop = -1,
          .packets_max = 5,
          .seconds_max = 1.1 },
        { .name = "the same, short quotes",
          .n_links = 3,
          .links = { { 0 }, { .there = 1500, .is_switched = true } },
          .is_further = true,
          .likely = 1500,
          .quotes_short = true,
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1500,
          .after_hop = -1,
          .packets_max = 6,
          .seconds_max = 1.1 },
        { .name = "a further flow with a smaller limit than another one",
          .n_links = 3,
          .links = { { 0 }, { .there = 1400, .is_switched = true } },
          .is_further = true,
          .likely = 1500,
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1400,
          .after_hop = 1 },
        { .name = "a further flow with a larger limit than another one",
          .n_links = 3,
          .links = { { 0 }, { .there = 4000, .is_switched = true } },
          .is_further = true,
          .likely = 1500,
          .verdict = VERDICT_BLACK_HOLE,
          .result = 4000,
          .after_hop = 1 },
        { .name = "a further flow that a router says is too big",
          .n_links = 3,
          .links = { { 0 }, { .there = 1500 } },
          .is_further = true,
          .verdict = VERDICT_TOO_BIG,
          .result = 1500,
          .by = 1,
          .packets_max = 4,
          .seconds_max = .1 },
        { .name = "the same in short quotes",
          .n_links = 3,
          .links = { { 0 }, { .there = 1500 } },
          .is_further = true,
          .quotes_short = true,
          .verdict = VERDICT_TOO_BIG,
          .result = 1500,
          .by = 1,
          .packets_max = 6,
          .seconds_max = .1 },
        { .name = "a further flow to a host that is late",
          .n_links = 3,
          .udp_burst = 4,
          .udp_spent = 7,
          .is_further = true,
          .is_answering = true,
          .verdict = VERDICT_OK,
          .result = 9000 },
        { .name = "a further flow without an answer",
          .n_links = 3,
          .has_no_udp = true,
          .is_further = true,
          .verdict = VERDICT_UNREACHABLE,
          .packets_max = 3,
          .seconds_max = 3 },
        { .name = "on the link",
          .n_links = 1,
          .verdict = VERDICT_OK,
          .result = 9000,
          .packets_max = 2,
          .seconds_max = .011 },
        { .name = "four hops",
          .n_links = 5,
          .verdict = VERDICT_OK,
          .result = 9000,
          .packets_max = 2,
          .seconds_max = .011 },
        { .name = "IPv6",
          .n_links = 3,
          .is_v6 = true,
          .verdict = VERDICT_OK,
          .result = 9000,
          .packets_max = 2 },
        { .name = "smaller than the base",
          .n_links = 1,
          .size = 1000,
          .verdict = VERDICT_OK,
          .result = 1000,
          .packets_max = 2 },
        { .name = "the least",
          .n_links = 1,
          .size = 68,
          .verdict = VERDICT_OK,
          .result = 68,
          .packets_max = 1 },
        { .name = "seven tenths of a second away",
          .n_links = 2,
          .rtt_s = .7,
          .verdict = VERDICT_OK,
          .result = 9000,
          .seconds_max = .71 },
        { .name = "the way back, and no UDP left",
          .n_links = 2,
          .udp_spent = 6,
          .links = { { 0 }, { .back = 1500 } },
          .verdict = VERDICT_RETURN_PATH,
          .result = 1500,
          .seconds_max = 4 },
        { .name = "a switch, and no UDP left",
          .n_links = 2,
          .udp_spent = 6,
          .links = { { 0 }, { .there = 1500, .back = 1500, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1500,
          .after_hop = 1,
          .seconds_max = 4 },
        { .name = "too big at the first router",
          .n_links = 2,
          .links = { { 0 }, { .there = 1500, .back = 1500 } },
          .verdict = VERDICT_TOO_BIG,
          .result = 1500,
          .by = 1,
          .packets_max = 4,
          .seconds_max = .03 },
        { .name = "too big at the third router",
          .n_links = 5,
          .links = { { 0 }, { 0 }, { 0 }, { .there = 1400, .back = 1400 } },
          .verdict = VERDICT_TOO_BIG,
          .result = 1400,
          .by = 3,
          .packets_max = 4 },
        { .name = "too big twice",
          .n_links = 3,
          .links = { { 0 }, { .there = 4000, .back = 4000 }, { .there = 1500, .back = 1500 } },
          .verdict = VERDICT_TOO_BIG,
          .result = 1500,
          .by = 2,
          .packets_max = 6 },
        { .name = "too big by one byte",
          .n_links = 2,
          .links = { { 0 }, { .there = 8999, .back = 8999 } },
          .verdict = VERDICT_TOO_BIG,
          .result = 8999,
          .by = 1 },
        { .name = "too big without a number",
          .n_links = 2,
          .links = { { 0 }, { .there = 1477, .back = 1477 } },
          .hops = { { 0 }, { .says_no_number = true } },
          .verdict = VERDICT_TOO_BIG,
          .result = 1477,
          .by = 1 },
        { .name = "too big below the base size",
          .n_links = 2,
          .links = { { 0 }, { .there = 576, .back = 576 } },
          .verdict = VERDICT_TOO_BIG,
          .result = 576,
          .by = 1 },
        { .name = "too big, and seldom",
          .n_links = 2,
          .links = { { 0 }, { .there = 1500, .back = 1500 } },
          .hops = { { 0 }, { .answers_seldom = true } },
          .verdict = VERDICT_TOO_BIG,
          .result = 1500,
          .by = 1,
          .seconds_max = 2 },
        { .name = "a switch that drops one way",
          .n_links = 1,
          .can_fragment = true,
          .links = { { .there = 1500, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .cause = VERDICT_CAUSE_LINK,
          .result = 1500,
          .after_hop = 0 },
        { .name = "a switch, and the host has more, but not all",
          .n_links = 1,
          .can_fragment = true,
          .host_mtu = 4000,
          .links = { { .there = 1500, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .cause = VERDICT_CAUSE_LINK,
          .result = 1500,
          .after_hop = 0 },
        { .name = "one of equal links, and UDP takes another one",
          .n_links = 3,
          .has_other_links = true,
          .links = { { 0 }, { .there = 1500, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1500,
          .after_hop = 1,
          .has_direction = true,
          .packets_max = 23,
          .seconds_max = 1.1 },
        { .name = "a host of 1500 two hops away",
          .n_links = 2,
          .host_mtu = 1500,
          .can_fragment = true,
          .links = { { 0 }, { .there = 1500, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1500,
          .after_hop = 1,
          .packets_max = 16,
          .seconds_max = 1 },
        { .name = "a switch, and each answer comes before the next probe is sent",
          .n_links = 2,
          .rtt_s = 1e-7,
          .can_fragment = true,
          .links = { { 0 }, { .there = 1500, .back = 1500, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .cause = VERDICT_CAUSE_LINK,
          .result = 1500,
          .after_hop = 1,
          .packets_max = 21,
          .seconds_max = 1 },
        { .name = "the same where it drops one way",
          .n_links = 2,
          .rtt_s = 1e-7,
          .can_fragment = true,
          .links = { { 0 }, { .there = 1500, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .cause = VERDICT_CAUSE_LINK,
          .result = 1500,
          .after_hop = 1,
          .packets_max = 16,
          .seconds_max = 1 },
        { .name = "a switch of 1280, the least",
          .n_links = 1,
          .can_fragment = true,
          .links = { { .there = 1280, .back = 1280, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1280,
          .after_hop = 0 },
        { .name = "the host's own MTU",
          .n_links = 1,
          .can_fragment = true,
          .host_mtu = 1500,
          .links = { { .there = 1500, .back = 9000, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .cause = VERDICT_CAUSE_HOST,
          .result = 1500,
          .after_hop = 0,
          .seconds_max = 3.5 },
        { .name = "the host's own MTU, odd, 1 % lost",
          .n_links = 1,
          .can_fragment = true,
          .host_mtu = 1427,
          .loss = .01,
          .links = { { .there = 1427, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .cause = VERDICT_CAUSE_HOST,
          .result = 1427,
          .after_hop = 0 },
        { .name = "the host's own MTU, and it takes larger ones",
          .n_links = 1,
          .host_mtu = 1500,
          .links = { { .there = 1504, .is_switched = true } },
          .verdict = VERDICT_RETURN_PATH,
          .cause = VERDICT_CAUSE_HOST,
          .result = 1500 },
        { .name = "the host's own MTU, and no right to send fragments",
          .n_links = 1,
          .host_mtu = 1500,
          .links = { { .there = 1500, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1500,
          .after_hop = 0 },
        { .name = "the host's own MTU, or a switch: it takes no fragments",
          .n_links = 1,
          .can_fragment = true,
          .drops_fragments = true,
          .host_mtu = 1500,
          .links = { { .there = 1500, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1500,
          .after_hop = 0 },
        { .name = "the host's own MTU behind a router, which might make fragments",
          .n_links = 2,
          .can_fragment = true,
          .host_mtu = 1500,
          .links = { { 0 }, { .there = 1500, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1500,
          .after_hop = 1 },
        { .name = "a switch before the first router",
          .n_links = 3,
          .links = { { .there = 1504, .back = 1504, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1504,
          .after_hop = 0,
          .seconds_max = 3.5 },
        { .name = "a switch after the second router",
          .n_links = 4,
          .links = { { 0 }, { 0 }, { .there = 4470, .back = 4470, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 4470,
          .after_hop = 2,
          .seconds_max = 3.5 },
        { .name = "a switch of an odd size",
          .n_links = 2,
          .links = { { 0 }, { .there = 5677, .back = 5677, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 5677,
          .after_hop = 1,
          .seconds_max = 3.5 },
        { .name = "a mute router",
          .n_links = 3,
          .links = { { 0 }, { 0 }, { .there = 1500, .back = 1500 } },
          .hops = { { 0 }, { 0 }, MUTE },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1500,
          .after_hop = 1,
          .seconds_max = 4 },
        { .name = "all routers mute",
          .n_links = 3,
          .links = { { 0 }, { 0 }, { .there = 1500, .back = 1500 } },
          .hops = { { 0 }, MUTE, MUTE },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1500,
          .after_hop = 0,
          .seconds_max = 4.5 },
        { .name = "a black hole of 300 ms",
          .n_links = 4,
          .rtt_s = .3,
          .links = { { 0 }, { 0 }, { .there = 1500, .back = 1500, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1500,
          .after_hop = 2,
          .seconds_max = 5 },
        { .name = "a switch behind a tunnel that says so",
          .n_links = 3,
          .links = { { 0 },
                     { .there = 1400, .back = 1400 },
                     { .there = 1300, .back = 1300, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1300,
          .after_hop = 2,
          .seconds_max = 4 },
        { .name = "a router that says too little",
          .n_links = 2,
          .links = { { 0 }, { .there = 4000, .back = 4000 } },
          .hops = { { 0 }, { .says = 1400 } },
          .verdict = VERDICT_FALSE_TOO_BIG,
          .result = 4000,
          .by = 1 },
        { .name = "a router that says too much",
          .n_links = 2,
          .links = { { 0 }, { .there = 1300, .back = 1300 } },
          .hops = { { 0 }, { .says = 1400 } },
          .verdict = VERDICT_FALSE_TOO_BIG,
          .result = 1300,
          .by = 1 },
        { .name = "a router that says the packet's own size",
          .n_links = 2,
          .links = { { 0 }, { .there = 1500, .back = 1500 } },
          .hops = { { 0 }, { .says = 9000 } },
          .verdict = VERDICT_FALSE_TOO_BIG,
          .result = 1500,
          .by = 1 },
        { .name = "a router that says 67",
          .n_links = 2,
          .links = { { 0 }, { .there = 1500, .back = 1500 } },
          .hops = { { 0 }, { .says = 67 } },
          .verdict = VERDICT_FALSE_TOO_BIG,
          .result = 1500,
          .by = 1 },
        { .name = "a liar, and all passes",
          .n_links = 2,
          .rtt_s = .03,
          .hops = { { 0 }, { .claims = 1400 } },
          .verdict = VERDICT_FALSE_TOO_BIG,
          .result = 9000,
          .by = 1 },
        { .name = "IPv6: below 1280",
          .n_links = 2,
          .is_v6 = true,
          .links = { { 0 }, { .there = 1500, .back = 1500 } },
          .hops = { { 0 }, { .says = 1000 } },
          .verdict = VERDICT_FALSE_TOO_BIG,
          .result = 1500,
          .by = 1 },
        { .name = "the way back",
          .n_links = 2,
          .links = { { 0 }, { .back = 1500 } },
          .verdict = VERDICT_RETURN_PATH,
          .result = 1500 },
        { .name = "the way back, in pieces",
          .n_links = 2,
          .links = { { 0 }, { .back_pieces = 1500 } },
          .verdict = VERDICT_RETURN_PATH,
          .result = 1500,
          .seconds_max = .6 },
        { .name = "the way back, in odd pieces",
          .n_links = 2,
          .links = { { 0 }, { .back_pieces = 1427 } },
          .verdict = VERDICT_RETURN_PATH,
          .result = 1427 },
        { .name = "the way back narrower than the way there",
          .n_links = 3,
          .links = { { 0 }, { .there = 4000 }, { .back = 1500 } },
          .verdict = VERDICT_RETURN_PATH,
          .result = 1500 },
        { .name = "the way back wider than the way there",
          .n_links = 2,
          .links = { { 0 }, { .there = 1500, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1500,
          .after_hop = 1 },
        { .name = "the interface",
          .n_links = 2,
          .local_mtu = 1500,
          .verdict = VERDICT_LOCAL_LIMIT,
          .result = 1500,
          .packets_max = 2 },
        { .name = "the interface, and then a router",
          .n_links = 2,
          .local_mtu = 4000,
          .links = { { 0 }, { .there = 1500, .back = 1500 } },
          .verdict = VERDICT_TOO_BIG,
          .result = 1500,
          .by = 1 },
        { .name = "nobody there",
          .n_links = 2,
          .is_dead = true,
          .verdict = VERDICT_UNREACHABLE,
          .result = 0,
          .seconds_max = 4 },
        { .name = "a switch below the base size",
          .n_links = 2,
          .links = { { .there = 1000, .back = 1000, .is_switched = true } },
          .verdict = VERDICT_UNREACHABLE,
          .result = 100,
          .seconds_max = 4 },
        { .name = "no echo, and all passes",
          .n_links = 2,
          .has_no_echo = true,
          .verdict = VERDICT_OK,
          .result = 9000 },
        { .name = "no echo, too big",
          .n_links = 2,
          .has_no_echo = true,
          .links = { { 0 }, { .there = 1500, .back = 1500 } },
          .verdict = VERDICT_TOO_BIG,
          .result = 1500,
          .by = 1,
          .seconds_max = 5 },
        { .name = "nobody there, behind a router that says too big",
          .n_links = 2,
          .is_dead = true,
          .links = { { 0 }, { .there = 1500, .back = 1500 } },
          .verdict = VERDICT_UNREACHABLE,
          .result = 0,
          .seconds_max = 5 },
        { .name = "no right to echo",
          .n_links = 2,
          .can_no_echo = true,
          .verdict = VERDICT_OK,
          .result = 9000,
          .packets_max = 2,
          .seconds_max = .011 },
        { .name = "no right to echo, too big",
          .n_links = 2,
          .can_no_echo = true,
          .links = { { 0 }, { .there = 1500, .back = 1500 } },
          .verdict = VERDICT_TOO_BIG,
          .result = 1500,
          .by = 1,
          .packets_max = 4 },
        { .name = "no right to echo, a switch",
          .n_links = 2,
          .can_no_echo = true,
          .links = { { 0 }, { .there = 1500, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1500,
          .after_hop = 1,
          .seconds_max = 5 },
        { .name = "no right to echo, a switch on the link",
          .n_links = 1,
          .can_no_echo = true,
          .links = { { .there = 4470, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 4470,
          .after_hop = 0,
          .seconds_max = 5 },
        { .name = "no right to echo, a switch of an odd size",
          .n_links = 2,
          .can_no_echo = true,
          .links = { { 0 }, { .there = 5677, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 5677,
          .after_hop = 1,
          .seconds_max = 20 },
        { .name = "no right to echo, and no UDP left",
          .n_links = 2,
          .can_no_echo = true,
          .udp_spent = 6,
          .verdict = VERDICT_OK,
          .result = 9000,
          .seconds_max = 20 },
        { .name = "no right to echo, a switch, and no UDP left",
          .n_links = 2,
          .can_no_echo = true,
          .udp_spent = 6,
          .links = { { 0 }, { .there = 1500, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1500,
          .after_hop = 1,
          .seconds_max = 20 },
        { .name = "no right to echo, a switch of an odd size, and little UDP left",
          .n_links = 2,
          .can_no_echo = true,
          .udp_spent = 4,
          .links = { { 0 }, { .there = 5677, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 5677,
          .after_hop = 1,
          .seconds_max = 20 },
        { .name = "no right to echo, too big, and one answer to UDP at a time",
          .n_links = 2,
          .can_no_echo = true,
          .udp_burst = 1,
          .links = { { 0 }, { .there = 1477, .back = 1477 } },
          .verdict = VERDICT_TOO_BIG,
          .result = 1477,
          .by = 1,
          .seconds_max = 3 },
        { .name = "a switch, and one answer to UDP at a time",
          .n_links = 3,
          .udp_burst = 1,
          .links = { { 0 }, { .there = 1500, .back = 1500, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1500,
          .after_hop = 1,
          .seconds_max = 5 },
        { .name = "a switch on the last link, and one answer to UDP at a time",
          .n_links = 2,
          .udp_burst = 1,
          .links = { { 0 }, { .there = 1500, .back = 1500, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1500,
          .after_hop = 1,
          .seconds_max = 5.1 },
        { .name = "the way back, and one answer to UDP at a time",
          .n_links = 2,
          .udp_burst = 1,
          .links = { { 0 }, { .back = 1500 } },
          .verdict = VERDICT_RETURN_PATH,
          .result = 1500,
          .seconds_max = 5 },
        { .name = "no right to echo, a switch, 1 % lost",
          .n_links = 2,
          .can_no_echo = true,
          .loss = .01,
          .links = { { 0 }, { .there = 1500, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1500,
          .after_hop = 1,
          .seconds_max = 20 },
        { .name = "no UDP, a switch",
          .n_links = 2,
          .has_no_udp = true,
          .links = { { 0 }, { .there = 1500, .back = 1500, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1500,
          .after_hop = 1 },
        { .name = "a forged too big, and all passes",
          .n_links = 2,
          .is_forged = true,
          .forged = PROBE_EVENT_TOO_BIG,
          .verdict = VERDICT_OK,
          .result = 9000,
          .packets_max = 2,
          .seconds_max = .011 },
        { .name = "a forged too big, and a switch",
          .n_links = 2,
          .is_forged = true,
          .forged = PROBE_EVENT_TOO_BIG,
          .links = { { 0 }, { .there = 1500, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1500,
          .after_hop = 1 },
        { .name = "a forged too big, and a larger one",
          .n_links = 2,
          .is_forged = true,
          .forged = PROBE_EVENT_TOO_BIG,
          .links = { { 0 }, { .there = 4000 } },
          .verdict = VERDICT_TOO_BIG,
          .result = 4000,
          .by = 1 },
        { .name = "a forged answer, and a switch",
          .n_links = 2,
          .is_forged = true,
          .forged = PROBE_EVENT_ANSWER,
          .links = { { 0 }, { .there = 1500, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1500,
          .after_hop = 1,
          .seconds_max = 5 },
        { .name = "routers that quote eight bytes, too big",
          .n_links = 2,
          .quotes_short = true,
          .links = { { 0 }, { .there = 1500, .back = 1500 } },
          .verdict = VERDICT_TOO_BIG,
          .result = 1500,
          .by = 1,
          .packets_max = 7,
          .seconds_max = .06 },
        { .name = "routers that quote eight bytes, a switch",
          .n_links = 3,
          .quotes_short = true,
          .links = { { 0 }, { .there = 1500, .back = 1500, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1500,
          .after_hop = 1,
          .seconds_max = 5 },
        { .name = "no right to echo, quotes of eight bytes, all passes",
          .n_links = 2,
          .can_no_echo = true,
          .quotes_short = true,
          .verdict = VERDICT_OK,
          .result = 9000,
          .packets_max = 4 },
        { .name = "no right to echo, quotes of eight bytes, a switch",
          .n_links = 2,
          .can_no_echo = true,
          .quotes_short = true,
          .links = { { 0 }, { .there = 1500, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1500,
          .after_hop = 1,
          .seconds_max = 20 },
        { .name = "1 % lost, all passes", .n_links = 2, .loss = .01, .verdict = VERDICT_OK, .result = 9000 },
        { .name = "1 % lost, a switch",
          .n_links = 2,
          .loss = .01,
          .links = { { 0 }, { .there = 1500, .back = 1500, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1500,
          .after_hop = 1 },
        { .name = "out of order, twice",
          .n_links = 2,
          .rtt_s = .05,
          .reorder = .3,
          .duplicate = .3,
          .links = { { 0 }, { .there = 1500, .back = 1500, .is_switched = true } },
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1500,
          .after_hop = 1 },
        { .name = "lowered meanwhile",
          .n_links = 2,
          .links = { { 0 }, { .there = 4000, .back = 4000, .is_switched = true } },
          .change_at = .5,
          .change_link = 1,
          .change_to = 1500,
          .verdict = VERDICT_BLACK_HOLE,
          .result = 1500,
          .after_hop = 1,
          .timeout = 8 },
        { .name = "raised meanwhile",
          .n_links = 2,
          .links = { { 0 }, { .there = 1500, .back = 1500, .is_switched = true } },
          .change_at = .25,
          .change_link = 1,
          .change_to = 0,
          .verdict = VERDICT_OK,
          .result = 9000 },
        { .name = "raised behind a router that said so",
          .n_links = 2,
          .rtt_s = .1,
          .links = { { 0 }, { .there = 1500, .back = 1500 } },
          .change_at = .02,
          .change_link = 1,
          .change_to = 0,
          .verdict = VERDICT_OK,
          .result = 9000 },
};

/* A silent limit of 1500 in one link: how few packets find it, its place and its direction. */
static const struct hole_row {
        const char *name;
        unsigned n_links, hole;
        bool is_v6, is_root, has_no_udp;
        enum verdict_cause cause;
        unsigned packets_max;
} hole_rows[] = {
        { "a silent hole one hop away, before the host", 1, 0, .packets_max = 9 },
        { "the same by IPv6", 1, 0, .is_v6 = true, .packets_max = 9 },
        { "the same as root", 1, 0, .is_root = true, .cause = VERDICT_CAUSE_LINK, .packets_max = 15 },
        { "a silent hole one hop away", 2, 0, .is_root = true, .packets_max = 10 },
        { "the same, and the host answers no UDP", 3, 0, .has_no_udp = true, .packets_max = 11 },
        { "the same, and the host is farther away", 6, 0, .is_root = true, .packets_max = 13 },
        { "a silent hole two hops away, before the host", 2, 1, .packets_max = 10 },
        { "the same as root", 2, 1, .is_root = true, .cause = VERDICT_CAUSE_LINK, .packets_max = 16 },
        { "a silent hole two hops away", 3, 1, .is_root = true, .packets_max = 11 },
        { "the same by IPv6", 3, 1, .is_v6 = true, .packets_max = 11 },
        { "the same, and the host is farther away", 6, 1, .is_root = true, .packets_max = 13 },
        { "a silent hole three hops away, before the host", 3, 2, .packets_max = 11 },
        { "the same as root", 3, 2, .is_root = true, .cause = VERDICT_CAUSE_LINK, .packets_max = 17 },
        { "a silent hole three hops away", 4, 2, .is_root = true, .packets_max = 12 },
        { "the same by IPv6", 4, 2, .is_v6 = true, .packets_max = 12 },
        { "the same, and the host is farther away", 6, 2, .is_root = true, .packets_max = 13 },
        { "behind the routers that are asked first", 6, 5, .packets_max = 14 },
};

/* For whoever looks for a mistake: SHOW=1, or SHOW=NAME of a path. SHOW also prints the means of each path.
 */
static void show_probes(void) {
        const struct evidence *evidence = &method.evidence;

        for (unsigned i = 0; getenv("SHOW") && i < evidence->n_probes; i++)
                printf("# %3u%s kind %d size %5u ttl %2d at %.3f: %d\n", i,
                       i < evidence->since ? " (before)" : "", evidence->probes[i].probe.kind,
                       evidence->probes[i].probe.size, evidence->probes[i].probe.ttl,
                       evidence->probes[i].sent, evidence->probes[i].outcome);
}

static void expect(const struct sim_path *path, double seconds) {
        const struct verdict *verdict = &method.verdict;
        struct net_address by = address((unsigned)path->by);

        if (verdict->kind != path->verdict || verdict->size != path->result) {
                show_probes();
                fail_msg("%s: verdict %d of %u, not %d of %u (%.2f s, %u packets)", path->name,
                         verdict->kind, verdict->size, path->verdict, path->result, seconds, sim.n_packets);
        }
        if (path->by > 0 && !net_address_equals(&verdict->by, &by))
                fail_msg("%s: by hop %d", path->name, verdict->by.bytes[3]);
        if (path->verdict == VERDICT_BLACK_HOLE && path->after_hop > -2 &&
            verdict->after_hop != path->after_hop) {
                show_probes();
                fail_msg("%s: after hop %d, not %d", path->name, verdict->after_hop, path->after_hop);
        }
        if (path->has_direction && !verdict->has_direction)
                fail_msg("%s: no direction", path->name);
        if (verdict->cause != path->cause && path->cause != VERDICT_CAUSES)
                fail_msg("%s: the cause is %d, not %d", path->name, verdict->cause, path->cause);
        if (path->packets_max > 0 && sim.n_packets > path->packets_max)
                fail_msg("%s: %u packets", path->name, sim.n_packets);
        if (path->seconds_max > 0 && seconds > path->seconds_max)
                fail_msg("%s: %.3f s", path->name, seconds);
}

static void test_path(void **state) {
        const struct sim_path *row = *state;
        struct sim_path path = *row;
        double sum = 0;
        unsigned n_packets = 0;

        if (path.rtt_s == 0)
                path.rtt_s = .01;
        for (unsigned i = 0; i < RUNS; i++) {
                double seconds;

                random_state = 4711 + i;
                for (int j = 0; j < 10; j++)
                        chance();
                seconds = simulate(&sim, &path, &method);
                if (i == 0 && getenv("SHOW") && strcmp(getenv("SHOW"), path.name) == 0)
                        show_probes();
                expect(&path, seconds);
                sum += seconds;
                n_packets += sim.n_packets;
        }
        if (getenv("SHOW"))
                printf("# %-65s %6.3f s %5.1f packets\n", path.name, sum / RUNS, 1.0 * n_packets / RUNS);
}

static void test_hole(void **state) {
        const struct hole_row *row = *state;
        struct sim_path path = {
                .name = row->name,
                .n_links = row->n_links,
                .is_v6 = row->is_v6,
                .can_fragment = row->is_root,
                .has_no_udp = row->has_no_udp,
                .verdict = VERDICT_BLACK_HOLE,
                .cause = row->cause,
                .result = 1500,
                .after_hop = (int)row->hole,
                .has_direction = true,
                .packets_max = row->packets_max,
                .seconds_max = 1,
        };

        path.links[row->hole] = (struct sim_link){ .there = 1500, .back = 1500, .is_switched = true };
        test_path(&(void *){ &path });
}

/* A path of which it is known what is to be found out. */
static struct sim_path random_path(void) {
        static const uint32_t sizes[] = { 1280, 1400, 1420, 1480, 1492, 1500, 1504, 2000, 4000, 4470, 8999 };
        struct sim_path path = { .name = "random", .n_links = 1 + below(5), .by = 0, .after_hop = 0 };
        uint32_t there = 9000, back = 9000;
        unsigned first = 0;

        path.rtt_s = .0005 + .2 * chance() * chance();
        path.loss = below(3) == 0 ? .01 : 0;
        path.reorder = below(3) == 0 ? .2 : 0;
        path.duplicate = below(3) == 0 ? .2 : 0;
        path.has_no_udp = below(4) == 0;
        path.cause = VERDICT_CAUSES;
        path.udp_spent = below(3) == 0 ? below(7) : 0;
        path.udp_burst = below(6) == 0 ? 1 : 0;
        if (path.udp_burst > 0 && path.udp_spent > 1)
                path.udp_spent = 1;
        path.timeout = 10;
        for (unsigned i = 0; i < path.n_links; i++) {
                struct sim_link *link = &path.links[i];
                uint32_t size = below(2) ? sizes[below(sizeof(sizes) / sizeof(sizes[0]))]
                                         : 1281 + below(7719);
                unsigned way = below(4);

                path.hops[i].is_mute = below(4) == 0;
                if (below(3) > 0)
                        continue;
                link->is_switched = i == 0 || below(2);
                if (way != 0)
                        link->there = size;
                if (way == 0 || way == 1)
                        link->back = size;
                if (way == 2)
                        link->back_pieces = size;
                if (link->there > 0 && link->there < there) {
                        there = link->there;
                        first = i;
                }
                if ((way == 0 || way == 1) && size < back)
                        back = size;
                if (way == 2 && size < back)
                        back = size;
        }
        path.result = there < back ? there : back;
        if (path.result == 9000)
                path.verdict = VERDICT_OK;
        else if (there <= back && !path.links[first].is_switched && !path.hops[first].is_mute) {
                path.verdict = VERDICT_TOO_BIG;
                path.by = (int)first;
        } else if (there > back) {
                path.verdict = VERDICT_RETURN_PATH;
                for (unsigned i = 0; path.has_no_udp && i < path.n_links; i++)
                        if (path.links[i].back == back)
                                path.verdict = VERDICT_BLACK_HOLE;
                path.after_hop = -2;
        } else {
                path.verdict = VERDICT_BLACK_HOLE;
                for (unsigned i = 1; i <= first; i++)
                        if (!path.hops[i].is_mute)
                                path.after_hop = (int)i;
        }
        return path;
}

/* Whether that is told of the path, once fragments can be sent, too. No host is narrow here, unless its
 * answers come in fragments without a router that might have made them. */
static bool has_cause(const struct sim_path *path) {
        struct sim_path same = *path;
        uint64_t state = random_state;

        same.can_fragment = true;
        expect(&same, simulate(&sim, &same, &method));
        random_state = state;
        if (method.verdict.cause == VERDICT_CAUSE_HOST && path->n_links > 1)
                fail_msg("%s: not the host", path->name);
        return method.verdict.cause == VERDICT_CAUSE_LINK;
}

/* 1 % lost is no excuse for a wrong verdict, and 10 % only for none. */
static void test_random(void **state) {
        unsigned n_doubts = 0, n_causes = 0;
        (void)state;
        random_state = 20261121;
        for (unsigned i = 0; i < 8000; i++) {
                uint64_t seed = random_state;
                struct sim_path path = random_path();
                char name[40];

                snprintf(name, sizeof(name), "random, state %llx", (unsigned long long)seed);
                path.name = name;
                expect(&path, simulate(&sim, &path, &method));
                n_causes += has_cause(&path);
                if (i % 4 > 0)
                        continue;
                path.loss = .1;
                path.timeout = i % 8 > 0 ? 10 : 0;
                simulate(&sim, &path, &method);
                if (method.verdict.kind == VERDICT_INCONCLUSIVE)
                        n_doubts++;
                else {
                        path.after_hop = -2;
                        expect(&path, 0);
                }
        }
        if (getenv("SHOW"))
                printf("# %u of 2000 in doubt, %u causes\n", n_doubts, n_causes);
        assert_true(n_causes > 200);
        /* Doubt is not a way out. */
        if (n_doubts > 2000 / 20)
                fail_msg("%u of 2000 in doubt", n_doubts);
}

/* Flows to one host, of which some take another way to it. */
static const struct flows_row {
        const char *name;
        unsigned n_flows;
        struct sim_path usual, other;
        unsigned others; /* bits, by flow */
        /* What is expected. */
        enum verdict_kind verdict;
        int after_hop;             /* of a black hole */
        unsigned n_usual, n_other; /* flows that carry 9000, and that carry `other_size` */
        uint32_t other_size;
        unsigned packets_max;
        double seconds_max;
} flows_rows[] = {
#define WAYS(...) \
        .usual = { .n_links = 3, .rtt_s = .001 }, .other = { .n_links = 3, .rtt_s = .001, __VA_ARGS__ }
#define SILENT_1500 .links[1] = { .there = 1500, .back = 1500, .is_switched = true }
        { "eight flows, by few packets", 8, WAYS(), 0, VERDICT_OK, -1, 8, 0, 0, 9, 3 },
        { "sixteen", 16, WAYS(), 0, VERDICT_OK, -1, 16, 0, 0, 17, 12 },
        { "two of eight, silently", 8, WAYS(SILENT_1500), 1 << 2 | 1 << 5, VERDICT_BLACK_HOLE, 1, 6, 2, 1500,
          0, 12 },
        { "half of sixteen, silently", 16, WAYS(SILENT_1500), 0xa5a4, VERDICT_BLACK_HOLE, 1, 9, 7, 1500, 0,
          30 },
        { "the first, silently", 4, WAYS(SILENT_1500), 1, VERDICT_BLACK_HOLE, 1, 3, 1, 1500, 0, 8 },
        { "half of sixteen, and a router says so", 16, WAYS(.links[1] = { .there = 1500, .back = 1500 }),
          0xa5a4, VERDICT_TOO_BIG, -1, 9, 7, 1500, 0, 20 },
        { "two of eight that carry nothing", 8, WAYS(.is_dead = true), 1 << 2 | 1 << 5, VERDICT_INCONCLUSIVE,
          -1, 6, 2, 0, 0, 16 },
        { "a host that answers no UDP", 8, WAYS(.has_no_udp = true), 0xfe, VERDICT_OK, -1, 1, 0, 0, 0, 12 },
};

static void test_flows(void **state) {
        const struct flows_row *row = *state;
        struct verdict verdict = { .kind = VERDICT_COUNT };
        struct flows flows = { .n = 0 };
        unsigned n_usual = 0, n_other = 0;
        double now = 0;

        memset(&sim, 0, sizeof(sim));
        sim.host_tokens = 6;
        do {
                struct method_settings settings = {
                        .has_echo = true, .has_forward = true, .size = 9000, .local_mtu = 9000
                };

                sim.path = row->others >> flows.n & 1 ? row->other : row->usual;
                sim.path.name = row->name;
                flows_prepare(&flows, &verdict, &method, now, &settings);
                now = simulate_from(&sim, &settings, &method, now);
        } while (flows_take(&flows, row->n_flows, &method.verdict, &verdict));
        assert_int_equal(verdict.kind, row->verdict);
        assert_int_equal(verdict.after_hop, row->after_hop);
        for (unsigned i = 0; i < flows.n; i++) {
                n_usual += flows.sizes[i] == 9000;
                n_other += flows.sizes[i] == row->other_size;
        }
        assert_int_equal(flows.n, row->n_usual + row->n_other);
        assert_int_equal(n_usual, row->n_usual);
        assert_int_equal(n_other, row->n_other);
        if (row->packets_max > 0)
                assert_true(sim.n_packets <= row->packets_max);
        if (now > row->seconds_max)
                fail_msg("%s: %.2f s", row->name, now);
}

static const struct random_row { const char *name; } random_rows[] = { { "random paths" } };

int main(void) {
        return RUN_ROWS("paths", test_path, paths) + RUN_ROWS("silent holes", test_hole, hole_rows) +
               RUN_ROWS("flows", test_flows, flows_rows) + RUN_ROWS("random", test_random, random_rows);
}
