# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# What udev and networkd make of the machine by themselves. The boot `networkd` compares itself with it.

# shellcheck source=/dev/null
source /usr/lib/setmtu-test/snapshot.sh

is_configured() {
        is "state of $1" "$(networkctl list --no-legend --no-pager "$1" | awk '{ print $5 }')" configured
}

ip link add name plug0 type dummy
for nic in enp0s2 enp0s3 enp0s4 enx525400000011 enx525400000006 lan0 vlan5 br0; do
        check "$nic is configured" eventually is_configured "$nic"
done
udevadm settle
for nic in enp0s2 enp0s3 enp0s4 enx525400000011 enx525400000006 lan0 vlan5 br0 plug0; do
        report "# value snapshot_$nic=$(snapshot "$nic" | gzip | base64 --wrap=0)"
        report "# value carrier_down_count_$nic=$(cat "/sys/class/net/$nic/carrier_down_count")"
done
check 'no unit has failed' empty 'failed units' "$(systemctl list-units --state=failed --no-legend --plain)"
