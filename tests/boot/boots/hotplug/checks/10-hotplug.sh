# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# Devices that come, go and change their names while the machine runs; bridges stand in for dongles.

plug() {
        ip link add name "$1" type "${2:-bridge}"
}

unplug() {
        ip link delete dev "$1"
}

# is_forgotten NAME: to systemd the device is gone, and nothing of its unit is at work.
is_forgotten() {
        local state
        state=$(systemctl show --property=ActiveState --value "setmtu@$1.service")
        unit_is "sys-subsystem-net-devices-$1.device" inactive || return
        empty 'jobs' "$(systemctl list-jobs --no-legend | grep "$1")" || return
        [[ $state == inactive || $state == failed ]] || { echo "setmtu@$1.service is $state" && return 1; }
}

plug plug0
check 'hot-plug: set, and its unit active' eventually set_and_active plug0 4000
check 'hot-plug: the link stays down without the option up' \
        is 'flags of plug0' "$(ip -oneline link show plug0 | grep -c -E '[<,]UP[,>]' || true)" 0

unplug plug0
check 'unplug: the unit stops' eventually unit_is setmtu@plug0.service inactive

plug plug0
check 'replug: set again, and its unit active' eventually set_and_active plug0 4000

plug before0
ip link set before0 name renamed0
check 'rename: the new name gets its MTU' eventually set_and_active renamed0 3000
ip link set renamed0 name after0
check 'rename: the unit of the old name stops' eventually unit_is setmtu@renamed0.service inactive

for _ in {1..10}; do
        plug flap0
        sleep 0.1
        unplug flap0
done
plug flap0
check 'ten quick replugs: right at the end' eventually mtu_is flap0 2000
# systemd starts nothing for a device that comes while the unit of its predecessor is still being stopped (its wants have job mode
# "fail"): then the rule alone has set the MTU, until the next one.
udevadm settle
sleep 1
unplug flap0
udevadm settle
sleep 1
check 'ten quick replugs: gone in the end' eventually is_forgotten flap0
plug flap0
check 'ten quick replugs: the next is set, and its unit active' eventually set_and_active flap0 2000

plug br-lan bridge
check 'br-lan: set, and its unit active' eventually set_and_active br-lan 9000 'setmtu@br\x2dlan.service'
check 'br-lan: the option up brought it up' \
        is 'flags of br-lan' "$(ip -oneline link show br-lan | grep -c -E '[<,]UP[,>]' || true)" 1
ip link set br-lan mtu 1600
check 'br-lan: restart as setmtu@br\x2dlan' systemctl restart 'setmtu@br\x2dlan.service'
check 'br-lan: set after setmtu@br\x2dlan' mtu_is br-lan 9000
systemctl stop 'setmtu@br\x2dlan.service'
check 'br-lan: start as setmtu@br-lan' systemctl start setmtu@br-lan.service
check 'br-lan: set after setmtu@br-lan' set_and_active br-lan 9000 setmtu@br-lan.service

plug old0
check 'old multi-user.target.wants link, device present: set, and its unit active' eventually set_and_active old0 2100
check 'old multi-user.target.wants link, device present: the target is unharmed' systemctl start multi-user.target
check 'old multi-user.target.wants link, device present: still active' set_and_active old0 2100

plug -x
check 'a device named -x' eventually set_and_active -x 2300 'setmtu@\x2dx.service'

# udevd drops the backslash from the device unit's name, so nothing pulls the unit in; by hand it works.
plug 'a\b'
check 'a device named a\b: start' systemctl start 'setmtu@a\x5cb.service'
check 'a device named a\b' set_and_active 'a\b' 2500 'setmtu@a\x5cb.service'

# The kernel itself refuses such a name (only %d may have a percent sign); its line must do no harm.
check 'a line for a%b pulls in the right unit' \
        test -L '/run/systemd/generator/sys-subsystem-net-devices-a\x25b.device.wants/setmtu@a\x25b.service'

# vnet*=2600, vnet9=2700; vnetm is masked, before the machine was switched on.
plug vnet7
check 'pattern: set, and its unit active' eventually set_and_active vnet7 2600
plug vnet-a
check 'pattern: a name that is escaped, and its unit active' eventually set_and_active vnet-a 2600 'setmtu@vnet\x2da.service'
plug vnet9
check 'pattern: its own line wins' eventually set_and_active vnet9 2700
plug vnetm
udevadm settle
check 'pattern: a masked unit is left alone' mtu_is vnetm 1500
check 'pattern: stop' systemctl stop setmtu@vnet7.service
check 'pattern: stop restores the MTU from before' mtu_is vnet7 1500
unplug vnet7
check 'pattern: unplug stops the unit' eventually unit_is setmtu@vnet7.service inactive
plug vnet7
check 'pattern: replug' eventually set_and_active vnet7 2600
