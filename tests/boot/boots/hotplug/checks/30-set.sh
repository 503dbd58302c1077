# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# setmtu set and setmtu unset, where it does not matter what kind of device it is. Those of NICs are in the boot `command`.

# Nothing of the device's unit is left, not even as failed.
unit_is_gone() {
        unit_is "$1" inactive && empty 'links' "$(find /run/systemd/generator -name "$1")"
}

check 'set, absent: done' setmtu set later1 3000
ip link add name later1 type bridge
check 'set, absent: when it appears' eventually set_and_active later1 3000

ip link add name br-two type bridge
check 'set, br-two, up: done' setmtu set br-two 4000 up
check 'set, br-two, up: MTU and unit' set_and_active br-two 4000 'setmtu@br\x2dtwo.service'
check 'set, br-two, up: it is up' is 'flags of br-two' "$(ip -oneline link show br-two | grep -c -E '[<,]UP[,>]' || true)" 1
check 'unset, br-two: done' setmtu unset br-two
check 'unset, br-two: the old MTU' mtu_is br-two 1500
check 'unset, br-two: the unit' unit_is_gone 'setmtu@br\x2dtwo.service'

restarts_without_a_limit() {
        for _ in {1..10}; do
                systemctl restart setmtu-configure || return
        done
}
check 'ten sets in a row: none is one too many for setmtu-configure' restarts_without_a_limit
