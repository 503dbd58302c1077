# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# setmtu-keep.service on a NIC that loses its carrier with each change, and on a VLAN above it. All else of it is in the boot `keep`.

own=enp0s6

downs() {
        cat /sys/class/net/$own/carrier_down_count
}

has_carrier() {
        is "carrier of $own" "$(cat /sys/class/net/$own/carrier 2>&1)" 1
}

# losses WHAT MTU…: the carrier losses of so many changes.
losses() {
        local before mtu
        before=$(downs)
        for mtu in "${@:2}"; do
                ip link set $own mtu "$mtu"
                eventually has_carrier > /dev/null
        done
        report "# carrier losses of an e1000e: $1: $(($(downs) - before))"
}

eventually has_carrier > /dev/null
losses '6 changes, nobody puts them back' 1500 1400 1500 1400 1500 1400
check 'keep: the NIC' setmtu set $own 9000 keep
check 'keep: the VLAN' setmtu set $own.5 8000 keep
check 'keep: runs' eventually unit_is setmtu-keep.service active
losses '3 changes that are put back' 1400 1500 1400
check 'keep: the NIC is put back' eventually mtu_is $own 9000
check 'keep: so is the VLAN' eventually mtu_is $own.5 8000
