# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# Standard and jumbo frames on one wire: the untagged subnet is for everybody, VLAN 5 is for those that carry 9000. A boot
# script makes the VLAN, and no network manager runs; setmtu knows nothing of it but its line.

own=enp0s6
pci_device=/sys/bus/pci/devices/0000:00:06.0

# The server: a NIC in each of the two subnets, as one that serves files to both would have.
make_server() {
        ip netns add server
        ip link set enp0s7 netns server
        ip link set enp0s8 netns server
        ip -n server link set enp0s8 mtu 9000
        ip -n server link add link enp0s8 name enp0s8.5 type vlan id 5
        ip -n server addr add 10.0.1.1/24 dev enp0s7
        ip -n server addr add 10.0.5.1/24 dev enp0s8.5
        ip -n server link set enp0s7 up
        ip -n server link set enp0s8 up
        ip -n server link set enp0s8.5 up
}

# passes ADDRESS SIZE [ip netns exec server]: three packets of that many bytes, headers included, in one piece.
passes() {
        "${@:3}" ping -n -q -c 3 -i 0.2 -W 5 -M "do" -s "$(($2 - 28))" "$1"
}

does_not_pass() {
        local output
        ! output=$(passes "$@") || { echo "$output" && return 1; }
}

both_are_set() {
        set_and_active $own 9000 && set_and_active $own.5 9000
}

both_are_inactive() {
        unit_is setmtu@$own.service inactive && unit_is setmtu@$own.5.service inactive
}

# What the machine has of it, but for what each device is born with.
state() {
        ip -o -d link show dev $own | grep -o ' mtu [0-9]*'
        ip -o -d link show dev $own.5 | grep -o -e ' mtu [0-9]*' -e ' vlan protocol [^ ]* id [0-9]*'
        ip -o -4 addr show dev $own | grep -o 'inet [^ ]*'
        ip -o -4 addr show dev $own.5 | grep -o 'inet [^ ]*'
        systemctl show --property=ActiveState,SubState,Result setmtu@$own.service setmtu@$own.5.service
        setmtu status --json $own $own.5 | jq --compact-output --sort-keys .
}

state_is() {
        is 'state' "$(state)" "$1"
}

subnets_work() {
        check "$1: jumbo frames on the VLAN" eventually passes 10.0.5.1 9000
        check "$1: back again" passes 10.0.5.3 9000 ip netns exec server
        check "$1: standard frames untagged" eventually passes 10.0.1.1 1500
        check "$1: back again, too" passes 10.0.1.167 1500 ip netns exec server
}

make_server
check 'the boot script has run' eventually unit_is rc-local.service active
check 'both are set, and their units done' eventually both_are_set
subnets_work 'after the boot'
before=$(state)

ip link set $own mtu 1500
check 'lowered by hand: the VLAN falls with it' mtu_is $own.5 1500
check 'and jumbo frames do not pass' does_not_pass 10.0.5.1 9000
systemctl restart setmtu@$own.service
check 'its unit lifts both' eventually both_are_set
subnets_work 'after lifting'

ip link set $own mtu 1500
systemctl restart setmtu@$own.5.service
check "the VLAN's unit lifts both" eventually both_are_set
check 'and jumbo frames pass' eventually passes 10.0.5.1 9000

echo 1 > $pci_device/remove
check 'removed: both units stop' eventually both_are_inactive
echo 1 > /sys/bus/pci/rescan
check 'replugged: the device is set' eventually set_and_active $own 9000
check 'the VLAN is not there by itself' [ ! -e /sys/class/net/$own.5 ]
systemctl restart rc-local.service
check 'made again: both are set' eventually both_are_set
subnets_work 'after the replug'
check 'state as before' state_is "$before"
check 'nothing has failed' empty 'failed units' "$(systemctl list-units --failed --plain --no-legend 'setmtu*')"

# The VLAN is there before the device below it has what it wants: no rule, and a manager that has not heard of either.
ip link del $own.5
systemctl stop setmtu@$own.service
ip link set $own mtu 1500
ip link add link $own name $own.5 type vlan id 5
check 'a VLAN made on 1500 gets what its line wants' eventually set_and_active $own.5 9000
check 'and so does the device below it' mtu_is $own 9000
