# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash disable=SC2154
#
# The tests of tests/netns in which kernels differ, or that leave out what a build machine's kernel has not got. Here it has.

for module in veth bridge macvlan ipvlan vxlan macsec 8021q bonding team dummy sit tun; do
        modprobe $module
done

# passes_without_skips PART [CASE…]: a part of `tests/netns` passes whole, or these cases of it. The one check that no kernel lets
# happen is a percent sign in a name.
passes_without_skips() {
        local output status=0
        output=$(/usr/lib/setmtu-test/netns/"$1" /usr/lib/setmtu-test/build "${@:2}" 2>&1) || status=$?
        empty 'failed or skipped' "$(grep -E '^not ok|# SKIP|^#  ' <<< "$output" | grep -v 'the kernel takes no % in a name')" &&
                is 'exit status' $status 0 && has 'results' "$output" 1..
}

# cases_of PART: those that leave something out where the kernel has not every kind of device. The build machine makes the others.
cases_of() {
        awk '/^case_/ { name = substr($1, 6, length($1) - 7) } /^}/ { name = "" }
                name && /make_or_skip|make_pair|no tap devices/ { print name }' "/usr/lib/setmtu-test/netns/$1" | uniq
}

# What stands on what, whole; fewer random stacks than on the build machine.
export SETMTU_TEST_STACKS=8
for part in advice stacked stacked_orders stacked_requests; do
        check "tests/netns/$part" passes_without_skips $part
done
for part in set patterns stacked_uppers command_apply command_check; do
        mapfile -t cases < <(cases_of $part)
        ((${#cases[@]} == 0)) || check "tests/netns/$part" passes_without_skips $part "${cases[@]}"
done
# Those of its cases that need nothing but devices.
check 'tests/netns/command_doctor' passes_without_skips command_doctor \
        bridge macvlan vlan bond chain drop_in macsec vxlan_on_a_device containers
# The last, because with these modules each namespace has tunnels of its own.
for module in macvtap ipvtap ip_gre ip6_gre ipip ip6_tunnel ip_vti ip6_vti xfrm_interface geneve wireguard; do
        modprobe $module
done
check 'tests/netns/stacked_kinds' passes_without_skips stacked_kinds
# WireGuard's tool is in another image.
check 'tests/netns/fit' passes_without_skips fit tunnels_over_ipv4 tunnels_over_ipv6 forwarding_table keep_tunnel keep_bond keep_bridge_with_ports \
        changing_on_a_device
# Each takes a minute or two.
for case in changing_over_ipv4 changing_over_ipv6; do
        check "tests/netns/fit, $case" passes_without_skips fit "$case"
done
