# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash disable=SC2154
#
# What this machine does without setmtu. The main boot compares itself with it.

nic_is_up() {
        is "operstate of $1" "$(cat "/sys/class/net/$1/operstate" 2>&1)" up
}

for nic in enp0s2 enp0s3 enp0s4; do
        check "$nic comes up" eventually nic_is_up "$nic"
        report "# value baseline_carrier_down_count_$nic=$(cat /sys/class/net/$nic/carrier_down_count)"
done
report "# value baseline_multi_user_us=$(systemctl show --property=ActiveEnterTimestampMonotonic --value multi-user.target)"

check 'e1000e starts with 1500' mtu_is enp0s2 1500
check 'rtl8139 starts with 1500' mtu_is enp0s3 1500
check 'no unit has failed' empty 'failed units' "$(systemctl list-units --state=failed --no-legend --plain)"
