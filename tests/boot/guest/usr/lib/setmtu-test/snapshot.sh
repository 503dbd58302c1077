# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# What two boots are compared by.

# snapshot NIC: all that udev and the kernel tell of it, but for its MTU and for what no two boots have in common.
snapshot() {
        udevadm info --query=all "/sys/class/net/$1" | grep -E '^[EP]: ' |
                grep -v -E '^E: (ID_NET_LINK_FILE|ID_NET_LINK_FILE_DROPINS|USEC_INITIALIZED|IFINDEX)=' |
                sed -E 's/virtio[0-9]+/virtio/g' | sort
        ip -details link show dev "$1" |
                sed -E -e 's/^[0-9]+: //' -e 's/ mtu [0-9]+//' -e 's/ (hello|tcn|topology_change|gc)_timer +[0-9.]+//g' \
                        -e 's/virtio[0-9]+/virtio/g'
}
