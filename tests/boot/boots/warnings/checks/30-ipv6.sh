# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# A router advertises an MTU to a device that NetworkManager or systemd-networkd has. The command of setmtu doctor brings the device's
# own MTU back, and the next advertisement changes nothing. Releases differ in whether networkd sets what IPv6 sends.

# The guest has no procps.
mkdir -p /run/programs
# shellcheck disable=SC2016 # another shell expands it
printf '%s\n' '#!/bin/sh' '[ "$1" = -w ] && echo "${2#*=}" > "/proc/sys/${2%%=*}"' > /run/programs/sysctl
chmod +x /run/programs/sysctl
PATH=/run/programs:$PATH

# quietly COMMAND…: what it says is of interest only where it fails.
quietly() {
        "$@" > /run/command 2>&1 || sed 's/^/# /' /run/command | while IFS= read -r line; do report "$line"; done
}

lay_ipv6() {
        ip netns add router
        ip link add name "$1" type veth peer name "$1p" netns router
        ip -netns router link set "$1p" mtu 9000 addrgenmode eui64 up
        udevadm settle
        printf '%s\n' "$1=9000" > /etc/conf.d/setmtu
        setmtu reload > /run/reload 2>&1 || cat /run/reload
}

# advertise DEVICE MTU: from the other end.
advertise() {
        # shellcheck disable=SC2016 # Perl's
        ip netns exec router perl -MSocket=:all -e '
                my ($index, $mtu) = @ARGV;
                socket(my $router, AF_INET6, SOCK_RAW, 58) or die $!;
                setsockopt($router, 41, 18, pack "i", 255) or die $!;
                setsockopt($router, 41, 17, pack "I", $index) or die $!;
                send($router, pack("C2nC2nN2", 134, 0, 0, 64, 0, 1800, 0, 0) . pack("C2nN", 5, 1, 0, $mtu), 0,
                        pack_sockaddr_in6(0, inet_pton(AF_INET6, "ff02::1"), $index)) or die $!;
        ' "$(ip -netns router -o link show "${1}p" | cut -d: -f1)" "$2"
}

ipv6_mtu_is() {
        is "IPv6 MTU of $1" "$(< "/proc/sys/net/ipv6/conf/$1/mtu")" "$2"
}

advertised() {
        advertise "$1" "$2"
        pause 0.2
        ipv6_mtu_is "$1" "$2"
}

# settle_ipv6 NAME DEVICE: after its command, another advertisement has no effect.
settle_ipv6() {
        local command
        setmtu doctor --json > /run/doctor || true
        command=$(jq -r --arg name "$2" '.devices[] | select(.name == $name) | .command' /run/doctor)
        report "# $command"
        check "$1: the command of doctor" bash -euc "$command"
        check "$1: the device's own MTU" eventually ipv6_mtu_is "$2" 9000
        check "$1: another advertisement" eventually advertise "$2" 1400
        pause 1
        check "$1: the next advertisement changes nothing" ipv6_mtu_is "$2" 9000
        check "$1: doctor is content" exits_with 0 setmtu doctor
}

lay_ipv6 wn6
printf '%s\n' '[connection]' id=wn6 uuid=6d2b4a0c-5a3e-4d3b-9a51-0d6f0c2f7a66 interface-name=wn6 type=ethernet '[ipv4]' method=disabled \
        '[ipv6]' method=auto > /etc/NetworkManager/system-connections/wn6.nmconnection
chmod 0600 /etc/NetworkManager/system-connections/wn6.nmconnection
nmcli connection reload
quietly nmcli --wait 0 connection up wn6
check 'NetworkManager: its device' eventually set_and_active wn6 9000
check 'NetworkManager: an advertisement' eventually advertised wn6 1500
settle_ipv6 NetworkManager wn6
nmcli --wait 5 connection up wn6 > /run/command 2>&1 || true
eventually advertise wn6 1400
pause 1
check 'NetworkManager: up again' ipv6_mtu_is wn6 9000
nmcli connection delete wn6
ip link del wn6
ip netns del router

lay_ipv6 wd6
printf '%s\n' '[Match]' 'Name=wd6' '[Network]' 'IPv6AcceptRA=yes' > /etc/systemd/network/20-wd6.network
networkctl reload
networkctl reconfigure wd6
check 'networkd: its device' eventually set_and_active wd6 9000
if patience_s=5 eventually advertised wd6 1500; then
        settle_ipv6 networkd wd6
        networkctl reconfigure wd6
        pause 1
        eventually advertise wd6 1400
        pause 1
        check 'networkd: configured again' ipv6_mtu_is wd6 9000
else
        check 'networkd before 256 keeps it to routes' ipv6_mtu_is wd6 9000
fi
rm -r /etc/systemd/network/20-wd6.network*
networkctl reload
ip link del wd6
ip netns del router
: > /etc/conf.d/setmtu
setmtu reload
