/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The judge of setmtu watch: recorded dumps with the state that each peer is to have, and proofs of random
 * senders, whose segments are known. */

#include "rows.h"

#include "probe/traffic.h"
#include "traffic_dumps.h"

#define HEADERS 52

static const unsigned char storage[] = { 192, 0, 2, 7 };

static struct connection connection_of(uint64_t cookie, struct connection counts) {
        counts.cookie = cookie;
        counts.headers = HEADERS;
        counts.path_mtu = 9000;
        net_address_set(&counts.peer, storage, sizeof(storage));
        return counts;
}

/* Recordings -------------------------------------------------------------------------------------------- */

static const struct recording {
        const char *name;
        const struct dump *dumps;
        size_t n;
        enum traffic_state end;
        bool is_suspected;
} recordings[] = {
#define RECORDING(name, dumps, end, is_suspected) \
        { name, dumps, sizeof(dumps) / sizeof(dumps[0]), end, is_suspected }
        RECORDING("a switch drops, and another connection goes on", dumps_switch, TRAFFIC_SUSPECTED, true),
        RECORDING("a switch drops, and others begin and end", dumps_connects, TRAFFIC_SUSPECTED, true),
        RECORDING("a switch drops, and the peer sends by itself", dumps_push, TRAFFIC_SUSPECTED, true),
        RECORDING("a router drops, and another connection goes on", dumps_router, TRAFFIC_SUSPECTED, true),
        RECORDING("random loss", dumps_loss, TRAFFIC_PROVEN, false),
        RECORDING("reordering", dumps_reorder, TRAFFIC_PROVEN, false),
        RECORDING("the peer stops reading", dumps_noread, TRAFFIC_PROVEN, false),
        RECORDING("the peer is frozen", dumps_stop, TRAFFIC_PROVEN, false),
        RECORDING("the peer is killed", dumps_kill, TRAFFIC_PROVEN, false),
        RECORDING("the cable is cut", dumps_cut, TRAFFIC_SILENT, false),
        RECORDING("bufferbloat", dumps_bloat, TRAFFIC_PROVEN, false),
        RECORDING("a rate limit", dumps_rate, TRAFFIC_PROVEN, false),
        RECORDING("a link comes and goes", dumps_flap, TRAFFIC_PROVEN, false),
};

/* The first second in which the peer is suspected; 0: never. */
static unsigned replay(struct traffic *traffic, const struct recording *recording, const char **ret_states) {
        static char states[16];
        unsigned suspected = 0;
        size_t i = 0;

        memset(states, 0, sizeof(states));
        for (unsigned second = recording->dumps[0].second; second <= 10; second++) {
                traffic_begin(traffic, 1000 + second);
                for (; i < recording->n && recording->dumps[i].second == second; i++) {
                        struct connection counts = connection_of(recording->dumps[i].connection,
                                                                 recording->dumps[i].counts);
                        traffic_take(traffic, &counts);
                }
                assert_true(traffic_end(traffic, true));
                states[second] = (char)('0' + traffic->peers->state);
                if (suspected == 0 && traffic->peers->state == TRAFFIC_SUSPECTED)
                        suspected = second;
        }
        *ret_states = states;
        return suspected;
}

static void test_recording(void **state) {
        const struct recording *recording = *state;
        struct traffic traffic = { 0 };
        const char *states;
        unsigned suspected = replay(&traffic, recording, &states);

        if ((suspected > 0) != recording->is_suspected || traffic.peers->state != recording->end)
                fail_msg("suspected at %u, ends in state %d", suspected, (int)traffic.peers->state);
        if (recording->is_suspected) {
                /* The path changes at 2.5 s. */
                assert_in_range(suspected, 4, 7);
                assert_int_equal(traffic.peers->stuck, 9000);
        }
        traffic_free(&traffic);
        assert_null(traffic.peers);
}

/* The same hole, where something of the stalled connection is otherwise. */
static void test_variants(void **state) {
        (void)state;
        for (int kind = 0; kind < 4; kind++) {
                struct dump dumps[sizeof(dumps_switch) / sizeof(dumps_switch[0])];
                struct recording recording = { NULL, dumps, sizeof(dumps) / sizeof(dumps[0]), TRAFFIC_QUIET,
                                               false };
                struct traffic traffic = { 0 };
                const char *states;

                memcpy(dumps, dumps_switch, sizeof(dumps));
                for (size_t i = 0; i < recording.n; i++) {
                        struct connection *counts = &dumps[i].counts;

                        if (counts->backoff == 0)
                                continue;
                        switch (kind) {
                        case 0: /* the peer reads no more */
                                counts->peer_window = 8948;
                                break;
                        case 1: /* others of its size arrive */
                                counts->sacked += dumps[i].second;
                                break;
                        case 2: /* all are small */
                                counts->unacked = (uint32_t)((counts->sent - counts->acked) / 1000);
                                break;
                        case 3: /* a small one arrives, for all that is known: it is a hole */
                                counts->unacked = 25;
                                counts->sacked = dumps[i].second > 4;
                                break;
                        }
                }
                assert_int_equal(replay(&traffic, &recording, &states), kind == 3 ? 6 : 0);
                traffic_free(&traffic);
        }
}

/* Answers of a probe ------------------------------------------------------------------------------------ */

static void take_round(struct traffic *traffic, double now, struct connection one, struct connection other) {
        traffic_begin(traffic, now);
        one = connection_of(1, one);
        other = connection_of(2, other);
        traffic_take(traffic, &one);
        traffic_take(traffic, &other);
        assert_true(traffic_end(traffic, true));
}

static void test_answers(void **state) {
        static const enum traffic_state answers[] = { TRAFFIC_CONFIRMED, TRAFFIC_REFUTED,
                                                      TRAFFIC_SUSPECTED };

        (void)state;
        for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
                struct traffic traffic = { 0 };
                struct connection stuck =
                                dumps_switch[sizeof(dumps_switch) / sizeof(dumps_switch[0]) - 1].counts;
                struct connection chat =
                                dumps_switch[sizeof(dumps_switch) / sizeof(dumps_switch[0]) - 2].counts;
                const char *states;

                (void)replay(&traffic, &recordings[0], &states);
                assert_int_equal(traffic.peers->n_probes, 0);
                traffic_answer(traffic.peers, answers[i], 1500);
                /* It is not suspected again while it stays as it is. */
                for (unsigned second = 11; second < 20; second++) {
                        chat.segments++;
                        chat.acked += 8;
                        stuck.segments_again++;
                        take_round(&traffic, 1000 + second, chat, stuck);
                        assert_int_equal(traffic.peers->state, answers[i]);
                        assert_int_equal(traffic.peers->n_probes, answers[i] != TRAFFIC_REFUTED);
                }
                /* The hole is mended. */
                stuck.acked = stuck.sent - stuck.sent_again;
                stuck.unacked = stuck.sacked = stuck.backoff = 0;
                take_round(&traffic, 1020, chat, stuck);
                assert_in_range(traffic.peers->state, TRAFFIC_QUIET, TRAFFIC_PROVEN);
                traffic_free(&traffic);
        }
}

/* Ten large segments are under way, and the first timeout is over. */
static const struct connection stalled = { .mss = 8948,
                                           .peer_window = 100000,
                                           .segments = 10,
                                           .sent = 89480,
                                           .acked = 1,
                                           .unacked = 10,
                                           .backoff = 1 };

/* The stalled connection sends again once a second, and the other one sends, and sends again, so many
 * segments a second. */
static enum traffic_state state_after(unsigned seconds, struct connection stuck, uint32_t sent,
                                      uint32_t sent_again, struct traffic *traffic) {
        struct connection chat = { .mss = 8948, .peer_window = 100000 };

        for (unsigned second = 1; second <= seconds; second++) {
                take_round(traffic, second, chat, stuck);
                chat.segments += sent;
                chat.segments_again += sent_again;
                chat.acked += sent;
                chat.sent += sent;
                stuck.segments_again++;
                stuck.backoff++;
        }
        return traffic->peers->state;
}

/* A hole that was there before the first look, and seldom something is sent into it. */
static void test_old_hole(void **state) {
        struct traffic traffic = { 0 };
        struct connection stuck = stalled;

        (void)state;
        stuck.backoff = stuck.segments_again = 6;
        assert_int_equal(state_after(3, stuck, 10, 0, &traffic), TRAFFIC_SUSPECTED);
        traffic_free(&traffic);
        /* An outage, after which others have arrived first. */
        traffic = (struct traffic){ 0 };
        take_round(&traffic, 1, (struct connection){ 0 }, stuck);
        take_round(&traffic, 2, (struct connection){ .segments = 100, .sent = 100, .acked = 100 }, stuck);
        assert_int_not_equal(traffic.peers->state, TRAFFIC_SUSPECTED);
        traffic_free(&traffic);
        traffic = (struct traffic){ 0 };
        stuck.backoff = stuck.segments_again = 2;
        assert_int_not_equal(state_after(2, stuck, 10, 0, &traffic), TRAFFIC_SUSPECTED);
        traffic_free(&traffic);
}

/* A hole that is so old that nothing is sent into it for a minute: a probe tells, once. */
static void test_older_hole(void **state) {
        (void)state;
        for (int is_alive = 0; is_alive < 2; is_alive++) {
                struct traffic traffic = { 0 };
                struct connection stuck = stalled, chat = { .mss = 8948 };

                stuck.backoff = stuck.segments_again = 7;
                for (unsigned second = 1; second <= 20; second++) {
                        take_round(&traffic, second, chat, stuck);
                        assert_int_not_equal(traffic.peers->state, TRAFFIC_SUSPECTED);
                        if (second == 2) {
                                assert_int_equal(traffic.peers->is_unclear, is_alive);
                                assert_int_equal(traffic.peers->stuck, is_alive ? 9000 : 0);
                                traffic_answer(traffic.peers, TRAFFIC_REFUTED, 9000);
                        } else
                                assert_false(traffic.peers->is_unclear);
                        chat.segments += is_alive ? 1 : 0;
                        chat.acked = chat.sent = chat.segments;
                }
                traffic_free(&traffic);
        }
}

/* Of five segments one is lost, and of five acknowledgements: seven timeouts in succession may be chance. */
static void test_lossy(void **state) {
        struct traffic traffic = { 0 };

        (void)state;
        assert_int_not_equal(state_after(7, stalled, 13, 3, &traffic), TRAFFIC_SUSPECTED);
        traffic_free(&traffic);
        traffic = (struct traffic){ 0 };
        assert_int_equal(state_after(7, stalled, 13, 0, &traffic), TRAFFIC_SUSPECTED);
        traffic_free(&traffic);
}

/* The hole begins when little has been sent yet. */
static void test_early_hole(void **state) {
        struct connection chat = { .segments = 1, .sent = 1, .acked = 1 }, one = stalled;
        struct traffic traffic = { 0 };

        (void)state;
        one.backoff = one.unacked = 0;
        take_round(&traffic, 1, (struct connection){ 0 }, one);
        one.acked = 2;
        take_round(&traffic, 2, chat, one);
        one.unacked = 10;
        for (unsigned second = 3; second <= 6; second++) {
                chat.segments += 10;
                chat.sent = chat.acked = chat.segments;
                one.backoff++;
                one.segments_again++;
                take_round(&traffic, second, chat, one);
        }
        assert_int_equal(traffic.peers->state, TRAFFIC_SUSPECTED);
        traffic_free(&traffic);
}

/* Two are stuck, and one of them goes on: that says nothing of a probe, nor of a link of the other one's. */
static void test_one_goes_on(void **state) {
        (void)state;
        for (int is_refuted = 0; is_refuted < 2; is_refuted++) {
                struct traffic traffic = { 0 };
                struct connection one = stalled, other = stalled, chat = { .mss = 8948 };

                other.sacked = 1;
                other.unacked = 11;
                for (unsigned second = 1; second < 30; second++) {
                        struct connection counts = connection_of(3, chat);

                        traffic_begin(&traffic, second);
                        traffic_take(&traffic, &counts);
                        counts = connection_of(1, one);
                        traffic_take(&traffic, &counts);
                        counts = connection_of(2, other);
                        traffic_take(&traffic, &counts);
                        assert_true(traffic_end(&traffic, true));
                        chat.acked = chat.sent = chat.segments += 10;
                        if (second == 20 && is_refuted)
                                traffic_answer(traffic.peers, TRAFFIC_REFUTED, 9000);
                        if (second < 20) {
                                one.backoff = ++one.segments_again;
                                other.backoff = ++other.segments_again;
                        } else if (second == 21) {
                                assert_int_equal(traffic.peers->state,
                                                 is_refuted ? TRAFFIC_CONFIRMED : TRAFFIC_SUSPECTED);
                                one.acked = one.sent;
                                one.unacked = one.backoff = 0;
                        }
                }
                assert_int_not_equal(traffic.peers->state, TRAFFIC_REFUTED);
                assert_int_not_equal(traffic.peers->state, TRAFFIC_CONFIRMED);
                /* The other one has to fail again. */
                assert_int_not_equal(traffic.peers->state, TRAFFIC_SUSPECTED);
                traffic_free(&traffic);
        }
}

/* It is stuck for longer than a suspicion counts. */
static void test_long_stuck(void **state) {
        struct traffic traffic = { 0 };
        struct connection stuck = stalled;

        (void)state;
        assert_int_equal(state_after(8, stuck, 10, 0, &traffic), TRAFFIC_SUSPECTED);
        traffic_answer(traffic.peers, TRAFFIC_CONFIRMED, 1500);
        stuck.backoff = stuck.segments_again = 8;
        for (unsigned hour = 1; hour <= 3; hour++) {
                take_round(&traffic, 3600 * hour, (struct connection){ .mss = 8948 }, stuck);
                assert_int_equal(traffic.peers->state, TRAFFIC_CONFIRMED);
        }
        traffic_free(&traffic);
}

/* A probe passes: by another link, if something of the connection arrives all the same. */
static void test_one_link(void **state) {
        (void)state;
        for (unsigned sacked = 0; sacked < 2; sacked++) {
                struct traffic traffic = { 0 };
                struct connection stuck = stalled;

                /* Not all can be large, so that those that are there may be small. */
                stuck.unacked = 11;
                stuck.sacked = sacked;
                assert_int_equal(state_after(8, stuck, 10, 0, &traffic), TRAFFIC_SUSPECTED);
                traffic_answer(traffic.peers, TRAFFIC_REFUTED, 9000);
                traffic_begin(&traffic, 9);
                stuck = connection_of(2, stuck);
                stuck.backoff = stuck.segments_again = 8;
                traffic_take(&traffic, &stuck);
                assert_true(traffic_end(&traffic, false));
                assert_int_equal(traffic.peers->state, sacked ? TRAFFIC_CONFIRMED : TRAFFIC_REFUTED);
                assert_int_equal(traffic.peers->is_one_link, sacked);
                /* A probe of other flows tells nothing new, or confirms it. */
                traffic_answer(traffic.peers, TRAFFIC_SUSPECTED, 0);
                assert_int_equal(traffic.peers->state, sacked ? TRAFFIC_CONFIRMED : TRAFFIC_REFUTED);
                traffic_answer(traffic.peers, TRAFFIC_CONFIRMED, 1500);
                assert_int_equal(traffic.peers->state, TRAFFIC_CONFIRMED);
                traffic_free(&traffic);
        }
}

/* The kernel probes by itself: the MSS is less, the path's MTU is not, and data is acknowledged again. That
 * may be the end of an outage; but it does not refute what a probe has found. */
static void test_kernel_probing(void **state) {
        (void)state;
        for (int is_confirmed = 0; is_confirmed < 2; is_confirmed++) {
                struct connection stuck = stalled;
                struct traffic traffic = { 0 };

                take_round(&traffic, 1, (struct connection){ 0 }, stuck);
                stuck.backoff = 4;
                stuck.segments_again = 5;
                take_round(&traffic, 5, (struct connection){ 0 }, stuck);
                assert_int_equal(traffic.peers->state, TRAFFIC_SILENT);
                if (is_confirmed)
                        traffic_answer(traffic.peers, TRAFFIC_CONFIRMED, 1500);
                stuck.mss = 1024;
                stuck.backoff = 0;
                stuck.acked = 20000;
                take_round(&traffic, 6, (struct connection){ 0 }, stuck);
                assert_int_equal(traffic.peers->state, is_confirmed ? TRAFFIC_CONFIRMED : TRAFFIC_QUIET);
                /* But a probe tells. */
                assert_int_equal(traffic.peers->is_unclear, !is_confirmed);
                assert_int_equal(traffic.peers->stuck, 9000);
                traffic_answer(traffic.peers, TRAFFIC_CONFIRMED, 1500);
                assert_int_equal(traffic.peers->state, TRAFFIC_CONFIRMED);
                assert_false(traffic.peers->is_unclear);
                traffic_free(&traffic);
        }
}

/* The only connection is stalled: the probe tells a path that drops from a peer that is down. */
static void test_silent(void **state) {
        struct connection stuck = stalled;
        struct traffic traffic = { 0 };

        (void)state;
        take_round(&traffic, 1, (struct connection){ 0 }, stuck);
        stuck.backoff = 4;
        take_round(&traffic, 5, (struct connection){ 0 }, stuck);
        assert_int_equal(traffic.peers->state, TRAFFIC_SILENT);
        assert_int_equal(traffic.peers->stuck, 9000);
        traffic_answer(traffic.peers, TRAFFIC_SUSPECTED, 0);
        assert_int_equal(traffic.peers->state, TRAFFIC_SILENT);
        traffic_answer(traffic.peers, TRAFFIC_CONFIRMED, 1500);
        take_round(&traffic, 6, (struct connection){ 0 }, stuck);
        assert_int_equal(traffic.peers->state, TRAFFIC_CONFIRMED);
        /* It has arrived after all. */
        stuck.backoff = 0;
        stuck.acked = 89480;
        stuck.unacked = 0;
        stuck.segments = 20;
        take_round(&traffic, 7, (struct connection){ 0 }, stuck);
        assert_int_not_equal(traffic.peers->state, TRAFFIC_CONFIRMED);
        traffic_free(&traffic);
}

/* Small segments, long after large ones: they say nothing of these. What was before the first dump has no
 * date. */
static void test_date(void **state) {
        struct connection large = { .mss = 8948, .segments = 100, .sent = 894801, .acked = 894801 };
        struct traffic traffic = { 0 };

        (void)state;
        take_round(&traffic, 1, (struct connection){ 0 }, large);
        assert_int_equal(traffic.peers->sent, 9000);
        assert_false(traffic.peers->is_dated);
        large.segments += 1000;
        large.sent += 8948000;
        large.acked += 8948000;
        take_round(&traffic, 2, (struct connection){ 0 }, large);
        assert_true(traffic.peers->is_dated);
        assert_true(traffic.peers->sent_at == 2);
        large.segments += 1;
        large.sent += 1;
        large.acked += 1;
        take_round(&traffic, 9, (struct connection){ 0 }, large);
        assert_int_equal(traffic.peers->state, TRAFFIC_PROVEN);
        assert_true(traffic.peers->sent_at == 2);
        traffic_free(&traffic);
}

/* Proofs ------------------------------------------------------------------------------------------------ */

static uint64_t random_state = 1;

static unsigned below(unsigned n) {
        random_state ^= random_state << 13;
        random_state ^= random_state >> 7;
        random_state ^= random_state << 17;
        return (unsigned)((random_state >> 11) % n);
}

#define SENT_MAX 4096

/* A sender whose segments all arrive or are lost; `largest` is the largest that has arrived. */
struct sender {
        struct {
                uint64_t begin, end;
        } under_way[SENT_MAX]; /* first those that were sent first; each byte once */
        unsigned n;
        uint64_t next, acked;
        uint32_t largest, mss;
        struct connection counts;
};

static void arrive(struct sender *sender, uint64_t begin, uint64_t end) {
        if (end - begin > sender->largest)
                sender->largest = (uint32_t)(end - begin);
        /* In part, if the peer's window ends there. */
        if (begin <= sender->acked && end > sender->acked)
                sender->acked = below(20) > 0 ? end
                                              : sender->acked + 1 + below((unsigned)(end - sender->acked));
}

static void count(struct sender *sender, uint64_t bytes, bool is_again) {
        sender->counts.segments++;
        sender->counts.sent += bytes;
        sender->counts.segments_again += is_again;
        sender->counts.sent_again += is_again ? bytes : 0;
}

/* As the kernel does before it sends again: segments of the MSS of now, of which it counts all as under way.
 */
static void split_first(struct sender *sender) {
        uint64_t begin = sender->acked;

        for (unsigned i = 0; sender->n < SENT_MAX && sender->under_way[i].end - begin > sender->mss; i++) {
                memmove(sender->under_way + i + 1, sender->under_way + i,
                        (sender->n++ - i) * sizeof(sender->under_way[0]));
                begin += sender->mss;
                sender->under_way[i].end = sender->under_way[i + 1].begin = begin;
        }
}

static void act(struct sender *sender, unsigned loss) {
        if (below(100) == 0)
                sender->mss = 500 + below(8449);
        if (below(3) > 0 && sender->n < SENT_MAX) {
                uint64_t size = below(4) > 0 ? sender->mss : 1 + below(sender->mss);

                sender->under_way[sender->n].begin = sender->next;
                sender->under_way[sender->n++].end = sender->next += size;
                count(sender, size, false);
                /* What is lost or late arrives by being sent again. */
                if (below(100) >= loss && below(4) > 0)
                        arrive(sender, sender->next - size, sender->next);
        } else if (sender->n > 0) {
                uint64_t begin = sender->acked, end = sender->next;

                if (loss > 0 && begin < end) {
                        split_first(sender);
                        end = sender->under_way[0].end;
                        count(sender, end - begin, true);
                        if (below(100) >= loss)
                                arrive(sender, begin, end);
                } else if (begin < end)
                        /* One that was late. */
                        for (unsigned i = 0; i < sender->n; i++)
                                if (sender->under_way[i].end > begin) {
                                        arrive(sender, sender->under_way[i].begin, sender->under_way[i].end);
                                        break;
                                }
        }
        while (sender->n > 0 && sender->under_way[0].end <= sender->acked) {
                memmove(sender->under_way, sender->under_way + 1,
                        --sender->n * sizeof(sender->under_way[0]));
        }
        sender->counts.unacked = sender->n;
        sender->counts.acked = sender->acked + below(2);
        sender->counts.mss = sender->mss;
}

/* Nothing larger is ever proven than what has arrived; and without loss, all of it is. */
static void test_proofs(void **state) {
        static struct sender sender;

        (void)state;
        for (unsigned run = 0; run < 2000; run++) {
                struct traffic traffic = { 0 };
                unsigned loss = run % 2 * below(60);

                memset(&sender, 0, sizeof(sender));
                sender.mss = 500 + below(8449);
                for (unsigned round = 0; round < 8; round++) {
                        struct connection counts;

                        for (unsigned i = below(60); i > 0; i--)
                                act(&sender, loss);
                        counts = connection_of(1, sender.counts);
                        traffic_begin(&traffic, round);
                        traffic_take(&traffic, &counts);
                        assert_true(traffic_end(&traffic, true));
                        if (traffic.peers->sent > 0 && traffic.peers->sent > sender.largest + HEADERS)
                                fail_msg("run %u: %u bytes proven, %u arrived", run, traffic.peers->sent,
                                         sender.largest + HEADERS);
                }
                traffic_free(&traffic);
        }
}

static void test_bulk(void **state) {
        struct traffic traffic = { 0 };
        struct connection bulk = { .mss = 8948, .peer_window = 1000000, .received_mss = 1448 };

        (void)state;
        for (unsigned round = 1; round <= 3; round++) {
                struct connection counts;

                bulk.segments += 10000;
                bulk.sent = UINT64_C(8948) * bulk.segments;
                bulk.unacked = 10;
                bulk.acked = bulk.sent - 10 * 8948;
                counts = connection_of(1, bulk);
                traffic_begin(&traffic, round);
                traffic_take(&traffic, &counts);
                assert_true(traffic_end(&traffic, true));
                assert_int_equal(traffic.peers->sent, 9000);
                assert_int_equal(traffic.peers->received, 1500);
                assert_int_equal(traffic.peers->state, TRAFFIC_PROVEN);
                assert_int_equal(traffic.peers->limited, 0);
        }
        traffic_free(&traffic);
}

/* Both ways since the first dump, which held what came later in order. */
static void test_both_ways(void **state) {
        static const struct {
                const char *what;
                uint32_t out, in, received_mss, disordered;
                bool is_proven;
        } rows[] = {
                { "both", 8948, 8948, 8948, 0, true },
                { "nearly", 8668, 8668, 8948, 0, true },
                { "only there", 8948, 1000, 8948, 0, false },
                { "only back", 1000, 8948, 8948, 0, false },
                { "there, nearly with what was before the first dump", 8450, 8948, 8948, 0, false },
                { "back, 5% less", 8948, 8450, 8948, 0, false },
                { "back, a little less than the size", 8948, 8900, 8900, 0, false },
                { "what came as one large packet is counted as one", 8948, 20000, 1448, 0, false },
                { "or nearly", 8948, 8948, 1448, 0, false },
                { "a few out of order", 8948, 8948, 8948, 2, true },
                { "out of order, perhaps large packets", 8948, 8948, 8948, 10, false },
                { "it may have come before", 8948, 8948, 8948, UINT32_MAX, false },
        };

        (void)state;
        for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
                struct traffic traffic = { 0 };
                struct connection old = { .mss = 8948,
                                          .own_mss = 8948,
                                          .received_mss = rows[i].received_mss,
                                          .own_window = 6000000,
                                          .disordered = rows[i].disordered,
                                          .peer_window = 1000000,
                                          .segments = 1000,
                                          .sent = 8948000,
                                          .acked = 8948001 };

                take_round(&traffic, 1, (struct connection){ 0 }, old);
                assert_false(traffic_has_proven(traffic.peers, 9000));
                old.segments += 1000;
                old.segments_received = 1000;
                old.sent += 1000 * rows[i].out;
                old.acked += 1000 * rows[i].out;
                old.received = 1000 * rows[i].in;
                take_round(&traffic, 11, (struct connection){ 0 }, old);
                if (traffic_has_proven(traffic.peers, 9000) != rows[i].is_proven)
                        fail_msg("%s", rows[i].what);
                assert_false(traffic_has_proven(traffic.peers, 9001));
                /* Nothing since then. */
                take_round(&traffic, 21, (struct connection){ 0 }, old);
                assert_false(traffic_has_proven(traffic.peers, 9000));
                traffic_free(&traffic);
        }
}

/* One connection sends more than the other one, which is the only one that is nearly full; and one that the
 * dump before has missed. */
static void test_both_ways_by_two(void **state) {
        struct connection full = { .mss = 1424, .own_mss = 8948, .received_mss = 8948 };
        struct connection idle = { .mss = 1448 };
        struct traffic traffic = { 0 };

        (void)state;
        take_round(&traffic, 1, full, idle);
        full.segments = full.segments_received = 1000;
        full.sent = full.acked = 1424 * 1000 + 1;
        full.received = 8948 * 1000;
        take_round(&traffic, 11, full, idle);
        assert_true(traffic_has_proven(traffic.peers, 1476));
        assert_false(traffic_has_proven(traffic.peers, 1500));
        /* The last ones are smaller. */
        full.segments += 1000;
        full.segments_received += 1000;
        full.sent += 1424 * 1000;
        full.acked += 1424 * 1000;
        full.received += 8948 * 1000;
        full.mss = 1024;
        take_round(&traffic, 21, full, idle);
        assert_false(traffic_has_proven(traffic.peers, 1476));
        traffic_free(&traffic);

        traffic = (struct traffic){ 0 };
        traffic_begin(&traffic, 1);
        assert_true(traffic_end(&traffic, false));
        take_round(&traffic, 11, full, idle);
        assert_false(traffic_has_proven(traffic.peers, 1476));
        traffic_free(&traffic);
}

/* Who limits the MSS to 1460. */
static void test_limit(void **state) {
        static const struct {
                const char *who;
                uint32_t own_mss, window;
                bool has_mtu_probing, is_by_peer;
        } rows[] = {
                { "the peer", 8948, 65535, false, true },
                { "a program or a route", 1448, 65535, false, false },
                { "a small window", 8948, 2896, false, false },
                { "the kernel's probing", 8948, 65535, true, false },
        };

        (void)state;
        for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
                struct traffic traffic = { .has_mtu_probing = rows[i].has_mtu_probing };

                take_round(&traffic, 1, (struct connection){ 0 },
                           (struct connection){ .mss = 1448,
                                                .own_mss = rows[i].own_mss,
                                                .peer_window = rows[i].window });
                assert_int_equal(traffic.peers->limited, 1460);
                if (traffic.peers->is_by_peer != rows[i].is_by_peer)
                        fail_msg("%s", rows[i].who);
                traffic_free(&traffic);
        }
}

/* What was sent before the watch began proves nothing where the segments may have been too many to count; an
 * MSS below the path's MTU is the peer's. */
static void test_first_look(void **state) {
        struct traffic traffic = { 0 };
        struct connection old = { .mss = 1448,
                                  .peer_window = 1000000,
                                  .segments = 10,
                                  .sent = UINT64_C(1) << 40,
                                  .acked = UINT64_C(1) << 40 };
        struct connection counts = connection_of(1, old);

        (void)state;
        traffic_begin(&traffic, 1);
        traffic_take(&traffic, &counts);
        assert_true(traffic_end(&traffic, true));
        assert_int_equal(traffic.n_peers, 1);
        assert_int_equal(traffic.peers->sent, 0);
        assert_int_equal(traffic.peers->state, TRAFFIC_QUIET);
        assert_int_equal(traffic.peers->limited, 1460);
        /* And one without connections and proofs is forgotten, unless some may be missing. */
        traffic_begin(&traffic, 2);
        assert_true(traffic_end(&traffic, false));
        assert_int_equal(traffic.n_peers, 1);
        traffic_begin(&traffic, 3);
        assert_true(traffic_end(&traffic, true));
        assert_int_equal(traffic.n_peers, 0);
        traffic_free(&traffic);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_variants),
                cmocka_unit_test(test_answers),
                cmocka_unit_test(test_old_hole),
                cmocka_unit_test(test_lossy),
                cmocka_unit_test(test_one_link),
                cmocka_unit_test(test_both_ways),
                cmocka_unit_test(test_early_hole),
                cmocka_unit_test(test_limit),
                cmocka_unit_test(test_kernel_probing),
                cmocka_unit_test(test_silent),
                cmocka_unit_test(test_date),
                cmocka_unit_test(test_proofs),
                cmocka_unit_test(test_bulk),
                cmocka_unit_test(test_first_look),
                cmocka_unit_test(test_both_ways_by_two),
                cmocka_unit_test(test_one_goes_on),
                cmocka_unit_test(test_long_stuck),
                cmocka_unit_test(test_older_hole),
        };
        int failures = RUN_ROWS("recordings", test_recording, recordings);

        return failures + cmocka_run_group_tests(tests, NULL, NULL);
}
