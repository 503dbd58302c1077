# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# setmtu try on a NIC that loses its carrier with each change: the driver of an e1000e resets it, which takes three seconds. What
# becomes of trials is in the boot `systemd`.

has_carrier() {
        is "carrier of $1" "$(< "/sys/class/net/$1/carrier")" 1
}

check 'before' set_and_active enp0s2 8000
check 'before: the carrier is back from the last change' eventually has_carrier enp0s2
status=0
setmtu try enp0s2 4000 --timeout 10s < /dev/null > /run/trial 2>&1 || status=$?
check 'time-out: exit code' is 'exit code of the trial' $status 1
check 'time-out: the old MTU' mtu_is enp0s2 8000
check 'the carrier is lost' matches 'what it says' "$(< /run/trial)" '*enp0s2: carrier lost*'

# How long the driver takes depends on the machine: this trial waits for it.
carrier_is_back() {
        matches 'what it says' "$(< /run/long-trial)" '*enp0s2: carrier back after *'
}
check 'after it: the carrier is back' eventually has_carrier enp0s2
: > /run/long-trial
setmtu try enp0s2 4000 --timeout 10min < /dev/null > /run/long-trial 2>&1 &
check 'the trial sees the carrier come back' eventually carrier_is_back
check 'the trial is reverted' setmtu revert enp0s2
wait $! || :
check 'reverted: the old MTU' mtu_is enp0s2 8000
