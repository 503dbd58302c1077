/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What overlays leave of 1500 bytes: the figures that people know, most of them the kernel's defaults. */

#include <stdio.h>

#include "plan/overlay.h"
#include "plan/stack.h"
#include "rows.h"

struct row {
        const char *name;
        const char *kind;
        bool is_over_ipv6;
        uint32_t left; /* of 1500 */
};

static const struct row rows[] = {
        { "VXLAN", "vxlan", false, 1450 },
        { "VXLAN over IPv6", "vxlan", true, 1430 },
        { "GENEVE", "geneve", false, 1450 },
        { "GENEVE over IPv6", "geneve", true, 1430 },
        { "GRE", "gre", false, 1476 },
        { "GRE with Ethernet", "gretap", false, 1462 },
        { "GRE over IPv6", "ip6gre", true, 1456 },
        { "GRE with Ethernet over IPv6", "ip6gretap", true, 1442 },
        { "IP in IP", "ipip", false, 1480 },
        { "IPv6 in IPv4", "sit", false, 1480 },
        { "IP in IPv6", "ip6tnl", true, 1460 },
        { "WireGuard", "wireguard", false, 1440 },
        { "WireGuard over IPv6", "wireguard", true, 1420 },
        { "PPPoE", "ppp", false, 1492 },
        { "IPsec", "xfrm", false, 1446 },
        { "IPsec over IPv6", "xfrm", true, 1426 },
        { "IPsec by vti", "vti", false, 1446 },
        { "IPsec by vti6", "vti6", true, 1426 },
        { "MACsec", "macsec", false, 1468 },
        { "a VLAN is none", "vlan", false, 1500 },
        { "nor is a NIC", "", false, 1500 },
        { "nor what begins so", "vxla", false, 1500 },
};

static void test_left(void **state) {
        const struct row *row = *state;
        const struct link lower = { .ifindex = 1, .mtu = 1500 };
        struct link link = { .ifindex = 2, .is_over_ipv6 = row->is_over_ipv6 };

        snprintf(link.kind, sizeof(link.kind), "%s", row->kind);
        assert_int_equal(1500 - overlay_bytes(&link, link.is_over_ipv6), row->left);
        /* What the kernel is asked for goes by the same figures. */
        assert_int_equal(stack_capacity(&link, &lower, 1500), row->left);
        assert_int_equal(overlay_find(link.kind) != NULL, row->left < 1500);
}

int main(void) {
        return RUN_ROWS("overlay", test_left, rows);
}
