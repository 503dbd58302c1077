# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# What the record holds.

# complete PATTERN COUNT: as many events have a command line, a process above, and the unit.
complete() {
        is 'complete events' "$(setmtu history --json | jq "[.events[] | select((.name | test(\"$1\")) and .event == \"change\" and
                (.command | test(\"^ip link set $1 mtu [0-9]+\$\")) and (.processes | length > 1) and
                .unit == \"boot-checks.service\")] | length")" "$2"
}

for i in {0..9}; do
        ip link add "quick$i" type dummy
done
for n in {1..20}; do
        for i in {0..9}; do
                ip link set "quick$i" mtu "$((1300 + n))"
        done
done
check '200 fast changes, 200 of them complete' complete 'quick[0-9]' 200

# Without a process for each but the last ones, whose share is looked at.
ip link add fight0 type dummy
for n in {1..138}; do
        echo 1400 > /sys/class/net/fight0/mtu
        echo 1500 > /sys/class/net/fight0/mtu
done
for n in {1..12}; do
        ip link set fight0 mtu 1400
        ip link set fight0 mtu 1500
done
check 'a fight pushes out nothing of others' complete 'quick[0-9]' 200
check 'and keeps its own share' complete 'fight0' 24
# Udev would take a second for each of them.
systemctl stop systemd-udevd-{control,kernel}.socket systemd-udevd.service
{
        printf 'link del quick%s\n' {0..9}
        for n in {1..60}; do
                printf '%s\n' "link add come$n type veth peer name went$n" "link del come$n"
        done
} | ip -batch -
systemctl start systemd-udevd-{control,kernel}.socket systemd-udevd.service
check 'devices that come and go push out those that are gone' complete 'fight0' 24
ip link set fight0 mtu 1450 alias $'x\n\e[31m"<b>' 2> /dev/null
# A process chooses its name and arguments.
cp /usr/bin/perl $'/run/\e[31mred\nline'
$'/run/\e[31mred\nline' -e 'socket(S, 2, 2, 0); $r = pack("a16 i x20", "fight0", 1333); ioctl(S, 0x8922, $r) or die' $'\e]0;title\a' "'quoted'" || true
check 'hostile text is harmless in the table' empty 'control characters' "$(setmtu history fight0 | LC_ALL=C tr -d '\n -~')"
check 'hostile text is still one line' is 'lines of it' "$(setmtu history fight0 | grep -c ' -> 1333 ')" 1
check 'and valid JSON' is 'its after' "$(setmtu history fight0 --json | jq '.events[-1].after')" 1333
