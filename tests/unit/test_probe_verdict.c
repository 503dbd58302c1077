/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What setmtu probe says of each verdict. Whatever may be at fault, the host that was probed is named before
 * the switches, and only what is known is told as such. */

#include "rows.h"

#include <arpa/inet.h>

#include "command/path_text.h"
#include "command/switch_port.h"

struct row {
        const char *name;
        struct verdict verdict;
        const char *by, *hop, *next; /* addresses; NULL: none */
        const char *text;
        const char *port; /* as JSON; NULL: not known */
};

#define BLACK_HOLE(limit) .kind = VERDICT_BLACK_HOLE, .tried = 9000, .size = (limit), .high = (limit) + 1
#define DIRECT .next_is_host = true, .after_hop = 0

#define PORT(name, port, frame) "{\"name\":\"" name "\",\"port\":\"" port "\",\"largest_frame\":" frame "}"
#define DIGITS "01234567890123456789012345678901234567890123456789"

#define HOST_SENDS                                                                                         \
        "nas sends nothing above 1500 bytes: it answers larger packets in fragments of that size. Raise "  \
        "the MTU of its device, or of its route to here (ip link show, ip route list): setmtu set DEVICE " \
        "9000, or ip link set dev DEVICE mtu 9000. Or give eth0 an MTU of 1500."
#define FIREWALL " Or this machine's own firewall may drop what a router reports: nft list ruleset shows it."

static const struct row rows[] = {
        { "all passes",
          { .kind = VERDICT_OK, .size = 9000 },
          .text = "packets of 9000 bytes pass to nas and back." },
        { "the host ignores echo",
          { .kind = VERDICT_OK, .size = 9000, .is_one_way = true, .may_echo = true },
          .text = "packets of 9000 bytes arrive at nas. It answers no echo requests: probe from there as "
                  "well to test the return path." },
        { "no right to send echo",
          { .kind = VERDICT_OK, .size = 9000, .is_one_way = true },
          .text = "packets of 9000 bytes arrive at nas. This user may not send echo requests "
                  "(net.ipv4.ping_group_range): run this as root to test the return path." },
        { "too big",
          { .kind = VERDICT_TOO_BIG, .size = 1500, .reported = 1500 },
          .by = "192.0.2.1",
          .text = "192.0.2.1 says that packets above 1500 bytes are too big, and it is right. Smaller ones "
                  "pass; "
                  "to send larger ones, raise the MTU of that router's link." },
        { "the host itself",
          { BLACK_HOLE(1500), DIRECT, .cause = VERDICT_CAUSE_HOST, .may_fragment = true },
          .next = "192.0.2.7",
          .text = HOST_SENDS },
        { "the host itself, which takes the tag of a VLAN more",
          { .kind = VERDICT_RETURN_PATH,
            .tried = 9000,
            .size = 1500,
            .forward = 1504,
            .cause = VERDICT_CAUSE_HOST },
          .text = HOST_SENDS },
        { "a switch",
          { BLACK_HOLE(1500), DIRECT, .cause = VERDICT_CAUSE_LINK, .may_fragment = true },
          .next = "192.0.2.7",
          .text = "a switch between eth0 and nas drops packets above 1500 bytes (frames above 1514) and "
                  "does not report it; the MTU of nas is larger. Raise the limit of every switch and port "
                  "between them, or give eth0 an MTU of 1500." },
        { "a switch with room for a tag: no odd size is advised",
          { BLACK_HOLE(1504), DIRECT, .cause = VERDICT_CAUSE_LINK, .may_fragment = true },
          .next = "192.0.2.7",
          .text = "a switch between eth0 and nas drops packets above 1504 bytes (frames above 1518) and "
                  "does not report it; the MTU of nas is larger. Raise the limit of every switch and port "
                  "between them, or give eth0 an MTU of 1500." },
        { "a switch that is known",
          { BLACK_HOLE(1500), DIRECT, .cause = VERDICT_CAUSE_LINK, .may_fragment = true },
          .next = "192.0.2.7",
          .port = PORT("tor3", "Ethernet12", "9216"),
          .text = "tor3, port Ethernet12 (announces a largest frame of 9216), or another switch between "
                  "eth0 and nas drops packets above 1500 bytes (frames above 1514) and does not report it; "
                  "the MTU of nas is larger. Raise the limit of every switch and port between them, or give "
                  "eth0 an MTU of 1500." },
        { "a switch that announces that limit",
          { BLACK_HOLE(1500), DIRECT, .cause = VERDICT_CAUSE_LINK, .may_fragment = true },
          .next = "192.0.2.7",
          .port = PORT("tor3", "Ethernet12", "1522"),
          .text = "tor3, port Ethernet12 (announces a largest frame of 1522) between eth0 and nas drops "
                  "packets above 1500 bytes (frames above 1514) and does not report it; the MTU of nas is "
                  "larger. Raise the limit of every switch and port between them, or give eth0 an MTU of "
                  "1500." },
        { "a switch that announces less than what passes",
          { BLACK_HOLE(4000), DIRECT, .cause = VERDICT_CAUSE_LINK, .may_fragment = true },
          .next = "192.0.2.7",
          .port = PORT("tor3", "Ethernet12", "1522"),
          .text = "tor3, port Ethernet12 (announces a largest frame of 1522), or another switch between "
                  "eth0 and nas drops packets above 4000 bytes (frames above 4014) and does not report it; "
                  "the MTU of nas is larger. Raise the limit of every switch and port between them, or give "
                  "eth0 an MTU of 4000." },
        { "the host or a switch that is known",
          { BLACK_HOLE(1500), DIRECT, .may_fragment = true },
          .next = "192.0.2.7",
          .port = PORT("tor3", "Ethernet12", "9216"),
          .text = "packets above 1500 bytes from eth0 do not arrive at nas, and nothing reports it. If ip "
                  "link show there has an MTU of 1500, raise that; otherwise tor3, port Ethernet12 "
                  "(announces a largest frame of 9216), or another switch drops frames above 1514 bytes: "
                  "raise the limit of every switch and port between them, or give eth0 an MTU of 1500." },
        { "a switch with a name that is no text",
          { BLACK_HOLE(1500), DIRECT, .cause = VERDICT_CAUSE_LINK, .may_fragment = true },
          .next = "192.0.2.7",
          .port = PORT("\\u001b[31mtor\\u0085\\n", DIGITS DIGITS, "null"),
          .text = "\\x1b[31mtor\\xc2\\x85\\x0a, port " DIGITS "01234567890123456789012345..., "
                  "or another switch between eth0 and nas drops packets above 1500 bytes (frames above "
                  "1514) and does not report it; the MTU of nas is larger. Raise the limit of every switch "
                  "and port between them, or give eth0 an MTU of 1500." },
        { "the host or a switch",
          { BLACK_HOLE(1500), DIRECT, .may_fragment = true },
          .next = "192.0.2.7",
          .text = "packets above 1500 bytes from eth0 do not arrive at nas, and nothing reports it. If ip "
                  "link show there has an MTU of 1500, raise that; otherwise a switch drops frames above "
                  "1514 bytes: raise the limit of every switch and port between them, or give eth0 an MTU "
                  "of 1500." },
        { "the host or a switch, and root can tell",
          { BLACK_HOLE(9014), DIRECT },
          .next = "192.0.2.7",
          .text = "packets above 9014 bytes from eth0 do not arrive at nas, and nothing reports it. If ip "
                  "link show there has an MTU of 9000, raise that; otherwise a switch drops frames above "
                  "9028 bytes: raise the limit of every switch and port between them, or give eth0 an MTU "
                  "of 9000. Run as root, setmtu probe may tell which of them it is." },
        { "the first router or a switch",
          { BLACK_HOLE(1500) },
          .next = "192.0.2.1",
          .text = "packets above 1500 bytes from eth0 do not arrive at 192.0.2.1, and nothing reports it. "
                  "If ip link show there has an MTU of 1500, raise that; otherwise a switch drops frames "
                  "above 1514 bytes: raise the limit of every switch and port between them, or give the "
                  "route an MTU of 1500." },
        { "behind a router",
          { BLACK_HOLE(4470), .after_hop = 2, .next_is_host = true, .may_fragment = true },
          .hop = "198.51.100.1",
          .next = "192.0.2.7",
          .text = "packets above 4470 bytes from hop 2, 198.51.100.1, do not arrive at nas, and nothing "
                  "reports it. If ip link show there has an MTU of 4470, raise that; otherwise a switch or "
                  "router drops frames above 4484 bytes: raise the limit of every switch and port between "
                  "them, let the router there send ICMP, or give the route an MTU of 4470." FIREWALL },
        { "behind a router, and not the host",
          { BLACK_HOLE(4470), .after_hop = 2, .next_is_host = true, .may_fragment = true,
            .cause = VERDICT_CAUSE_LINK },
          .hop = "198.51.100.1",
          .next = "192.0.2.7",
          .text = "a switch or router between hop 2, 198.51.100.1, and nas drops packets above 4470 bytes "
                  "(frames above 4484) and does not report it; the MTU of nas is larger. Raise the limit of "
                  "every switch and port between them, let the router there send ICMP, or give the route an "
                  "MTU of 4470." FIREWALL },
        { "behind a router, and nobody answers there",
          { BLACK_HOLE(1500), .after_hop = 2 },
          .hop = "198.51.100.1",
          .text = "packets above 1500 bytes are dropped after hop 2, 198.51.100.1, and nothing reports it. "
                  "Let the link there carry more and its router send ICMP, or give the route an MTU of "
                  "1500." FIREWALL },
        { "somewhere",
          { BLACK_HOLE(1500), .after_hop = -1 },
          .text = "packets above 1500 bytes are dropped on the way to nas or back, and nothing reports it. "
                  "Look at the MTU of nas first, with ip link show there; then ask who runs the network, or "
                  "give the route an MTU of 1500." FIREWALL },
        { "the way back",
          { .kind = VERDICT_RETURN_PATH, .tried = 9000, .size = 1500, .high = 1501, .forward = 9000 },
          .text = "packets of 9000 bytes arrive at nas, and answers above 1500 do not return whole. If ip "
                  "link show there has an MTU of 1500, raise that; otherwise raise the MTU of the return "
                  "path, or give both ends 1500." },
        { "interrupted, nothing known",
          { .kind = VERDICT_INCONCLUSIVE, .doubt = VERDICT_DOUBT_INTERRUPTED },
          .text = "interrupted. Try again." },
        { "interrupted, silence so far",
          { .kind = VERDICT_INCONCLUSIVE,
            .doubt = VERDICT_DOUBT_INTERRUPTED,
            .size = 1500,
            .high = 1501,
            .forward = 1500 },
          .text = "interrupted; 1500 bytes pass to nas and back; 1501 bytes had no whole answer yet. Try "
                  "again." },
        { "flows without an answer",
          { .kind = VERDICT_INCONCLUSIVE, .doubt = VERDICT_DOUBT_FLOWS, .size = 9000, .forward = 9000 },
          .text = "some flows had no answer at all; 9000 bytes pass to nas and back. Try again." },
        { "no time left, one way",
          { .kind = VERDICT_INCONCLUSIVE,
            .doubt = VERDICT_DOUBT_TIME,
            .size = 1492,
            .high = 4082,
            .forward = 1492,
            .is_one_way = true },
          .text = "it timed out; 1492 bytes pass to nas; 4082 bytes had no whole answer yet. Try again, "
                  "with a longer --timeout." },
};

static struct net_address address(const char *text) {
        struct net_address ret = { .size = text ? 4 : 0 };

        if (text)
                assert_int_equal(inet_pton(AF_INET, text, ret.bytes), 1);
        return ret;
}

static const struct path path = { .host = "nas", .link = { .ifindex = 2, .name = "eth0" } };

/* What is beside eth0. */
static const char *beside;

json_t *switch_port_find(const char *device) {
        assert_string_equal(device, "eth0");
        return beside ? json_loads(beside, 0, NULL) : json_null();
}

static void test_text(void **state) {
        const struct row *row = *state;
        struct path_result result = { .verdict = row->verdict };
        struct pool pool = { 0 };

        result.verdict.by = address(row->by);
        result.verdict.hop = address(row->hop);
        result.verdict.next = address(row->next);
        beside = row->port;
        assert_string_equal(path_text(&pool, &path, &result),
                            pool_print(&pool, "%s: %s", verdict_word(row->verdict.kind), row->text));
        pool_free(&pool);
}

/* Flows, one after the other, and what they are together. */
static const struct flows_row {
        const char *name;
        struct verdict verdicts[8];
        unsigned n_wanted;
        unsigned n_probed;
        enum verdict_kind kind;
        uint32_t size;
        const char *text;
} flows_rows[] = {
#define OK(size_) \
        { .kind = VERDICT_OK, .size = (size_) }
#define HOLE(size_) \
        { .kind = VERDICT_BLACK_HOLE, .size = (size_), .high = (size_) + 1 }
#define BACK(size_) \
        { .kind = VERDICT_RETURN_PATH, .size = (size_), .high = (size_) + 1 }
#define SILENT \
        { .kind = VERDICT_UNREACHABLE }
        { "one", { OK(9000) }, 1, 1, VERDICT_OK, 9000, "" },
        { "none wanted is one", { OK(9000) }, 0, 1, VERDICT_OK, 9000, "" },
        { "all alike", { OK(9000), OK(9000) }, 2, 2, VERDICT_OK, 9000, " All 2 flows carry 9000 bytes." },
        { "all with a limit",
          { HOLE(1500), HOLE(1500) },
          2,
          2,
          VERDICT_BLACK_HOLE,
          1500,
          " All 2 flows carry 1500 bytes." },
        { "one of four",
          { OK(9000), OK(9000), HOLE(1500), OK(9000) },
          4,
          4,
          VERDICT_BLACK_HOLE,
          1500,
          " Of 4 flows, 3 carry 9000 bytes, 1 carries 1500 bytes: one of several equal links on the way is "
          "likely to be at fault." },
        { "the first of two",
          { HOLE(1500), OK(9000) },
          2,
          2,
          VERDICT_BLACK_HOLE,
          1500,
          " Of 2 flows, 1 carries 9000 bytes, 1 carries 1500 bytes: one of several equal links on the way "
          "is likely to be at fault." },
        { "the smaller limit",
          { { .kind = VERDICT_TOO_BIG, .size = 1500 },
            HOLE(1400),
            { .kind = VERDICT_TOO_BIG, .size = 4000 } },
          3,
          3,
          VERDICT_BLACK_HOLE,
          1400,
          " Of 3 flows, 1 carries 4000 bytes, 1 carries 1500 bytes, 1 carries 1400 bytes: one of several "
          "equal links on the way "
          "is likely to be at fault." },
        { "a limit is worse than doubt",
          { HOLE(1500), { .kind = VERDICT_INCONCLUSIVE, .size = 1200 } },
          2,
          2,
          VERDICT_BLACK_HOLE,
          1500,
          " Of 2 flows, 1 carries 1500 bytes, 1 carries 1200 bytes: one of several equal links on the way "
          "is likely to be at fault." },
        { "doubt is worse than none",
          { OK(9000), { .kind = VERDICT_INCONCLUSIVE, .size = 9000 } },
          2,
          2,
          VERDICT_INCONCLUSIVE,
          9000,
          " All 2 flows carry 9000 bytes." },
        { "the limit of this machine",
          { { .kind = VERDICT_LOCAL_LIMIT, .size = 1500 }, { .kind = VERDICT_LOCAL_LIMIT, .size = 1500 } },
          2,
          2,
          VERDICT_LOCAL_LIMIT,
          1500,
          " All 2 flows carry 1500 bytes." },
        { "the way back of the first, which other flows do not see",
          { BACK(1500), OK(9000) },
          2,
          2,
          VERDICT_RETURN_PATH,
          1500,
          " Of 2 flows, 1 carries 9000 bytes, 1 carries 1500 bytes: one of several equal links on the way "
          "is likely to be at fault." },
        { "no way back: the first and its UDP took other ways there",
          { BACK(1500), OK(9000), HOLE(1500) },
          3,
          3,
          VERDICT_BLACK_HOLE,
          1500,
          " Of 3 flows, 1 carries 9000 bytes, 2 carry 1500 bytes: one of several equal links on the way is "
          "likely to be at fault." },
        { "nobody is there", { SILENT, OK(9000) }, 2, 1, VERDICT_UNREACHABLE, 0, "" },
        { "doubt at first",
          { { .kind = VERDICT_INCONCLUSIVE }, OK(9000) },
          2,
          1,
          VERDICT_INCONCLUSIVE,
          0,
          "" },
        { "one without an answer",
          { OK(9000), OK(9000), SILENT },
          3,
          3,
          VERDICT_INCONCLUSIVE,
          9000,
          " Of 3 flows, 2 carry 9000 bytes, 1 had no answer: one of several equal links on the way is "
          "likely to be at fault." },
        { "one without an answer, and a limit",
          { HOLE(1500), SILENT, HOLE(1500) },
          3,
          3,
          VERDICT_BLACK_HOLE,
          1500,
          " Of 3 flows, 2 carry 1500 bytes, 1 had no answer: one of several equal links on the way is "
          "likely to be at fault." },
        { "no UDP",
          { OK(9000), SILENT },
          2,
          1,
          VERDICT_OK,
          9000,
          " It answers no UDP: no further flow could be probed." },
        { "no UDP is known after some",
          { OK(9000), SILENT, SILENT, SILENT, SILENT, OK(9000) },
          6,
          1,
          VERDICT_OK,
          9000,
          " It answers no UDP: no further flow could be probed." },
        { "some, and then one that answers",
          { OK(9000), SILENT, SILENT, SILENT, OK(9000), SILENT },
          6,
          6,
          VERDICT_INCONCLUSIVE,
          9000,
          " Of 6 flows, 2 carry 9000 bytes, 4 had no answer: one of several equal links on the way is "
          "likely to be at fault." },
        { "less than the base size passes",
          { OK(9000), { .kind = VERDICT_UNREACHABLE, .size = 100 } },
          2,
          2,
          VERDICT_UNREACHABLE,
          100,
          " Of 2 flows, 1 carries 9000 bytes, 1 carries 100 bytes: one of several equal links on the way is "
          "likely to be at fault." },
};

static void test_flows(void **state) {
        const struct flows_row *row = *state;
        struct path_result result = { .verdict.kind = VERDICT_OK };
        struct flows flows = { .n = 0 };
        struct verdict verdict = { .kind = VERDICT_COUNT };
        struct pool pool = { 0 };
        unsigned i = 0, sum = 0, n;
        uint32_t size = UINT32_MAX;

        while (flows_take(&flows, row->n_wanted, &row->verdicts[i], &verdict))
                i++;
        assert_int_equal(flows.n, row->n_probed);
        assert_int_equal(verdict.kind, row->kind);
        assert_int_equal(verdict.size, row->size);
        for (uint32_t above = size; (n = flows_next(&flows, &size)) > 0; above = size, sum += n)
                assert_true(size < above);
        assert_int_equal(sum, flows.n);
        result.flows = flows;
        assert_string_equal(path_text(&pool, &path, &result),
                            pool_print(&pool, "ok: packets of 0 bytes pass to nas and back.%s", row->text));
        pool_free(&pool);
}

/* No more are taken than there is room for. */
static const struct all_row { const char *name; } all_rows[] = { { "the most" } };

static void test_most(void **state) {
        struct flows flows = { .n = 0 };
        struct verdict verdict, next = { .kind = VERDICT_OK, .size = 1500 };

        (void)state;
        while (flows_take(&flows, 1000, &next, &verdict))
                ;
        assert_int_equal(flows.n, FLOWS_MAX);
}

int main(void) {
        return RUN_ROWS("verdicts", test_text, rows) + RUN_ROWS("flows", test_flows, flows_rows) +
               RUN_ROWS("many flows", test_most, all_rows);
}
