# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# A stack as a whole on trial: a bond, a VLAN on it, a VLAN in a VLAN, and a bridge of those, with one more port that goes meanwhile.

config=/etc/conf.d/setmtu
stack=(port0 port1 bond7 bond7.5 bond7.6 bond7.6.7 br7)

ip -batch - << 'END'
link add name port0 type dummy
link add name port1 type dummy
link add name bond7 type bond mode active-backup
link set port0 master bond7
link set port1 master bond7
link add link bond7 name bond7.5 type vlan id 5
link add link bond7 name bond7.6 type vlan proto 802.1ad id 6
link add link bond7.6 name bond7.6.7 type vlan id 7
link add name br7 type bridge
link set bond7.5 master br7
link set bond7.6.7 master br7
END
# The bond sets its ports.
printf '%s=9000\n' "${stack[@]:2}" gone0 > $config
tried=$(< $config)

stack_has() {
        local device
        for device in "${stack[@]}"; do
                mtu_is "$device" "$1" || return
        done
}

# start_trial NAME: as $trial, in which gone0 is and goes.
start_trial() {
        ip link add name gone0 type dummy
        ip link set gone0 master br7
        setmtu try --timeout 600 < /dev/null > /run/trial 2>&1 &
        trial=$!
        check "$1: all are set" eventually stack_has 9000
        check "$1: the one that goes, too" eventually mtu_is gone0 9000
        # From then on it can be confirmed and reverted.
        check "$1: the trial waits" eventually grep -q 'unless setmtu confirm' /run/trial
        ip link del gone0
        check "$1: the others stay" stack_has 9000
}

# end_trial NAME STATUS
end_trial() {
        local status=0
        wait $trial || status=$?
        check "$1: exit code of the trial" is 'exit code of the trial' $status "$2"
        check "$1: the file stays" is $config "$(< $config)" "$tried"
        check "$1: no timer is left" empty 'timers' "$(systemctl list-units --all --no-legend --plain 'setmtu-revert*')"
}

check 'before' stack_has 1500
start_trial 'revert'
check 'revert: units stay as they are' unit_is setmtu@br7.service inactive
check 'revert' setmtu revert
check 'revert: all are back' stack_has 1500
end_trial 'revert' 1
start_trial 'confirm'
check 'confirm' setmtu confirm
end_trial 'confirm' 0
check 'confirm: all stay' stack_has 9000
for device in "${stack[@]:2}"; do
        check "confirm: the unit of $device" eventually set_and_active "$device" 9000
done
check 'status' exits_with 0 setmtu status --check
check 'nothing has failed' empty 'failed units' "$(systemctl list-units --state=failed --no-legend --plain)"
