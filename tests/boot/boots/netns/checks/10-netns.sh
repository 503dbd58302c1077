# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash disable=SC2154
#
# The tests of tests/netns in which kernels differ, or that leave out what a build machine's kernel has not got. Here it has.

for module in veth bridge macvlan ipvlan vxlan macsec 8021q bonding team dummy sit tun nf_tables nft_limit nft_numgen nft_reject_inet \
        nft_meta_bridge; do
        modprobe $module
done

# passes_without_skips PART [CASE…]: a part of `tests/netns` passes whole, or these cases of it.
passes_without_skips() {
        local output status=0
        output=$(/usr/lib/setmtu-test/netns/"$1" /usr/lib/setmtu-test/build "${@:2}" 2>&1 < /dev/null) || status=$?
        empty 'failed or skipped' "$(grep -E '^not ok|# SKIP|^#  ' <<< "$output")" &&
                is 'exit status' $status 0 && has 'results' "$output" 1..
}

# Random stacks of all kinds, some of the orders, and the cases that leave something out where the kernel has neither VLAN, bond nor
# dummy, as that of many a build machine. It makes all the others.
export SETMTU_TEST_STACKS=4 SETMTU_TEST_STEP=5 SETMTU_TEST_PAUSE=1 SETMTU_TEST_TIMEOUT=30
while read -r part cases; do
        # shellcheck disable=SC2086 # words
        check "tests/netns/$part" passes_without_skips $part $cases
done << 'END'
advice
stacked_requests
stacked bond_sets_its_ports bond_port_is_restored bond_port_with_a_line dummy ipvlan macsec team vlan vlan_in_vlan vlan_on_macsec
stacked_orders command every_order_of_arrival every_order_of_units
set too_small_for_its_kind
patterns ports
command_apply vlan_on_a_bond_on_two_ports
command_check bond vlan
command_causes bond_and_vlan
command_doctor bond chain macsec vlan
probe_paths vlan
END
# The last, because with these modules each namespace has tunnels of its own.
for module in macvtap ipvtap ip_gre ip6_gre ipip ip6_tunnel ip_vti ip6_vti xfrm_interface geneve wireguard; do
        modprobe $module
done
check 'tests/netns/stacked_kinds' passes_without_skips stacked_kinds
# WireGuard's tool is in another image.
check 'tests/netns/fit' passes_without_skips fit tunnels_over_ipv4 tunnels_over_ipv6 keep_tunnel keep_bond changing_on_a_device
# It takes a minute, and over IPv4 as much again.
check 'tests/netns/fit, changing' passes_without_skips fit changing_over_ipv6
