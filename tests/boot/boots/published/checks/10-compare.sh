# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# What the labels of tests/sources/published say of networkd's, NetworkManager's and ifupdown2's files, beside what these programs
# do with them: a device that "acts" names has the MTU of its label, and one that is "idle" has not.

corpus=/usr/lib/setmtu-test/published

# These cannot be compared here. No NIC is of such a driver or kind, or has a permanent address:
not_here=' igb-by-driver by-driver-and-by-address ib ib-old wireless modem-nmconnection infiniband-commented mac-old ip-tunnel-profile '
# The file is one of several, of which setmtu is given it alone: its bond or bridge and addresses are
# in others, or 99-default.link comes before it on a machine.
not_here+='eno1-link ens160-link 10-cloud-init-bond-200-netdev bridge-port-nmconnection slave-of-a-bond '
not_here+='cloud-init-iface0-nmconnection coreos-link-without-number '
# A NIC of the machine has the same address.
not_here+='new-group '
# NetworkManager waits for the carrier of a bond that has no port.
not_here+='vlan-on-bond '
# Open vSwitch and mako are not installed, and one file is for ifupdown alone.
not_here+='proxmox-ovs ovs-mtu-without-ovs ovs-port-of-ceph ovs-bond-of-two interfaces-5 no-family-for-ifupdown '

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
        rm -rf /etc/network/{interfaces,interfaces.d,if-*.d/*} /var/tmp/network
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
        # Not grep -q, which would end awk by its pipe.
        made_by_ifupdown2 | grep -x "$1" > /dev/null && return
        grep -lsx "interface-name=$1" /etc/NetworkManager/system-connections/* | while read -r file; do
                grep -qxE 'type=(vlan|bond|bridge|team|dummy)' "$file" && echo yes
        done | grep -q yes
}

# stanzas: what ifupdown2 reads. Not every case has both.
stanzas() {
        cat /etc/network/interfaces /etc/network/interfaces.d/* 2> /dev/null || true
}

# made_by_ifupdown2: the devices of stanzas with what they are made of, and VLANs.
made_by_ifupdown2() {
        stanzas | awk '$1 == "iface" { name = $2; if (name ~ /[.]/) print name }
             $1 ~ /^(bridge.ports|bond.slaves|slaves|vlan.raw.device|vxlan-id|link-type)$/ { print name }'
}

# below_ifupdown2: what these are made of.
below_ifupdown2() {
        stanzas | awk '$1 == "iface" && sub(/[.][0-9]+$/, "", $2) { print $2 }
             $1 ~ /^(bridge.ports|bond.slaves|slaves|vlan.raw.device)$/ { for (i = 2; i <= NF; i++) print $i }'
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
        for name in $(below_ifupdown2); do
                made_by_files "$name" || [[ $name == none ]] || plug "$name"
        done
        udevadm settle
        if [[ $program == ifupdown2 ]]; then
                [[ -e /etc/network/interfaces ]] || echo 'source /etc/network/interfaces.d/*' > /etc/network/interfaces
                # It fails for a device that is refused something.
                ifup -a 2>&1 | sed "s/^/# $case: /" || true
        else
                systemctl start "$program"
        fi
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
        [[ ! $case || $not_here == *" $case "* || ${#labels[@]} == 0 || ! $is_read ]] || run_case
        clear
        # Without a family, only ifupdown2 reads a stanza.
        is_read=yes
        [[ $program != ifupdown2 ]] || is_read=
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
                '--- /usr/share/ifupdown2/'*)
                        file=/dev/null
                        is_read=yes
                        ;;
                '--- '*)
                        file=${line#--- }
                        file=${file% +}
                        # Beside what it is read with, and not at its place.
                        [[ $file == /* ]] || { file=/dev/null && labels=() && continue; }
                        mkdir -p "${file%/*}"
                        : > "$file"
                        chmod 0600 "$file"
                        [[ $program == NetworkManager ]] || chmod 0644 "$file"
                        ;;
                *) [[ ! $file ]] || echo "$line" >> "$file" ;;&
                'iface '*' '*) ;;
                'iface '*) is_read=yes ;;
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
if dpkg-query --show ifupdown2 > /dev/null 2>&1; then
        mount --bind /usr/bin/true /usr/sbin/dhclient # no lease is had here
        compare ifupdown2 ifupdown
fi
