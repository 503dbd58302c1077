# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash

# shellcheck source=/dev/null
source /usr/lib/setmtu-test/managers.sh

manager=netctl
prefix=nc
subnets='10\.75?\.'

# profile DEVICE CONNECTION LINE…: by default netctl gives a device up that has no carrier after five seconds, which a busy
# machine may need.
profile() {
        printf '%s\n' "Interface=$1" "Connection=$2" 'IP=dhcp' "DHCPClient=$client" 'TimeoutUp=60' 'TimeoutCarrier=60' \
                'TimeoutDHCP=60' "${@:3}" > "/etc/netctl/$1"
}

write_profiles() {
        local mode
        profile ncc0 ethernet
        for mode in "${modes[@]:1}"; do
                profile "nc${mode}0" ethernet
                profile "nc${mode}0.5" vlan "BindsToInterfaces='nc${mode}0'" 'VLANID=5'
                profile "nc${mode}br" bridge "BindsToInterfaces='nc${mode}1'" 'SkipForwardingDelay=yes'
                profile "nc${mode}bo" bond "BindsToInterfaces='nc${mode}2'" 'Mode=active-backup'
        done
}

restart() {
        each netctl restart
}

replug() {
        each netctl stop
        unplug
        plug
        from_below netctl start
}

if [[ ! -x /usr/bin/netctl ]]; then
        not_available netctl 'not in this release'
        exit
fi
is_whole && look_at plain VLAN bridge bond || exit 0
client=dhcpcd
[[ ! -x /usr/sbin/dhclient && ! -x /sbin/dhclient ]] || client=dhclient
write_profiles
give_lines
plug
situation 'first activation' from_below netctl start
other='' situation 'edit' edit

# A client is several processes each time, so the rest is for the NICs alone, and with a lease so short that it is renewed meanwhile.
each netctl stop
look_at plain || { rm /etc/netctl/nc* && clean_up && exit; }
lay_wire 20
from_below netctl start
other='' situation 'renewal' sleep 15
situation 'restart' restart
situation 'hot-plug' replug

each netctl stop
other=1400
for mode in "${modes[@]}"; do
        profile "nc${mode}0" ethernet "ExecUpPost='ip link set nc${mode}0 mtu 1400'"
done
# setmtu check does not warn of a profile that is not enabled.
each netctl enable
give_lines
situation "its profile's ExecUpPost=" each netctl start

each netctl stop
each netctl disable
rm /etc/netctl/nc*
clean_up
lay_wire 600
