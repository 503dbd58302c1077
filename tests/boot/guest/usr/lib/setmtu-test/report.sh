# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# The words that checks are written in. `check NAME COMMAND…` is one line of the result: the command succeeds, or it
# prints what it got and what it expected.

# How long a check waits for what does not happen at once, and how long from one try to the next. Emulated machines on a busy host are
# slow. A process costs 10 ms and more in them, so that what is asked again and again starts as few as it can.
patience_s=60
poll_s=0.5
! systemd-detect-virt --quiet --container || poll_s=0.2

# Nothing is ever written to it.
exec {never}<> <(:)

# pause SECONDS: as sleep(1) does.
pause() {
        read -r -t "$1" -u "$never" || true
}

# report LINE: hands one TAP line to the host.
report() {
        echo "$1" >> /run/setmtu-test/results
        echo "$1" > /dev/virtio-ports/results
        echo "$1"
}

check() {
        local name=$1 line
        shift
        if "$@" > /run/setmtu-test/said 2>&1; then
                report "ok - $name"
        else
                report "not ok - $name"
                while IFS= read -r line; do
                        report "#   $line"
                done < /run/setmtu-test/said
        fi
}

# eventually COMMAND…: succeeds as soon as the command does; after patience_s, says what the command said last.
eventually() {
        local deadline=$((SECONDS + patience_s)) said=/run/setmtu-test/said-last.$BASHPID
        until "$@" > "$said" 2>&1; do
                if ((SECONDS >= deadline)); then
                        echo "$(< "$said") (after $patience_s s)"
                        return 1
                fi
                pause $poll_s
        done
}

# is_contained: this machine has no kernel of its own.
is_contained() {
        systemd-detect-virt --quiet --container
}

# is WHAT GOT EXPECTED
is() {
        [[ $2 == "$3" ]] && return
        echo "$1: got '$2', expected '$3'"
        return 1
}

# has WHAT TEXT PART: TEXT contains PART. The end of a long text says enough.
has() {
        [[ $2 == *"$3"* ]] && return
        echo "$1: expected '$3' in:"
        tail -n 20 <<< "$2"
        return 1
}

# matches WHAT TEXT PATTERN: all of TEXT, as in `case`.
matches() {
        # shellcheck disable=SC2053 # a pattern is what is meant
        [[ $2 == $3 ]] && return
        echo "$1: got '$2', expected the pattern '$3'"
        return 1
}

# empty WHAT TEXT
empty() {
        [[ -z $2 ]] && return
        echo "$1: expected nothing, got:"
        echo "$2"
        return 1
}

# at_most WHAT GOT LIMIT, whole numbers
at_most() {
        (($2 <= $3)) && return
        echo "$1: got $2, expected at most $3"
        return 1
}

# exits_with STATUS COMMAND…
exits_with() {
        local status=0
        "${@:2}" || status=$?
        is 'exit code' $status "$1"
}

mtu_is() {
        local mtu='no device'
        { read -r mtu < "/sys/class/net/$1/mtu"; } 2> /dev/null || true
        is "MTU of $1" "$mtu" "$2"
}

# unit_is UNIT STATE: STATE is active, inactive or failed.
unit_is() {
        is "state of $1" "$(systemctl show --property=ActiveState --value -- "$1")" "$2"
}

# set_and_active DEVICE MTU [UNIT]: the MTU is right and the device's unit says that it is done.
set_and_active() {
        mtu_is "$1" "$2" && unit_is "${3:-setmtu@$1.service}" active
}

# stopped_at: the command that has failed, and the lines that led to it.
stopped_at() {
        local i
        echo "stopped at: $BASH_COMMAND"
        for ((i = 1; i < ${#BASH_SOURCE[@]}; i++)); do
                echo "${BASH_SOURCE[i]}:${BASH_LINENO[i - 1]}"
        done
}

# stopped: says where, and fails.
stopped() {
        cat /run/setmtu-test/stopped-at
        return 1
}

# soft_reboot: ends this file; the next one runs after it. What has been done before is older than /run/setmtu-test/was-soft-reboot.
soft_reboot() {
        touch /run/setmtu-test/soft-reboot
        systemctl soft-reboot
        sleep infinity
}

journal_of() {
        journalctl --boot --no-pager --output=cat --unit="$1"
}

# systemd-analyze finds nothing wrong with a unit. The guest has no manual pages, so they cannot be looked for.
verify_is_silent() {
        local output status=0
        output=$(systemd-analyze verify --man=no "$1" 2>&1) || status=$?
        empty "systemd-analyze verify $1" "$output" && is 'exit status' $status 0
}

# The figure that systemd-analyze security gives a unit: at most 2.0, or so many tenths. It has one decimal: 1.4 becomes 14.
exposure_is_low() {
        local figure
        figure=$(systemd-analyze security --no-pager "$1" | sed -n 's/.*Overall exposure level for .*: \([0-9]*\)\.\([0-9]\) .*/\1\2/p')
        at_most 'exposure in tenths' "${figure:-100}" "${2:-20}"
}
