# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# What systemd thinks of the units. Last, because isolate stops whatever it may.

check 'systemd-analyze verify: setmtu@' verify_is_silent setmtu@enp0s2.service
check 'systemd-analyze verify: setmtu-configure' verify_is_silent setmtu-configure.service
check 'exposure of setmtu@ is at most 2.0' exposure_is_low setmtu@enp0s2.service

check 'before isolate' set_and_active enp0s2 9000
check 'isolate of the default target' systemctl isolate default.target
check 'isolate does not restore: e1000e' set_and_active enp0s2 9000
check 'isolate does not restore: hot-plugged' set_and_active plug0 4000
check 'systemd has found no circle in the order of units' empty 'ordering cycles' \
        "$(journalctl --boot --no-pager --output=cat _PID=1 | grep -i 'ordering cycle' || true)"
