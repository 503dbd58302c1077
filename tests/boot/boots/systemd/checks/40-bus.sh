# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# A systemd that fails, goes or never answers, at each message of each command that asks it. `number` injections for each
# command, or all.

here=/usr/lib/setmtu-test
config=/etc/conf.d/setmtu
order=/run/setmtu-test/fault
number=$(< $here/injections)
# What setmtu(8) says: for so long an answer is waited for, in seconds; and for so long systemd is not asked for one.
answer_s=$((180 + 10))

# The bits of tests/faults/inject.c, and the errno; or, where the other side is another one, 0 for gone and 1 for silent.
faults=(
        'ECONNREFUSED \x00\x40\x00\x00 111' 'ECONNRESET \x00\x40\x00\x00 104' 'EPIPE \x00\x40\x00\x00 32'
        'ENOBUFS \x00\x40\x00\x00 105' 'ETIMEDOUT \x00\x40\x00\x00 110' 'gone \x00\x80\x00\x00 0' 'silent \x00\x80\x00\x00 1'
)

# arm BITS ERRNO N: struct fault.
arm() {
        local numbers
        printf -v numbers '\\x%02x\\x00\\x00\\x00\\x%02x\\x%02x\\x00\\x00' "$2" $(($3 & 255)) $(($3 >> 8))
        rm -f $order
        # shellcheck disable=SC2059 # bytes
        printf "$1$numbers" > $order
        truncate --size=400 $order
}

# Whether it came to that, how many such calls there were, and how long was waited: $hits, $calls and $waited_s.
look() {
        local words
        read -r -a words -d '' < <(od --address-radix=n --width=400 --format=u4 --output-duplicates $order) || true
        calls=${words[19]} hits=${words[22]} waited_s=${words[50]}
}

# faulty COMMAND…: what it says is in /run/said. One that hangs is ended, with 124, after 20 rounds of a second in which systemd
# answered: a daemon-reload of its own takes longer than that on a busy emulated machine.
faulty() {
        local round i process
        status=0
        env SETMTU_FAULT=$order LD_PRELOAD=$here/inject.so "$@" < /dev/null > /run/said 2>&1 &
        process=$!
        for ((round = 0; round < 20; round++)); do
                for ((i = 0; i < 10; i++)); do
                        kill -0 $process 2> /dev/null || break 2
                        pause 0.1
                done
                busctl --quiet --timeout=60 call org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.DBus.Peer Ping || true
        done
        if ((round == 20)) && kill $process 2> /dev/null; then
                wait $process || true
                status=124
        else
                wait $process || status=$?
        fi
}

# violated WHAT
violated() {
        violations+=("$op, $kind at $n ($(head --bytes=200 $order | tail --bytes=104 | tr -d '\0')): $1; it says: $(< /run/said)")
}

# state MTU TEXT UNIT: all that there is to be seen of a device.
state() {
        mtu_is bus0 "$1" && is $config "$(< $config)" "$2" && unit_is setmtu@bus0.service "$3"
}

nothing_is_left() {
        empty 'units' "$(systemctl list-units --all --no-legend --plain 'setmtu-revert*')" &&
                empty 'files' "$(find /run/setmtu -lname '*TRIAL_ID=*')"
}

# wanted WHAT COMMAND…: a violation unless it succeeds.
wanted() {
        local said
        said=$("${@:2}" 2>&1) || violated "$1: $said"
}

# What holds of each command once it has run with a fault. $old and $new are the file before and afterwards.
judge() {
        local text
        look
        text=$(< $config)
        ((status < 124)) || violated "it ended with $status"
        ((waited_s <= answer_s + 5)) || violated "it has waited for $waited_s s"
        [[ $text == "$old" || $text == "$new" ]] || violated "the file is '$text'"
        [[ $status == 0 ]] || matches 'a message' "$(< /run/said)" '*setmtu: *' > /dev/null || violated 'no message'
}

set_() {
        old=$base new=$base$'\n'bus0=4000
        faulty setmtu set bus0 4000
        judge
        [[ $status != 0 ]] || wanted 'it said that it was done' state 4000 "$new" active
        wanted 'again' setmtu set bus0 4000
        wanted 'again' state 4000 "$new" active
        wanted 'the end' setmtu unset bus0
}

unset_() {
        old=$base$'\n'bus0=4000 new=$base
        wanted 'the beginning' setmtu set bus0 4000
        faulty setmtu unset bus0
        judge
        [[ $status != 0 ]] || wanted 'it said that it was done' state 1500 "$new" inactive
        # Where its line is gone, only systemd is to be told.
        [[ $(< $config) == "$new" ]] || wanted 'again' setmtu unset bus0
        wanted 'again, reload' setmtu reload
        wanted 'again' state 1500 "$new" inactive
}

reload_() {
        old=$base$'\n'bus0=4000 new=$old
        wanted 'the beginning' setmtu set bus1 3000
        echo "$new" > $config
        faulty setmtu reload
        judge
        [[ $status != 0 ]] || wanted 'it said that it was done' reloaded
        wanted 'again' setmtu reload
        wanted 'again' reloaded
        wanted 'the end' setmtu unset bus0
}

reloaded() {
        state 4000 "$new" active && mtu_is bus1 1500 && unit_is setmtu@bus1.service inactive
}

timer_of_trial() {
        echo "setmtu-revert-$(find /run/setmtu -lname '*TRIAL_ID=*' -printf '%l\n' | sed -n 's/^TRIAL_ID=//p').timer"
}

# What the trial before has said must be gone by then.
has_begun() {
        ! kill -0 "$trial" 2> /dev/null || grep -q 'unless setmtu confirm' /run/said
}

# Its end is the test's, long before its time.
try_() {
        old=$base new=$base
        status=0
        : > /run/said
        SETMTU_FAULT=$order LD_PRELOAD=$here/inject.so setmtu try bus0 4000 --timeout 1h < /dev/null > /run/said 2>&1 &
        trial=$!
        wanted 'it begins' eventually has_begun
        if kill -0 "$trial" 2> /dev/null; then
                judge
                wanted 'it goes on' mtu_is bus0 4000
                wanted 'it goes on' unit_is "$(timer_of_trial)" active
                kill -KILL $trial
                wait $trial || true
                wanted 'its end' setmtu revert bus0
        else
                wait $trial || status=$?
                judge
                [[ $status != 0 ]] || violated 'it said that it was confirmed'
        fi
        wanted 'it has ended' mtu_is bus0 1500
        begin_trial
        wanted 'again' unit_is "$(timer_of_trial)" active
        wanted 'again, its end' setmtu revert bus0
        wanted 'again' state 1500 "$new" inactive
        wanted 'the end' nothing_is_left
}

begin_trial() {
        : > /run/said
        setmtu try bus0 4000 --timeout 1h < /dev/null > /run/said 2>&1 &
        trial=$!
        wanted 'a trial' eventually has_begun
        kill -HUP $trial 2> /dev/null || violated 'no trial'
        wait $trial || true
        wanted 'a trial' mtu_is bus0 4000
}

confirm_() {
        old=$base new=$base$'\n'bus0=4000
        begin_trial
        faulty setmtu confirm bus0
        judge
        [[ $status != 0 ]] || wanted 'it said that it was done' state 4000 "$new" active
        wanted 'it is as it was' mtu_is bus0 4000
        # Where it is written down, only systemd is to be told.
        [[ $(< $config) == "$new" ]] || wanted 'again' setmtu confirm bus0
        wanted 'again, reload' setmtu reload
        wanted 'again' state 4000 "$new" active
        begin_trial_over
        wanted 'the end' setmtu unset bus0
}

# The next trial, whatever has been left of this one.
begin_trial_over() {
        : > /run/said
        setmtu try bus0 4100 --timeout 1h < /dev/null > /run/said 2>&1 &
        trial=$!
        wanted 'the next trial' eventually has_begun
        wanted 'the next trial' mtu_is bus0 4100
        kill -KILL $trial 2> /dev/null || violated 'no next trial'
        wait $trial || true
        wanted 'the next trial' setmtu revert bus0
        wanted 'the next trial has ended' nothing_is_left
}

revert_() {
        old=$base new=$base
        begin_trial
        faulty setmtu revert bus0
        judge
        [[ $status != 0 ]] || wanted 'it said that it was done' state 1500 "$new" inactive
        [[ $status == 0 ]] || setmtu revert bus0 || true
        wanted 'again' state 1500 "$new" inactive
        begin_trial
        wanted 'the next trial' setmtu revert bus0
        wanted 'the next trial has ended' nothing_is_left
}

# inject FAULT N
inject() {
        local bits errno
        read -r kind bits errno <<< "$1"
        n=$2
        arm "$bits" "$errno" "$n"
        "${op}_"
        injections=$((injections + (hits > 0)))
}

all_of() {
        local fault
        for fault in "${faults[@]}"; do
                for ((hits = 1, i = 1; hits > 0; i++)); do
                        inject "$fault" "$i"
                done
        done
}

some_of() {
        local i total
        inject "${faults[0]}" 65535
        total=$calls
        for ((i = 0; i < number; i++)); do
                inject "${faults[RANDOM % ${#faults[@]}]}" $((1 + RANDOM % total))
        done
}

none_is_violated() {
        local injections=0
        violations=()
        if [[ $number == all ]]; then
                all_of
        else
                some_of
        fi
        echo "# $op: $injections injections, ${#violations[@]} violations" >> /run/setmtu-test/results
        ((injections > 0)) || violations+=('no call was hit')
        echo "$op: $injections injections, $calls calls"
        ((${#violations[@]} == 0)) && return
        printf '%s\n' "${violations[@]}"
        return 1
}

base=$(< $config)
for device in bus0 bus1; do
        ip link add name $device type bridge
done
for op in set unset reload try confirm revert; do
        check "D-Bus: $op" none_is_violated
done
