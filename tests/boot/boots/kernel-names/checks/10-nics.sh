# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# NICs that keep the kernel's names.

# Every announcement of a link as up.
never_up_with_1500() {
        empty 'announcements' "$(grep -E "[]] $(cat "/sys/class/net/$1/ifindex"): .*[<,]UP[,>].* mtu 1500 " /run/link-record)"
}

file_of() {
        udevadm info --query=property --property=ID_NET_LINK_FILE --value "/sys/class/net/$1"
}

is_up() {
        is "operstate of $1" "$(cat "/sys/class/net/$1/operstate" 2>&1)" up
}

for nic in eth0 eth1 eth2; do
        check "$nic: MTU 3000" eventually mtu_is "$nic" 3000
        check "$nic: comes up" eventually is_up "$nic"
        check "$nic: was never up with 1500" never_up_with_1500 "$nic"
        check "$nic: by a .link file of setmtu" matches 'ID_NET_LINK_FILE' "$(file_of "$nic")" '/run/systemd/network/05-setmtu-3000*'
done
check 'no setmtu@ unit is loaded' empty 'units' "$(systemctl list-units --all --no-legend --plain 'setmtu@*')"
check 'no unit has failed' empty 'failed units' "$(systemctl list-units --state=failed --no-legend --plain)"
