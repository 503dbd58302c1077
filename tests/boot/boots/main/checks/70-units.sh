# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# What systemd thinks of the units. Last, because isolate stops whatever it may.

# systemd-analyze, which the boot `systemd` runs, does not see what setmtu-apply gives up by itself. That may
# write to the unit's own directory alone: here that is another one than the one it needs.
ip link add name wall0 type dummy
mkdir -p /etc/conf.d/setmtu.d /run/systemd/system/setmtu@wall0.service.d
echo wall0=9000 > /etc/conf.d/setmtu.d/wall.conf
printf '[Service]\nRuntimeDirectory=\nRuntimeDirectory=elsewhere\n' > /run/systemd/system/setmtu@wall0.service.d/wall.conf
systemctl daemon-reload
systemctl start setmtu@wall0 || true
check 'a unit with another directory to write to: failed' unit_is setmtu@wall0 failed
check 'a unit with another directory to write to: the message' has 'journal of setmtu@wall0' "$(journal_of setmtu@wall0)" \
        'could not be kept in /run/setmtu: Permission denied'
check 'a unit with another directory to write to: the MTU stays' mtu_is wall0 1500
rm -r /run/systemd/system/setmtu@wall0.service.d
systemctl daemon-reload
systemctl start setmtu@wall0 || true
check 'and with its own directory' set_and_active wall0 9000
ip link delete dev wall0
rm /etc/conf.d/setmtu.d/wall.conf
systemctl daemon-reload

check 'before isolate' set_and_active enp0s2 9000
check 'isolate of the default target' systemctl isolate default.target
check 'isolate does not restore: e1000e' set_and_active enp0s2 9000
check 'isolate does not restore: hot-plugged' set_and_active plug0 4000
check 'systemd has found no circle in the order of units' empty 'ordering cycles' \
        "$(journalctl --boot --no-pager --output=cat _PID=1 | grep -i 'ordering cycle' || true)"
