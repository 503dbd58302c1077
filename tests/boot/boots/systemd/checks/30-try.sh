# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# setmtu try: whatever becomes of the command, systemd puts the old MTU back. Nobody sits at a terminal here.

config=/etc/conf.d/setmtu

# start DEVICE MTU TIMEOUT: a trial in the background, as $trial; what it says is in /run/trial.
start() {
        setmtu try "$1" "$2" --timeout "$3" < /dev/null > /run/trial 2>&1 &
        trial=$!
        eventually mtu_is "$1" "$2"
}

# Its exit code is in $status afterwards; 128 and a signal's number where that has ended it.
wait_for_trial() {
        status=0
        wait $trial || status=$?
}

nothing_is_left() {
        empty 'units' "$(systemctl list-units --all --no-legend --plain 'setmtu-revert*')" &&
                empty 'files' "$(find /run/setmtu /run/systemd/transient -lname '*TRIAL_ID=*' -o -name 'setmtu-revert*')"
}

# The timer's name has the trial's number.
timer_of() {
        echo "setmtu-revert-$(find /run/setmtu -name "*.$(cat "/sys/class/net/$1/ifindex")" -printf '%l\n' | sed -n 's/^TRIAL_ID=//p').timer"
}

timer_is_there() {
        unit_is "$(timer_of "$1")" active
}

# When a trial's timer is up, in microseconds.
end_of() {
        systemd-analyze timespan "$(systemctl show --property=NextElapseUSecMonotonic --value "$(timer_of "$1")")" |
                sed -n 's/^ *[^ ]*s: //p'
}

# not_put_off FORMER: enp0s2's end is the former one, but for what systemd's clocks differ by.
not_put_off() {
        local end
        end=$(end_of enp0s2)
        ((end > $1 - 500000 && end < $1 + 500000)) || {
                echo "its end was $1 and is $end"
                return 1
        }
}

# A timer is for one trial, and no other one of that name.
ip link add name first0 type bridge
setmtu try first0 1400 --timeout 1h --detach
ip link set first0 name second0
ip link add name first0 type bridge
setmtu try first0 1300 --timeout 1h --detach
check 'a name that passes on: two timers' is 'timers' \
        "$(systemctl list-units --all --no-legend --plain 'setmtu-revert-*.timer' | wc -l)" 2
check 'a name that passes on: revert the first trial' setmtu revert second0
check 'a name that passes on: the second one has its timer' timer_is_there first0
check 'a name that passes on: revert that, too' setmtu revert first0
check 'a name that passes on: nothing is left' eventually nothing_is_left
ip link del first0
ip link del second0

file=$(< $config)
check 'before' set_and_active enp0s2 8000

start enp0s2 4000 10s
check 'time-out: a timer waits' timer_is_there enp0s2
wait_for_trial
check 'time-out: exit code' is 'exit code of the trial' $status 1
check 'time-out: the old MTU' mtu_is enp0s2 8000
check 'time-out: nothing is left' eventually nothing_is_left

start enp0s2 4000 10s
kill -KILL $trial
wait_for_trial
check 'SIGKILL: the command is gone' is 'exit code of the trial' $status 137
check 'SIGKILL: for now the MTU stays' mtu_is enp0s2 4000
check 'SIGKILL: the old MTU comes back' eventually mtu_is enp0s2 8000
check 'SIGKILL: nothing is left' eventually nothing_is_left

start enp0s2 4000 10s
kill -HUP $trial
wait_for_trial
check 'SIGHUP: the command is gone' is 'exit code of the trial' $status 1
check 'SIGHUP: for now the MTU stays' mtu_is enp0s2 4000
check 'SIGHUP: the old MTU comes back' eventually mtu_is enp0s2 8000
check 'SIGHUP: nothing is left' eventually nothing_is_left

start enp0s2 4000 30s
kill -KILL $trial
end=$(end_of enp0s2)
# Long enough to tell a timer that counts from the reload.
sleep 2
systemctl daemon-reload
check 'SIGKILL, daemon-reload: the timer is not put off' not_put_off "$end"
systemctl isolate default.target
check 'SIGKILL, daemon-reload, isolate: for now the MTU stays' mtu_is enp0s2 4000
check 'SIGKILL, daemon-reload, isolate: a timer waits' timer_is_there enp0s2
check 'SIGKILL, daemon-reload, isolate: the old MTU comes back' eventually mtu_is enp0s2 8000
check 'SIGKILL, daemon-reload, isolate: nothing is left' eventually nothing_is_left
check 'not confirmed: nothing is written down' is $config "$(< $config)" "$file"
check 'not confirmed: the unit' set_and_active enp0s2 8000

start enp0s2 4000 1h
check 'reload: done' setmtu reload
check 'reload: a device on trial is left alone' mtu_is enp0s2 4000
check 'revert' setmtu revert enp0s2
check 'revert: the old MTU at once' mtu_is enp0s2 8000
wait_for_trial
check 'revert: exit code of the trial' is 'exit code of the trial' $status 1
check 'revert: nothing is left' nothing_is_left

start enp0s2 4000 1h
kill -HUP $trial
wait_for_trial
check 'confirm, after the connection was lost' setmtu confirm
check 'confirm: MTU and unit' set_and_active enp0s2 4000
check 'confirm: the line alone is another' is $config "$(< $config)" "${file/enp0s2=8000/enp0s2=4000}"
check 'confirm: nothing is left' nothing_is_left
check 'confirm: unset goes back to the MTU of old' setmtu unset enp0s2
check 'confirm: the MTU of old' mtu_is enp0s2 1500

# An edited file on trial as one: a bond, a VLAN on it and a bridge with that as its port; two bridges where the kernel has no
# bond.
ip link add name br7 type bridge
stack=(br8 br7)
if ip link add name bond7 type bond && ip link add link bond7 name bond7.5 type vlan id 5; then
        ip link set bond7.5 master br7
        stack=(bond7 bond7.5 br7)
else
        ip link add name br8 type bridge
fi
former=$(< $config)
printf '%s=9000\n' "${stack[@]}" >> $config
tried=$(< $config)
stack_has() {
        local device
        for device in "${stack[@]}"; do
                mtu_is "$device" "$1" || return
        done
}
check 'a file: try' setmtu try --timeout 10s --detach
check 'a file: all are set' stack_has 9000
check 'a file: one timer waits' is 'timers' \
        "$(systemctl list-units --all --no-legend --plain 'setmtu-revert-*.timer' | wc -l)" 1
check 'a file: units stay as they are' unit_is setmtu@br7.service inactive
check 'a file: the timer puts all back' eventually stack_has 1500
check 'a file: nothing is left' eventually nothing_is_left
check 'a file: it stays' is $config "$(< $config)" "$tried"
setmtu try --timeout 1h < /dev/null > /run/trial 2>&1 &
trial=$!
check 'a file: set again' eventually stack_has 9000
check 'a file: confirm' setmtu confirm
wait_for_trial
check 'a file: exit code of the trial' is 'exit code of the trial' $status 0
check 'a file: its units have started' unit_is setmtu@br7.service active
check 'a file: confirmed' stack_has 9000
# Lines that are gone are on trial, too.
echo "$former" > $config
check 'lines that are gone: try' setmtu try --timeout 1h --detach
check 'lines that are gone: the originals' stack_has 1500
check 'lines that are gone: revert' setmtu revert "${stack[0]}"
check 'lines that are gone: as before' stack_has 9000
check 'lines that are gone: reload' setmtu reload
check 'lines that are gone: done' stack_has 1500
check 'lines that are gone: the unit' unit_is setmtu@br7.service inactive
ip link del br7
ip link del "${stack[0]}"

# Their names look otherwise in units.
# shellcheck disable=SC2016 # that is its name
for device in br-lan 'a$b;c"d'; do
        ip link add name "$device" type bridge 2> /dev/null || true
        # Long enough that the command is gone before its time is up: what it would have read then stays.
        start "$device" 1400 10s
        kill -KILL $trial
        wait_for_trial
        check "$device: the old MTU comes back" eventually mtu_is "$device" 1500
done
check 'nothing is left' eventually nothing_is_left
check 'nothing has failed' empty 'failed units' "$(systemctl list-units --state=failed --no-legend --plain)"
