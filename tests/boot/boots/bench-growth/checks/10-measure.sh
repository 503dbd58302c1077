# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash disable=SC2034
#
# What one uevent costs with 1 to 10,000 lines in the rules, and what it takes to have one edited line of them in force, beside
# networkctl and netplan with as many devices. But for one of them the devices are absent. Figures of one run compare with each
# other only.

events=20
# With more, networkctl(1) stops waiting for networkd.
most_of_networkd=1000

# In hundredths of a second, of all processors, without idling and waiting.
processor_time() {
        awk '/^cpu / { print $2 + $3 + $4 + $7 + $8 }' /proc/stat
}

nothing_is_queued() {
        [[ -z $(systemctl list-jobs --no-legend --plain) ]]
}

# measure WHAT N TIMES COMMAND…
measure() {
        local begin processor i
        udevadm settle
        until nothing_is_queued; do
                pause 1
        done
        processor=$(processor_time)
        begin=${EPOCHREALTIME/./}
        for ((i = 0; i < $3; i++)); do
                "${@:4}"
        done
        begin=$(((${EPOCHREALTIME/./} - begin) / 1000))
        processor=$(($(processor_time) - processor))
        report "# $1, $2: $((begin / $3)) ms, processor $((10 * processor / $3)) ms"
}

uevent() {
        udevadm trigger --settle --action="$1" /sys/class/net/dummy0
}

lines() {
        { echo "SETMTU_BACKEND=$1" && echo "dummy0=$3" && seq -f 'absent%g=9000' 2 "$2"; } > /etc/conf.d/setmtu
}

links() {
        printf '[Match]\nName=dummy0\n\n[Link]\nMTUBytes=%d\n' "$2" > /run/systemd/network/60-1.network
        for ((i = 2; i <= $1; i++)); do
                printf '[Match]\nName=absent%d\n\n[Link]\nMTUBytes=9000\n' "$i" > "/run/systemd/network/60-$i.network"
        done
}

devices_of_netplan() {
        {
                printf '%s\n' network: '  version: 2' '  ethernets:' '    dummy0:' "      mtu: $2"
                for ((i = 2; i <= $1; i++)); do
                        printf '    absent%d:\n      mtu: 9000\n' "$i"
                done
        } > /etc/netplan/60-test.yaml
        chmod 0600 /etc/netplan/60-test.yaml
}

mkdir -p /etc/conf.d /run/systemd/network
modprobe dummy numdummies=1
for n in 1 10 100 1000 10000; do
        rm -f /etc/conf.d/setmtu
        setmtu reload
        uevent change
        measure 'one uevent, no line' "$n" $events uevent change
        for backend in unit link; do
                lines $backend "$n" 9000
                setmtu reload
                check "$backend, $n: reload sets it" mtu_is dummy0 9000
                uevent change
                [[ $backend == link ]] || measure "one uevent, backend $backend" "$n" $events uevent change
                [[ $backend == unit ]] || measure "one uevent (add), backend $backend" "$n" $events uevent add
                lines $backend "$n" 8000
                measure "setmtu reload, backend $backend" "$n" 1 setmtu reload
                check "$backend, $n: reload sets another one" mtu_is dummy0 8000
        done
        rm -f /etc/conf.d/setmtu
        setmtu reload
done

systemctl start systemd-networkd
for ((n = 1; n <= most_of_networkd; n *= 10)); do
        links "$n" 9000
        networkctl reload
        check "networkd, $n: sets it" eventually mtu_is dummy0 9000
        links "$n" 8000
        measure 'networkctl reload' "$n" 1 networkctl reload
        check "networkd, $n: sets another one" eventually mtu_is dummy0 8000
done
rm /run/systemd/network/60-*.network
networkctl reload

[[ -x /usr/sbin/netplan ]] || exit 0
for ((n = 1; n <= most_of_networkd; n *= 10)); do
        devices_of_netplan "$n" 9000
        netplan apply
        check "netplan, $n: sets it" eventually mtu_is dummy0 9000
        devices_of_netplan "$n" 8000
        measure 'netplan apply' "$n" 1 netplan apply
        check "netplan, $n: sets another one" eventually mtu_is dummy0 8000
done
