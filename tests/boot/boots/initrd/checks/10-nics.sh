# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# Devices that a systemd initrd without setmtu has brought up: PID 1 knows their device units before setmtu's rule exists,
# so that a directory such as sys-subsystem-net-devices-enp0s2.device.wants has no effect.

up_before_the_root() {
        has 'first announcement as up' "$(grep -E '[<,]UP[,>]' /run/link-record | grep enp0s2 | head -n 1)" 'mtu 1500 '
}

check 'the initrd has brought up the NIC' test -e /run/setmtu-test-initrd
check 'the NIC was up with 1500 in the initrd' up_before_the_root
check 'brought up by the initrd: set, and its unit active' eventually set_and_active enp0s2 9000
check 'made by the initrd, with an escaped instance: set, and its unit active' \
        eventually set_and_active br-lan 8000 'setmtu@br\x2dlan.service'
check 'named by the initrd, with backend=link: set' eventually mtu_is enp0s4 7000
check 'named by the initrd, with backend=link: by its .link file' \
        has 'udev of enp0s4' "$(udevadm info --query=property /sys/class/net/enp0s4)" ID_NET_LINK_FILE=/run/systemd/network/05-setmtu-7000
check 'configured on the kernel command line alone' test ! -e /etc/conf.d/setmtu
check 'no unit has failed' empty 'failed units' "$(systemctl list-units --state=failed --no-legend --plain)"
