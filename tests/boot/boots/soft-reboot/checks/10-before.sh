# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# Edits, and then a soft reboot.

for device in same0 edit0 gone0 new0; do
        ip link add name "$device" type bridge
done
check 'a NIC' eventually set_and_active enp0s2 9000
check 'a line that stays' eventually set_and_active same0 4000
check 'a line that is edited' eventually set_and_active edit0 4000
check 'a line that is removed' eventually set_and_active gone0 4000

printf '%s\n' enp0s2=9000 same0=4000 edit0=5000 new0=3000 > /etc/conf.d/setmtu
cat /sys/class/net/enp0s2/carrier_down_count > /run/setmtu-test/carrier_down_count
cat /proc/sys/kernel/random/boot_id > /run/setmtu-test/boot_id
soft_reboot
