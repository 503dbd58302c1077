# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash disable=SC2154
#
# What setmtu probe says of paths that other kernels cannot make: packets lost, late, out of order and twice by netem,
# and VLANs. And of some others, by this release's kernel.

for module in veth bridge 8021q bonding vxlan sch_netem nf_tables nft_limit nft_numgen nft_reject_inet nft_meta_bridge; do
        modprobe $module
done

# causes_are_known CASE…: of command_causes.
causes_are_known() {
        local output status=0
        output=$(/usr/lib/setmtu-test/netns/command_causes /usr/lib/setmtu-test/build "$@" 2>&1) || status=$?
        grep -E '^not ok|^#' <<< "$output" || :
        empty 'failed or skipped' "$(grep -E '^not ok|# SKIP' <<< "$output")" &&
                is 'exit status' $status 0 && has 'results' "$output" 1..
}

# One case of it passes whole.
paths_are_known() {
        local output status=0
        output=$(SETMTU_TEST_REPETITIONS=$(< /usr/lib/setmtu-test/repetitions) SETMTU_TEST_PAUSE=1 SETMTU_TEST_TIMEOUT=30 \
                /usr/lib/setmtu-test/netns/probe_paths /usr/lib/setmtu-test/build "$1" 2>&1) || status=$?
        # With its comments: what it said of the failed ones, and how many were in doubt.
        grep -E '^not ok|^#' <<< "$output" || :
        empty 'failed or skipped' "$(grep -E '^not ok|# SKIP' <<< "$output")" &&
                is 'exit status' $status 0 && has 'results' "$output" 1..
}

check 'command_causes' causes_are_known bond_and_vlan forwarding_table overlay
for part in vlan healthy reordering loss; do
        check "probe_paths $part" paths_are_known $part
done
