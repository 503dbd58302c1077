# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# The units of devices that were there all the time have started, and so have taken the edits.

messages_since() {
        journalctl --boot --no-pager --quiet --output=cat --grep="$1" --since="@$(stat --format=%Y /run/setmtu-test/was-soft-reboot)" || true
}

units_loaded() {
        systemctl show --value --property UnitsLoadTimestampMonotonic
}

check 'the kernel is the same' is boot_id "$(< /proc/sys/kernel/random/boot_id)" "$(< /run/setmtu-test/boot_id)"
check 'an edited line' eventually set_and_active edit0 5000
check 'a new line' eventually set_and_active new0 3000
check 'a removed line: the MTU stays' eventually mtu_is gone0 4000
check 'a removed line: its unit' eventually unit_is setmtu@gone0.service inactive
check 'the rule is new' has rules "$(< /run/udev/rules.d/81-setmtu.rules)" 'SETMTU_MTU}="5000"'

check 'a line that stays' eventually set_and_active same0 4000
check 'a NIC' eventually set_and_active enp0s2 9000
check 'a NIC: its carrier was never lost' is carrier_down_count "$(< /sys/class/net/enp0s2/carrier_down_count)" \
        "$(< /run/setmtu-test/carrier_down_count)"
check 'what has not changed is not set' empty messages "$(messages_since '^(enp0s2|same0): MTU (set|restored)')"
check 'what has changed is said' has messages "$(messages_since '^edit0: ')" 'edit0: MTU set to 5000, was 4000'

check 'stop of the edited one' systemctl stop setmtu@edit0.service
check 'its original is known' mtu_is edit0 1500
check 'stop of the new one' systemctl stop setmtu@new0.service
check 'its original is known, too' mtu_is new0 1500

loaded=$(units_loaded)
check 'reload' setmtu reload
check 'reload: the units start' set_and_active new0 3000
check 'reload: systemd has all links' is 'the time of its last reload' "$(units_loaded)" "$loaded"
ip link del same0
ip link add name same0 type bridge
check 'hot-plug' eventually set_and_active same0 4000
sed -i '/^same0=/d' /etc/conf.d/setmtu
check 'a line goes' setmtu reload
check 'a line goes: what was before' mtu_is same0 1500
check 'no unit has failed' empty 'failed units' "$(systemctl list-units --state=failed --no-legend --plain)"
