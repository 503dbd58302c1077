# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# What has come through a soft reboot, which systemd has from 254 on.

[[ -e /run/setmtu-test/was-soft-reboot ]] || return 0

check 'soft reboot: the MTU stays' eventually mtu_is enp0s2 9000
check 'soft reboot: another unit stays active' set_and_active enp0s3 4000
check 'soft reboot: its carrier was never lost' is carrier_down_count "$(< /sys/class/net/enp0s3/carrier_down_count)" \
        "$(< /run/setmtu-test/carrier_down_count)"
check 'soft reboot: setmtu-keep runs again' eventually unit_is setmtu-keep.service active
ip link set enp0s2 mtu 1400
check 'soft reboot: is put back' eventually mtu_is enp0s2 9000
check 'soft reboot: what it did before is known' has 'status' "$(setmtu status enp0s2)" 'put back'

# Edits wait for a reload.
check 'soft reboot: reload' setmtu reload
check 'soft reboot: an edited line' set_and_active enp0s3 5000
check 'soft reboot: a new line' eventually set_and_active new0 3000
check 'soft reboot: stop' systemctl stop setmtu@enp0s3.service
check 'soft reboot: the original is known' mtu_is enp0s3 1500
check 'soft reboot: no unit has failed' empty 'failed units' "$(systemctl list-units --state=failed --no-legend --plain)"
