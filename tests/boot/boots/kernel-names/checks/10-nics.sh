# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# NICs that keep the kernel's names.

# Every announcement of a link as up.
never_up_with_1500() {
        empty 'announcements' "$(grep -E "[]] $(cat "/sys/class/net/$1/ifindex"): .*[<,]UP[,>].* mtu 1500 " /run/link-record)"
}

# The MTU with which the kernel has announced it first.
first_mtu() {
        sed -n "/[]] $(cat "/sys/class/net/$1/ifindex"): /{s/.* mtu \([0-9]*\) .*/\1/p;q}" /run/link-record
}

is_up() {
        is "operstate of $1" "$(cat "/sys/class/net/$1/operstate" 2>&1)" up
}

for nic in eth0 eth1; do
        check "$nic: MTU 3000" eventually mtu_is "$nic" 3000
        check "$nic: comes up" eventually is_up "$nic"
        check "$nic: was never up with 1500" never_up_with_1500 "$nic"
        check "$nic: its unit" eventually unit_is "setmtu@$nic.service" active
done
check 'eth2: is refused a .link file' has 'messages' "$(journal_of setmtu-configure.service)" \
        'eth2: a .link file would also match a device that has such a name only until udev renames it; use backend=auto'
check 'eth2: stays as it is' mtu_is eth2 "$(first_mtu eth2)"
check 'no unit has failed' empty 'failed units' "$(systemctl list-units --state=failed --no-legend --plain)"
