# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# As after a boot without any line.

for device in enp0s2 same0 new0; do
        check "$device: what was before" eventually mtu_is "$device" 1500
        check "$device: its unit" eventually unit_is "setmtu@$device.service" inactive
done
check 'the rules are gone' exits_with 1 test -e /run/udev/rules.d/81-setmtu.rules
check 'no unit has failed' empty 'failed units' "$(systemctl list-units --state=failed --no-legend --plain)"
ip link del same0
ip link add name same0 type bridge
udevadm settle
check 'hot-plug' mtu_is same0 1500
