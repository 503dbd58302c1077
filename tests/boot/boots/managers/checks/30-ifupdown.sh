# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# ifupdown with dhclient or dhcpcd, whichever this release has.

# shellcheck source=/dev/null
source /usr/lib/setmtu-test/managers.sh

manager=ifupdown
prefix=if
subnets='10\.75?\.'

write_stanzas() {
        local mode
        echo 'iface ifc0 inet dhcp' > /etc/network/interfaces
        for mode in "${modes[@]:1}"; do
                # ifupdown makes a VLAN with such a name itself.
                printf '%s\n' "iface if${mode}0 inet dhcp" \
                        "iface if${mode}0.5 inet dhcp" \
                        "iface if${mode}br inet dhcp" \
                        " pre-up ip link add name if${mode}br type bridge" \
                        " pre-up ip link set if${mode}1 master if${mode}br up" \
                        " post-down ip link del if${mode}br" \
                        "iface if${mode}bo inet dhcp" \
                        " pre-up ip link add name if${mode}bo type bond mode active-backup" \
                        " pre-up ip link set if${mode}2 master if${mode}bo" \
                        " post-down ip link del if${mode}bo"
        done >> /etc/network/interfaces
}

restart() {
        each ifdown
        each ifup
}

replug() {
        each ifdown
        unplug
        plug
        each ifup
}

if [[ ! -x /usr/sbin/ifup && ! -x /sbin/ifup ]] || dpkg-query --show ifupdown2 > /dev/null 2>&1; then
        not_available ifupdown 'ifupdown2 excludes it'
        exit
fi
look_at plain VLAN bridge bond || exit 0
write_stanzas
give_lines
plug
situation 'first activation' from_below ifup
other='' situation 'edit' edit

# A client is several processes each time, so the rest is for the NICs alone, and with a lease so short that it is renewed meanwhile.
each ifdown
look_at plain || { : > /etc/network/interfaces && clean_up && exit; }
lay_wire 20
each ifup
other='' situation 'renewal' sleep 15
situation 'restart' restart
situation 'hot-plug' replug

each ifdown
other=1400 subnets='10\.6\.'
for mode in "${modes[@]}"; do
        # setmtu check does not warn of a stanza that nothing brings up.
        printf '%s\n' "auto if${mode}0" "iface if${mode}0 inet static" ' address 10.6.0.1/24' ' mtu 1400'
done > /etc/network/interfaces
give_lines
situation 'its own mtu 1400' each ifup

each ifdown
clean_up
lay_wire 600
