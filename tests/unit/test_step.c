/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Devices beside what is wanted of them, and what is asked of the kernel in which order. */

#include "rows.h"

#include "base/cleanup.h"
#include "plan/advice.h"
#include "plan/contradictions.h"
#include "plan/step_text.h"

static const struct link eth0 = { .ifindex = 2,
                                  .name = "eth0",
                                  .mtu = 1500,
                                  .mtu_min = 68,
                                  .mtu_max = 9000,
                                  .up = true,
                                  .has_carrier = true };
static const struct link eth1 = { .ifindex = 3,
                                  .name = "eth1",
                                  .mtu = 1500,
                                  .mtu_min = 68,
                                  .mtu_max = 9000,
                                  .up = true,
                                  .has_carrier = true };
static const struct link vlan = { .ifindex = 4,
                                  .name = "eth0.5",
                                  .kind = "vlan",
                                  .mtu = 1500,
                                  .mtu_max = 65535,
                                  .lower_ifindex = 2,
                                  .up = true,
                                  .has_carrier = true };
static const struct link macvlan = { .ifindex = 5,
                                     .name = "mac0",
                                     .kind = "macvlan",
                                     .mtu = 1500,
                                     .mtu_min = 68,
                                     .mtu_max = 65535,
                                     .lower_ifindex = 4,
                                     .up = true,
                                     .has_carrier = true };
/* Made before the device that it stands on. */
static const struct link older = { .ifindex = 1,
                                   .name = "old0",
                                   .kind = "macvlan",
                                   .mtu = 1500,
                                   .mtu_min = 68,
                                   .mtu_max = 65535,
                                   .lower_ifindex = 2,
                                   .up = true,
                                   .has_carrier = true };
static const struct link bond = { .ifindex = 6,
                                  .name = "bond0",
                                  .kind = "bond",
                                  .mtu = 1500,
                                  .mtu_min = 68,
                                  .mtu_max = 65535,
                                  .up = true,
                                  .has_carrier = true };
static const struct link port0 = { .ifindex = 2,
                                   .name = "eth0",
                                   .mtu = 1500,
                                   .mtu_min = 68,
                                   .mtu_max = 9000,
                                   .controller_ifindex = 6,
                                   .up = true,
                                   .has_carrier = true };
static const struct link port1 = { .ifindex = 3,
                                   .name = "eth1",
                                   .mtu = 1500,
                                   .mtu_min = 68,
                                   .mtu_max = 9000,
                                   .controller_ifindex = 6,
                                   .up = true,
                                   .has_carrier = true };
static const struct link bridge = { .ifindex = 7,
                                    .name = "br0",
                                    .kind = "bridge",
                                    .mtu = 1500,
                                    .mtu_min = 68,
                                    .mtu_max = 65535,
                                    .up = true,
                                    .has_carrier = true };
static const struct link bridge_port = { .ifindex = 2,
                                         .name = "eth0",
                                         .mtu = 1500,
                                         .mtu_min = 68,
                                         .mtu_max = 9000,
                                         .controller_ifindex = 7,
                                         .up = true,
                                         .has_carrier = true };
static const struct link upper_bridge_port = { .ifindex = 4,
                                               .name = "eth0.5",
                                               .kind = "vlan",
                                               .mtu = 1500,
                                               .mtu_max = 65535,
                                               .lower_ifindex = 2,
                                               .controller_ifindex = 7,
                                               .up = true,
                                               .has_carrier = true };
static const struct link down = {
        .ifindex = 2, .name = "eth0", .mtu = 1500, .mtu_min = 68, .mtu_max = 9000
};
static const struct link boundless = {
        .ifindex = 2, .name = "eth0", .kind = "dummy", .mtu = 1500, .up = true, .has_carrier = true
};
static const struct link large_only = {
        .ifindex = 2, .name = "eth0", .mtu = 1500, .mtu_min = 1400, .up = true, .has_carrier = true
};
static const struct link vxlan = { .ifindex = 8,
                                   .name = "vx0",
                                   .kind = "vxlan",
                                   .mtu = 1450,
                                   .mtu_min = 68,
                                   .mtu_max = 65535,
                                   .lower_ifindex = 2,
                                   .up = true,
                                   .has_carrier = true };
static const struct link vxlan6 = { .ifindex = 8,
                                    .name = "vx0",
                                    .kind = "vxlan",
                                    .mtu = 1430,
                                    .mtu_min = 68,
                                    .mtu_max = 65535,
                                    .lower_ifindex = 2,
                                    .up = true,
                                    .has_carrier = true,
                                    .is_over_ipv6 = true };
static const struct link macsec = { .ifindex = 8,
                                    .name = "ms0",
                                    .kind = "macsec",
                                    .mtu = 1468,
                                    .mtu_min = 68,
                                    .mtu_max = 65535,
                                    .lower_ifindex = 2,
                                    .up = true,
                                    .has_carrier = true };
static const struct link ipvlan = { .ifindex = 8,
                                    .name = "ipv0",
                                    .kind = "ipvlan",
                                    .mtu = 1500,
                                    .mtu_min = 68,
                                    .mtu_max = 65535,
                                    .lower_ifindex = 2,
                                    .up = true,
                                    .has_carrier = true };
static const struct link vrf = { .ifindex = 9,
                                 .name = "vrf0",
                                 .kind = "vrf",
                                 .mtu = 1500,
                                 .mtu_min = 68,
                                 .mtu_max = 65535,
                                 .up = true,
                                 .has_carrier = true };
static const struct link vrf_port = { .ifindex = 2,
                                      .name = "eth0",
                                      .mtu = 1500,
                                      .mtu_min = 68,
                                      .mtu_max = 9000,
                                      .controller_ifindex = 9,
                                      .up = true,
                                      .has_carrier = true };
static const struct link macvtap = { .ifindex = 9,
                                     .name = "mvt0",
                                     .kind = "macvtap",
                                     .mtu = 1500,
                                     .mtu_min = 68,
                                     .mtu_max = 65535,
                                     .lower_ifindex = 2,
                                     .up = true,
                                     .has_carrier = true };
static const struct link tunnel = { .ifindex = 9,
                                    .name = "gre0",
                                    .kind = "gretap",
                                    .mtu = 1500,
                                    .mtu_min = 68,
                                    .mtu_max = 65535,
                                    .lower_ifindex = 2,
                                    .up = true,
                                    .has_carrier = true };
static const struct link ipvtap = { .ifindex = 9,
                                    .name = "ipt0",
                                    .kind = "ipvtap",
                                    .mtu = 1500,
                                    .mtu_min = 68,
                                    .mtu_max = 65535,
                                    .lower_ifindex = 2,
                                    .up = true,
                                    .has_carrier = true };

/* Moved from one to the other, so that the first stands on all. */
static const struct link first = { .ifindex = 1,
                                   .name = "first",
                                   .kind = "macvlan",
                                   .mtu = 1500,
                                   .mtu_min = 68,
                                   .mtu_max = 65535,
                                   .lower_ifindex = 2,
                                   .up = true,
                                   .has_carrier = true };
static const struct link second = { .ifindex = 2,
                                    .name = "second",
                                    .kind = "macvlan",
                                    .mtu = 1500,
                                    .mtu_min = 68,
                                    .mtu_max = 65535,
                                    .lower_ifindex = 3,
                                    .up = true,
                                    .has_carrier = true };
static const struct link third = { .ifindex = 3,
                                   .name = "third",
                                   .mtu = 1500,
                                   .mtu_min = 68,
                                   .mtu_max = 65535,
                                   .up = true,
                                   .has_carrier = true };

static const struct link bridge_vlan = { .ifindex = 9,
                                         .name = "br0.7",
                                         .kind = "vlan",
                                         .mtu = 1500,
                                         .mtu_max = 65535,
                                         .lower_ifindex = 7,
                                         .up = true,
                                         .has_carrier = true };

static const struct link bond_vlan = {
        .ifindex = 5, .name = "bond0.5", .kind = "vlan", .mtu = 1500, .mtu_max = 65535, .lower_ifindex = 6
};
static const struct link old_bond = {
        .ifindex = 1, .name = "bond1", .kind = "bond", .mtu = 1500, .mtu_min = 68, .mtu_max = 65535
};
static const struct link port_vlan = { .ifindex = 4,
                                       .name = "eth0.5",
                                       .kind = "vlan",
                                       .mtu = 1500,
                                       .mtu_max = 65535,
                                       .lower_ifindex = 2,
                                       .controller_ifindex = 1 };
static const struct link port_vlan_of_port = { .ifindex = 4,
                                               .name = "eth0.7",
                                               .kind = "vlan",
                                               .mtu = 1500,
                                               .mtu_max = 65535,
                                               .lower_ifindex = 2,
                                               .controller_ifindex = 6 };
static const struct link on_tunnel = { .ifindex = 31,
                                       .name = "mac1",
                                       .kind = "macvlan",
                                       .mtu = 1500,
                                       .mtu_min = 68,
                                       .mtu_max = 65535,
                                       .lower_ifindex = 9 };

static struct link at(struct link link, uint32_t mtu) {
        link.mtu = mtu;
        return link;
}

struct row {
        const char *name;
        const struct link *links[8];
        uint32_t mtus[8]; /* 0: as above */
        const char *config;
        const char *steps;    /* a line each: name, action, reason */
        const char *mistakes; /* what contradictions_report() says: names, each with its severity */
        const char *refusals; /* the same of lines only; NULL: nothing */
        uint32_t restored[8]; /* in the order of ifindexes */
};

static const struct row rows[] = {
        { "one device", { &eth0 }, { 0 }, "eth0=9000\n", "eth0 set it has less than the wanted MTU\n", "" },
        { "one that is right", { &eth0 }, { 0 }, "eth0=1500\n", "eth0 keep it has the wanted MTU\n", "" },
        { "one without a line", { &eth0 }, { 0 }, "", "", "" },
        { "absent", { &eth0 }, { 0 }, "usb0=9000\n", "usb0 absent there is no such device now\n", "" },
        { "above the range",
          { &eth0 },
          { 0 },
          "eth0=9001\n",
          "eth0 refuse 9001 is outside the range of this device (68 to 9000)\n",
          "eth0 error\n" },
        { "max", { &eth0 }, { 0 }, "eth0=max\n", "eth0 set it has less than the wanted MTU\n", "" },
        { "max of a device that states none",
          { &boundless },
          { 0 },
          "eth0=max\n",
          "eth0 refuse max is not available: the device reports no maximum; write a number\n",
          "eth0 error\n" },
        { "any of a device that states none",
          { &boundless },
          { 0 },
          "eth0=100000\n",
          "eth0 set it has less than the wanted MTU\n",
          "" },
        { "below the least of a device that states no largest",
          { &large_only },
          { 0 },
          "eth0=1300\n",
          "eth0 refuse 1300 is below the smallest MTU of this device (1400)\n",
          "eth0 error\n" },
        { "up", { &down }, { 0 }, "eth0=\"1500 up\"\n", "eth0 keep up it has the wanted MTU\n", "" },
        { "up already", { &eth0 }, { 0 }, "eth0=\"1500 up\"\n", "eth0 keep it has the wanted MTU\n", "" },
        { "a VLAN is raised after the device below it",
          { &eth0, &vlan },
          { 0 },
          "eth0.5=9000\neth0=9000\n",
          "eth0 set it has less than the wanted MTU\n"
          "eth0.5 set raised after eth0, which it stands on\n",
          "" },
        { "and lowered before it",
          { &eth0, &vlan },
          { 9000, 9000 },
          "eth0=1500\neth0.5=1500\n",
          "eth0.5 set lowered before eth0, which it stands on\n"
          "eth0 set it has more than the wanted MTU\n",
          "" },
        { "a vxlan needs room below",
          { &eth0, &vxlan },
          { 0 },
          "vx0=8950\neth0=9000\n",
          "eth0 set it has less than the wanted MTU\n"
          "vx0 set raised after eth0, which it stands on\n",
          "" },
        { "a byte more than there is room for",
          { &eth0, &vxlan },
          { 0 },
          "vx0=8951\neth0=9000\n",
          "eth0 set it has less than the wanted MTU\n"
          "vx0 refuse eth0 below it has 9000 by then, room for 8950\n",
          "vx0 error\n",
          "vx0 error\n" },
        { "a vxlan over IPv6 needs more",
          { &eth0, &vxlan6 },
          { 0 },
          "vx0=8931\neth0=9000\n",
          "eth0 set it has less than the wanted MTU\n"
          "vx0 refuse eth0 below it has 9000 by then, room for 8930\n",
          "vx0 error\n",
          "vx0 error\n" },
        { "and has just that",
          { &eth0, &vxlan6 },
          { 0 },
          "vx0=8930\neth0=9000\n",
          "eth0 set it has less than the wanted MTU\n"
          "vx0 set raised after eth0, which it stands on\n",
          "" },
        { "a vxlan does not fall",
          { &eth0, &vxlan },
          { 9000, 8950 },
          "vx0=8950\neth0=1500\n",
          "eth0 set it has more than the wanted MTU\n"
          "vx0 keep it has the wanted MTU\n",
          "vx0 error\n",
          "vx0 error\n" },
        { "a macsec does",
          { &eth0, &macsec },
          { 9000, 8968 },
          "ms0=8968\neth0=1500\n",
          "eth0 set it has more than the wanted MTU\n"
          "ms0 fall changed with eth0\n"
          "ms0 refuse eth0 below it has 1500 by then, room for 1468\n",
          "ms0 error\n",
          "ms0 error\n" },
        { "a macsec has room for all but 32 bytes",
          { &eth0, &macsec },
          { 0 },
          "ms0=8968\neth0=9000\n",
          "eth0 set it has less than the wanted MTU\n"
          "ms0 set raised after eth0, which it stands on\n",
          "" },
        { "a follower of what is raised",
          { &eth0, &ipvlan },
          { 0 },
          "ipv0=9000\neth0=9000\n",
          "eth0 set it has less than the wanted MTU\n"
          "ipv0 follow changed with eth0\n",
          "" },
        { "a follower with a line of its own",
          { &eth0, &ipvlan, &ipvtap },
          { 0 },
          "ipv0=1500\nipt0=4000\neth0=9000\n",
          "eth0 set it has less than the wanted MTU\n"
          "ipv0 set set after eth0, which changes it too\n"
          "ipt0 set set after eth0, which changes it too\n",
          "" },
        { "a follower of what is lowered comes after that, too",
          { &eth0, &ipvlan },
          { 9000, 9000 },
          "ipv0=1400\neth0=1500\n",
          "eth0 set it has more than the wanted MTU\n"
          "ipv0 set set after eth0, which changes it too\n",
          "" },
        { "a follower of what stays",
          { &eth0, &ipvlan },
          { 0 },
          "ipv0=1400\neth0=1500\n",
          "eth0 keep it has the wanted MTU\n"
          "ipv0 set it has more than the wanted MTU\n",
          "" },
        { "a follower that is larger",
          { &eth0, &ipvlan },
          { 0 },
          "ipv0=9000\n",
          "ipv0 set it has less than the wanted MTU\n",
          "ipv0 warning\n" },
        { "a follower without a line",
          { &eth0, &ipvlan },
          { 9000 },
          "eth0=1500\n",
          "eth0 set it has more than the wanted MTU\n",
          "" },
        { "a port without a line",
          { &bond, &port0 },
          { 0 },
          "bond0=9000\n",
          "bond0 set it has less than the wanted MTU\n",
          "" },
        { "in a VRF",
          { &vrf, &vrf_port },
          { 0 },
          "eth0=9000\nvrf0=9000\n",
          "eth0 set it has less than the wanted MTU\n"
          "vrf0 set it has less than the wanted MTU\n",
          "" },
        { "a macvtap falls",
          { &eth0, &macvtap },
          { 9000, 9000 },
          "eth0=1500\n",
          "eth0 set it has more than the wanted MTU\n"
          "mvt0 fall changed with eth0\n",
          "" },
        { "a tunnel stays",
          { &eth0, &tunnel },
          { 9000, 9000 },
          "eth0=1500\n",
          "eth0 set it has more than the wanted MTU\n",
          "" },
        { "too small for the headers of what stands on it",
          { &eth0, &vxlan6 },
          { 1500, 1430 },
          "eth0=68\nvx0=68\n",
          "vx0 set lowered before eth0, which it stands on\n"
          "eth0 set it has more than the wanted MTU\n",
          "eth0 warning\nvx0 warning\nvx0 error\n",
          "vx0 error\n" },
        { "by what they stand on, not by age",
          { &older, &eth0 },
          { 0 },
          "old0=9000\neth0=9000\n",
          "eth0 set it has less than the wanted MTU\n"
          "old0 set raised after eth0, which it stands on\n",
          "" },
        { "a chain whose last one is the oldest",
          { &first, &second, &third },
          { 0 },
          "first=2000\nsecond=3000\nthird=4000\n",
          "third set it has less than the wanted MTU\n"
          "second set raised after third, which it stands on\n"
          "first set raised after second, which it stands on\n",
          "" },
        { "three of them",
          { &eth0, &vlan, &macvlan },
          { 0 },
          "mac0=4000\neth0.5=5000\neth0=6000\n",
          "eth0 set it has less than the wanted MTU\n"
          "eth0.5 set raised after eth0, which it stands on\n"
          "mac0 set raised after eth0.5, which it stands on\n",
          "" },
        { "a VLAN above the device below it",
          { &eth0, &vlan },
          { 0 },
          "eth0.5=9000\n",
          "eth0.5 refuse eth0 below it has 1500 by then\n",
          "eth0.5 error\n" },
        { "a VLAN that falls with it",
          { &eth0, &vlan },
          { 9000, 9000 },
          "eth0=1500\neth0.5=9000\n",
          "eth0 set it has more than the wanted MTU\n"
          "eth0.5 fall changed with eth0\n"
          "eth0.5 refuse eth0 below it has 1500 by then\n",
          "eth0.5 error\n",
          "eth0.5 error\n" },
        { "a VLAN above a line that cannot take effect",
          { &eth0, &vlan },
          { 0 },
          "eth0=9001\neth0.5=9000\n",
          "eth0 refuse 9001 is outside the range of this device (68 to 9000)\n"
          "eth0.5 refuse eth0 below it has 1500 by then\n",
          "eth0 error\neth0.5 error\n" },
        { "a bond sets its ports",
          { &port0, &port1, &bond },
          { 0 },
          "eth0=9000\neth1=9000\nbond0=9000\n",
          "bond0 set it has less than the wanted MTU\n"
          "eth0 follow bond0 sets it, as one of its ports\n"
          "eth1 follow bond0 sets it, as one of its ports\n",
          "" },
        { "a port that contradicts its bond",
          { &port0, &bond },
          { 0 },
          "eth0=4000\nbond0=9000\n",
          "bond0 set it has less than the wanted MTU\n"
          "eth0 refuse bond0 gives 9000 to its ports\n",
          "eth0 error\n",
          "eth0 error\n" },
        { "a VLAN on such a port, which stays as it is",
          { &port0, &bond, &vlan },
          { 9000, 9000, 9000 },
          "eth0=1500\nbond0=9000\neth0.5=8000\n",
          "eth0.5 set lowered before eth0, which it stands on\n"
          "eth0 refuse bond0 gives 9000 to its ports\n"
          "bond0 keep it has the wanted MTU\n",
          "eth0 error\neth0.5 error\n",
          "eth0 error\neth0.5 error\n" },
        { "a VLAN above a lower one that cannot have its line",
          { &eth0, &vlan, &macvlan },
          { 0 },
          "eth0=1500\neth0.5=9000\nmac0=8000\n",
          "eth0 keep it has the wanted MTU\n"
          "eth0.5 refuse eth0 below it has 1500 by then\n"
          "mac0 refuse eth0.5 below it has 1500 by then\n",
          "eth0.5 error\n",
          "eth0.5 error\n" },
        { "a port alone",
          { &port0, &bond },
          { 0 },
          "eth0=4000\n",
          "eth0 set it has less than the wanted MTU\n",
          "eth0 error\n" },
        { "a bridge after its ports",
          { &bridge_port, &bridge },
          { 0 },
          "br0=9000\neth0=9000\n",
          "eth0 set it has less than the wanted MTU\n"
          "br0 set a bridge comes after its ports\n",
          "" },
        { "a bridge above a port",
          { &bridge_port, &bridge },
          { 0 },
          "br0=9000\n",
          "br0 set a bridge comes after its ports\n",
          "br0 warning\n" },
        { "a bridge over a VLAN",
          { &eth0, &upper_bridge_port, &bridge },
          { 0 },
          "br0=9000\neth0.5=9000\neth0=9000\n",
          "eth0 set it has less than the wanted MTU\n"
          "eth0.5 set raised after eth0, which it stands on\n"
          "br0 set a bridge comes after its ports\n",
          "" },
        { "without its line, the device below gets its MTU back",
          { &eth0, &vlan },
          { 9000, 9000 },
          "eth0.5=9000\n",
          "eth0.5 keep it has the wanted MTU\n",
          "eth0.5 error\n",
          "eth0.5 error\n",
          { 1500 } },
        { "which is enough",
          { &eth0, &vlan },
          { 9000, 1500 },
          "eth0.5=1500\n",
          "eth0.5 keep it has the wanted MTU\n",
          "",
          .restored = { 1500 } },
        { "a line above one without, which falls",
          { &eth0, &vlan, &macvlan },
          { 9000, 9000, 9000 },
          "eth0=1500\nmac0=9000\n",
          "eth0 set it has more than the wanted MTU\n"
          "eth0.5 fall changed with eth0\n"
          "mac0 fall changed with eth0.5\n"
          "mac0 refuse eth0.5 below it has 1500 by then\n",
          "mac0 error\n",
          "mac0 error\n" },
        { "a VLAN on a port that its bond raises",
          { &port0, &vlan, &bond },
          { 0 },
          "eth0.5=9000\nbond0=9000\n",
          "bond0 set it has less than the wanted MTU\n"
          "eth0.5 set raised after eth0, which it stands on\n",
          "" },
        { "a port of a bond that gets its MTU back",
          { &port0, &bond },
          { 9000, 9000 },
          "eth0=9000\n",
          "eth0 keep it has the wanted MTU\n",
          "eth0 error\n",
          "eth0 error\n",
          { 0, 1500 } },
        { "a VLAN on a bridge that follows its port",
          { &bridge_port, &bridge, &bridge_vlan },
          { 0 },
          "eth0=9000\nbr0.7=9000\n",
          "eth0 set it has less than the wanted MTU\n"
          "br0.7 set raised after br0, which it stands on\n",
          "" },
        { "also down",
          { &bridge_port, &bridge, &bridge_vlan },
          { 9000, 9000, 9000 },
          "br0.7=9000\n",
          "br0.7 keep it has the wanted MTU\n",
          "br0.7 error\n",
          "br0.7 error\n",
          { 1500 } },
        { "a bridge with a line, and a port that gets its MTU back",
          { &bridge_port, &bridge },
          { 9000, 9000 },
          "br0=9000\n",
          "br0 set it has the wanted MTU, and follows its ports until it is set\n",
          "br0 warning\n",
          .restored = { 1500 } },
        { "one down and one up",
          { &eth0, &eth1 },
          { 9000, 1500 },
          "eth1=9000\neth0=1500\n",
          "eth0 set it has more than the wanted MTU\n"
          "eth1 set it has less than the wanted MTU\n",
          "" },
};

static void note_mistake(void *userdata, const struct diagnostic *diagnostic) {
        fprintf(userdata, "%s %s\n", diagnostic->name,
                diagnostic->severity == DIAGNOSTIC_ERROR ? "error" : "warning");
}

static void test_row(void **state) {
        const struct row *row = *state;
        CLEANUP(cleanup_free) char *text = NULL, *mistakes = NULL, *refusals = NULL;
        struct link_table table = { 0 };
        struct device_statuses statuses;
        struct steps steps;
        struct config config;
        size_t size, mistakes_size, refusals_size;
        FILE *stream = open_memstream(&text, &size), *said = open_memstream(&mistakes, &mistakes_size);
        FILE *refused = open_memstream(&refusals, &refusals_size);
        const struct diagnostic_sink sink = { .report = note_mistake, .userdata = said };
        const struct diagnostic_sink refusal_sink = { .report = note_mistake, .userdata = refused };
        unsigned stage = 0;

        config = (struct config){ 0 };
        assert_errno(config_parse_file(&config, "f", row->config, strlen(row->config), &sink), 0);
        for (size_t i = 0; i < 8 && row->links[i]; i++) {
                struct link link = at(*row->links[i], row->mtus[i] ? row->mtus[i] : row->links[i]->mtu);

                assert_errno(link_table_add(&table, &link), 0);
        }
        link_table_sort(&table);
        assert_errno(device_statuses_make(&config, &table, &statuses), 0);
        assert_errno(steps_make(&statuses, &table, NULL, 0, &steps), 0);
        for (size_t i = 0; i < steps.n_items; i++) {
                const struct step *step = &steps.items[i];
                char reason[STEP_REASON_SIZE];

                fprintf(stream, "%s %s%s %s\n", step->line ? step->line->name : step->link->name,
                        step_action_name(step), step->set_up ? " up" : "", step_reason_text(reason, step));
                assert_true(step->stage >= stage);
                assert_true(step->after == STEP_NONE || step->after < i);
                /* What falls comes directly after its cause, or after another one that falls with that. */
                assert_true(step->action != STEP_FALL || step->after == i - 1 ||
                            (steps.items[i - 1].action == STEP_FALL &&
                             steps.items[i - 1].after == step->after));
                stage = step->stage;
        }
        for (size_t i = 0; i < table.n_links; i++)
                statuses.items[i].restored = row->restored[i];
        assert_errno(contradictions_report(&statuses, &table, false, &sink), 0);
        assert_errno(contradictions_report(&statuses, &table, true, &refusal_sink), 0);
        fclose(stream);
        fclose(said);
        fclose(refused);
        assert_string_equal(text, row->steps);
        assert_string_equal(mistakes, row->mistakes);
        assert_string_equal(refusals, row->refusals ? row->refusals : "");
        steps_free(&steps);
        device_statuses_free(&statuses);
        link_table_free(&table);
        config_free(&config);
}

/* What is done for one device, and for those that it depends on or that depend on it. */
struct target_row {
        const char *name;
        const struct link *links[4];
        uint32_t mtus[4];   /* 0: as above */
        uint32_t before[4]; /* from before a fall; 0: none */
        const char *config;
        const char *target;
        uint32_t restored; /* the MTU that the target gets back; 0: its line's */
        bool is_alone;
        const char *on_trial; /* or NULL */
        const char *steps;    /* a line each: name, action, MTU, reason, `dependent` */
        const char *advice;   /* for its line's MTU; NULL: not asked */
};

static const struct target_row target_rows[] = {
        { "a bond that fits its ports, by the lines of all of them",
          { &port0, &port1, &bond },
          .config = "eth0=9000\neth1=4000\nbond0=auto\n",
          .target = "bond0",
          .steps = "bond0 set 4000 the 4000 of eth1\n" },
        { "which a port's line may contradict",
          { &port0, &port1, &bond },
          .config = "eth0=9000\neth1=4000\nbond0=auto\n",
          .target = "eth0",
          .steps = "bond0 set 4000 the 4000 of eth1 dependent\n"
                   "eth0 refuse 9000 bond0 gives 4000 to its ports\n" },
        { "the lower device first, where its line suffices",
          { &eth0, &vlan },
          .config = "eth0=9000\neth0.5=8000\n",
          .target = "eth0.5",
          .steps = "eth0 set 9000 it has less than the wanted MTU\n"
                   "eth0.5 set 8000 raised after eth0, which it stands on\n" },
        { "where its line suffices just so",
          { &eth0, &vlan },
          .config = "eth0=9000\neth0.5=9000\n",
          .target = "eth0.5",
          .steps = "eth0 set 9000 it has less than the wanted MTU\n"
                   "eth0.5 set 9000 raised after eth0, which it stands on\n" },
        { "not where it is to stay alone",
          { &eth0, &vlan },
          .config = "eth0=9000\neth0.5=8000\n",
          .target = "eth0.5",
          .is_alone = true,
          .steps = "eth0.5 set 8000 it has less than the wanted MTU\n" },
        { "not where its line does not suffice",
          { &eth0, &vlan },
          .config = "eth0=7999\neth0.5=8000\n",
          .target = "eth0.5",
          .steps = "eth0.5 refuse 8000 eth0 below it has 1500 by then\n" },
        { "not where that one has room already",
          { &eth0, &vlan },
          { 1500, 1400 },
          .config = "eth0=9000\neth0.5=1500\n",
          .target = "eth0.5",
          .steps = "eth0.5 set 1500 it has less than the wanted MTU\n" },
        { "not for what is lowered",
          { &eth0, &vlan },
          .config = "eth0=9000\neth0.5=1400\n",
          .target = "eth0.5",
          .steps = "eth0.5 set 1400 lowered before eth0, which it stands on\n" },
        { "two lower devices",
          { &eth0, &vlan, &macvlan },
          .config = "eth0=9000\neth0.5=8000\nmac0=7000\n",
          .target = "mac0",
          .steps = "eth0 set 9000 it has less than the wanted MTU\n"
                   "eth0.5 set 8000 raised after eth0, which it stands on\n"
                   "mac0 set 7000 raised after eth0.5, which it stands on\n" },
        { "a port by its bond",
          { &port0, &bond },
          .config = "eth0=9000\nbond0=9000\n",
          .target = "eth0",
          .steps = "bond0 set 9000 it has less than the wanted MTU\n"
                   "eth0 follow 9000 bond0 sets it, as one of its ports\n" },
        { "a bond that has that already is left alone",
          { &port0, &bond },
          { 1500, 9000 },
          .config = "eth0=9000\nbond0=9000\n",
          .target = "eth0",
          .steps = "eth0 set 9000 it has less than the wanted MTU\n" },
        { "what stands on it rises as its line says",
          { &eth0, &vlan, &macvlan },
          .config = "eth0=9000\neth0.5=8000\nmac0=8001\n",
          .target = "eth0",
          .steps = "eth0 set 9000 it has less than the wanted MTU\n"
                   "eth0.5 set 8000 raised after eth0, which it stands on dependent\n" },
        { "to the last byte",
          { &eth0, &vlan },
          .config = "eth0=9000\neth0.5=9000\n",
          .target = "eth0",
          .steps = "eth0 set 9000 it has less than the wanted MTU\n"
                   "eth0.5 set 9000 raised after eth0, which it stands on dependent\n" },
        { "not where its line cannot be had",
          { &eth0, &macvlan, &vlan },
          .config = "eth0=9000\neth0.5=70000\n",
          .target = "eth0",
          .steps = "eth0 set 9000 it has less than the wanted MTU\n" },
        { "nor where it has that",
          { &eth0, &vlan },
          .config = "eth0=9000\neth0.5=1500\n",
          .target = "eth0",
          .steps = "eth0 set 9000 it has less than the wanted MTU\n" },
        { "also above one that need not change",
          { &eth0, &vlan },
          .config = "eth0=1500\neth0.5=1500\n",
          .mtus = { 1500, 1400 },
          .target = "eth0",
          .steps = "eth0 keep 1500 it has the wanted MTU\n"
                   "eth0.5 set 1500 it has less than the wanted MTU dependent\n" },
        { "not on trial",
          { &eth0, &vlan },
          .config = "eth0=9000\neth0.5=8000\n",
          .target = "eth0",
          .on_trial = "eth0.5",
          .steps = "eth0 set 9000 it has less than the wanted MTU\n" },
        { "what fell rises again",
          { &eth0, &vlan },
          .before = { 0, 8000 },
          .config = "eth0=9000\n",
          .target = "eth0",
          .steps = "eth0 set 9000 it has less than the wanted MTU\n"
                   "eth0.5 set 8000 raised again after eth0, with which it was lowered dependent\n" },
        { "as far as there is room",
          { &eth0, &vlan },
          .before = { 0, 8000 },
          .config = "eth0=4000\n",
          .target = "eth0",
          .steps = "eth0 set 4000 it has less than the wanted MTU\n"
                   "eth0.5 set 4000 raised again after eth0, with which it was lowered dependent\n" },
        { "not where there is none",
          { &eth0, &vlan },
          .before = { 0, 8000 },
          .config = "eth0=1500\n",
          .target = "eth0",
          .steps = "eth0 keep 1500 it has the wanted MTU\n" },
        { "not what has been raised since",
          { &eth0, &vlan },
          .before = { 0, 1500 },
          .config = "eth0=9000\n",
          .target = "eth0",
          .steps = "eth0 set 9000 it has less than the wanted MTU\n" },
        { "its line counts, not what it had",
          { &eth0, &vlan },
          .before = { 0, 8000 },
          .config = "eth0=9000\neth0.5=1500\n",
          .target = "eth0",
          .steps = "eth0 set 9000 it has less than the wanted MTU\n" },
        { "what fell stays while it is on trial",
          { &eth0, &vlan },
          .before = { 0, 8000 },
          .config = "eth0=9000\n",
          .target = "eth0",
          .on_trial = "eth0.5",
          .steps = "eth0 set 9000 it has less than the wanted MTU\n" },
        { "above a bridge that follows its port",
          { &bridge_port, &bridge, &bridge_vlan },
          .before = { 0, 0, 8000 },
          .config = "eth0=9000\n",
          .target = "eth0",
          .steps = "eth0 set 9000 it has less than the wanted MTU\n"
                   "br0.7 set 8000 raised again after br0, with which it was lowered dependent\n" },
        { "above a bond's port",
          { &port0, &bond, &vlan },
          .before = { 0, 0, 8000 },
          .config = "bond0=9000\n",
          .target = "bond0",
          .steps = "bond0 set 9000 it has less than the wanted MTU\n"
                   "eth0.5 set 8000 raised again after eth0, with which it was lowered dependent\n" },
        { "a follower gets its line back",
          { &eth0, &ipvlan },
          .config = "eth0=9000\nipv0=1400\n",
          .mtus = { 1500, 1400 },
          .target = "eth0",
          .steps = "eth0 set 9000 it has less than the wanted MTU\n"
                   "ipv0 set 1400 set after eth0, which changes it too dependent\n" },
        { "a follower without a line goes along",
          { &eth0, &ipvlan },
          .config = "eth0=9000\n",
          .target = "eth0",
          .steps = "eth0 set 9000 it has less than the wanted MTU\n" },
        { "restored",
          { &eth0, &vlan },
          { 9000, 9000 },
          .config = "eth0.5=1500\n",
          .target = "eth0",
          .restored = 1400,
          .steps = "eth0 set 1400 it has more than the wanted MTU\n"
                   "eth0.5 fall 1400 changed with eth0 dependent\n" },
        { "restored, and nothing else",
          { &eth0, &vlan },
          .config = "eth0=9000\n",
          .target = "eth0.5",
          .restored = 8000,
          .steps = "eth0.5 set 8000 it has less than the wanted MTU\n" },
};

/* The command to begin with, to give a device what its line wants. */
static const struct target_row advice_rows[] = {
        { "the device below has no line",
          { &eth0, &vlan },
          .config = "eth0.5=9000\n",
          .target = "eth0.5",
          .advice = "setmtu set eth0 9000" },
        { "its line is enough",
          { &eth0, &vlan },
          .config = "eth0=9000\neth0.5=8000\n",
          .target = "eth0.5",
          .advice = "setmtu apply eth0" },
        { "what is below cannot have that",
          { &eth0, &vlan, &macvlan },
          .config = "mac0=9001\n",
          .target = "mac0",
          .advice = "setmtu set eth0 9000" },
        { "a bond, which is made after its VLAN",
          { &port0, &port1, &bond, &bond_vlan },
          .config = "bond0.5=9000\n",
          .target = "bond0.5",
          .advice = "setmtu set bond0 9000" },
        { "a port by its bond",
          { &port0, &port1, &bond },
          .config = "eth0=9000\n",
          .target = "eth0",
          .advice = "setmtu set bond0 9000" },
        { "a port that contradicts its bond",
          { &port0, &port1, &bond },
          .config = "eth0=9000\nbond0=1500\n",
          .target = "eth0",
          .advice = "setmtu set eth0 1500" },
        { "a bond of VLANs: first what those stand on",
          { &eth0, &port_vlan, &old_bond },
          .config = "bond1=9000\n",
          .target = "bond1",
          .advice = "setmtu set eth0 9000" },
        { "a bridge over a VLAN",
          { &eth0, &upper_bridge_port, &bridge },
          .config = "br0=9000\n",
          .target = "br0",
          .advice = "setmtu set eth0 9000" },
        { "a bridge of a port that is meant to be smaller",
          { &eth0, &upper_bridge_port, &bridge },
          .config = "br0=9000\neth0.5=1500\n",
          .target = "br0",
          .advice = "setmtu apply br0" },
        { "a tunnel is not raised for what is on top of it",
          { &tunnel, &on_tunnel },
          .config = "mac1=9000\n",
          .target = "mac1",
          .advice = "setmtu set mac1 1500" },
        { "circles end",
          { &port0, &port_vlan_of_port, &bond },
          .config = "eth0.7=9000\n",
          .target = "eth0.7",
          .advice = "setmtu set bond0 9000" },
};

static void test_target(void **state) {
        const struct target_row *row = *state;
        const struct diagnostic_sink sink = { .report = note_mistake, .userdata = stderr };
        CLEANUP(cleanup_free) char *text = NULL;
        CLEANUP(pool_free) struct pool pool = { 0 };
        struct link_table table = { 0 };
        struct device_statuses statuses;
        struct step_target target = { .mtu = row->restored, .is_alone = row->is_alone };
        struct steps steps;
        struct config config;
        size_t size;
        FILE *stream = open_memstream(&text, &size);

        config = (struct config){ 0 };
        assert_errno(config_parse_file(&config, "f", row->config, strlen(row->config), &sink), 0);
        for (size_t i = 0; i < 4 && row->links[i]; i++) {
                struct link link = at(*row->links[i], row->mtus[i] ? row->mtus[i] : row->links[i]->mtu);

                assert_errno(link_table_add(&table, &link), 0);
        }
        link_table_sort(&table);
        assert_errno(device_statuses_make(&config, &table, &statuses), 0);
        for (size_t i = 0; i < 4 && row->links[i]; i++)
                for (size_t j = 0; j < table.n_links; j++)
                        if (strcmp(table.links[j].name, row->links[i]->name) == 0) {
                                statuses.items[j].mtu_before_fall = row->before[i];
                                statuses.items[j].is_fixed = row->on_trial &&
                                                             strcmp(row->on_trial, row->links[i]->name) == 0;
                        }
        target.link = link_table_by_name(&table, row->target);
        for (size_t i = 0; row->restored == 0 && i < statuses.n_items; i++)
                if (statuses.items[i].link == target.link)
                        target.line = statuses.items[i].line;
        assert_errno(steps_make(&statuses, &table, &target, 1, &steps), 0);
        for (size_t i = 0; i < steps.n_items; i++) {
                const struct step *step = &steps.items[i];
                char reason[STEP_REASON_SIZE];

                fprintf(stream, "%s %s %u %s%s\n", step->link->name, step_action_name(step), step->to,
                        step_reason_text(reason, step), step->is_dependent ? " dependent" : "");
        }
        fclose(stream);
        if (row->steps)
                assert_string_equal(text, row->steps);
        if (row->advice)
                assert_string_equal(
                                advice_make(&pool, &statuses, &table, target.link, target.line->spec.mtu),
                                row->advice);
        steps_free(&steps);
        device_statuses_free(&statuses);
        link_table_free(&table);
        config_free(&config);
}

/* An alternative name leads to the device, and its line counts where there is none by the device's own. */
static void test_altnames(void **state) {
        static const char text[] = "lan-port=9000\neth1=4000\nanother=2000\n";
        const struct diagnostic_sink sink = { .report = note_mistake, .userdata = stderr };
        struct link_table table = { 0 };
        struct device_statuses statuses;
        struct config config;

        (void)state;
        config = (struct config){ 0 };
        assert_errno(config_parse_file(&config, "f", text, sizeof(text) - 1, &sink), 0);
        assert_errno(link_table_add(&table, &eth1), 0);
        assert_errno(link_table_add(&table, &eth0), 0);
        assert_errno(link_table_add_altname(&table, 3, "another"), 0);
        assert_errno(link_table_add_altname(&table, 2, "first"), 0);
        assert_errno(link_table_add_altname(&table, 2, "lan-port"), 0);
        link_table_sort(&table);
        assert_string_equal(link_table_by_name(&table, "lan-port")->name, "eth0");
        assert_string_equal(link_table_by_name(&table, "another")->name, "eth1");
        assert_null(link_table_by_name(&table, "nothing"));
        assert_null(link_table_by_ifindex(&table, 0));

        assert_errno(device_statuses_make(&config, &table, &statuses), 0);
        assert_int_equal(statuses.n_items, 2);
        assert_string_equal(statuses.items[0].line->name, "lan-port");
        assert_string_equal(statuses.items[1].line->name, "eth1");
        device_statuses_free(&statuses);
        link_table_free(&table);
        config_free(&config);
}

/* Nothing that the kernel would let be, but a walk without end would be worse. */
static void test_circle(void **state) {
        static const struct link a = { .ifindex = 2,
                                       .name = "a",
                                       .kind = "macsec",
                                       .mtu = 9000,
                                       .mtu_min = 68,
                                       .mtu_max = 65535,
                                       .lower_ifindex = 3,
                                       .up = true,
                                       .has_carrier = true };
        static const struct link b = { .ifindex = 3,
                                       .name = "b",
                                       .kind = "macsec",
                                       .mtu = 9000,
                                       .mtu_min = 68,
                                       .mtu_max = 65535,
                                       .lower_ifindex = 2,
                                       .up = true,
                                       .has_carrier = true };
        static const char *const texts[] = { "a=8000\n", "a=8000\nb=8000\n", "a=9100\nb=9200\n" };
        const struct diagnostic_sink sink = { .report = note_mistake, .userdata = stderr };

        (void)state;
        for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
                CLEANUP(link_table_free) struct link_table table = { 0 };
                CLEANUP(device_statuses_free) struct device_statuses statuses = { 0 };
                CLEANUP(steps_free) struct steps steps = { 0 };
                CLEANUP(config_free) struct config config;

                config = (struct config){ 0 };
                assert_errno(config_parse_file(&config, "f", texts[i], strlen(texts[i]), &sink), 0);
                assert_errno(link_table_add(&table, &a), 0);
                assert_errno(link_table_add(&table, &b), 0);
                link_table_sort(&table);
                assert_errno(device_statuses_make(&config, &table, &statuses), 0);
                assert_errno(steps_make(&statuses, &table, NULL, 0, &steps), 0);
                assert_true(steps.n_items > 0);
        }
}

int main(void) {
        const struct CMUnitTest tests[] = { cmocka_unit_test(test_altnames), cmocka_unit_test(test_circle) };

        return RUN_ROWS("steps", test_row, rows) + RUN_ROWS("steps for a target", test_target, target_rows) +
               RUN_ROWS("advice", test_target, advice_rows) + cmocka_run_group_tests(tests, NULL, NULL);
}
