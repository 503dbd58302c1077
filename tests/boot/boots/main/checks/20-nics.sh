# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# Real drivers with limits of their own, brought up by systemd-networkd.

line_of() {
        grep -n "^$1=" /etc/conf.d/setmtu | cut -d: -f1
}

# Each line of /run/link-record is one announcement of the kernel, in its order.
announcements_of() {
        grep -E "[]] $(cat "/sys/class/net/$1/ifindex"): " /run/link-record
}

# The first time the kernel says UP, it says the wanted MTU, and before that the link was seen with another one.
mtu_precedes_up() {
        local first_up
        first_up=$(announcements_of "$1" | grep -E '[<,]UP[,>]' | head -n 1)
        has "announcements of $1 before the MTU was set" "$(announcements_of "$1")" 'mtu 1500' &&
                has "$1 when it was first up" "$first_up" "mtu $2 "
}

# networkd, at its debug level, tells the MTU that it first sees and each change. It may well see the change, but must not
# after it has brought the link up.
networkd_is_later() {
        local journal
        journal=$(journal_of systemd-networkd)
        has 'journal of systemd-networkd' "$journal" 'Saved original MTU' &&
                has 'journal of systemd-networkd' "$journal" "$1: Link UP" || return
        empty "changes of the MTU after 'Link UP'" "$(sed "1,/$1: Link UP/d" <<< "$journal" | grep "$1: MTU is changed")"
}

# A NIC begins with 1.
carrier_was_not_lost() {
        at_most "carrier_down_count of $1" "$(cat "/sys/class/net/$1/carrier_down_count")" 1
}

refusal_names_the_limits() {
        # A line of its own: the journal knows which program it is from.
        has 'journal of setmtu@enp0s3' $'\n'"$(journal_of setmtu@enp0s3)"$'\n' \
                $'\n'"enp0s3: 9000 is outside the range of this device (60 to 4096); /etc/conf.d/setmtu:$(line_of enp0s3)"$'\n'
}

rtl8139_works() {
        mtu_is enp0s3 1500 && is 'operstate of enp0s3' "$(cat /sys/class/net/enp0s3/operstate)" up
}

# The driver starts with its host_mtu, so something else has to be there first.
max_is_found_again() {
        ip link set enp0s4 mtu 1400
        systemctl restart setmtu@enp0s4 && mtu_is enp0s4 9000
}

check 'e1000e=9000: set, and its unit active' eventually set_and_active enp0s2 9000
check 'e1000e=9000: the link was 9000 when it first came up' mtu_precedes_up enp0s2 9000
check 'e1000e=9000: systemd-networkd saw no change after its Link UP' eventually networkd_is_later enp0s2
check 'e1000e=9000: the carrier was not lost' carrier_was_not_lost enp0s2
check 'rtl8139=9000: the message names the limits and the line' refusal_names_the_limits
check 'rtl8139=9000: the NIC works as before' rtl8139_works
check 'rtl8139=9000: the carrier was not lost' carrier_was_not_lost enp0s3
check 'virtio=max, with the old multi-user.target.wants link: set, and its unit active' eventually set_and_active enp0s4 9000
check 'virtio=max: found again after a change by hand' max_is_found_again
check 'virtio=max: the carrier was not lost' carrier_was_not_lost enp0s4
