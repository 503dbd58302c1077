# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# Edits while the machine runs: the MTU of the device concerned changes, and nothing else.

# shellcheck source=/dev/null
source /usr/lib/setmtu-test/snapshot.sh

# Also what networkd has given it.
whole() {
        snapshot "$1"
        ip -oneline address show dev "$1" | sed -E 's/valid_lft [0-9a-z]+//g'
        networkctl list --no-legend --no-pager "$1" | awk '{ print $4, $5 }'
}

edit() {
        sed -i "s/^$1=.*/$1=$2/" /etc/conf.d/setmtu
        systemctl restart setmtu-configure
        setmtu apply "$1" || :
}

settled() {
        udevadm settle
        is "state of $1" "$(networkctl list --no-legend --no-pager "$1" | awk '{ print $5 }')" configured
}

unchanged() {
        diff <(echo "$before") <(whole "$1")
}

# with_name NAME: the .link files of setmtu with this device.
with_name() {
        grep -lE "^OriginalName=(.* )?$1( |\$)" /run/systemd/network/05-setmtu-*.link
}

networkd_pid=$(systemctl show --property=MainPID --value systemd-networkd)
udevd_pid=$(systemctl show --property=MainPID --value systemd-udevd)

for nic in enp0s2 enp0s4 lan0; do
        before=$(whole "$nic")
        edit "$nic" 5000
        check "$nic: an edit is taken up" mtu_is "$nic" 5000
        sleep 3
        check "$nic: and networkd is done" eventually settled "$nic"
        check "$nic: and nothing else has changed" unchanged "$nic"
        check "$nic: and it stays" mtu_is "$nic" 5000
done

udevadm trigger --action=add --settle /sys/class/net/enp0s2
check 'enp0s2: udev has read it again' mtu_is enp0s2 5000

written=$(stat --format=%y /run/systemd/network/05-setmtu-*)
systemctl restart setmtu-configure
check 'a restart without an edit writes nothing' \
        is 'time of the files' "$(stat --format=%y /run/systemd/network/05-setmtu-*)" "$written"

ip link add name late0 type dummy
setmtu set late0 2300
check 'late0, which gets a line: set' mtu_is late0 2300
check 'late0, which gets a line: a file' matches 'files' "$(with_name late0)" '/run/systemd/network/05-setmtu-2300*'
setmtu unset late0
check 'late0, whose line goes: what it had before' mtu_is late0 1500
check 'late0, whose line goes: no file is left' empty 'files' "$(with_name late0)"

edit enp0s3 '9000 backend=link'
check 'rtl8139=9000, now that it is there: no file' empty 'files' "$(with_name enp0s3)"
check 'rtl8139=9000: the message names the limits' has 'journal of setmtu-configure' "$(journal_of setmtu-configure)" \
        'enp0s3: 9000 is outside the range of this device (60 to 4096)'

edit enp0s2 '5000 backend=unit'
systemctl daemon-reload
sed -i "/^enp\\*=/d; /^max0=/d" /etc/conf.d/setmtu
# enp0s3 cannot have what its line says.
check 'enp0s2, given to its unit' exits_with 1 setmtu reload
check 'enp0s2, given to its unit: active' set_and_active enp0s2 5000
check 'enp0s2, given to its unit: no .link file' empty 'files' "$(with_name enp0s2)"
sed -i 's/^enp0s2=.*/enp0s2=5000/' /etc/conf.d/setmtu
check 'enp0s2, given back' exits_with 1 setmtu reload
check 'enp0s2, given back: its unit is gone' unit_is setmtu@enp0s2 inactive
check 'enp0s2, given back: it has kept its MTU' mtu_is enp0s2 5000

check 'systemd-networkd was not restarted' is 'its process' "$(systemctl show --property=MainPID --value systemd-networkd)" "$networkd_pid"
check 'systemd-udevd was not restarted' is 'its process' "$(systemctl show --property=MainPID --value systemd-udevd)" "$udevd_pid"
