# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash disable=SC2034
#
# 500 devices that appear at once, with a line each, by backend unit and by backend link, in turn: until udev is done, until systemd
# is done, and what processor time that took, of all processes of this machine. Figures of one run compare with each other only.

devices=500
rounds=4

configure() {
        [[ $1 != none ]] || return 0
        { echo "SETMTU_BACKEND=$1" && printf "near%d=9000\n" $(seq 0 $((devices - 1))); } > /etc/conf.d/setmtu
        systemctl daemon-reload
        systemctl restart setmtu-configure
        udevadm control --reload
}

# In milliseconds, of all processors.
processor_time() {
        awk '$1 == "usage_usec" { print int($2 / 1000) }' /sys/fs/cgroup/cpu.stat
}

# Asking costs processor time, too.
wait_for_systemd() {
        until nothing_is_queued > /dev/null; do
                pause 1
        done
}

all_are_set() {
        is 'devices with their MTU' "$(cat /sys/class/net/near*/mtu | grep -c '^9000$')" "$devices"
}

nothing_is_queued() {
        empty 'jobs' "$(systemctl list-jobs --no-legend --plain)"
}

measure() {
        local begin udev systemd processor
        rm -f /etc/conf.d/setmtu
        systemctl daemon-reload
        systemctl restart setmtu-configure
        configure "$1"
        wait_for_systemd
        processor=$(processor_time)
        begin=${EPOCHREALTIME/./}
        ip -batch /run/add
        udevadm settle --timeout=600
        udev=${EPOCHREALTIME/./}
        wait_for_systemd
        systemd=${EPOCHREALTIME/./}
        processor=$(($(processor_time) - processor))
        report "# $1: udev done after $(((udev - begin) / 1000)) ms, systemd after $(((systemd - begin) / 1000)) ms, processors $processor ms"
        [[ $1 == none ]] || check "$1: all are set" all_are_set
        ip -batch /run/delete
        udevadm settle --timeout=600
        wait_for_systemd
}

mkdir -p /etc/conf.d
# What udev sees of each pair is one device.
ip netns add other
for ((i = 0; i < devices; i++)); do
        echo "link add near$i type veth peer name far$i netns other" >&3
        echo "link delete near$i"
done 3> /run/add > /run/delete
for ((round = 0; round < rounds; round++)); do
        measure none
        measure unit
        measure link
done
