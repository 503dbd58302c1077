# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash disable=SC2034
#
# 500 devices that appear at once, by backend unit and by backend link, in turn: until udev is done, by when each must have its
# MTU, until systemd is done, and what processor time that took. Figures of one run compare with each other only.

devices=500
rounds=3

configure() {
        [[ $1 != none ]] || return 0
        { echo "SETMTU_BACKEND=$1" && printf "dummy%d=9000\n" $(seq 0 $((devices - 1))); } > /etc/conf.d/setmtu
        systemctl daemon-reload
        systemctl restart setmtu-configure
        udevadm control --reload
}

# In hundredths of a second, of all processors, without idling and waiting.
processor_time() {
        awk '/^cpu / { print $2 + $3 + $4 + $7 + $8 }' /proc/stat
}

# Asking costs processor time, too.
wait_for_systemd() {
        until nothing_is_queued > /dev/null; do
                pause 1
        done
}

all_are_set() {
        is 'devices with their MTU' "$(cat /sys/class/net/dummy*/mtu | grep -c '^9000$')" "$devices"
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
        modprobe dummy numdummies=$devices
        udevadm settle --timeout=600
        udev=${EPOCHREALTIME/./}
        wait_for_systemd
        systemd=${EPOCHREALTIME/./}
        processor=$(($(processor_time) - processor))
        report "# $1: udev done after $(((udev - begin) / 1000)) ms, systemd after $(((systemd - begin) / 1000)) ms, processors ${processor}0 ms"
        [[ $1 == none ]] || check "$1: all are set" all_are_set
        modprobe -r dummy
        udevadm settle --timeout=600
        wait_for_systemd
}

mkdir -p /etc/conf.d
for ((round = 0; round < rounds; round++)); do
        measure none
        measure unit
        measure link
done
