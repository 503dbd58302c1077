# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# What udev and networkd make of the machine with setmtu's files: the MTUs, and nothing else that differs.

# shellcheck source=/dev/null
source /usr/lib/setmtu-test/snapshot.sh
# shellcheck source=/dev/null
source /usr/lib/setmtu-test/without

is_configured() {
        is "state of $1" "$(networkctl list --no-legend --no-pager "$1" | awk '{ print $5 }')" configured
}

same_as_without() {
        local before=snapshot_$1
        diff <(base64 --decode <<< "${!before}" | gzip --decompress) <(snapshot "$1")
}

carrier_is_as_without() {
        local before=carrier_down_count_$1
        at_most "carrier_down_count of $1" "$(cat "/sys/class/net/$1/carrier_down_count")" "${!before}"
}

announcements_of() {
        grep -E "[]] $(cat "/sys/class/net/$1/ifindex"): " /run/link-record
}

# The first time the kernel says UP, it says the wanted MTU.
mtu_precedes_up() {
        local first_up
        first_up=$(announcements_of "$1" | grep -E '[<,]UP[,>]' | head -n 1)
        has "$1 when it was first up" "$first_up" "mtu $2 "
}

# Where udev sets it, networkd sees no change of it from the moment that it configures the link.
networkd_is_later() {
        local journal
        journal=$(journal_of systemd-networkd)
        has 'journal of systemd-networkd' "$journal" "$1: Configuring with" || return
        empty "changes of the MTU after networkd has begun" \
                "$(sed "1,/$1: Configuring with/d" <<< "$journal" | grep "$1: MTU is changed")"
}

line_of() {
        grep -n -F "$1=" /etc/conf.d/setmtu | cut -d: -f1
}

ip link add name plug0 type dummy
while read -r nic mtu; do
        check "$nic: configured" eventually is_configured "$nic"
        check "$nic: MTU $mtu" eventually mtu_is "$nic" "$mtu"
        check "$nic: $mtu when it first came up" mtu_precedes_up "$nic" "$mtu"
        check "$nic: the carrier was lost no more often than without setmtu" carrier_is_as_without "$nic"
done << 'END'
enp0s2 9000
enp0s4 8000
enx525400000011 1400
enx525400000006 7000
lan0 6000
vlan5 3000
br0 4000
END
check 'plug0, hot-plugged: MTU 2000' eventually mtu_is plug0 2000
udevadm settle

for nic in enp0s2 enp0s3 enx525400000011 enx525400000006 lan0 br0; do
        check "$nic: systemd-networkd saw no change once it had begun with it" networkd_is_later "$nic"
done
for nic in enp0s2 enp0s3 enp0s4 enx525400000011 enx525400000006 lan0 vlan5 br0 plug0; do
        check "$nic: all else is as without setmtu" same_as_without "$nic"
done

check 'rtl8139=9000: the NIC keeps its own' mtu_is enp0s3 1500
check 'no rules are written' test ! -e /run/udev/rules.d/81-setmtu.rules
check 'no setmtu@ unit is loaded' empty 'units' "$(systemctl list-units --all --no-legend --plain 'setmtu@*')"
check 'no setmtu-apply has run' empty 'journal of setmtu-apply' "$(journalctl --boot --no-pager --quiet --output=cat --identifier=setmtu-apply)"
check 'enp0s4, whose .network file is its own, has a drop-in and no .link file' \
        is 'files' "$(cd /run/systemd/network && ls -d 40-enp0s4.network.d/50-setmtu.conf 05-setmtu-8000*.link 2> /dev/null)" \
        40-enp0s4.network.d/50-setmtu.conf
check 'no NIC was taken for the line with a kernel name' empty 'announcements' "$(grep 'mtu 1700 ' /run/link-record)"

for message in "enp]: a .link file cannot name this device" 'eth0: a .link file would also match a device' 'max0: backend networkd does not support max' \
        'enp0s9: /etc/systemd/network/50-nics.network is not for this device alone'; do
        check "message: $message" has 'journal of setmtu-configure' "$(journal_of setmtu-configure)" \
                "/etc/conf.d/setmtu:$(line_of "${message%%:*}"): error: $message"
done
check 'no unit has failed' empty 'failed units' "$(systemctl list-units --state=failed --no-legend --plain)"

ip link add name before0 type dummy
ip link set before0 name moved0
check 'renamed by hand: MTU 2100' eventually mtu_is moved0 2100
ip link delete dev plug0
ip link add name plug0 type dummy
check 'replugged: MTU 2000' eventually mtu_is plug0 2000
