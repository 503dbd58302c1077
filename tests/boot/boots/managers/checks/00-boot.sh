# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# What the boot has left, before anything is edited: NetworkManager has two NICs, where the machine has some.

# shellcheck source=/dev/null
source /usr/lib/setmtu-test/managers.sh

report "# cells of systemd $(systemctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')"
! is_contained || exit 0
# On a busy host the checks begin before the NICs are there.
udevadm settle

check 'NetworkManager has the NIC' eventually explain_has enp0s2 'Manager: NetworkManager'
check 'NetworkManager gives it an address' eventually has_address enp0s2 10.0.2
check 'right from birth' eventually set_and_active enp0s4 3000
check 'a NIC at boot' mtu_is enp0s2 4000
check 'setmtu-configure has not waited for it' unit_is setmtu-configure.service active
check 'the file is read' has print-config "$(NetworkManager --print-config)" '[connection-setmtu-enp0s2]'
check 'and nothing in it is unknown' empty warnings "$(journal_of NetworkManager.service | grep -i 'unknown key' || true)"
