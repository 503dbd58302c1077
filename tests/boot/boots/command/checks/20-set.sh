# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# setmtu set and setmtu unset, on NICs with systemd behind them.

config=/etc/conf.d/setmtu
rules=/run/udev/rules.d/81-setmtu.rules

# file_is FORMER SED: the file is as FORMER, edited with this.
file_is() {
        is "$config" "$(< $config)" "$(sed "$2" <<< "$1")"
}

has_rule() {
        has "$rules" "$(< $rules)" "==\"$1\", ENV{SETMTU_MTU}=\"$2\""
}

has_no_rule() {
        empty "rules for $1" "$(grep -s "\"$1\"" $rules)"
}

# Nothing of the device's unit is left, not even as failed.
unit_is_gone() {
        unit_is "$1" inactive && empty 'links' "$(find /run/systemd/generator -name "$1")"
}

# replug DEVICE: takes a NIC off its bus and finds it again. Before its unit has stopped systemd would not start that again.
replug() {
        local address
        address=$(basename "$(readlink -f "/sys/class/net/$1/device" | grep -o '.*/0000:00:[0-9a-f.]*')")
        echo 1 > "/sys/bus/pci/devices/$address/remove"
        eventually unit_is "setmtu@$1.service" inactive
        echo 1 > /sys/bus/pci/rescan
}

# refuses COMMAND…: it fails, the file stays, and so do the links that the generator makes of it.
refuses() {
        local before
        before=$(cat $config; ls -lR /run/systemd/generator)
        ! "$@" || return
        is 'file and links' "$(cat $config; ls -lR /run/systemd/generator)" "$before"
}

file=$(< $config)
check 'set: virtio' setmtu set enp0s4 4000
check 'set: MTU and unit' set_and_active enp0s4 4000
check 'set: one line more, and no other change' is $config "$(< $config)" "$file"$'\n'enp0s4=4000
check 'set: udev has the rule' has_rule enp0s4 4000
replug enp0s4
check 'set: after a replug' eventually set_and_active enp0s4 4000

file=$(< $config)
check 'set, another value: done' setmtu set enp0s4 4100
check 'set, another value: MTU and unit' set_and_active enp0s4 4100
check 'set, another value: its line alone is another' file_is "$file" 's/^enp0s4=.*/enp0s4=4100/'

file=$(< $config)
check 'set, more than the device takes: refused' refuses setmtu set enp0s4 9001
check 'set, more than the device takes: MTU and unit stay' set_and_active enp0s4 4100

check 'unset: virtio' setmtu unset enp0s4
check 'unset: the old MTU' mtu_is enp0s4 9000
check 'unset: the unit' unit_is_gone setmtu@enp0s4.service
check 'unset: the line alone is gone' file_is "$file" '/^enp0s4=/d'
check 'unset: the rule is gone' has_no_rule enp0s4
replug enp0s4
check 'unset: after a replug' eventually mtu_is enp0s4 9000

check 'unset: rtl8139, whose unit has failed' setmtu unset enp0s3
check 'unset: rtl8139, its unit' unit_is_gone setmtu@enp0s3.service
check 'set: what an rtl8139 takes' setmtu set enp0s3 4096
check 'set: rtl8139, MTU and unit' set_and_active enp0s3 4096

check 'set: e1000e' setmtu set enp0s2 8000
check 'set: e1000e, MTU and unit' set_and_active enp0s2 8000

file=$(< $config)
check 'set --runtime: done' setmtu set enp0s4 5000 --runtime
check 'set --runtime: MTU' mtu_is enp0s4 5000
check 'set --runtime: nothing is written down' is $config "$(< $config)" "$file"
check 'unset takes it back' setmtu unset enp0s4
check 'unset takes it back: MTU' mtu_is enp0s4 9000

# The program of a unit has read the line before the edit, and sets its number late: after set, unless that waits.
ip link add name slow1 type bridge
mkdir /run/systemd/system/setmtu@slow1.service.d
cat > /run/slow << 'EOF'
#!/bin/sh
for i in $(seq 50); do
        [ "$(cat /sys/class/net/slow1/mtu)" = 3600 ] || break
        sleep 0.1
done
ip link set slow1 mtu 3600
EOF
chmod +x /run/slow
printf '[Service]\nExecStartPost=+/run/slow\n' > /run/systemd/system/setmtu@slow1.service.d/slow.conf
echo slow1=3600 >> $config
systemctl daemon-reload
systemctl start --no-block setmtu@slow1
check 'a slow unit: has the old number' eventually mtu_is slow1 3600
check 'a slow unit: runs' unit_is setmtu@slow1.service activating
check 'a slow unit: set' setmtu set slow1 3700
check 'a slow unit: the new number' set_and_active slow1 3700
rm -r /run/systemd/system/setmtu@slow1.service.d
systemctl daemon-reload
check 'a slow unit: unset' setmtu unset slow1
ip link delete dev slow1

check 'nothing has failed' empty 'failed units' "$(systemctl list-units --state=failed --no-legend --plain)"
