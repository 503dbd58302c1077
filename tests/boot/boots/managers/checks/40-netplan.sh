# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# netplan, where this release has it: systemd-networkd with files that netplan writes, and an MTU from DHCP where nothing else
# says one.

# shellcheck source=/dev/null
source /usr/lib/setmtu-test/managers.sh

# plan LINE…: what netplan has for np0, below `np0:`.
plan() {
        printf '%s\n' 'network:' '  version: 2' '  renderer: networkd' '  ethernets:' '    np0:' "${@/#/      }" \
                > /etc/netplan/60-test.yaml
        chmod 0600 /etc/netplan/60-test.yaml
        netplan apply > /run/netplan 2>&1 || cat /run/netplan
}

netplan_checks() {
        report '# netplan '"$(dpkg-query --show --showformat='${Version}' netplan.io)"
        make_pair np0
        serve_dhcp np0 10.5.0
        plan 'dhcp4: true'
        check 'DHCP' eventually has_address np0 10.5.0
        who_wins netplan 'no line, DHCP option 26' np0 none 1300 netplan
        configure 'np0="4000 backend=unit"'
        networkctl reconfigure np0
        check 'DHCP' eventually has_address np0 10.5.0
        who_wins netplan 'backend unit, DHCP option 26' np0 4000 1300 netplan
        configure np0=4000
        check 'auto: systemd-networkd has it' eventually status_has np0 backend_reason \
                'systemd-networkd has the device, by /run/systemd/network/10-netplan-np0.network'
        check 'auto: network' status_is np0 backend network
        who_wins netplan 'auto, DHCP option 26' np0 4000 1300 setmtu
        networkctl reconfigure np0
        who_wins netplan 'auto, reconfigure, DHCP option 26' np0 4000 1300 setmtu
        systemctl restart systemd-networkd.service
        who_wins netplan 'auto, restart, DHCP option 26' np0 4000 1300 setmtu
        plan 'dhcp4: true' 'mtu: 1400'
        who_wins netplan 'auto, netplan apply with an "mtu"' np0 4000 1400 setmtu
        ip link del np0
        make_pair np0
        serve_dhcp np0 10.5.0
        check 'hot-plug: DHCP' eventually has_address np0 10.5.0
        who_wins netplan 'auto, hot-plug, DHCP option 26' np0 4000 1300 setmtu
        configure
        rm /etc/netplan/60-test.yaml
}

if [[ -x /usr/sbin/netplan ]]; then
        netplan_checks
fi
