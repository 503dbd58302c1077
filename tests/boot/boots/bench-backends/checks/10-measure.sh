# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash disable=SC2034
#
# 500 devices that appear at once, by backend unit and by backend link, in turn: until each has its MTU, until udev and
# systemd are done, and what processor time that took. Figures of one run compare with each other only.

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

all_are_set() {
        is 'devices with their MTU' "$(cat /sys/class/net/dummy*/mtu | grep -c '^9000$')" "$devices"
}

nothing_is_queued() {
        empty 'jobs' "$(systemctl list-jobs --no-legend --plain)"
}

measure() {
        local begin set processor
        rm -f /etc/conf.d/setmtu
        systemctl daemon-reload
        systemctl restart setmtu-configure
        configure "$1"
        processor=$(processor_time)
        begin=${EPOCHREALTIME/./}
        modprobe dummy numdummies=$devices
        [[ $1 == none ]] || check "$1: all are set" eventually all_are_set
        set=${EPOCHREALTIME/./}
        udevadm settle --timeout=300
        check "$1: systemd is done" eventually nothing_is_queued
        report "# $1: set after $(((set - begin) / 1000)) ms, done after $(((${EPOCHREALTIME/./} - begin) / 1000)) ms, processors $(($(processor_time) - processor))0 ms"
        modprobe -r dummy
        udevadm settle --timeout=300
        eventually nothing_is_queued
}

mkdir -p /etc/conf.d
patience_s=300
for ((round = 0; round < rounds; round++)); do
        measure none
        measure unit
        measure link
done
