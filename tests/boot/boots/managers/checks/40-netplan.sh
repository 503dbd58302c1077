# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# netplan, by systemd-networkd.

# shellcheck source=/dev/null
source /usr/lib/setmtu-test/managers.sh

manager=netplan
prefix=np
subnets='10\.75?\.'

# write_plan [LINE…]: what the devices have besides DHCP.
write_plan() {
        local mode i
        {
                printf '%s\n' 'network:' '  version: 2' '  renderer: networkd' '  ethernets:'
                for mode in "${modes[@]}"; do
                        stanza "np${mode}0" 'dhcp4: true' "$@"
                done
                for mode in "${modes[@]:1}"; do
                        ! has_kind bridge || stanza "np${mode}1" 'dhcp4: false'
                        ! has_kind bond || stanza "np${mode}2" 'dhcp4: false'
                done
                ! has_kind VLAN || echo '  vlans:'
                for mode in "${modes[@]:1}"; do
                        ! has_kind VLAN || stanza "np${mode}0.5" 'id: 5' "link: np${mode}0" 'dhcp4: true' "$@"
                done
                ! has_kind bridge || echo '  bridges:'
                for mode in "${modes[@]:1}"; do
                        ! has_kind bridge || stanza "np${mode}br" "interfaces: [np${mode}1]" 'parameters: {stp: false}' 'dhcp4: true' "$@"
                done
                ! has_kind bond || echo '  bonds:'
                for mode in "${modes[@]:1}"; do
                        ! has_kind bond || stanza "np${mode}bo" "interfaces: [np${mode}2]" 'parameters: {mode: active-backup}' 'dhcp4: true' "$@"
                done
        } > /etc/netplan/60-test.yaml
        chmod 0600 /etc/netplan/60-test.yaml
}

stanza() {
        printf '    %s:\n' "$1"
        printf '      %s\n' "${@:2}"
}

replug() {
        unplug
        plug
        # What stood on the NICs has gone with them.
        netplan apply
}

if [[ ! -x /usr/sbin/netplan ]]; then
        not_available netplan 'not installed'
        exit
fi
# It is networkd that sets the devices.
is_whole && look_at plain VLAN bridge bond || exit 0
write_plan
netplan generate
give_lines
plug
situation 'first activation' netplan apply
situation 'reapply' netplan apply
situation 'restart' systemctl restart systemd-networkd.service
other='' situation 'edit' edit
! look_at plain VLAN || situation 'hot-plug' replug

if look_at plain; then
        wanted=4000 other=1400
        write_plan 'mtu: 1400'
        netplan generate
        give_lines
        situation 'its own mtu: 1400' netplan apply
fi

rm /etc/netplan/60-test.yaml
netplan apply
clean_up
