# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# netplan, by systemd-networkd.

# shellcheck source=/dev/null
source /usr/lib/setmtu-test/managers.sh

manager=netplan
prefix=np
kinds=(plain VLAN bridge bond)
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
                        stanza "np${mode}1" 'dhcp4: false'
                        stanza "np${mode}2" 'dhcp4: false'
                done
                echo '  vlans:'
                for mode in "${modes[@]:1}"; do
                        stanza "np${mode}0.5" 'id: 5' "link: np${mode}0" 'dhcp4: true' "$@"
                done
                echo '  bridges:'
                for mode in "${modes[@]:1}"; do
                        stanza "np${mode}br" "interfaces: [np${mode}1]" 'parameters: {stp: false}' 'dhcp4: true' "$@"
                done
                echo '  bonds:'
                for mode in "${modes[@]:1}"; do
                        stanza "np${mode}bo" "interfaces: [np${mode}2]" 'parameters: {mode: active-backup}' 'dhcp4: true' "$@"
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
write_plan
netplan generate
give_lines
plug
situation 'first activation' netplan apply
situation 'reapply' netplan apply
situation 'restart' systemctl restart systemd-networkd.service
other='' situation 'edit' edit
kinds=(plain VLAN)
situation 'hot-plug' replug

kinds=(plain)
wanted=4000 other=1400
write_plan 'mtu: 1400'
netplan generate
give_lines
situation 'its own mtu: 1400' netplan apply

rm /etc/netplan/60-test.yaml
netplan apply
clean_up
