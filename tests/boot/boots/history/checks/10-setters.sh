# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# Each way to set an MTU, and what setmtu history says of it.

# event DEVICE CHANGE WHO: the last event of the device, as the table of `setmtu history` has it. WHO is a pattern.
event() {
        local line
        line=$(setmtu history "$1" | grep -F "  $1 " | tail -n 1)
        matches "history of $1" "$line" "* $1 *$2 *$3"
}

# events DEVICE CHANGE WHO: one of all events.
events() {
        has_line "$(setmtu history "$1")" "* $1 *$2 *$3"
}

has_line() {
        local line
        while IFS= read -r line; do
                # shellcheck disable=SC2053 # a pattern is what is meant
                [[ $line != $2 ]] || return 0
        done <<< "$1"
        echo "expected the pattern '$2' in:"
        echo "$1"
        return 1
}

# made NAME: a dummy that udev and the managers have seen.
made() {
        ip link add "$1" type dummy
        udevadm settle
}

own='in boot-checks.service'
made cron0

check 'recording began before udev' matches 'the first line' "$(setmtu history | head -n 1)" 'Recorded since *.'
check 'the unit has done its work' unit_is setmtu-history.service active
check 'systemd finds nothing wrong with it' verify_is_silent setmtu-history.service
check 'its exposure' exposure_is_low setmtu-history.service 15
check 'a NIC that udev found' events enp0s2 '1500 when it appeared' 'udev, as it loaded the driver, in systemd-udevd.service'
check 'a NIC, by the rule of setmtu' events enp0s4 '9000 -> 2000' "udev, a rule's ATTR{mtu}, in systemd-udevd.service"
check 'a script at boot' eventually event tuned0 '1500 -> 1380' 'ip link set dev tuned0 mtu 1380, run by net-tune, in net-tune.service'

made set0
ip link set set0 mtu 1410
check 'ip' event set0 '1500 -> 1410' "ip link set set0 mtu 1410, run by bash < *, $own"
ip link set set0 mtu 1410
check 'the same value is no change' event set0 '1500 -> 1410' '*'
busybox ifconfig set0 mtu 1411
check 'ifconfig' event set0 '1410 -> 1411' "busybox ifconfig set0 mtu 1411, run by bash < *, $own"
echo 1412 > /sys/class/net/set0/mtu
check 'sysfs' event set0 '1411 -> 1412' "*bash *through sysfs, $own"
perl -e 'socket(S, 2, 2, 0); $r = pack("a16 i x20", "set0", 1413); ioctl(S, 0x8922, $r) or die' 'two words'
check 'a program in another language' event set0 '1412 -> 1413' "perl -e '*' 'two words', run by bash < *, $own"
ip link set enp0s2 mtu 70000 2> /dev/null || true
check 'a refusal' events enp0s2 '70000 refused: mtu greater than device maximum' "ip link set enp0s2 mtu 70000, run by bash < *, $own"
check 'the exit code of a device that never was' exits_with 6 setmtu history never0
systemd-run --quiet --wait --slice=a-b.slice --unit=set-once ip link set set0 mtu 1414
check 'a unit in slices of its own' event set0 '1413 -> 1414' '*/ip link set set0 mtu 1414, in set-once.service'

made ruled0
check "a udev rule" event ruled0 '1500 -> 1401' "udev, a rule's ATTR{mtu}, in systemd-udevd.service"
made linked0
check 'a .link file' event linked0 '1500 -> 1402' 'udev, MTUBytes= of a .link file, in systemd-udevd.service'
made networkd0
check 'networkd' eventually event networkd0 '1500 -> 1403' '*/systemd-networkd, in systemd-networkd.service'

check 'setmtu, and its unit' has_line "$(setmtu set set0 2100 2>&1; setmtu history set0)" '*1414 -> 2100 *setmtu set set0 2100, run by bash*'
systemctl stop setmtu@enp0s4.service
check "setmtu's unit" event enp0s4 '2000 -> 9000' '*/setmtu-apply *, in setmtu@enp0s4.service'

# The kernel's own rules.
made below0
ip link set below0 up
ip link add link below0 name vlan0 type vlan id 5
ip link add link below0 name mac0 type macvlan
ip link set below0 mtu 1300
check 'a VLAN follows' eventually event vlan0 '1500 -> 1300' \
        "the kernel: a VLAN follows the device below it (below0); begun by ip link set below0 mtu 1300, run by bash < *, $own"
check 'a macvlan follows' event mac0 '1500 -> 1300' \
        "the kernel: a macvlan follows the device below it (below0); begun by ip link set below0 mtu 1300, *, $own"
check 'and the device below' event below0 '1500 -> 1300' "ip link set below0 mtu 1300, *, $own"
ip link add bond0 type bond
ip link set bond0 mtu 1420
made port0
ip link set port0 master bond0
check 'a port takes its MTU' event port0 '1500 -> 1420' \
        "the kernel: a port takes its bond's MTU; begun by ip link set port0 master bond0, *, $own"
ip link set bond0 mtu 1421
check 'a bond sets its ports' event port0 '1420 -> 1421' \
        "the kernel: a bond sets its ports (bond0); begun by ip link set bond0 mtu 1421, *, $own"
ip link set port0 nomaster
check 'a bond releases a port' event port0 '1421 -> 1500' \
        "the kernel: a bond restores the former MTU of a port; begun by ip link set port0 nomaster, *, $own"
ip link add br0 type bridge
made small0
ip link set small0 mtu 1300
ip link set small0 master br0
check 'a bridge gets a smaller port' event br0 '1500 -> 1300' \
        "the kernel: a bridge takes the smallest MTU of its ports; begun by ip link set small0 master br0, *, $own"
ip link set small0 mtu 1301
check 'a bridge follows its port' event br0 '1300 -> 1301' \
        "the kernel: a bridge takes the smallest MTU of its ports (small0); begun by ip link set small0 mtu 1301, *, $own"

# At creation, and what the kernel changes without telling anybody.
ip link add born0 mtu 1234 type dummy
check 'an MTU at creation' event born0 '1234 when it appeared' "ip link add born0 mtu 1234 type dummy, *, $own"
ip link add gre1 type gre local 127.0.0.1 remote 127.0.0.2
was=$(< /sys/class/net/gre1/mtu)
ip link set gre1 type gre local 127.0.0.1 remote 127.0.0.2 key 5
check 'a change inside the kernel' has_line "$(setmtu history gre1)" \
        "gre1: the MTU is $(< /sys/class/net/gre1/mtu), not the recorded $was: *"

# Names, namespaces, devices that go.
ip link set born0 name renamed0
udevadm settle
ip link set renamed0 mtu 1235
check 'renamed: its later events' event renamed0 '1234 -> 1235' '*'
check 'renamed: the earlier ones, too' events renamed0 '1234 when it appeared' '*'
ip link set renamed0 name born0
udevadm settle
ip link del born0
check 'gone: what was recorded' has_line "$(setmtu history born0)" '* renamed0 *1234 -> 1235 *'
made born0
check 'another device of that name' has_line "$(setmtu history born0 | tail -n +2 | wc -l)" 1
ip netns add other
ip -netns other link add elsewhere0 type dummy
ip -netns other link set elsewhere0 mtu 1400
check 'another namespace: not recorded' exits_with 6 setmtu history elsewhere0
check 'another namespace: said so' exits_with 20 ip netns exec other setmtu history
ip -netns other link set elsewhere0 netns 1
check 'moved here: from then on' event elsewhere0 '1400 when it appeared' "ip -netns other link set elsewhere0 netns 1, *, $own"

# Managers and DHCP.
if command -v dhclient > /dev/null; then
        ip link add dhc0 type veth peer name dhc0p netns other
        ip -netns other address add 10.8.0.1/24 dev dhc0p
        ip -netns other link set dhc0p up
        : > /run/leases
        printf '%s\n' 'interface dhc0p' 'start 10.8.0.10' 'end 10.8.0.90' 'lease_file /run/leases' 'opt subnet 255.255.255.0' \
                'opt mtu 1417' > /run/udhcpd.conf
        ip netns exec other busybox udhcpd /run/udhcpd.conf
        systemd-run --quiet --unit=test-dhclient --property=Type=forking dhclient -pf /run/dhclient.pid -lf /run/dhclient.leases dhc0
        check 'dhclient' eventually event dhc0 '1500 -> 1417' \
                'ip link set dev dhc0 mtu 1417, run by dhclient-script < dhclient*, in test-dhclient.service'
fi
systemctl start NetworkManager.service
ip link add nm0 type dummy
nmcli --wait 30 connection add type dummy ifname nm0 con-name nm0 ipv4.method disabled ipv6.method disabled 802-3-ethernet.mtu 1407 > /run/said 2>&1 || true
nmcli --wait 30 connection up nm0 >> /run/said 2>&1 || true
check 'NetworkManager' eventually event nm0 '1500 -> 1407' '*/NetworkManager --no-daemon, in NetworkManager.service'
systemctl stop NetworkManager.service

# setmtu-keep names who it was.
ip link add kept0 type dummy
check 'kept: set' eventually set_and_active kept0 2000
ip link set kept0 mtu 1400
check 'kept: put back' eventually mtu_is kept0 2000
check 'kept: who it was' eventually has journal "$(journal_of setmtu-keep.service)" \
        'kept0: was changed by ip link set kept0 mtu 1400, run by bash'

patience_s=150
check 'cron' eventually event cron0 '1500 -> 1404' "*ip link set cron0 mtu 1404, run by *cron*, in cron.service"
