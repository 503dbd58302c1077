# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# ifupdown or ifupdown2, whichever this release has: neither has a backend of its own, so these are unit, and what that is up
# against.

# shellcheck source=/dev/null
source /usr/lib/setmtu-test/managers.sh

# stanzas LINE…: all of /etc/network/interfaces.
stanzas() {
        mkdir -p /etc/network
        printf '%s\n' "$@" > /etc/network/interfaces
}

ifupdown_checks() {
        report '# ifupdown '"$(dpkg-query --show --showformat='${Version}' ifupdown)"
        configure if0=4000
        make_pair if0
        check 'hot-plug' eventually set_and_active if0 4000
        stanzas 'iface if0 inet static' ' address 10.6.0.2/24'
        ifup if0
        who_wins ifupdown 'activation, static' if0 4000 1500 setmtu
        ifdown if0
        ifup if0
        who_wins ifupdown 'down and up, static' if0 4000 1500 setmtu
        check 'auto: nobody that setmtu knows has it' is owner \
                "$(configure 'if0="4000 backend=auto"' && status_of if0 backend)" unit
        ifdown if0
        stanzas 'iface if0 inet static' ' address 10.6.0.2/24' ' mtu 1400'
        ifup if0
        who_wins ifupdown 'its own "mtu"' if0 4000 1400 ifupdown
        ifdown if0
        serve_dhcp if0 10.6.0
        stanzas 'iface if0 inet dhcp'
        setmtu apply if0
        ifup if0 > /run/ifup 2>&1 || true
        check 'DHCP' eventually has_address if0 10.6.0
        who_wins ifupdown 'dhclient, DHCP option 26' if0 4000 1300 setmtu
        ifdown if0 > /run/ifdown 2>&1 || true
        mv /etc/dhcp/dhclient-enter-hooks.d/setmtu /run/dhclient-hook
        ifup if0 > /run/ifup 2>&1 || true
        check 'DHCP, once more' eventually has_address if0 10.6.0
        who_wins ifupdown 'dhclient without the hook, DHCP option 26' if0 4000 1300 ifupdown
        mv /run/dhclient-hook /etc/dhcp/dhclient-enter-hooks.d/setmtu
        check 'drift shows' status_is if0 state drift
        check 'setmtu apply mends it' setmtu apply if0
        who_wins ifupdown 'dhclient, setmtu apply' if0 4000 1300 setmtu
        ifdown if0 > /run/ifdown 2>&1 || true
        ip link del if0
        configure
}

ifupdown2_checks() {
        report '# ifupdown2 '"$(dpkg-query --show --showformat='${Version}' ifupdown2)"
        configure enp0s3=4000
        check 'set' eventually set_and_active enp0s3 4000
        stanzas 'auto enp0s3' 'iface enp0s3 inet static' ' address 10.6.3.2/24'
        ifup enp0s3 > /run/ifup 2>&1 || true
        who_wins ifupdown2 'activation, static, a NIC' enp0s3 4000 1500 ifupdown2
        check 'drift shows' status_is enp0s3 state drift
        setmtu apply enp0s3
        ifreload -a > /run/ifreload 2>&1 || true
        who_wins ifupdown2 'ifreload, a NIC' enp0s3 4000 1500 ifupdown2
        mkdir -p /etc/network/ifupdown2/policy.d
        echo '{"address": {"iface_defaults": {"enp0s3": {"mtu": "4000"}}}}' > /etc/network/ifupdown2/policy.d/setmtu.json
        ifreload -a > /run/ifreload 2>&1 || true
        who_wins ifupdown2 'ifreload, a policy that says the same' enp0s3 4000 1500 setmtu
        ifdown enp0s3 > /run/ifdown 2>&1 || true
        rm /etc/network/ifupdown2/policy.d/setmtu.json
        stanzas
        configure
}

if dpkg-query --show ifupdown2 > /dev/null 2>&1; then
        ifupdown2_checks
elif [[ -x /usr/sbin/ifup || -x /sbin/ifup ]]; then
        ifupdown_checks
fi
