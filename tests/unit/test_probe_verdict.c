/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What setmtu probe says of each verdict. Whatever may be at fault, the host that was probed is named before
 * the switches, and only what is known is told as such. */

#include "rows.h"

#include <arpa/inet.h>

#include "probe/verdict.h"

struct row {
        const char *name;
        struct verdict verdict;
        const char *by, *hop, *next; /* addresses; NULL: none */
        const char *text;
};

#define BLACK_HOLE(limit) .kind = VERDICT_BLACK_HOLE, .tried = 9000, .size = (limit), .high = (limit) + 1
#define DIRECT .next_is_host = true, .after_hop = 0

static const struct row rows[] = {
        { "all passes",
          { .kind = VERDICT_OK, .size = 9000 },
          .text = "packets of 9000 bytes pass to nas and back." },
        { "ok, and no jumbo frames",
          { .kind = VERDICT_OK, .size = 1500 },
          .text = "packets of 1500 bytes pass to nas and back. For jumbo frames: setmtu probe --size 9000 "
                  "nas" },
        { "the host ignores echo",
          { .kind = VERDICT_OK, .size = 9000, .is_one_way = true, .may_echo = true },
          .text = "packets of 9000 bytes arrive at nas. It answers no echo requests, so the way back is not "
                  "known. "
                  "Probe from there as well." },
        { "no right to send echo",
          { .kind = VERDICT_OK, .size = 9000, .is_one_way = true },
          .text = "packets of 9000 bytes arrive at nas. This user may not send echo requests "
                  "(net.ipv4.ping_group_range), so the way back is not known. Run this as root, or probe "
                  "from "
                  "there as well." },
        { "too big",
          { .kind = VERDICT_TOO_BIG, .size = 1500, .said = 1500 },
          .by = "192.0.2.1",
          .text = "192.0.2.1 says that packets above 1500 bytes are too big, and it is right. Smaller ones "
                  "pass; "
                  "to send larger ones, raise the MTU of that router's link." },
        { "the host itself",
          { BLACK_HOLE(1500), DIRECT, .cause = VERDICT_CAUSE_HOST, .may_fragment = true },
          .next = "192.0.2.7",
          .text = "nas itself has an MTU of 1500: it answers larger packets in fragments of that size. "
                  "Raise it there: ip link show lists the devices; setmtu set DEVICE 9000, ip link set dev "
                  "DEVICE mtu 9000 or its network settings raise it. Then probe again: a switch may have "
                  "the "
                  "same limit. Or give eth0 an MTU of 1500." },
        { "the host itself, which takes the tag of a VLAN more",
          { .kind = VERDICT_RETURN_PATH,
            .tried = 9000,
            .size = 1500,
            .forward = 1504,
            .cause = VERDICT_CAUSE_HOST },
          .text = "nas itself has an MTU of 1500: it answers larger packets in fragments of that size. "
                  "Raise it there: ip link show lists the devices; setmtu set DEVICE 9000, ip link set dev "
                  "DEVICE mtu 9000 or its network settings raise it. Then probe again: a switch may have "
                  "the "
                  "same limit. Or give eth0 an MTU of 1500." },
        { "a switch",
          { BLACK_HOLE(1500), DIRECT, .cause = VERDICT_CAUSE_LINK, .may_fragment = true },
          .next = "192.0.2.7",
          .text = "a switch between eth0 and nas drops packets above 1500 bytes (frames above 1514) and "
                  "does not "
                  "report it. The MTU of nas itself is larger. Raise the limit of every switch and port "
                  "between "
                  "them, or give eth0 an MTU of 1500." },
        { "a switch with room for a tag: no odd size is advised",
          { BLACK_HOLE(1504), DIRECT, .cause = VERDICT_CAUSE_LINK, .may_fragment = true },
          .next = "192.0.2.7",
          .text = "a switch between eth0 and nas drops packets above 1504 bytes (frames above 1518) and "
                  "does not "
                  "report it. The MTU of nas itself is larger. Raise the limit of every switch and port "
                  "between "
                  "them, or give eth0 an MTU of 1500." },
        { "the host or a switch",
          { BLACK_HOLE(1500), DIRECT, .may_fragment = true },
          .next = "192.0.2.7",
          .text = "packets above 1500 bytes from eth0 do not arrive at nas, and nothing reports it. Look at "
                  "nas "
                  "first, with ip link show: if its MTU is 1500, raise it there. If it is larger, a switch "
                  "between "
                  "the two drops frames above 1514 bytes: raise the limit of every switch and port there, "
                  "or give "
                  "eth0 an MTU of 1500. setmtu cannot tell from here which of them it is." },
        { "the host or a switch, and root can tell",
          { BLACK_HOLE(9014), DIRECT },
          .next = "192.0.2.7",
          .text = "packets above 9014 bytes from eth0 do not arrive at nas, and nothing reports it. Look at "
                  "nas "
                  "first, with ip link show: if its MTU is 9000, raise it there. If it is larger, a switch "
                  "between "
                  "the two drops frames above 9028 bytes: raise the limit of every switch and port there, "
                  "or give "
                  "eth0 an MTU of 9000. Run as root, setmtu probe may tell which of them it is." },
        { "the first router or a switch",
          { BLACK_HOLE(1500) },
          .next = "192.0.2.1",
          .text = "packets above 1500 bytes from eth0 do not arrive at 192.0.2.1, and nothing reports it. "
                  "Look at "
                  "192.0.2.1 first, with ip link show: if its MTU is 1500, raise it there. If it is larger, "
                  "a "
                  "switch between the two drops frames above 1514 bytes: raise the limit of every switch "
                  "and port "
                  "there, or give eth0 an MTU of 1500. setmtu cannot tell from here which of them it is." },
        { "behind a router",
          { BLACK_HOLE(4470), .after_hop = 2, .next_is_host = true, .may_fragment = true },
          .hop = "198.51.100.1",
          .next = "192.0.2.7",
          .text = "packets above 4470 bytes from hop 2, 198.51.100.1, do not arrive at nas, and nothing "
                  "reports "
                  "it. Look at nas first, with ip link show: if its MTU is 4470, raise it there. If it is "
                  "larger, "
                  "a switch or router between the two drops frames above 4484 bytes: raise the limit of "
                  "every "
                  "switch and port there, let the router there send ICMP, or give the route an MTU of 4470. "
                  "setmtu cannot tell from here which of them it is." },
        { "behind a router, and not the host",
          { BLACK_HOLE(4470), .after_hop = 2, .next_is_host = true, .may_fragment = true,
            .cause = VERDICT_CAUSE_LINK },
          .hop = "198.51.100.1",
          .next = "192.0.2.7",
          .text = "a switch or router between hop 2, 198.51.100.1, and nas drops packets above 4470 bytes "
                  "(frames "
                  "above 4484) and does not report it. The MTU of nas itself is larger. Raise the limit of "
                  "every "
                  "switch and port between them, let the router there send ICMP, or give the route an MTU "
                  "of "
                  "4470." },
        { "behind a router, and nobody answers there",
          { BLACK_HOLE(1500), .after_hop = 2 },
          .hop = "198.51.100.1",
          .text = "packets above 1500 bytes are dropped behind hop 2, 198.51.100.1, and nothing reports it. "
                  "Let the "
                  "link there carry more and its router send ICMP, or give the route an MTU of 1500." },
        { "somewhere",
          { BLACK_HOLE(1500), .after_hop = -1 },
          .text = "packets above 1500 bytes are dropped on the way to nas or back, and nothing reports it "
                  "or tells "
                  "where. Look at the MTU of nas first, with ip link show there; then ask who runs the "
                  "network, or "
                  "give the route an MTU of 1500." },
        { "the way back",
          { .kind = VERDICT_RETURN_PATH, .tried = 9000, .size = 1500, .high = 1501, .forward = 9000 },
          .text = "packets of 9000 bytes arrive at nas, and answers above 1500 do not come back whole. Look "
                  "at nas "
                  "first, with ip link show: if its MTU is 1500, raise it there; then raise the MTU of the "
                  "way back "
                  "from there, or give both ends 1500." },
        { "interrupted, nothing known",
          { .kind = VERDICT_INCONCLUSIVE, .doubt = VERDICT_DOUBT_INTERRUPTED },
          .text = "interrupted. Try again, and let it end by itself." },
        { "interrupted, silence so far",
          { .kind = VERDICT_INCONCLUSIVE,
            .doubt = VERDICT_DOUBT_INTERRUPTED,
            .size = 1500,
            .high = 1501,
            .forward = 1500 },
          .text = "interrupted; 1500 bytes pass to nas and back; 1501 bytes had no answer yet. Try again, "
                  "and let "
                  "it end by itself." },
        { "interrupted, in fragments so far",
          { .kind = VERDICT_INCONCLUSIVE,
            .doubt = VERDICT_DOUBT_INTERRUPTED,
            .size = 1500,
            .high = 1501,
            .forward = 1504 },
          .text = "interrupted; 1500 bytes pass to nas and back; 1501 bytes arrive there and did not come "
                  "back "
                  "whole. Try again, and let it end by itself." },
        { "no time left, one way",
          { .kind = VERDICT_INCONCLUSIVE,
            .doubt = VERDICT_DOUBT_TIME,
            .size = 1492,
            .high = 4082,
            .forward = 1492,
            .is_one_way = true },
          .text = "the time ran out; 1492 bytes pass to nas; 4082 bytes had no answer yet. Try again, with "
                  "a "
                  "longer "
                  "--timeout." },
};

static struct probe_address address(const char *text) {
        struct probe_address ret = { .family = AF_UNSPEC };

        if (text) {
                ret.family = AF_INET;
                assert_int_equal(inet_pton(AF_INET, text, &ret.v4), 1);
        }
        return ret;
}

static void test_text(void **state) {
        const struct row *row = *state;
        struct verdict verdict = row->verdict;
        char text[1024] = "";
        FILE *stream = fmemopen(text, sizeof(text), "w");

        assert_non_null(stream);
        verdict.by = address(row->by);
        verdict.hop = address(row->hop);
        verdict.next = address(row->next);
        verdict_explain(stream, &verdict, "nas", "eth0");
        assert_int_equal(fclose(stream), 0);
        assert_string_equal(text, row->text);
}

int main(void) {
        return RUN_ROWS("verdicts", test_text, rows);
}
