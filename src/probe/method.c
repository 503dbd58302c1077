/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "probe/method.h"

#include <math.h>
#include <string.h>

#include "config/mtu_spec.h"

#define BASE_ATTEMPTS 5
#define BASE_ATTEMPTS_UNANSWERED 3 /* of a further flow to a host that may answer no UDP at all */
#define BATCHES_MAX 8
#define RESTARTS_MAX 4
/* By then a host in the same network has answered the full size, and nothing else is sent. */
#define OPEN_STEP_S 0.02
/* Between two packets of the confirmation. */
#define CONFIRM_STEP_S 0.01
/* Packets of the size above the limit in a round, after those that have found it. */
#define CONFIRM_COUNT 6
/* First the place is looked for, by packets that may confirm the limit as well. */
#define BATCHES_BY_PLACE 3
/* Sizes of a round of the search. */
#define SIZES_MAX 12
#define SIZES_NEAR 4
/* By UDP alone, few sizes at a time: hosts limit their answers. */
#define ONE_WAY_WIDTH 2
#define ONE_WAY_CONFIRM 3
/* So many lost of a size that another flow does not carry either are no accident. */
#define LIKELY_ENOUGH 3

static void search_limit(struct method *method);

/* The largest size that is known to pass; 0: none. */
static uint32_t low_of(const struct method *method) {
        return evidence_low(&method->evidence, method->evidence.kind);
}

static unsigned count_outcomes(const struct method *method, unsigned first, uint32_t size,
                               unsigned outcomes) {
        return evidence_count(&method->evidence, first, method->evidence.kind, size, outcomes);
}

/* Fills in what all verdicts have in common. */
static void end_with(struct method *method, enum verdict_kind kind) {
        const struct evidence *evidence = &method->evidence;
        struct verdict *verdict = &method->verdict;
        uint32_t low = low_of(method), back = evidence_low(evidence, PROBE_ECHO),
                 piece = evidence->pieces[PROBE_ECHO];

        method->stage = METHOD_DONE;
        verdict->kind = kind;
        verdict->size = low;
        verdict->high = kind == VERDICT_LOCAL_LIMIT ? method->full + 1
                                                    : evidence_high(evidence, evidence->kind, low);
        verdict->forward = evidence_forward(evidence, 0);
        verdict->back = back > piece ? back : piece;
        verdict->local_mtu = method->settings.local_mtu;
        verdict->is_one_way = evidence->kind == PROBE_FORWARD;
        verdict->may_echo = method->settings.has_echo;
        verdict->may_fragment = method->settings.has_fragmented;
        if (kind == VERDICT_RETURN_PATH && drop_is_of_host(evidence, PROBE_ECHO, low))
                verdict->cause = VERDICT_CAUSE_HOST;
        if (kind == VERDICT_BLACK_HOLE && drop_is_forward(&method->drop, evidence))
                verdict->forward = low; /* whatever another one of equal links carries */
        if (kind == VERDICT_BLACK_HOLE)
                drop_tell(&method->drop, evidence, verdict);
        if (kind == VERDICT_UNREACHABLE)
                verdict->by = evidence->refused_by;
}

static void end_in_doubt(struct method *method, enum verdict_doubt doubt) {
        method->verdict.doubt = doubt;
        end_with(method, VERDICT_INCONCLUSIVE);
}

/* Probes are sent in rounds: what is next depends on what the whole of one has shown. */
static void begin_round(struct method *method, enum method_stage stage) {
        method->stage = stage;
        method->evidence.round_first = method->evidence.n_probes;
        method->evidence.due = method->evidence.now;
}

static void queue_size(struct method *method, uint32_t size, double after) {
        evidence_add(&method->evidence, method->evidence.kind, size, 0, after);
}

/* The opening of a further flow, by few answers: the full size; then what another flow carries, and one byte
 * more, which needs none; then the base size. */
static void queue_further(struct method *method) {
        uint32_t likely = method->settings.likely;
        bool has_likely = method->n_attempts == 1 && likely > method->base && likely < method->full;

        /* Silence twice may mean that the host had no answer left. */
        if (method->n_attempts == 2 || drop_udp_left(&method->drop, method->evidence.now) < 1)
                method->evidence.due += DROP_UDP_STEP_S;
        for (int i = 0; i < LIKELY_ENOUGH && has_likely; i++)
                queue_size(method, likely + 1, 0);
        queue_size(method, method->n_attempts == 0 ? method->full : has_likely ? likely : method->base, 0);
}

/* The full size; if that has no answer soon, what most paths carry that do not carry it, after one byte more
 * by UDP, which shows the direction as well; then the base size. */
static void queue_opening(struct method *method) {
        enum probe_kind kind = method->settings.has_forward ? PROBE_FORWARD : method->evidence.kind;

        queue_size(method, method->full, 0);
        if (method->full > MTU_ETHERNET + 1) {
                evidence_add(&method->evidence, kind, MTU_ETHERNET + 1, 0, OPEN_STEP_S);
                queue_size(method, MTU_ETHERNET, 0);
        }
        if (method->full > method->base)
                queue_size(method, method->base, OPEN_STEP_S);
}

static void open_round(struct method *method) {
        begin_round(method, METHOD_OPEN);
        if (method->settings.is_further)
                queue_further(method);
        else if (method->n_attempts == 0)
                queue_opening(method);
        else if (method->n_attempts % 2 == 0 || low_of(method) > 0)
                queue_size(method, method->base, 0);
        else
                queue_size(method, method->small, 0);
        if (method->n_attempts == BASE_ATTEMPTS - 1 && low_of(method) == 0 && !method->settings.is_further)
                queue_size(method, method->small, 0); /* the last one */
        /* Some hosts answer no echo. */
        if (method->n_attempts % 2 == 1 && method->evidence.kind == PROBE_ECHO &&
            method->settings.has_forward)
                evidence_add(&method->evidence, PROBE_FORWARD, method->base, 0, 0);
        method->n_attempts++;
}

/* Begins without what was known. */
static void open_search(struct method *method) {
        evidence_forget(&method->evidence);
        method->n_attempts = 0;
        open_round(method);
}

/* Starts over: the path has changed. */
static void restart_search(struct method *method) {
        if (method->n_restarts++ == RESTARTS_MAX)
                end_in_doubt(method, VERDICT_DOUBT_CHANGE);
        else
                open_search(method);
}

static void set_sizes(struct method *method) {
        const struct method_settings *settings = &method->settings;
        uint32_t base = settings->is_v6 ? PROBE_SIZE_BASE_V6 : PROBE_SIZE_BASE_V4;
        uint32_t full = settings->size < settings->local_mtu ? settings->size : settings->local_mtu;

        method->full = full > PROBE_SIZE_LEAST_V4 ? full : PROBE_SIZE_LEAST_V4;
        method->small = method->full < PROBE_SIZE_SMALL ? method->full : PROBE_SIZE_SMALL;
        method->base = method->full > base ? base : method->small;
}

void method_begin(struct method *method, const struct method_settings *settings, double now) {
        memset(method, 0, sizeof(*method));
        method->settings = *settings;
        method->evidence.now = now;
        method->evidence.kind = settings->has_echo && !settings->is_further ? PROBE_ECHO : PROBE_FORWARD;
        method->deadline = now + (settings->timeout > 0                 ? settings->timeout
                                  : method->evidence.kind == PROBE_ECHO ? METHOD_TIMEOUT_S
                                                                        : METHOD_TIMEOUT_ONE_WAY_S);
        method->drop.has_forward = settings->has_forward;
        method->drop.has_fragmented = settings->has_fragmented;
        drop_set_udp_left(&method->drop, settings->is_further ? settings->udp_left : DROP_UDP_BURST, now);
        method->verdict.tried = settings->size;
        method->verdict.after_hop = -1;
        set_sizes(method);
        open_search(method);
}

/* RFC 1191, section 7.1, brought up to date: tunnels and PPPoE below 1500; baby giants above it; what NICs
 * and switches call jumbo; the largest of loopback and InfiniBand. */
static const uint32_t common[] = {
        296,  508,  576,  1006, 1280, 1320, 1360, 1400,  1420,  1430,  1440,  1450, 1460,
        1472, 1480, 1488, 1492, 1496, 1500, 1504, 1508,  1546,  1600,  2000,  2048, 2304,
        4000, 4074, 4082, 4096, 4352, 4470, 6122, 7000,  8000,  8166,  8192,  8500, 8900,
        8950, 8996, 9000, 9014, 9100, 9198, 9216, 10240, 16110, 17914, 32000,
};
#define N_COMMON (sizeof(common) / sizeof(common[0]))

/* The sizes to try next, in one round, between `low`, which passes, and `high`, which does not. Each
 * function gives about `n_wanted` or fewer, ascending, and returns their number. */

/* Common MTUs or, if there are none, any: of many some at even distances. Above a common MTU one byte more
 * is the first, for that MTU is the likely limit. */
static size_t sizes_inside(uint32_t low, uint32_t high, size_t n_wanted, uint32_t ret[static SIZES_MAX]) {
        size_t first = 0, n_common = 0, n_inside = high - low - 1, n;

        while (first < N_COMMON && common[first] <= low)
                first++;
        while (first + n_common < N_COMMON && common[first + n_common] < high)
                n_common++;
        if (n_common == 0 && first > 0 && common[first - 1] == low) {
                ret[0] = low + 1;
                return 1;
        }
        if (n_common > 0)
                n_inside = n_common;
        n = n_inside < n_wanted ? n_inside : n_wanted;
        for (size_t i = 0; i < n; i++)
                ret[i] = n_common > 0 ? common[first + n_common * (i + 1) / (n + 1)]
                                      : low + (uint32_t)((uint64_t)(high - low) * (i + 1) / (n + 1));
        return n;
}

/* The sizes between `low` and `high` that a "too big" names and that a search before this one has found, and
 * one byte more, unless they have been tried and had an answer or a silence that says something. The MTU in
 * a "too big" is possible below the size of the packet, and from what every link carries (RFC 1191, section
 * 3; RFC 8201, section 4). */
static size_t sizes_named(const struct method *method, uint32_t low, uint32_t high,
                          uint32_t ret[static SIZES_MAX]) {
        const struct evidence *evidence = &method->evidence;
        uint32_t least = method->settings.is_v6 ? PROBE_SIZE_LEAST_V6 : PROBE_SIZE_LEAST_V4, best = high;
        size_t n = 0;

        for (unsigned i = 0; i < evidence->n_claims; i++) {
                const struct probe_event *claim = &evidence->claims[i];

                if (claim->mtu >= least && claim->mtu < claim->size && claim->mtu + 1 > low &&
                    claim->mtu < best)
                        best = claim->mtu;
        }
        for (size_t i = 0; i < 4; i++) {
                uint32_t size = (i < 2 ? best : method->drop.passes) + (uint32_t)(i % 2);

                if (size > low && size < high && size >= method->small &&
                    count_outcomes(method, 0, size, ~(unsigned)PROBE_UNKNOWN) == 0)
                        ret[n++] = size;
        }
        return n;
}

/* Whether the size is known to be lost on the way back. */
static bool is_lost_back(const struct method *method) {
        return method->evidence.kind == PROBE_ECHO &&
               evidence_forward(&method->evidence, method->drop.first) > method->drop.passes &&
               !drop_is_forward(&method->drop, &method->evidence);
}

/* How many of that size came to one of these outcomes since the limit was found. */
static unsigned count_since(const struct method *method, uint32_t size, unsigned outcomes) {
        return count_outcomes(method, method->drop.first, size, outcomes);
}

/* How many more of the size above the limit have to be lost. */
static unsigned count_missing(const struct method *method) {
        const struct drop *drop = &method->drop;
        unsigned needed = evidence_needed(&method->evidence, method->evidence.kind, drop->passes, 0),
                 n_failed = count_since(method, drop->fails, PROBE_FAILED) +
                            (is_lost_back(method) ? 0 : drop_count_there(drop, &method->evidence));

        return needed > n_failed ? needed - n_failed : 0;
}

static bool is_confirmed(const struct method *method) {
        return method->stage == METHOD_CONFIRM && count_missing(method) == 0 &&
               (count_since(method, method->drop.passes, PROBE_SILENT) == 0 ||
                count_since(method, method->drop.passes, PROBE_WHOLE) > 0);
}

/* Sends the size above the limit as often as it has to be lost, and the limit and a smaller one. */
static void queue_confirmation(struct method *method) {
        struct evidence *evidence = &method->evidence;
        struct drop *drop = &method->drop;
        bool is_one_way = evidence->kind == PROBE_FORWARD;
        bool is_slow = is_one_way && drop_udp_left(drop, evidence->now) < ONE_WAY_CONFIRM,
             is_new = count_outcomes(method, 0, drop->fails, ~0u) == 0;
        unsigned n_missing = count_missing(method);

        for (unsigned i = 0; i < CONFIRM_COUNT && (i < n_missing || i < 2); i++) {
                queue_size(method, drop->fails, is_slow && i % 2 == 0 ? DROP_UDP_STEP_S : CONFIRM_STEP_S);
                if (i == 0 && is_new)
                        evidence->due += evidence->rtt; /* an answer makes the others needless */
                if (i % 2 == 1)
                        queue_size(method, i == 3 ? method->base : drop->passes, CONFIRM_STEP_S);
        }
        if (!is_one_way && evidence_forward(evidence, drop->first) >= drop->fails)
                evidence_add(evidence, PROBE_FORWARD, method->full, 0, 0);
}

/* First to whoever answers with a small packet: what is lost shows the direction as well. */
static void confirm_limit(struct method *method) {
        struct drop *drop = &method->drop;

        begin_round(method, METHOD_CONFIRM);
        if (method->n_batches++ < BATCHES_BY_PLACE && method->evidence.kind == PROBE_ECHO &&
            (drop->n_rounds < 2 || drop->n_asked == 0 || drop->is_unsure) && !is_lost_back(method) &&
            !evidence_true_claim(&method->evidence, drop->passes))
                drop_locate(drop, &method->evidence, false);
        if (method->evidence.round_first == method->evidence.n_probes)
                queue_confirmation(method);
}

/* The limit is known: finds its cause. */
static void classify_limit(struct method *method) {
        const struct evidence *evidence = &method->evidence;
        uint32_t low = low_of(method);
        const struct probe_event *false_claim = evidence_false_claim(evidence), *claim = false_claim;
        bool is_full = low >= method->full;

        if (!claim && !is_full)
                claim = evidence_true_claim(evidence, low);
        if (claim) {
                method->verdict.by = claim->from;
                method->verdict.reported = claim->mtu;
        }
        /* It may have been true until the router's link changed: once more. */
        if (false_claim && !method->has_retested) {
                method->has_retested = true;
                restart_search(method);
        } else if (claim)
                end_with(method, false_claim ? VERDICT_FALSE_TOO_BIG : VERDICT_TOO_BIG);
        else if (is_full)
                end_with(method, method->settings.local_mtu < method->settings.size ? VERDICT_LOCAL_LIMIT
                                                                                    : VERDICT_OK);
        else if (low == method->settings.likely)
                end_with(method, VERDICT_BLACK_HOLE); /* where is known of the other flow */
        else {
                begin_round(method, METHOD_CONFIRM);
                drop_locate(&method->drop, &method->evidence, true);
                if (evidence->round_first == evidence->n_probes)
                        end_with(method, is_lost_back(method) ? VERDICT_RETURN_PATH : VERDICT_BLACK_HOLE);
        }
}

static void weigh_confirmation(struct method *method) {
        uint32_t passes = method->drop.passes;

        drop_weigh(&method->drop, &method->evidence);
        if (low_of(method) != passes)
                search_limit(method);
        else if (count_since(method, passes, PROBE_SILENT) > 1 &&
                 count_since(method, passes, PROBE_WHOLE) == 0 &&
                 count_since(method, method->base, PROBE_WHOLE) > 0)
                restart_search(method); /* a size that passed before no longer does */
        else if (is_confirmed(method))
                classify_limit(method);
        else if (method->n_batches < BATCHES_MAX)
                confirm_limit(method);
        else
                end_in_doubt(method, VERDICT_DOUBT_LOSS);
}

/* The base size had no answer, and no router has named a smaller one. */
static void weigh_silence(struct method *method) {
        struct evidence *evidence = &method->evidence;
        uint32_t low = low_of(method);
        bool may_be_deaf = method->settings.is_further && !method->settings.is_answering;

        if (method->n_attempts < (low > 0       ? 2 * BASE_ATTEMPTS
                                  : may_be_deaf ? BASE_ATTEMPTS_UNANSWERED
                                                : BASE_ATTEMPTS))
                open_round(method);
        else if (evidence->kind == PROBE_ECHO && low == 0 && evidence_forward(evidence, 0) >= method->base) {
                /* UDP is answered while echo is not. */
                evidence->kind = PROBE_FORWARD;
                if (method->settings.timeout == 0)
                        method->deadline = evidence->now + METHOD_TIMEOUT_ONE_WAY_S;
                open_search(method);
        } else
                end_with(method, VERDICT_UNREACHABLE);
}

/* Tries sizes between `low` and `high`; 0: the full size has not been tried since the last change. */
static void search_round(struct method *method, uint32_t low, uint32_t high) {
        struct evidence *evidence = &method->evidence;
        uint32_t sizes[SIZES_MAX];
        bool is_one_way = evidence->kind == PROBE_FORWARD;
        size_t n = sizes_named(method, low, high, sizes), width = is_one_way ? ONE_WAY_WIDTH
                                                                  : evidence->rtt < EVIDENCE_NEAR_S
                                                                                  ? SIZES_NEAR
                                                                                  : SIZES_MAX;
        bool is_named = n > 0;

        begin_round(method, METHOD_SEARCH);
        if (high == 0) {
                queue_size(method, method->full, 0);
                return;
        }
        if (n == 0)
                n = sizes_inside(low, high, width, sizes);
        /* If the host has only one answer a second left, waits for it: the largest size is sent first. */
        if (is_one_way && (!is_named || method->n_attempts > 1) &&
            drop_udp_left(&method->drop, evidence->now) < (double)n + 1)
                evidence->due += DROP_UDP_STEP_S;
        /* `high` may have been lost by accident. */
        if (n > 1 && !is_named && count_outcomes(method, 0, high, PROBE_SILENT) == 1)
                queue_size(method, high, 0);
        while (n-- > 0)
                queue_size(method, sizes[n], 0);
}

/* `low` passes; one byte more has failed at least once. */
static void limit_found(struct method *method, uint32_t low) {
        uint32_t high = low + 1;
        const struct probe_event *claim = evidence_true_claim(&method->evidence, low);
        bool is_reported = claim && claim->mtu == low && count_outcomes(method, 0, high, PROBE_TOO_BIG) > 0;
        bool is_likely = low == method->settings.likely &&
                         count_outcomes(method, 0, high, PROBE_FAILED) >= LIKELY_ENOUGH;

        drop_begin(&method->drop, &method->evidence, low);
        method->n_batches = 0;
        if (is_likely || is_reported || count_outcomes(method, 0, high, PROBE_PIECES) > 0 ||
            (!method->has_retested && evidence_false_claim(&method->evidence)))
                classify_limit(method);
        else
                confirm_limit(method);
}

/* Continues the search if a size passes or a router has named one; below the base size only if one has. */
static void search_limit(struct method *method) {
        const struct evidence *evidence = &method->evidence;
        uint32_t low = low_of(method);
        uint32_t high = low > 0 ? evidence_high(evidence, evidence->kind, low) : method->full + 1,
                 sizes[SIZES_MAX];
        /* The opening has shown that one byte more arrives there. */
        bool is_guess = evidence->kind == PROBE_ECHO && count_outcomes(method, 0, low + 1, ~0u) == 0 &&
                        evidence_count(evidence, 0, PROBE_FORWARD, low + 1, PROBE_ANSWERED) > 0 &&
                        sizes_named(method, low, high, sizes) == 0;

        if ((low == 0 || (method->stage == METHOD_OPEN && low < method->base)) &&
            sizes_named(method, low, high, sizes) == 0)
                weigh_silence(method);
        else if (high == low + 1 || is_guess)
                limit_found(method, low);
        else
                search_round(method, low, high);
}

/* Evaluates the finished round. */
static void advance_round(struct method *method) {
        if (evidence_end_round(&method->evidence))
                return;
        if (method->stage == METHOD_CONFIRM)
                weigh_confirmation(method);
        else
                search_limit(method);
        /* No probe could be added: PROBE_COUNT_MAX. */
        if (method->stage != METHOD_DONE && method->evidence.round_first == method->evidence.n_probes)
                end_in_doubt(method, VERDICT_DOUBT_CHANGE);
}

/* The deadline has passed. */
static void end_in_time(struct method *method) {
        const struct evidence *evidence = &method->evidence;

        (void)evidence_end_round(&method->evidence);
        if (is_confirmed(method) && is_lost_back(method))
                end_with(method, VERDICT_RETURN_PATH);
        else if (is_confirmed(method) && drop_is_likely_forward(&method->drop, evidence))
                end_with(method, VERDICT_BLACK_HOLE);
        else if (low_of(method) == 0 && evidence->n_claims == 0 && method->n_attempts > 2)
                end_with(method, VERDICT_UNREACHABLE);
        else
                end_in_doubt(method, VERDICT_DOUBT_TIME);
}

bool method_is_done(struct method *method, double now) {
        struct evidence *evidence = &method->evidence;

        evidence->now = now;
        if (method->stage != METHOD_DONE && !evidence_next(evidence) && now >= evidence_round_end(evidence))
                advance_round(method);
        if (method->stage != METHOD_DONE && now >= method->deadline)
                end_in_time(method);
        return method->stage == METHOD_DONE;
}

bool method_send(struct method *method, double now, struct probe *ret) {
        struct probe_record *record = evidence_next(&method->evidence);

        if (method->stage == METHOD_DONE || !record || record->due > now || now >= method->deadline)
                return false;
        /* What was to follow after a while still does. */
        for (unsigned i = record->probe.id + 1; i < method->evidence.n_probes; i++)
                method->evidence.probes[i].due += now - record->due;
        record->outcome = PROBE_WAITING;
        record->sent = now;
        *ret = record->probe;
        return true;
}

void method_postpone(struct method *method, double seconds) {
        method->deadline += seconds;
}

/* Whether what is still queued of the round was only for the case that nothing came. `record`: what
 * something has come about, or NULL. */
static bool is_answered(const struct method *method, const struct probe_record *record) {
        const struct probe_record *first = &method->evidence.probes[method->evidence.round_first];
        uint32_t low = low_of(method);

        if (method->stage == METHOD_OPEN)
                return low >= method->base || first->outcome & (PROBE_TOO_BIG | PROBE_DOUBTFUL);
        return method->stage == METHOD_CONFIRM &&
               ((first->probe.kind == PROBE_FORWARD && is_lost_back(method)) || low > method->drop.passes ||
                (record && record->probe.kind == PROBE_FRAGMENTED && (record->outcome & PROBE_ANSWERED) &&
                 record->probe.size > method->drop.fails));
}

void method_take(struct method *method, const struct probe_event *event, double now) {
        struct evidence *evidence = &method->evidence;
        uint32_t silent = evidence_high(evidence, PROBE_FORWARD, 0);
        const struct probe_record *record;

        evidence->now = now;
        record = method->stage != METHOD_DONE ? evidence_take(evidence, event) : NULL;
        if (is_answered(method, record))
                evidence_drop_queued(evidence);
        if (!record)
                return;
        if (event->kind == PROBE_EVENT_LOCAL && event->mtu < method->full) {
                method->settings.local_mtu = event->mtu;
                set_sizes(method);
                restart_search(method);
                return;
        }
        if (event->kind == PROBE_EVENT_ANSWER && record->probe.kind == PROBE_FORWARD) {
                bool is_overdue = !record->is_late && silent > 0 && record->probe.size >= silent;

                method->drop.has_answered = true;
                drop_set_udp_left(&method->drop, is_overdue ? 0 : drop_udp_left(&method->drop, now) - 1,
                                  now);
                /* Earlier probes were silent because the host had no answers left. */
                if (is_overdue)
                        evidence_forgive(evidence, PROBE_FORWARD);
        }
        /* The full size passes: no other stage matters. */
        if (event->kind == PROBE_EVENT_ANSWER && low_of(method) >= method->full)
                classify_limit(method);
}

double method_wakeup(struct method *method) {
        const struct probe_record *record = evidence_next(&method->evidence);

        return fmin(method->deadline, record ? record->due : evidence_round_end(&method->evidence));
}

void method_interrupt(struct method *method) {
        if (method->stage != METHOD_DONE)
                end_in_doubt(method, VERDICT_DOUBT_INTERRUPTED);
}
