# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# What has come through a soft reboot, which systemd has from 254 on.

[[ -e /run/setmtu-test/was-soft-reboot ]] || return 0

check 'soft reboot: the MTU stays' eventually mtu_is enp0s2 9000
check 'soft reboot: setmtu-keep runs again' eventually unit_is setmtu-keep.service active
ip link set enp0s2 mtu 1400
check 'soft reboot: is put back' eventually mtu_is enp0s2 9000
check 'soft reboot: what it did before is known' has 'status' "$(setmtu status enp0s2)" 'put back'
