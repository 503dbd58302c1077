/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What fits each kind of device. That a packet of that size really does, tests/netns/fit shows; random
 * stacks are in tests/fuzz/step_properties.c. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "plan/fit.h"
#include "rows.h"

#define LINKS_MAX 6

struct row {
        const char *name;
        struct link links[LINKS_MAX]; /* with the ifindexes 1, 2, … and names d1, d2, …; the first without an
                                         MTU is none */
        struct underlay ways[3];
        const char *lines;
        unsigned of; /* the device that is looked at */
        uint32_t mtu;
        enum fit_fault fault;
        const char *text;
};

#define NIC \
        { .mtu = 1500 }

static const struct row rows[] = {
        { "a NIC stands on nothing", { NIC }, .lines = "d1=auto", .of = 1, .fault = FIT_NO_LOWER },
        { "VLAN",
          { { .mtu = 4000 }, { .kind = "vlan", .mtu = 1500, .lower_ifindex = 1 } },
          .lines = "d2=auto",
          .of = 2,
          .mtu = 4000,
          .text = "the 4000 of d1" },
        { "the line of the device below counts",
          { NIC, { .kind = "vlan", .mtu = 1500, .lower_ifindex = 1 } },
          .lines = "d1=9000\nd2=auto",
          .of = 2,
          .mtu = 9000 },
        { "unless it cannot have that",
          { { .mtu = 1500, .mtu_max = 4000 }, { .kind = "vlan", .mtu = 1500, .lower_ifindex = 1 } },
          .lines = "d1=9000\nd2=auto",
          .of = 2,
          .mtu = 1500 },
        { "less",
          { NIC, { .kind = "vlan", .mtu = 1500, .lower_ifindex = 1 } },
          .lines = "d2=auto-20",
          .of = 2,
          .mtu = 1480,
          .text = "the 1500 of d1, and 20 less by its line" },
        { "nothing is left",
          { NIC, { .kind = "vlan", .mtu = 1500, .lower_ifindex = 1 } },
          .lines = "d2=auto-1500",
          .of = 2,
          .fault = FIT_NOTHING_LEFT },
        { "MACsec",
          { NIC, { .kind = "macsec", .mtu = 1400, .lower_ifindex = 1 } },
          .lines = "d2=auto",
          .of = 2,
          .mtu = 1468,
          .text = "32 less than the 1500 of d1" },
        { "elsewhere",
          { { .kind = "vlan", .mtu = 1500, .is_lower_elsewhere = true } },
          .lines = "d1=auto",
          .of = 1,
          .fault = FIT_ELSEWHERE },
        { "one upon the other",
          { NIC,
            { .kind = "vlan", .mtu = 1500, .lower_ifindex = 1 },
            { .kind = "macvlan", .mtu = 1500, .lower_ifindex = 2 } },
          .lines = "d1=9000\nd2=auto-50\nd3=auto-50",
          .of = 3,
          .mtu = 8900 },
        { "VXLAN over IPv6",
          { NIC, { .kind = "vxlan", .mtu = 1500 } },
          .ways = { { .upper = 2, .ifindex = 1, .is_over_ipv6 = true } },
          .lines = "d2=auto",
          .of = 2,
          .mtu = 1430,
          .text = "70 less than the 1500 of d1, over IPv6" },
        { "the route has less",
          { NIC, { .kind = "gre", .mtu = 1500, .header_options = 4 } },
          .ways = { { .upper = 2, .ifindex = 1, .mtu = 1400 } },
          .lines = "d2=auto",
          .of = 2,
          .mtu = 1372,
          .text = "28 less than the 1400 of the route by d1" },
        { "the smallest of all peers",
          { NIC, { .mtu = 1490 }, { .kind = "wireguard", .mtu = 1500 } },
          .ways = { { .upper = 3, .ifindex = 1, .is_over_ipv6 = true },
                    { .upper = 3, .ifindex = 2 },
                    { .upper = 3 } },
          .lines = "d3=auto",
          .of = 3,
          .mtu = 1420 },
        { "no peer is known",
          { NIC, { .kind = "wireguard", .mtu = 1500 } },
          .lines = "d2=auto",
          .of = 2,
          .fault = FIT_NO_END },
        { "no route",
          { NIC, { .kind = "ipip", .mtu = 1500 } },
          .ways = { { .upper = 2 } },
          .lines = "d2=auto",
          .of = 2,
          .fault = FIT_NO_ROUTE },
        { "not for this user",
          { NIC, { .kind = "wireguard", .mtu = 1500 } },
          .ways = { { .upper = 2, .error = -1 } },
          .lines = "d2=auto",
          .of = 2,
          .fault = FIT_NOT_PERMITTED },
        { "unread, though one way is known",
          { NIC, { .kind = "vxlan", .mtu = 1500, .lower_ifindex = 1 } },
          .ways = { { .upper = 2, .error = -5 } },
          .lines = "d2=auto",
          .of = 2,
          .fault = FIT_UNREADABLE },
        { "IPsec",
          { NIC, { .kind = "xfrm", .mtu = 1500 } },
          .lines = "d2=auto",
          .of = 2,
          .fault = FIT_IPSEC },
        { "PPP",
          { { .kind = "ppp", .mtu = 1492 } },
          .lines = "d1=auto",
          .of = 1,
          .mtu = 1492,
          .text = "what PPP has negotiated" },
        { "less than that, and less each time",
          { { .kind = "ppp", .mtu = 1492 } },
          .lines = "d1=auto-20",
          .of = 1,
          .fault = FIT_NEGOTIATED },
        { "WireGuard over PPPoE, as IPv6",
          { { .kind = "ppp", .mtu = 1492 }, { .kind = "wireguard", .mtu = 1420 } },
          .ways = { { .upper = 2, .ifindex = 1, .is_over_ipv6 = true } },
          .lines = "d2=auto",
          .of = 2,
          .mtu = 1412 },
        { "a bridge of containers",
          { { .mtu = 1450 },
            { .mtu = 1280 },
            { .kind = "bridge", .mtu = 1500 },
            { .kind = "veth", .mtu = 1500, .controller_ifindex = 3 } },
          .ways = { { .upper = 3, .ifindex = 1 }, { .upper = 3, .ifindex = 2, .is_over_ipv6 = true } },
          .lines = "d3=auto",
          .of = 3,
          .mtu = 1280,
          .text = "the 1280 of d2" },
        { "without a default route",
          { { .kind = "bridge", .mtu = 1500 } },
          .ways = { { .upper = 1 } },
          .lines = "d1=auto",
          .of = 1,
          .fault = FIT_NO_DEFAULT },
        { "its container",
          { { .mtu = 1450 },
            { .kind = "bridge", .mtu = 1500 },
            { .kind = "veth", .mtu = 1500, .controller_ifindex = 2 } },
          .ways = { { .upper = 2, .ifindex = 1 } },
          .lines = "d2=auto\nd3=auto",
          .of = 3,
          .mtu = 1450 },
        { "waits with its bridge",
          { { .kind = "bridge", .mtu = 1500 }, { .kind = "veth", .mtu = 1500, .controller_ifindex = 1 } },
          .ways = { { .upper = 1 } },
          .lines = "d1=auto\nd2=auto-20",
          .of = 2,
          .fault = FIT_NO_DEFAULT },
        { "a bridge that follows it",
          { { .kind = "bridge", .mtu = 1500 }, { .kind = "tun", .mtu = 1500, .controller_ifindex = 1 } },
          .lines = "d2=auto-20",
          .of = 2,
          .fault = FIT_LOOP },
        { "a bridge with ports",
          { { .mtu = 4000, .controller_ifindex = 4 },
            { .mtu = 9000, .controller_ifindex = 4 },
            { .kind = "tun", .mtu = 1500, .controller_ifindex = 4 },
            { .kind = "bridge", .mtu = 1500 } },
          .lines = "d4=auto\nd1=8000",
          .of = 4,
          .mtu = 8000,
          .text = "the 8000 of d1" },
        { "a bond by its ports' lines",
          { { .mtu = 1500, .controller_ifindex = 3 },
            { .mtu = 1500, .controller_ifindex = 3 },
            { .kind = "bond", .mtu = 1500 } },
          .lines = "d1=9000\nd3=auto",
          .of = 3,
          .mtu = 9000 },
        { "a bond whose ports have none",
          { { .mtu = 1500, .controller_ifindex = 2 }, { .kind = "bond", .mtu = 1500 } },
          .lines = "d2=auto-20",
          .of = 2,
          .fault = FIT_NO_PORT },
        { "a VLAN on a bond that follows its ports",
          { { .mtu = 1500, .controller_ifindex = 2 },
            { .kind = "bond", .mtu = 1500 },
            { .kind = "vlan", .mtu = 1500, .lower_ifindex = 2 } },
          .lines = "d1=9000\nd2=auto\nd3=auto",
          .of = 3,
          .mtu = 9000 },
        { "two tunnels, each through the other",
          { { .kind = "gre", .mtu = 1500 }, { .kind = "gre", .mtu = 1500 } },
          .ways = { { .upper = 1, .ifindex = 2 }, { .upper = 2, .ifindex = 1 } },
          .lines = "d1=auto\nd2=auto",
          .of = 1,
          .fault = FIT_LOOP },
        { "so is the other one",
          { { .kind = "gre", .mtu = 1500 }, { .kind = "gre", .mtu = 1500 } },
          .ways = { { .upper = 1, .ifindex = 2 }, { .upper = 2, .ifindex = 1 } },
          .lines = "d1=auto\nd2=auto",
          .of = 2,
          .fault = FIT_LOOP },
        { "one that sends by these has what they have",
          { { .kind = "gre", .mtu = 1500 },
            { .kind = "gre", .mtu = 1400 },
            { .kind = "ipip", .mtu = 1500 } },
          .ways = { { .upper = 1, .ifindex = 2 },
                    { .upper = 2, .ifindex = 1 },
                    { .upper = 3, .ifindex = 2 } },
          .lines = "d3=auto\nd1=auto\nd2=auto",
          .of = 3,
          .mtu = 1380 },
        { "with the device below it, which gets more than it had on the way to its own line",
          { { .mtu = 9000 },
            { .kind = "ipvlan", .mtu = 9000, .lower_ifindex = 1 },
            { .kind = "macvlan", .mtu = 9000, .lower_ifindex = 2 },
            { .kind = "gre", .mtu = 1500 } },
          .ways = { { .upper = 4, .ifindex = 3 } },
          .lines = "d1=1400\nd2=4000\nd4=auto",
          .of = 4,
          .mtu = 1376 },
        { "which falls even if that keeps its MTU in the end",
          { { .mtu = 1500 },
            { .kind = "ipvlan", .mtu = 1500, .lower_ifindex = 1 },
            { .kind = "macvlan", .mtu = 1468, .lower_ifindex = 2 },
            { .kind = "gre", .mtu = 1500 } },
          .ways = { { .upper = 4, .ifindex = 3 } },
          .lines = "d1=1400\nd2=1500\nd3=1450\nd4=auto",
          .of = 4,
          .mtu = 1376 },
        { "also where it has not followed so far, and any request to the device below changes it",
          { { .kind = "bridge", .mtu = 1400 },
            { .kind = "ipvlan", .mtu = 4000, .lower_ifindex = 1 },
            { .kind = "macsec", .mtu = 1400, .lower_ifindex = 2 },
            { .kind = "gre", .mtu = 1500 } },
          .ways = { { .upper = 4, .ifindex = 3 } },
          .lines = "d1=1400\nd2=1500\nd4=auto",
          .of = 4,
          .mtu = 1344 },
        { "or with a bridge, which follows its ports first",
          { { .mtu = 1500, .controller_ifindex = 2 },
            { .kind = "bridge", .mtu = 1500 },
            { .kind = "vlan", .mtu = 1500, .lower_ifindex = 2 },
            { .kind = "gre", .mtu = 1500 } },
          .ways = { { .upper = 4, .ifindex = 3 } },
          .lines = "d1=1400\nd2=1500\nd4=auto",
          .of = 4,
          .mtu = 1376 },
        { "and so does one with such a line itself",
          { { .mtu = 9000 },
            { .kind = "ipvlan", .mtu = 9000, .lower_ifindex = 1 },
            { .kind = "macsec", .mtu = 8000, .lower_ifindex = 2 } },
          .lines = "d1=1400\nd2=4000\nd3=auto",
          .of = 3,
          .mtu = 1368 },
        { "one that follows and has not followed so far, has no more than what is below",
          { { .mtu = 1500 },
            { .kind = "ipvlan", .mtu = 9000, .lower_ifindex = 1 },
            { .kind = "gre", .mtu = 1500 } },
          .ways = { { .upper = 3, .ifindex = 2 } },
          .lines = "d3=auto",
          .of = 3,
          .mtu = 1476 },
        { "a lowered port falls further with the device below it",
          { { .mtu = 9000 },
            { .kind = "ipvlan", .mtu = 8950, .lower_ifindex = 1 },
            { .kind = "macsec", .mtu = 8000, .lower_ifindex = 2, .controller_ifindex = 4 },
            { .kind = "bond", .mtu = 8000 } },
          .lines = "d1=1400\nd2=8950\nd3=4000\nd4=auto",
          .of = 4,
          .fault = FIT_NO_PORT },
        { "no more than the device states",
          { { .mtu = 9000 }, { .kind = "gre", .mtu = 1500, .mtu_max = 4000 } },
          .ways = { { .upper = 2, .ifindex = 1 } },
          .lines = "d2=auto",
          .of = 2,
          .mtu = 4000 },
};

static void ignore(void *userdata, const struct diagnostic *diagnostic) {
        (void)userdata;
        (void)diagnostic;
}

static void test_fit(void **state) {
        const struct row *row = *state;
        const struct diagnostic_sink sink = { .report = ignore };
        struct config config = { 0 };
        struct link_table table = { 0 };
        struct device_statuses statuses;
        struct fit fits[LINKS_MAX] = { 0 };
        char text[FIT_TEXT_SIZE];

        for (unsigned i = 0; i < LINKS_MAX && row->links[i].mtu > 0; i++) {
                struct link link = row->links[i];

                link.ifindex = i + 1;
                snprintf(link.name, sizeof(link.name), "d%u", i + 1);
                assert_int_equal(link_table_add(&table, &link), 0);
        }
        link_table_sort(&table);
        for (unsigned i = 0; i < 3 && row->ways[i].upper > 0; i++) {
                struct underlay *way = array_add(&table.underlays, &table.n_underlays, sizeof(*way));

                assert_non_null(way);
                *way = row->ways[i];
        }
        assert_int_equal(config_parse_file(&config, "f", row->lines, strlen(row->lines), &sink), 0);
        assert_int_equal(device_statuses_make(&config, &table, &statuses), 0);
        assert_int_equal(fit_compute(&table, statuses.items, fits), 0);

        assert_int_equal(fits[row->of - 1].fault, row->fault);
        assert_int_equal(fits[row->of - 1].mtu, row->mtu);
        assert_int_equal(statuses.items[row->of - 1].wanted, row->mtu);
        if (row->fault != FIT_FITS) {
                assert_false(device_status_has_good_line(&statuses.items[row->of - 1]));
                assert_non_null(device_fit_fault(row->fault));
        } else if (row->text)
                assert_string_equal(fit_text(text, &fits[row->of - 1]), row->text);
        device_statuses_free(&statuses);
        link_table_free(&table);
        config_free(&config);
}

int main(void) {
        return RUN_ROWS("fit", test_fit, rows);
}
