# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# The administrator at work: edit, restart, reload, stop, enable, mask.

config=/etc/conf.d/setmtu

ip link add name edit0 type bridge
check 'before an edit' eventually set_and_active edit0 4000
sed -i 's/^edit0=.*/edit0=4100/' $config
systemctl restart setmtu@edit0
check 'edit and restart: the new value' set_and_active edit0 4100
sed -i 's/^edit0=.*/edit0=4150/' $config
systemctl reload setmtu@edit0
check 'edit and reload of the unit: the new value' set_and_active edit0 4150
systemctl stop setmtu@edit0
check 'stop restores what was there before the first change' mtu_is edit0 1500
systemctl start setmtu@edit0
check 'start after stop' set_and_active edit0 4150

ip link add name new0 type bridge
# Before systemd knows it, it has yet to come.
check 'new line: the device is there' eventually systemctl --quiet is-active sys-subsystem-net-devices-new0.device
echo 'new0=2800' >> $config
echo 'later0=2900' >> $config
systemctl daemon-reload
check 'new line and daemon-reload: a device that is there is left alone' mtu_is new0 1500
systemctl start setmtu@new0
check 'new line, daemon-reload and start: set' set_and_active new0 2800
systemctl stop setmtu@new0
check 'new line, daemon-reload and stop: restored' mtu_is new0 1500
ip link add name later0 type bridge
check 'new line and daemon-reload: a device that comes later' eventually set_and_active later0 2900

check 'enable' systemctl enable setmtu@enable0.service
check 'enable: the device pulls the unit in' \
        test -L /etc/systemd/system/sys-subsystem-net-devices-enable0.device.wants/setmtu@enable0.service
ip link add name enable0 type bridge
check 'enable: set, and its unit active' eventually set_and_active enable0 2200
check 'disable' systemctl disable setmtu@enable0.service

echo 'masked0=3100' >> $config
check 'mask' systemctl mask setmtu@masked0.service
ip link add name masked0 type bridge
udevadm settle
check 'mask: the unit does not run' unit_is setmtu@masked0.service inactive
check 'mask: the MTU is left alone' mtu_is masked0 1500
check 'mask: no job is left' empty 'jobs' "$(systemctl list-jobs --no-legend --plain)"

# masked1 had its line and its mask before the machine was switched on.
ip link add name masked1 type bridge
udevadm settle
check 'mask before the boot: the unit does not run' unit_is setmtu@masked1.service inactive
check 'mask before the boot: the MTU is left alone' mtu_is masked1 1500

echo 'gone0=3200' >> $config
systemctl daemon-reload
ip link add name gone0 type bridge
check 'before a line is removed' eventually set_and_active gone0 3200
sed -i '/^gone0=/d' $config
systemctl daemon-reload
systemctl stop setmtu@gone0
check 'line removed, daemon-reload and stop: restored' mtu_is gone0 1500

# A driver that hangs, which takes its time.
ip link add name hang0 type bridge
mkdir -p /run/systemd/system/setmtu@hang0.service.d
printf '%s\n' '[Service]' ExecStart= 'ExecStart=sleep infinity' > /run/systemd/system/setmtu@hang0.service.d/hang.conf
systemctl daemon-reload
systemctl start --no-block setmtu@hang0

restarts_without_a_limit() {
        for _ in {1..10}; do
                systemctl restart setmtu@edit0 || return
        done
}

is_given_up() {
        unit_is setmtu@hang0.service failed &&
                is 'result of setmtu@hang0' "$(systemctl show --property=Result --value setmtu@hang0)" timeout
}

check 'ten quick restarts: none is one too many' restarts_without_a_limit
check 'a start that hangs is given up' eventually is_given_up
systemctl reset-failed setmtu@hang0
