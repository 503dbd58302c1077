/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "probe/traffic.h"

#include <math.h>
#include <search.h>
#include <stdlib.h>

/* Rounds in which large segments were sent in vain, and something else arrived. */
#define ROUNDS 3
/* After so many timeouts before the first dump, the next one may be a minute away or more. */
#define OLD_ROUNDS 6
/* Segments first sent that count as lost each by itself. */
#define FLIGHT_MAX 3
/* The peer is silent when nothing has arrived for that long. */
#define SILENT_S 3.0
/* More segments than that since the first of two dumps might not be counted any more. */
#define SEGMENTS_MAX (UINT32_MAX / 2)

/* The first of two dumps. */
struct proof_begin {
        uint64_t next; /* bytes sent, once each */
        uint32_t segments, segments_again;
};

struct traffic_connection {
        struct connection last; /* as it was then; first: compare_cookies() */
        struct traffic_connection *next;
        struct traffic_peer *peer;
        unsigned round;           /* the last one that had it */
        struct proof_begin begin; /* of the longest good proof */
        /* The last progress, and what was sent until then. */
        double progress_at;
        uint32_t progress_again;
        uint64_t others_sent, others_again, others;
        unsigned rounds;                                                 /* ROUNDS */
        bool is_stalled, has_sent_again, is_suspect, has_sacked, is_old; /* OLD_ROUNDS */
        uint32_t stuck; /* the packets that it sent when it stalled */
};

static int compare_cookies(const void *a, const void *b) {
        const struct connection *first = a, *second = b;

        return (first->cookie > second->cookie) - (first->cookie < second->cookie);
}

static int compare_peers(const void *a, const void *b) {
        const struct traffic_peer *first = a, *second = b;
        int order = memcmp(&first->address, &second->address, sizeof(first->address));

        return order != 0 ? order : (first->ifindex > second->ifindex) - (first->ifindex < second->ifindex);
}

/* The entry that is equal to `key`, or a new one, a copy of `key`. NULL if memory is out. */
static void *entry_of(void **tree, int (*compare)(const void *, const void *), const void *key, size_t size,
                      bool *ret_is_new) {
        void *const *node = tfind(key, tree, compare);
        void *entry;

        *ret_is_new = !node;
        if (node)
                return *node;
        entry = malloc(size);
        if (!entry)
                return NULL;
        memcpy(entry, key, size);
        if (tsearch(entry, tree, compare))
                return entry;
        free(entry);
        return NULL;
}

/* Proofs ------------------------------------------------------------------------------------------------ */

static struct proof_begin begin_of(const struct connection *connection) {
        return (struct proof_begin){ connection->sent - connection->sent_again, connection->segments,
                                     connection->segments_again };
}

/* The largest segment that has arrived since then for sure; see traffic.h. 0: none is proven. */
static uint32_t prove(const struct proof_begin *begin, const struct connection *connection,
                      uint32_t *ret_segments) {
        uint32_t segments = connection->segments - begin->segments;
        uint64_t end = begin->next + 1, bytes;

        if (connection->acked <= end)
                return 0;
        if (connection->segments_again == begin->segments_again && connection->unacked > 1)
                segments -= segments > connection->unacked ? connection->unacked - 1 : 0;
        if (segments == 0)
                return 0;
        bytes = (connection->acked - end + segments - 1) / segments;
        *ret_segments = segments;
        return bytes <= UINT16_MAX ? (uint32_t)bytes : 0;
}

/* Whether packets of `a` bytes prove those of `b`, or nearly: a few short segments between the others make
 * their average smaller. */
static bool is_nearly(uint32_t a, uint32_t b) {
        return a >= b - b / 32;
}

/* Whether segments of `size` show that the path carries more than what a probe has seen pass, or that the
 * connection sends no more than that now. */
static bool is_enough(uint32_t size, const struct connection *connection, uint32_t passes) {
        uint32_t full = connection->mss + connection->headers, packet = size + connection->headers;

        return packet > passes || (full <= passes && is_nearly(packet, full));
}

/* Also of the other connections: what is said of them begins anew. */
static void forget_suspicion(const struct traffic *traffic, struct traffic_peer *peer) {
        if (peer->suspicion == TRAFFIC_QUIET && !peer->is_refuted)
                return;
        peer->suspicion = TRAFFIC_QUIET;
        peer->is_refuted = false;
        peer->n_probes = 0;
        peer->passes = 0;
        for (struct traffic_connection *entry = traffic->connections; entry; entry = entry->next)
                if (entry->peer == peer && entry->is_suspect) {
                        entry->is_suspect = false;
                        entry->rounds = 0;
                }
}

/* `is_old`: the connection was there before the first dump, and what it has proven may be as old. */
static void take_proof(const struct traffic *traffic, struct traffic_connection *entry,
                       const struct connection *connection, bool is_old) {
        struct traffic_peer *peer = entry->peer;
        const struct proof_begin before = begin_of(&entry->last);
        uint32_t n_all = 0, n_last = 0, packet;
        uint32_t all = prove(&entry->begin, connection, &n_all);
        uint32_t last = prove(&before, connection, &n_last);
        bool is_fresh;

        if (last >= all || connection->segments - entry->begin.segments > SEGMENTS_MAX) {
                entry->begin = before;
                all = last;
                n_all = n_last;
        }
        packet = all > 0 ? all + connection->headers : 0;
        if (packet == 0 || connection->acked == entry->last.acked)
                return;
        if (last > 0)
                peer->has_passed |= is_nearly(last + connection->headers, peer->stuck) ||
                                    (peer->passes > 0 && is_enough(last, connection, peer->passes));
        if (packet < peer->sent && !is_nearly(packet, peer->sent) &&
            traffic->now - peer->sent_at < TRAFFIC_VALID_S)
                return;
        is_fresh = !is_old && is_nearly(last + connection->headers, packet);
        if (!is_fresh && (packet <= peer->sent || is_nearly(peer->sent, packet)))
                return;
        if (packet > peer->sent || !is_nearly(packet, peer->sent))
                peer->sent = packet;
        peer->segments = n_all;
        peer->is_dated = is_fresh;
        peer->sent_at = is_fresh ? traffic->now - connection->idle_ms / 1e3 : traffic->now;
}

/* The largest segment that has come since the last dump for sure; see traffic.h. */
static uint32_t prove_received(const struct traffic_connection *entry, const struct connection *connection) {
        const struct connection *last = &entry->last;
        uint32_t segments = connection->segments_received - last->segments_received;
        uint64_t bytes = connection->received - last->received;
        uint64_t window = connection->own_window > last->own_window ? connection->own_window
                                                                    : last->own_window;
        /* What a device has made one large packet of counts as one. */
        uint64_t disordered = (uint64_t)connection->disordered * UINT16_MAX;
        uint64_t before = disordered < window ? disordered : window;

        bytes = segments > 0 && bytes > before ? (bytes - before + segments - 1) / segments : 0;
        return bytes <= connection->received_mss ? (uint32_t)bytes : 0;
}

/* Takes note of a packet that has passed for sure: as a full one, if it nearly is; and as no more, since a
 * larger one would no longer be sent. */
static void note_passed(uint32_t *largest, uint32_t packet, uint32_t full) {
        if (is_nearly(packet, full))
                packet = full;
        if (packet > *largest)
                *largest = packet;
}

/* What has passed since the dump before, if that had the connection. */
static void take_passed(const struct traffic *traffic, const struct traffic_connection *entry,
                        const struct connection *connection) {
        struct traffic_peer *peer = entry->peer;
        const struct proof_begin before = begin_of(&entry->last);
        uint32_t n_segments = 0, headers = connection->headers;

        if (entry->round == 0 || entry->round + 1 != traffic->round)
                return;
        note_passed(&peer->passed_there, prove(&before, connection, &n_segments) + headers,
                    connection->mss + headers);
        note_passed(&peer->passed_back, prove_received(entry, connection) + headers,
                    connection->received_mss + headers);
}

bool traffic_has_proven(const struct traffic_peer *peer, uint32_t size) {
        return peer->passed_there >= size && peer->passed_back >= size;
}

/* Stalls ------------------------------------------------------------------------------------------------ */

/* Something that is not of the stalled connection, or not large, has arrived. */
static void note_alive(const struct traffic *traffic, struct traffic_peer *peer) {
        peer->others += peer->alive != traffic->round;
        peer->alive = traffic->round;
        peer->alive_at = traffic->now;
}

static void note_progress(const struct traffic *traffic, struct traffic_connection *entry,
                          const struct connection *connection) {
        entry->progress_at = traffic->now;
        /* Each timeout since then has sent one again. */
        entry->progress_again = connection->segments_again - connection->backoff;
        entry->others = entry->peer->others;
        entry->others_sent = entry->peer->others_sent;
        entry->others_again = entry->peer->others_again;
        entry->rounds = 0;
        entry->is_stalled = entry->is_suspect = entry->has_sacked = entry->is_old = false;
        entry->has_sent_again = connection->backoff > 0;
}

static void suspect(struct traffic_connection *entry) {
        struct traffic_peer *peer = entry->peer;

        entry->is_suspect = true;
        if (peer->suspicion != TRAFFIC_QUIET)
                return;
        peer->suspicion = TRAFFIC_SUSPECTED;
        peer->is_refuted = false;
        peer->has_passed = false;
        peer->stuck = entry->stuck;
        peer->since = entry->progress_at;
}

static void set_unclear(const struct traffic_connection *entry) {
        struct traffic_peer *peer = entry->peer;

        if (peer->suspicion != TRAFFIC_QUIET)
                return;
        peer->is_unclear = true;
        peer->stuck = entry->stuck;
        peer->since = entry->progress_at;
}

/* The bytes under way. */
static uint64_t flight_of(const struct connection *connection) {
        uint64_t next = connection->sent - connection->sent_again;

        return next > connection->acked ? next - connection->acked : 0;
}

/* Whether one of the SACKed segments is for sure not small: the others hold at most the MSS each. */
static bool has_sacked_large(const struct connection *connection) {
        uint64_t others = (uint64_t)(connection->unacked - connection->sacked) * connection->mss;

        return flight_of(connection) > others + (uint64_t)connection->sacked * TRAFFIC_SMALL;
}

static bool is_stalled(const struct connection *connection) {
        return connection->backoff > 0 && connection->unacked > 0 &&
               connection->peer_window >= 2 * connection->mss &&
               flight_of(connection) / connection->unacked + connection->headers > TRAFFIC_SMALL;
}

static void take_stall(const struct traffic *traffic, struct traffic_connection *entry,
                       const struct connection *connection) {
        struct traffic_peer *peer = entry->peer;
        const struct connection *last = &entry->last;
        uint32_t sent_again = connection->segments_again - last->segments_again;
        bool is_acked = connection->acked > last->acked, was_stalled = entry->is_stalled;

        entry->has_sent_again |= sent_again > 0;
        if (is_acked || connection->unacked == 0 ||
            (connection->sacked > last->sacked && has_sacked_large(connection))) {
                if (was_stalled && connection->mss < last->mss && connection->path_mtu == last->path_mtu) {
                        /* The kernel's own probing has found a size that passes: that refutes nothing. */
                        set_unclear(entry);
                } else if (entry->is_suspect)
                        forget_suspicion(traffic, peer);
                note_progress(traffic, entry, connection);
        } else if (connection->sacked > last->sacked)
                note_alive(traffic, peer);
        if (connection->received > last->received)
                peer->others += connection->segments_received - last->segments_received;
        if (is_acked || connection->received > last->received)
                note_alive(traffic, peer);
        entry->is_stalled = is_stalled(connection);
        if (!entry->is_stalled) {
                peer->others += connection->segments - last->segments;
                peer->others_sent += connection->segments - last->segments;
                peer->others_again += sent_again;
        } else if (!was_stalled) {
                peer->own = connection->own;
                entry->stuck = (last->mss > connection->mss ? last->mss : connection->mss) +
                               connection->headers;
        }
        entry->has_sacked |= entry->is_stalled && connection->sacked > 0;
}

/* The probability that the next segment is lost or, if any is, its acknowledgement. Where many are under
 * way, one acknowledgement makes up for those before it, so that segments alone are sent again. */
static double loss_of(uint64_t again, uint64_t sent) {
        double lost = fmin(((double)again + 1) / ((double)sent + 2), 1);

        return again > 0 ? 1 - (1 - lost) * (1 - lost) : lost;
}

/* The probability that chance explains all losses of the stalled connection. */
static double chance_of(const struct traffic_connection *entry) {
        const struct traffic_peer *peer = entry->peer;
        uint32_t flight = entry->last.unacked < FLIGHT_MAX ? entry->last.unacked : FLIGHT_MAX;
        uint32_t lost = flight + entry->last.segments_again - entry->progress_again;
        double since = loss_of(peer->others_again - entry->others_again, peer->others - entry->others);
        double before = loss_of(entry->others_again, entry->others_sent);

        /* Those that come are no sample of what is lost. Few that were sent before, without loss, are none.
         */
        return pow(entry->others_again > 0 ? fmax(since, before) : since, lost);
}

/* Once all connections of the round are known. */
static void judge(const struct traffic *traffic, struct traffic_connection *entry) {
        struct traffic_peer *peer = entry->peer;
        double since = peer->alive_at > entry->progress_at ? peer->alive_at : entry->progress_at;

        if (!entry->is_stalled)
                return;
        if (entry->has_sent_again && peer->alive == traffic->round) {
                entry->rounds++;
                entry->has_sent_again = false;
        }
        if (!entry->is_suspect && (peer->suspicion == TRAFFIC_CONFIRMED ||
                                   (entry->rounds >= ROUNDS && chance_of(entry) < TRAFFIC_CHANCE)))
                suspect(entry);
        if (entry->is_old && peer->alive == traffic->round) {
                set_unclear(entry);
                entry->is_old = false;
        }
        peer->is_held |= entry->is_suspect;
        if (entry->is_suspect && peer->is_refuted) {
                peer->is_one_link |= entry->has_sacked && chance_of(entry) < TRAFFIC_CHANCE * TRAFFIC_CHANCE;
                peer->state = peer->is_one_link ? TRAFFIC_CONFIRMED : TRAFFIC_REFUTED;
                peer->since = entry->progress_at;
        } else if (peer->state < TRAFFIC_SILENT && traffic->now - since >= SILENT_S) {
                peer->state = TRAFFIC_SILENT;
                peer->since = since;
                peer->stuck = entry->stuck;
        }
}

/* Dumps ------------------------------------------------------------------------------------------------- */

void traffic_begin(struct traffic *traffic, double now) {
        traffic->round++;
        traffic->before = traffic->now;
        traffic->now = now;
        traffic->n_waiting = 0;
        traffic->is_broken = false;
        for (struct traffic_peer *peer = traffic->peers; peer; peer = peer->next) {
                peer->packet = peer->limited = peer->passed_there = peer->passed_back = 0;
                peer->is_held = peer->has_passed = peer->is_one_link = false;
        }
}

static struct traffic_peer *peer_of(struct traffic *traffic, const struct connection *connection) {
        struct traffic_peer key = { .address = connection->peer, .ifindex = connection->ifindex }, *peer;
        bool is_new;

        peer = entry_of(&traffic->peer_tree, compare_peers, &key, sizeof(key), &is_new);
        if (peer && is_new) {
                peer->alive_at = traffic->now;
                peer->next = traffic->peers;
                traffic->peers = peer;
                traffic->n_peers++;
        }
        return peer;
}

void traffic_take(void *userdata, const struct connection *connection) {
        struct traffic *traffic = userdata;
        struct traffic_connection key = { .last.cookie = connection->cookie }, *entry;
        uint32_t packet = connection->mss + connection->headers;
        uint32_t headers = connection->peer.size == 4 ? 40 : 60; /* without timestamps */
        struct traffic_peer *peer;
        bool is_new;

        if (connection->is_closed) {
                peer = peer_of(traffic, connection);
                if (peer && connection->idle_ms / 1e3 < traffic->now - traffic->before)
                        note_alive(traffic, peer);
                return;
        }
        traffic->n_waiting += connection->backoff > 0;
        entry = entry_of(&traffic->connection_tree, compare_cookies, &key, sizeof(key), &is_new);
        if (entry && is_new) {
                entry->next = traffic->connections;
                traffic->connections = entry;
        }
        if (entry && !entry->peer)
                entry->peer = peer_of(traffic, connection);
        if (!entry || !entry->peer) {
                traffic->is_broken = true;
                return;
        }
        peer = entry->peer;
        if (is_new) {
                if (connection->sent > UINT32_MAX)
                        entry->last = *connection;
                entry->begin = begin_of(&entry->last);
                note_progress(traffic, entry, connection);
                /* It was opened since the dump before: small packets have gone both ways. */
                if (traffic->round > 1)
                        note_alive(traffic, peer);
                else if (connection->backoff >= ROUNDS) {
                        /* It stalled long ago, and sends again seldom. What was lost may be an outage's. */
                        entry->rounds = ROUNDS - 1;
                        entry->has_sent_again = false;
                        entry->progress_again = connection->segments_again;
                        entry->is_old = connection->backoff >= OLD_ROUNDS;
                }
        }
        take_proof(traffic, entry, connection, is_new && traffic->round == 1);
        if (!is_new)
                take_stall(traffic, entry, connection);
        take_passed(traffic, entry, connection);
        peer->seen = entry->round = traffic->round;
        if (connection->received_mss > CONNECTION_GUESSED_MSS &&
            connection->received_mss + connection->headers > peer->received)
                peer->received = connection->received_mss + connection->headers;
        if (packet > peer->packet) {
                peer->packet = packet;
                /* The option counts no timestamps: RFC 6691. */
                peer->limited = packet < connection->path_mtu ? packet - headers : 0;
                peer->is_by_peer = peer->limited > 0 && !traffic->has_mtu_probing &&
                                   connection->own_mss + connection->headers >= connection->path_mtu &&
                                   connection->peer_window >= 2 * connection->path_mtu;
        }
        entry->last = *connection;
}

static void drop_connections(struct traffic *traffic, unsigned round) {
        struct traffic_connection **place = &traffic->connections, *entry;

        while ((entry = *place))
                if (entry->round == round)
                        place = &entry->next;
                else {
                        *place = entry->next;
                        tdelete(entry, &traffic->connection_tree, compare_cookies);
                        free(entry);
                }
}

static bool is_kept(const struct traffic *traffic, const struct traffic_peer *peer) {
        return peer->seen == traffic->round ||
               (peer->state != TRAFFIC_QUIET && traffic->n_peers <= TRAFFIC_PEERS_MAX);
}

/* Those without a connection, once nothing is known of them any more. */
static void drop_peers(struct traffic *traffic) {
        struct traffic_peer **place = &traffic->peers, *peer;

        while ((peer = *place))
                if (is_kept(traffic, peer))
                        place = &peer->next;
                else {
                        *place = peer->next;
                        tdelete(peer, &traffic->peer_tree, compare_peers);
                        free(peer);
                        traffic->n_peers--;
                }
}

bool traffic_end(struct traffic *traffic, bool is_whole) {
        if (is_whole && !traffic->is_broken)
                drop_connections(traffic, traffic->round);
        for (struct traffic_peer *peer = traffic->peers; peer; peer = peer->next) {
                bool is_valid = peer->sent > 0 && traffic->now - peer->sent_at < TRAFFIC_VALID_S;

                if (!is_valid)
                        peer->sent = 0;
                peer->state = is_valid && peer->sent > TRAFFIC_SMALL && peer->sent >= peer->packet / 4 * 3
                                              ? TRAFFIC_PROVEN
                                              : TRAFFIC_QUIET;
        }
        for (struct traffic_connection *entry = traffic->connections; entry; entry = entry->next)
                judge(traffic, entry);
        for (struct traffic_peer *peer = traffic->peers; peer; peer = peer->next) {
                if (!peer->is_held && (peer->has_passed || traffic->now - peer->since >= TRAFFIC_VALID_S))
                        forget_suspicion(traffic, peer);
                if (peer->suspicion != TRAFFIC_QUIET)
                        peer->state = peer->suspicion;
        }
        if (is_whole && !traffic->is_broken)
                drop_peers(traffic);
        return !traffic->is_broken;
}

void traffic_answer(struct traffic_peer *peer, enum traffic_state answer, uint32_t passes) {
        peer->is_unclear = false;
        if (peer->state == TRAFFIC_SUSPECTED)
                peer->n_probes++;
        else if (answer != TRAFFIC_CONFIRMED)
                return;
        else
                peer->has_passed = false;
        peer->state = answer;
        peer->suspicion = answer;
        peer->passes = passes;
        if (answer == TRAFFIC_REFUTED) {
                peer->suspicion = TRAFFIC_QUIET;
                peer->is_refuted = true;
                peer->n_probes = 0;
                peer->passes = 0;
        }
}

void traffic_free(struct traffic *traffic) {
        drop_connections(traffic, traffic->round + 1);
        for (struct traffic_peer *peer = traffic->peers; peer; peer = peer->next)
                peer->state = TRAFFIC_QUIET;
        traffic->round++;
        drop_peers(traffic);
}
