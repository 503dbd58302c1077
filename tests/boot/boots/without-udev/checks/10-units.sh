# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# A container as systemd-nspawn makes it. No device event ever comes, so the units start without one.

started_us() {
        systemctl show --property="$1" --value -- "$2"
}

check 'systemd has no units of devices' empty 'units' "$(systemctl list-units --type=device --no-legend --plain)"
check 'a device gets its MTU at boot' set_and_active host0 9000
check 'before the network comes up' at_most 'microseconds since the start' \
        "$(started_us ActiveEnterTimestampMonotonic setmtu@host0.service)" \
        "$(started_us ActiveEnterTimestampMonotonic network.target)"
check 'a device without a line is left alone' mtu_is host1 1500
check 'an absent device is skipped' unit_is setmtu@absent0.service inactive
check 'no unit has failed' empty 'failed units' "$(systemctl list-units --state=failed --no-legend --plain)"

check 'its link' test -L /run/systemd/generator/sysinit.target.wants/setmtu@host0.service
check 'setmtu doctor' exits_with 0 setmtu doctor
check 'set' setmtu set host1 4000
check 'set: its unit' set_and_active host1 4000
check 'set: the next boot starts it' test -L /run/systemd/generator/sysinit.target.wants/setmtu@host1.service
check 'unset' setmtu unset host1
check 'unset: restored' mtu_is host1 1500
check 'unset: the next boot starts nothing' exits_with 1 test -L /run/systemd/generator/sysinit.target.wants/setmtu@host1.service
sed -i 's/^host0=.*/host0=8000/' /etc/conf.d/setmtu
check 'an edit and reload' setmtu reload
check 'an edit and reload: set' set_and_active host0 8000

check 'enable' systemctl enable setmtu@host0.service
check 'daemon-reload' systemctl daemon-reload
check 'enable and daemon-reload: still set' set_and_active host0 8000
check 'stop' systemctl stop setmtu@host0.service
check 'stop restores' mtu_is host0 1500
check 'sysinit.target, as a boot starts it, sets it again' systemctl start sysinit.target
check 'it is set' eventually set_and_active host0 8000
ip link add name absent0 type bridge
check 'a device that comes later: apply' setmtu apply absent0
check 'a device that comes later: set' mtu_is absent0 9000
