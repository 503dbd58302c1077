# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash disable=SC2154
#
# The tests of tests/netns in which kernels differ, or that leave out what a build machine's kernel has not got. Here it has.

for module in veth bridge macvlan ipvlan vxlan macsec 8021q bonding team dummy sit tun; do
        modprobe $module
done

# A part of `tests/netns` passes whole. The one check that no kernel lets happen is a percent sign in a name.
passes_without_skips() {
        local output status=0
        output=$(SETMTU_TEST_STACKS=8 SETMTU_TEST_SHARE=$(< /usr/lib/setmtu-test/share) \
                /usr/lib/setmtu-test/netns/"$1" /usr/lib/setmtu-test/build 2>&1) || status=$?
        empty 'failed or skipped' "$(grep -E '^not ok|# SKIP|^#  ' <<< "$output" | grep -v 'the kernel takes no % in a name')" &&
                is 'exit status' $status 0 && has 'results' "$output" 1..
}

# In the last four it is not the kernel that differs; one that has every kind of device is enough.
for part in set stacked stacked_orders stacked_requests stacked_uppers $(shared_out names privileges command_apply command_check); do
        check "tests/netns/$part" passes_without_skips $part
done
