# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# setmtu-keep.service beside somebody who changes MTUs.

pid_of() {
        systemctl show --property=MainPID --value setmtu-keep.service
}

# A second later it is still so.
stays() {
        sleep 1
        mtu_is "$@"
}

# latency DEVICE: puts into $span how many milliseconds it takes.
latency() {
        local begin end
        ip link set "$1" mtu 1400
        begin=${EPOCHREALTIME/[.,]/}
        until [[ $(< "/sys/class/net/$1/mtu") == 9000 ]]; do
                end=${EPOCHREALTIME/[.,]/}
                ((end - begin < 20000000)) || break
        done
        end=${EPOCHREALTIME/[.,]/}
        span=$(((end - begin) / 1000))
}

# calm: a new process knows of no fight.
calm() {
        systemctl restart setmtu-keep.service
}

keep_line() {
        sed -i "s/^$1=.*/$1=\"$2\"/" /etc/conf.d/setmtu
}

check 'the boot has set it' eventually set_and_active enp0s2 9000
check 'setmtu-keep runs' eventually unit_is setmtu-keep.service active
check 'setmtu-keep: systemd finds nothing wrong' verify_is_silent setmtu-keep.service
check 'setmtu-keep: exposure' exposure_is_low setmtu-keep.service
report "# $(systemd-analyze security --no-pager setmtu-keep.service | tail -n 1 | tr -cd '[:print:]')"
report "# memory: $(systemctl show --property=MemoryCurrent setmtu-keep.service), $(grep -E 'VmRSS|RssAnon' "/proc/$(pid_of)/status" | tr -s '\t\n ' ' ')"
check 'status shows it' has 'status' "$(setmtu status enp0s2)" ' kept'

for _ in {1..3}; do
        latency enp0s2
        report "# put back after $span ms"
done
check 'is put back' mtu_is enp0s2 9000
check 'is said' has 'journal' "$(journal_of setmtu-keep.service)" 'enp0s2: MTU set to 9000, was 1400; /etc/conf.d/setmtu:1'
check 'what may have done it is said' has 'journal' "$(journal_of setmtu-keep.service)" 'enp0s2: '
ip link set enp0s3 mtu 1400
check 'a line without keep' stays enp0s3 1400
ip link set enp0s3 mtu 4000

calm
old=$(pid_of)
systemctl daemon-reexec
check 'daemon-reexec: the same process' eventually is pid "$(pid_of)" "$old"
ip link set enp0s2 mtu 1400
check 'daemon-reexec: is put back' eventually mtu_is enp0s2 9000
kill -KILL "$(pid_of)"
ip link set enp0s2 mtu 1400
check 'killed: is put back' eventually mtu_is enp0s2 9000

systemctl stop setmtu-keep.service
ip link set enp0s2 mtu 1400
check 'stopped: is left alone' stays enp0s2 1400
systemctl start setmtu-keep.service
check 'started: is put back' eventually mtu_is enp0s2 9000

systemctl stop setmtu@enp0s2.service
check 'the unit is stopped: restored' stays enp0s2 1500
ip link set enp0s2 mtu 1400
check 'the unit is stopped: left alone' stays enp0s2 1400
systemctl start setmtu@enp0s2.service
check 'the unit is started: kept' eventually mtu_is enp0s2 9000
systemctl mask setmtu@enp0s2.service
ip link set enp0s2 mtu 1400
check 'masked: left alone' stays enp0s2 1400
systemctl unmask setmtu@enp0s2.service
systemctl reload setmtu@enp0s2.service
calm
ip link set enp0s2 mtu 1400
check 'unmasked: kept' eventually mtu_is enp0s2 9000

check 'set --runtime' setmtu set enp0s2 5000 --runtime
check 'set --runtime: left alone' stays enp0s2 5000
check 'reload' setmtu reload
check 'reload: its own again' eventually mtu_is enp0s2 9000

keep_line enp0s2 9000
check 'no line asks for it' setmtu reload
check 'no line asks for it: no process' eventually unit_is setmtu-keep.service inactive
systemctl reload setmtu@enp0s2.service
ip link set enp0s2 mtu 1400
check 'no line asks for it: left alone' stays enp0s2 1400

# A text editor and systemctl do as well.
keep_line enp0s2 '9000 keep'
systemctl daemon-reload
systemctl restart setmtu@enp0s2.service
check 'by systemctl: a process' eventually unit_is setmtu-keep.service active
ip link set enp0s2 mtu 1400
check 'by systemctl: is put back' eventually mtu_is enp0s2 9000

ip link add link enp0s2 name above0 type macvlan
check 'a device above: set' setmtu set above0 8000 keep
calm
ip link set enp0s2 mtu 1400
check 'a device above: the one below' eventually mtu_is enp0s2 9000
check 'a device above: it' eventually mtu_is above0 8000
check 'no unit has failed' empty 'failed units' "$(systemctl list-units --state=failed --no-legend --plain)"

if systemctl --help | grep -q soft-reboot; then
        ip link add name new0 type bridge
        sed -i '/^enp0s3=/d' /etc/conf.d/setmtu
        printf '%s\n' enp0s3=5000 new0=3000 >> /etc/conf.d/setmtu
        cat /sys/class/net/enp0s3/carrier_down_count > /run/setmtu-test/carrier_down_count
        soft_reboot
fi
