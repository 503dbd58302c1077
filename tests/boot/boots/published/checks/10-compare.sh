# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# What the labels of tests/sources/published say of networkd's and NetworkManager's files, beside what these programs do with
# them: a device that "acts" names has the MTU of its label, and one that is "idle" has not.

corpus=/usr/lib/setmtu-test/published

# These cannot be compared here. No NIC is of such a driver or kind, or has a permanent address:
not_here=' igb-by-driver by-driver-and-by-address ib ib-old wireless modem-nmconnection infiniband-commented mac-old '
# The file is one of several, of which setmtu is given it alone: its bond or bridge and addresses are
# in others, or 99-default.link comes before it on a machine.
not_here+='eno1-link ens160-link 10-cloud-init-bond-200-netdev bridge-port-nmconnection slave-of-a-bond '
not_here+='cloud-init-iface0-nmconnection '
# NetworkManager waits for the carrier of a bond that has no port.
not_here+='vlan-on-bond '

# shellcheck disable=SC2034 # eventually's
patience_s=20

has_another_mtu() {
        [[ ! -e /sys/class/net/$1 || $(< "/sys/class/net/$1/mtu") != "$2" ]] || mtu_is "$1" 'another one'
}

# clear: as before the first case.
clear() {
        local name
        systemctl stop systemd-networkd.socket systemd-networkd.service NetworkManager.service
        rm -rf /etc/systemd/network /run/systemd/network /etc/NetworkManager/{system-connections,conf.d} /run/NetworkManager
        mkdir -p /etc/systemd/network /etc/NetworkManager/{system-connections,conf.d}
        for name in $(ls /sys/class/net) $(ls /sys/class/net); do
                [[ $name == lo || $name == enp0s* ]] || ip link delete dev "$name" 2> /dev/null || true
        done
        udevadm settle
}

# plug NAME [MAC]: a NIC with a carrier.
plug() {
        local address=()
        [[ ! -e /sys/class/net/$1 ]] || return 0
        [[ ! ${2-} ]] || address=(address "$2")
        ip link add name "$1" "${address[@]}" type veth peer name "far$((n_far++))" netns far
        ip -netns far link set "far$((n_far - 1))" mtu 65535 up
}

# made_by_files NAME: whether a .netdev file or a profile makes the device.
made_by_files() {
        grep -qsx "Name=$1" /etc/systemd/network/*.netdev && return
        grep -lsx "interface-name=$1" /etc/NetworkManager/system-connections/* | while read -r file; do
                grep -qxE 'type=(vlan|bond|bridge|team|dummy)' "$file" && echo yes
        done | grep -q yes
}

# run_case: what has been read of a case.
run_case() {
        local label name words mtu
        udevadm control --reload
        for words in "${devices[@]}"; do
                # shellcheck disable=SC2086 # a name and an address
                plug $words
        done
        for label in "${labels[@]}"; do
                read -r _ name mtu <<< "$label"
                made_by_files "$name" || plug "$name"
        done
        udevadm settle
        systemctl start "$program"
        for label in "${labels[@]}"; do
                read -r label name mtu <<< "$label"
                if [[ $label == acts ]]; then
                        check "$program: $case: $name has $mtu" eventually mtu_is "$name" "$mtu"
                else
                        check "$program: $case: $name has another MTU than $mtu" has_another_mtu "$name" "$mtu"
                fi
        done
}

end_case() {
        [[ ! $case || $not_here == *" $case "* || ${#labels[@]} == 0 ]] || run_case
        clear
        devices=()
        labels=()
        file=
}

# compare PROGRAM CORPUS
compare() {
        program=$1
        case=
        end_case
        while IFS= read -r line; do
                case $line in
                '=== '*)
                        end_case
                        case=${line#=== }
                        ;;
                '--- '*)
                        file=${line#--- }
                        mkdir -p "${file%/*}"
                        : > "$file"
                        chmod 0600 "$file"
                        [[ $program == NetworkManager ]] || chmod 0644 "$file"
                        ;;
                *) [[ ! $file ]] || echo "$line" >> "$file" ;;&
                'device '*) [[ $file ]] || devices+=("${line#device }") ;;
                'acts '* | 'idle '*) [[ $file || $line == *'|'* ]] || labels+=("$line") ;;
                esac
        done < "$corpus/$2"
        end_case
}

n_far=0
ip netns add far
compare systemd-networkd networkd
compare NetworkManager networkmanager
