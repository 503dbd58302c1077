# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash

# shellcheck source=/dev/null
source /usr/lib/setmtu-test/managers.sh

falls_to_this_release networkd || exit 0

manager=networkd
prefix=sd
look_at plain VLAN bridge bond || exit 0
subnets='10\.75?\.'

files=/etc/systemd/network

# network DEVICE LINE…
network() {
        printf '%s\n' '[Match]' "Name=$1" '[Network]' 'LinkLocalAddressing=no' "${@:2}" > "$files/20-$1.network"
}

# netdev DEVICE KIND LINE…
netdev() {
        printf '%s\n' '[NetDev]' "Name=$1" "Kind=$2" "${@:3}" > "$files/20-$1.netdev"
}

write_files() {
        local mode dhcp=('DHCP=ipv4' '[DHCPv4]' 'UseMTU=yes')
        network sdc0 "${dhcp[@]}"
        for mode in "${modes[@]:1}"; do
                network "sd${mode}0" "${dhcp[@]}"
                if has_kind VLAN; then
                        network "sd${mode}0" "VLAN=sd${mode}0.5" "${dhcp[@]}"
                        netdev "sd${mode}0.5" vlan '[VLAN]' 'Id=5'
                        network "sd${mode}0.5" "${dhcp[@]}"
                fi
                if has_kind bridge; then
                        netdev "sd${mode}br" bridge
                        network "sd${mode}br" "${dhcp[@]}"
                        network "sd${mode}1" "Bridge=sd${mode}br"
                fi
                if has_kind bond; then
                        netdev "sd${mode}bo" bond '[Bond]' 'Mode=active-backup'
                        network "sd${mode}bo" "${dhcp[@]}"
                        network "sd${mode}2" "Bond=sd${mode}bo"
                fi
        done
}

reconfigure() {
        local names
        mapfile -t names < <(devices "${modes[@]}")
        networkctl reconfigure "${names[@]}"
}

replug() {
        unplug
        plug
        # What stood on the NICs has gone with them.
        networkctl reload
}

write_files
give_lines
networkctl reload
situation 'first activation' plug
situation 'reconfigure' reconfigure
situation 'restart' systemctl restart systemd-networkd.service
other='' situation 'edit' edit
! look_at plain VLAN || situation 'hot-plug' replug

if look_at plain; then
        other=1400 subnets=
        rm "$files"/20-sd?0.network
        printf '%s\n' '[Match]' 'Name=sd?0' '[Link]' 'MTUBytes=1400' > "$files/20-several.network"
        configure
        give_lines
        situation 'MTUBytes=1400 for sd?0' networkctl reload
        situation 'MTUBytes=1400 for sd?0, reconfigure' reconfigure
fi

rm "$files"/20-*
networkctl reload
clean_up
