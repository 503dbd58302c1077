# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# The udev rules that setmtu-configure writes.

rules=/run/udev/rules.d/81-setmtu.rules

# property_is DEVICE PROPERTY VALUE
property_is() {
        is "$2 of $1" "$(udevadm info --query=property "/sys/class/net/$1" | sed -n "s/^$2=//p")" "$3"
}

verify_is_clean() {
        local output
        output=$(udevadm verify $rules 2>&1) || { echo "$output"; return 1; }
        has 'udevadm verify' "$output" '1 udev rules files have been checked' &&
                empty 'remarks of udevadm verify' "$(grep -F "$rules:" <<< "$output")"
}

check 'rules are there' test -s $rules
if udevadm verify --help > /dev/null 2>&1; then
        check 'udevadm verify is clean' verify_is_clean
fi

check 'the original MTU is in the udev database' property_is enp0s2 SETMTU_ORIGINAL_MTU 1500
for action in add change add change; do
        udevadm trigger --settle --action=$action /sys/class/net/enp0s2
        check "the original MTU after $action" property_is enp0s2 SETMTU_ORIGINAL_MTU 1500
done
check 'the MTU after these events' set_and_active enp0s2 9000
# The last event was no addition.
check 'that it was set by an addition: no longer' property_is enp0s2 SETMTU_ADDED ''
udevadm trigger --settle --action=add /sys/class/net/enp0s2
check 'that it was set by an addition' property_is enp0s2 SETMTU_ADDED 1
