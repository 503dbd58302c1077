# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# Lines that say auto, with the real service in its sandbox: WireGuard, whose peers' addresses only generic netlink has, and
# containers whose packets leave by it. The other host is a namespace.

key=$(wg genkey) other_key=$(wg genkey)
ip netns add other
ip link add name up0 type veth peer name up1 netns other
ip link set up0 up
ip address add 192.0.2.1/24 dev up0
ip address add fd00:9::1/64 dev up0 nodad
ip -n other link set up1 up
ip -n other address add 192.0.2.2/24 dev up1
ip -n other address add fd00:9::2/64 dev up1 nodad
ip -n other link add name wg9 type wireguard
ip netns exec other wg set wg9 listen-port 1000 private-key <(echo "$other_key") peer "$(wg pubkey <<< "$key")" \
        allowed-ips 198.51.100.1/32
ip -n other address add 198.51.100.2/24 dev wg9
ip -n other link set wg9 up

printf '%s\n' wg9=auto ct0=auto > /etc/conf.d/setmtu
check 'reload' setmtu reload
check 'setmtu-keep runs' eventually unit_is setmtu-keep.service active
ip link add name wg9 type wireguard
ip address add 198.51.100.1/24 dev wg9
ip link set wg9 up
check 'no peer yet: the unit does not fail' eventually unit_is setmtu@wg9.service active
check 'which is said' has 'journal' "$(journalctl --unit setmtu@wg9.service)" 'the other end of the tunnel is not known'
wg set wg9 private-key <(echo "$key") fwmark 51820 peer "$(wg pubkey <<< "$other_key")" endpoint 192.0.2.2:1000 allowed-ips 0.0.0.0/0
check 'the peer gets an address' eventually mtu_is wg9 1440
old=$(systemctl show --property=MainPID --value setmtu-keep.service)
echo absent0=auto >> /etc/conf.d/setmtu
check 'one more line' setmtu reload
check 'setmtu-keep goes on' is pid "$(systemctl show --property=MainPID --value setmtu-keep.service)" "$old"
# As wg-quick does for a VPN for all addresses: the marked packets do not go through the tunnel.
ip route add default dev wg9 table 51820
ip rule add not fwmark 51820 table 51820
ip rule add table main suppress_prefixlength 0
ip link add name ct0 type bridge
check 'containers behind the tunnel' eventually mtu_is ct0 1440

# fragments: how many packets were cut.
fragments() {
        awk '$1 == "Ip:" && $20 ~ /[0-9]/ { print $20 } $1 == "Ip6FragCreates" { print $2 }' /proc/net/snmp /proc/net/snmp6 | paste -sd+
}

# in_one_piece SIZE
in_one_piece() {
        local before
        before=$(fragments)
        ping -M "do" -c 1 -W 10 -s $(($1 - 28)) 198.51.100.2 > /dev/null && is 'fragments' "$(fragments)" "$before"
}

check 'a packet of that size' eventually in_one_piece 1440
ip link set wg9 mtu 1441
check 'setmtu-keep puts it back' eventually mtu_is wg9 1440
wg set wg9 peer "$(wg pubkey <<< "$other_key")" endpoint '[fd00:9::2]:1000'
check 'the peer roams to IPv6' eventually mtu_is wg9 1420
check 'the containers follow' eventually mtu_is ct0 1420
check 'a packet of that size over IPv6' eventually in_one_piece 1420
ip link set up0 mtu 1400
check 'the device below is lowered' eventually mtu_is ct0 1320
check 'why' has 'journal' "$(journalctl --unit setmtu-keep.service)" 'wg9: MTU set to 1320, was 1420; 80 less than the 1400 of up0, over IPv6'
systemctl stop setmtu@wg9.service
ip link set up0 mtu 1500
check 'ct0 alone goes on' eventually mtu_is ct0 "$(< /sys/class/net/wg9/mtu)"
: > /etc/conf.d/setmtu
check 'without lines' setmtu reload
check 'setmtu-keep stops' eventually unit_is setmtu-keep.service inactive
ip rule del table main suppress_prefixlength 0
ip rule del not fwmark 51820 table 51820
ip link del wg9
ip link del ct0
ip link del up0
ip netns del other
