# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# Scripts, and no manager.

# shellcheck source=/dev/null
source /usr/lib/setmtu-test/managers.sh

falls_to_this_release none || exit 0

manager=none
prefix=no
look_at plain VLAN bridge bond || exit 0
subnets=
other=

make_vlans() {
        local mode
        has_kind VLAN || return 0
        for mode in "${modes[@]:1}"; do
                ip link add name "no${mode}0.5" link "no${mode}0" type vlan id 5
        done
}

make_others() {
        local mode
        for mode in "${modes[@]:1}"; do
                if has_kind bridge; then
                        ip link add name "no${mode}br" type bridge
                        ip link set "no${mode}1" master "no${mode}br" up
                fi
                if has_kind bond; then
                        ip link add name "no${mode}bo" type bond mode active-backup
                        ip link set "no${mode}2" master "no${mode}bo"
                fi
        done
}

script() {
        plug
        make_vlans
        make_others
        each ip link set up dev
}

down_and_up() {
        each ip link set down dev
        each ip link set up dev
}

restart_udev() {
        systemctl restart systemd-udevd.service
        udevadm trigger --subsystem-match=net --action=add --settle
}

replug() {
        unplug
        plug
        make_vlans
        each ip link set up dev
}

# The DHCP client of a router, as its manual has it.
udhcpc() {
        # shellcheck disable=SC2016 # for the client's shell
        printf '%s\n' '#!/bin/sh' '[ "$1" != bound ] || { ip link set "$interface" mtu "$mtu"; ip address replace "$ip/16" dev "$interface"; }' \
                > /run/udhcpc-script
        chmod 0755 /run/udhcpc-script
        each busybox udhcpc -q -n -s /run/udhcpc-script -O mtu -i
}

by_hand() {
        local name
        for name in $(devices "${modes[@]}"); do
                ip link set "$name" mtu 1500
        done
}

give_lines
situation 'first activation' script
situation 'down and up' down_and_up
situation 'restart of udev' restart_udev
other='' situation 'edit' edit
! look_at plain VLAN || situation 'hot-plug' replug

# No file says that beforehand; status shows it.
if look_at plain; then
        other=1300 subnets='10\.7\.'
        also=drift situation 'udhcpc with a script' udhcpc
        other=1500
        also=drift situation 'ip link set mtu 1500' by_hand
fi

clean_up
