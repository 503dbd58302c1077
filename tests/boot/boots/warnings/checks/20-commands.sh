# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# The commands that warnings print, run as they are, each where its program runs: the warning is gone then, and the program gives the
# device the MTU of its line the next time that it acts. The editor is one that puts 4000 into its line.

profiles=/etc/NetworkManager/system-connections
networks=/etc/systemd/network

printf '%s\n' '#!/bin/sh' 'sed -i "${1#+}s/1[34]00/4000/" "$2"' > /run/editor
chmod +x /run/editor
export EDITOR=/run/editor

configure() {
        printf '%s\n' "$@" > /etc/conf.d/setmtu
        setmtu reload > /run/reload 2>&1 || cat /run/reload
}

# plug NAME: a device with a DHCP server at its other end that says 1300.
plug() {
        ip link add name "$1" type veth peer name "$1p" netns far
        ip -netns far link set "$1p" mtu 9000 master far0 up
        udevadm settle
}

lay_wire() {
        ip netns add far
        ip -netns far link add name far0 mtu 9000 type bridge
        ip -netns far link set far0 up
        ip -netns far address add 10.7.0.1/16 dev far0
        : > /run/leases
        printf '%s\n' 'interface far0' 'start 10.7.1.1' 'end 10.7.1.250' 'lease_file /run/leases' 'opt subnet 255.255.0.0' \
                'opt mtu 1300' > /run/udhcpd.conf
        ip netns exec far busybox udhcpd /run/udhcpd.conf
}

has_warning() {
        has 'setmtu check' "$(setmtu check 2>&1)" "$1"
}

has_none() {
        empty 'setmtu check' "$(setmtu check 2>&1 | grep ': warning: ' || true)"
}

# settle NAME WARNING: there it is, and nothing after its command.
settle() {
        local command
        check "$1: the warning" eventually has_warning "$2"
        command=$(setmtu check 2>&1 | grep -A 1 -F -- "$2" | sed -n '2s/^    //p')
        report "# $command"
        check "$1: its command" bash -euc "${command:-false}"
        check "$1: the warning is gone" eventually has_none
}

# quietly COMMAND…: what it says is of interest only where it fails.
quietly() {
        "$@" > /run/command 2>&1 || sed 's/^/# /' /run/command | while IFS= read -r line; do report "$line"; done
}

profile() {
        local uuid=6d2b4a0c-5a3e-4d3b-9a51-0d6f0c2f7a11
        printf '%s\n' '[connection]' "id=$1" "uuid=$uuid" "interface-name=$1" 'type=ethernet' '[ipv4]' 'method=auto' '[ipv6]' 'method=disabled' \
                '[ethernet]' "${@:2}" > "$profiles/$1.nmconnection"
        chmod 0600 "$profiles/$1.nmconnection"
        nmcli connection reload
}

as_nobody() {
        setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"
}

# The word of the manager in explain.
manager_is() {
        has 'setmtu explain' "$(setmtu explain "$1" 2>&1)" "Manager: $2"
}

lay_wire

### NetworkManager

plug wn0
configure wn0=4000
profile wn0 mtu=1400
quietly nmcli --wait 30 connection up wn0
warning='wn0: NetworkManager sets 1400, not 4000: its profile "wn0" has that MTU'
check 'explain: the profile' eventually manager_is wn0 'NetworkManager, by its profile "wn0" with the MTU 1400'
check 'once, and not again for the file' is 'warnings' "$(setmtu check 2>&1 | grep -c ': warning: ')" 1
check 'NetworkManager has set it' eventually mtu_is wn0 1400
check 'try has the warnings of check' has 'setmtu try' "$(setmtu try --detach 2>&1)" "$warning"
check "try sets the line's MTU" mtu_is wn0 4000
check 'try: revert' setmtu revert
check 'try: the MTU from before' mtu_is wn0 1400
check 'reload has the warnings of check' has 'setmtu reload' "$(setmtu reload 2>&1)" "$warning"
check "reload sets the line's MTU" mtu_is wn0 4000
quietly nmcli --wait 30 connection up wn0
check 'the next activation does not' eventually mtu_is wn0 1400
check 'an ordinary user sees it, too' has 'setmtu check' "$(as_nobody setmtu check 2>&1)" "$warning"
check 'and what cannot be read is said' has 'setmtu check' "$(as_nobody setmtu check 2>&1)" "$profiles"
check 'doctor: what it says' has 'setmtu doctor' "$(setmtu doctor 2>&1)" 'NetworkManager sets 1400, not 4000'
settle "a profile's own MTU" "$warning"
check "a profile's own MTU: the line's" eventually mtu_is wn0 4000

nmcli connection delete wn0

# In NetworkManager's memory alone.
nmcli connection add save no type ethernet ifname wn0 con-name memory ipv6.method disabled ethernet.mtu 1400
quietly nmcli --wait 30 connection up memory
check 'explain asks NetworkManager, for everybody' has 'setmtu explain' "$(as_nobody setmtu explain wn0 2>&1)" 'by its profile "memory" with the MTU 1400'
settle 'a profile that is not saved' 'wn0: NetworkManager sets 1400, not 4000'
nmcli connection delete memory
configure
ip link del wn0

### systemd-networkd

plug wd0
printf '%s\n' '[Match]' 'Name=wd*' '[Link]' 'MTUBytes=1400' '[Network]' 'LinkLocalAddressing=no' 'DHCP=ipv4' > $networks/20-wd.network
networkctl reload
configure wd0=4000
networkctl reconfigure wd0
check 'explain: the .network file' eventually manager_is wd0 "systemd-networkd, by $networks/20-wd.network"
check 'explain, an ordinary user' has 'setmtu explain' "$(as_nobody setmtu explain wd0 2>&1)" "systemd-networkd, by $networks/20-wd.network"
settle 'a file of several devices' '20-wd.network:4: warning: wd0: systemd-networkd has 1400 here, not 4000'
networkctl reload
quietly networkctl reconfigure wd0
check "a file of several devices: the line's" eventually mtu_is wd0 4000
rm $networks/20-wd.network

printf '%s\n' '[Match]' 'Name=wd0' '[Link]' 'MTUBytes=1400' '[Network]' 'LinkLocalAddressing=no' > $networks/05-wd0.network
networkctl reload
configure 'wd0="4000 backend=unit"'
networkctl reconfigure wd0
settle 'a file of its own' '05-wd0.network:4: warning: wd0: systemd-networkd has 1400 here, not 4000'
networkctl reload
quietly networkctl reconfigure wd0
check "a file of its own: the line's" eventually mtu_is wd0 4000
rm -r $networks/05-wd0.network*
networkctl reload
configure
ip link del wd0

### netplan

if [[ -x /usr/sbin/netplan ]]; then
        plug wp0
        printf '%s\n' network: '  version: 2' '  ethernets:' '    wp0:' '      addresses: [10.8.0.2/24]' '      mtu: 1400' > /etc/netplan/60-test.yaml
        chmod 0600 /etc/netplan/60-test.yaml
        configure 'wp0="4000 backend=unit"'
        quietly netplan apply
        settle 'netplan' '60-test.yaml:6: warning: wp0: netplan has 1400 here, not 4000'
        quietly netplan apply
        check "netplan: the line's" eventually mtu_is wp0 4000
        rm /etc/netplan/60-test.yaml
        quietly netplan apply
        configure
        ip link del wp0
fi

### ifupdown, ifupdown2

plug wi0
configure wi0=4000
if dpkg-query --show ifupdown2 > /dev/null 2>&1; then
        printf '%s\n' 'auto wi0' 'iface wi0 inet static' ' address 10.9.0.2/24' > /etc/network/interfaces
        check 'ifupdown2' has_none
        quietly ifreload -a
else
        printf '%s\n' 'auto wi0' 'iface wi0 inet static' ' address 10.9.0.2/24' ' mtu 1400' > /etc/network/interfaces
        settle 'ifupdown' 'interfaces:4: warning: wi0: ifupdown has 1400 here, not 4000'
        quietly ifup wi0
fi
check "ifupdown: the line's" eventually mtu_is wi0 4000
: > /etc/network/interfaces

### udev, systemd

configure wi0=4000
echo 'SUBSYSTEM=="net", KERNEL=="wi0", ATTR{mtu}="1400"' > /etc/udev/rules.d/90-wi0.rules
settle 'a udev rule' '90-wi0.rules:1: warning: wi0: udev has 1400 here, not 4000'
udevadm control --reload
udevadm trigger --settle --action=change /sys/class/net/wi0
check "a udev rule: the line's" mtu_is wi0 4000
rm /etc/udev/rules.d/90-wi0.rules

printf '%s\n' '[Service]' 'Type=oneshot' 'ExecStart=ip link set wi0 mtu 1400' '[Install]' 'WantedBy=multi-user.target' \
        > /etc/systemd/system/other-mtu.service
quietly systemctl enable other-mtu.service
settle 'a unit' 'other-mtu.service:3: warning: wi0: systemd has 1400 here, not 4000'
systemctl daemon-reload
systemctl start other-mtu.service
check "a unit: the line's" mtu_is wi0 4000
systemctl disable other-mtu.service
configure
ip link del wi0
