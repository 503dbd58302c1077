# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash

# shellcheck source=/dev/null
source /usr/lib/setmtu-test/managers.sh

manager=ifupdown2
prefix=iu
subnets='10\.6\.'
# It gives that to a device whose stanza says none.
other=1500

write_stanzas() {
        local mode i=0
        printf '%s\n' 'auto iuc0' 'iface iuc0 inet static' ' address 10.6.0.1/24' > /etc/network/interfaces
        for mode in "${modes[@]:1}"; do
                i=$((i + 1))
                printf '%s\n' "auto iu${mode}0" "iface iu${mode}0 inet static" " address 10.6.$i.1/24"
                ! has_kind VLAN || printf '%s\n' "auto iu${mode}0.5" "iface iu${mode}0.5 inet static" " address 10.6.$i.2/24" \
                        " vlan-raw-device iu${mode}0" ' vlan-id 5'
                ! has_kind bridge || printf '%s\n' "auto iu${mode}br" "iface iu${mode}br inet static" " address 10.6.$i.3/24" \
                        " bridge-ports iu${mode}1"
                ! has_kind bond || printf '%s\n' "auto iu${mode}bo" "iface iu${mode}bo inet static" " address 10.6.$i.4/24" \
                        " bond-slaves iu${mode}2" ' bond-mode active-backup'
        done >> /etc/network/interfaces
}

restart() {
        ifdown -a
        ifup -a
}

replug() {
        unplug
        plug
        ifup -a
}

if ! dpkg-query --show ifupdown2 > /dev/null 2>&1; then
        not_available ifupdown2 'ifupdown excludes it'
        exit
fi
look_at plain VLAN bridge bond || exit 0
write_stanzas
give_lines
plug
situation 'first activation' ifup -a
situation 'reload' ifreload -a
! is_whole || situation 'restart' restart
other='' situation 'edit' edit
! look_at plain VLAN || situation 'hot-plug' replug

if look_at plain; then
        other=1400
        mkdir -p /etc/network/ifupdown2/policy.d
        for mode in "${modes[@]}"; do
                printf '"iu%s0": {"mtu": "%s"}\n' "$mode" "$other"
        done | paste -sd, | sed 's/.*/{"address": {"iface_defaults": {&}}}/' > /etc/network/ifupdown2/policy.d/mtu.json
        situation 'reload, its own policy says 1400' ifreload -a
        rm /etc/network/ifupdown2/policy.d/mtu.json

        sed -i '/^iface iu.0 /a \ mtu 1400' /etc/network/interfaces
        situation 'reload, its own mtu 1400' ifreload -a
fi

ifdown -a
: > /etc/network/interfaces
clean_up
