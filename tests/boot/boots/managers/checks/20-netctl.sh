# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# netctl, where this release has it.

# shellcheck source=/dev/null
source /usr/lib/setmtu-test/managers.sh

# profile NAME INTERFACE ADDRESS LINE…
profile() {
        printf '%s\n' "Interface=$2" 'Connection=ethernet' 'IP=static' "Address=('$3/24')" 'SkipNoCarrier=yes' 'SkipDAD=yes' \
                "${@:4}" > "/etc/netctl/$1"
}

netctl_checks() {
        report '# netctl '"$(dpkg-query --show --showformat='${Version}' netctl)"
        profile nic enp0s3 10.8.3.1
        configure 'enp0s3="2000 backend=netctl"'
        ip link set enp0s3 down mtu 1500
        check 'a NIC comes up' netctl start nic
        who_wins netctl 'activation of a NIC' enp0s3 2000 1500 setmtu
        netctl stop nic

        make_pair nc0
        profile home nc0 10.8.0.1
        configure 'nc0="4000 backend=netctl"'
        ip link set nc0 mtu 1500
        netctl start home
        who_wins netctl 'activation' nc0 4000 1500 setmtu
        configure 'nc0="5000 backend=netctl"'
        who_wins netctl 'an edit' nc0 5000 4000 setmtu
        netctl restart home
        who_wins netctl 'restart' nc0 5000 1500 setmtu
        netctl stop home
        ip link del nc0
        make_pair nc0
        netctl start home
        who_wins netctl 'hot-plug' nc0 5000 1500 setmtu

        printf '%s\n' 'Interface=nc0.7' 'Connection=vlan' "BindsToInterfaces='nc0'" 'VLANID=7' 'IP=no' > /etc/netctl/vlan
        configure 'SETMTU_BACKEND=netctl' nc0=5000 nc0.7=4500
        check 'a VLAN comes up' netctl start vlan
        who_wins netctl 'makes a device: VLAN' nc0.7 4500 5000 setmtu
        netctl stop vlan

        netctl stop home
        profile home nc0 10.8.0.1 "ExecUpPost='ip link set nc0 mtu 1400'"
        netctl start home
        who_wins netctl "the profile's own ExecUpPost" nc0 5000 1400 netctl
        netctl stop home
        profile home nc0 10.8.0.1

        configure 'nc0="4200 backend=auto"'
        netctl start home
        check 'auto: netctl has it' eventually status_has nc0 backend_reason 'netctl has the device, by /etc/netctl/home'
        configure 'nc0="4300 backend=auto"'
        check 'auto: a hook' test -x /etc/netctl/interfaces/nc0
        check 'auto: netctl' status_is nc0 backend netctl
        who_wins netctl 'auto, an edit' nc0 4300 4200 setmtu
        netctl restart home
        who_wins netctl 'auto, restart' nc0 4300 1500 setmtu

        netctl stop home
        ip link set nc0 down
        serve_dhcp nc0 10.8.1
        printf '%s\n' 'Interface=nc0' 'Connection=ethernet' 'IP=dhcp' 'DHCPClient=dhclient' > /etc/netctl/dhcp
        configure 'nc0="4300 backend=netctl"'
        netctl start dhcp || true
        check 'DHCP' eventually has_address nc0 10.8.1
        who_wins netctl 'dhclient, DHCP option 26' nc0 4300 1300 setmtu
        netctl stop dhcp

        configure
        check 'the lines go: the hooks go' test ! -e /etc/netctl/interfaces/nc0 -a ! -e /etc/netctl/interfaces/enp0s3
        echo 'true # mine' > /etc/netctl/interfaces/nc0
        configure 'nc0="4000 backend=netctl"'
        check 'the hook of somebody else stays' is hook "$(cat /etc/netctl/interfaces/nc0)" 'true # mine'
        check 'and is told' has journal "$(journal_of setmtu-configure.service)" \
                '/etc/netctl/interfaces/nc0 was not written by setmtu and is left alone'
        configure
        ip link del nc0
}

if [[ -x /usr/bin/netctl ]]; then
        netctl_checks
else
        check 'without netctl a line for it is an error' has check \
                "$(echo 'enp0s3="2000 backend=netctl"' > /etc/conf.d/setmtu; setmtu check 2>&1)" 'there is neither /etc/netctl'
fi
