# shellcheck shell=bash disable=SC2154,SC2034
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Trials in the background, and how they ended, for the tests of setmtu try, confirm and revert.

# start NAME MTU OPTIONS…: a trial in the background, without a terminal, in a session of its own; goes on once the device
# has the MTU.
start() {
    # Like a shell that people use; one for scripts has its background processes ignore an interrupt, and nohup(1) a hang-up.
    setsid env --default-signal=INT,QUIT,HUP "$build/src/setmtu" try "$@" </dev/null >"$case_directory/try" 2>&1 &
    pid=$!
    eventually has_mtu "$1" "${2/max/65535}" || :
}

# start_on_terminal NAME MTU OPTIONS…: the same on a terminal, whose keyboard is the descriptor $keys; goes on once it asks.
start_on_terminal() {
    open_keyboard
    on_terminal "$build/src/setmtu" try "$@" <"$case_directory/keys" >"$case_directory/try" 2>&1 &
    pid=$!
    eventually asks || :
}

# The device has its MTU a moment before; a key of that moment is dropped.
asks() {
    grep -qs 'Keep it?' "$case_directory/try"
}

open_keyboard() {
    mkfifo "$case_directory/keys"
    # Read and write, or it would wait for a reader.
    exec {keys}<>"$case_directory/keys"
}

has_mtu() {
    [[ $(mtu "$1") == "$2" ]]
}

# finish: waits for the trial's command. Its exit code is in $status. One that goes on has not done what it should.
finish() {
    status=0
    eventually has_ended "$pid" || kill -KILL "$pid"
    wait "$pid" || status=$?
}

# processes_of PROGRAM
processes_of() {
    local process
    for process in /proc/[0-9]*; do
        if [[ $(readlink "$process/exe") == "$1" ]]; then
            echo "${process#/proc/}"
        fi
    done
}

# The processes in the background.
watchdogs() {
    processes_of "$(realpath "$build/src/setmtu")" | grep -vx "$pid" || :
}

has_ended() {
    ! kill -0 "$1" 2>/dev/null
}

has_left_nothing() {
    [[ ! $(processes_of "$(realpath "$build/src/setmtu")") && ! $(record_with TRIAL_ID) ]]
}

# leftovers: processes and files that should be gone, or none.
leftovers() {
    if eventually has_left_nothing; then
        echo none
    else
        processes_of "$(realpath "$build/src/setmtu")"
        ls "$SETMTU_ROOT/run/setmtu"
    fi
}

# check_reverted NAME DEVICE: at last.
check_reverted() {
    eventually has_mtu "$2" 1500 || :
    check "$1: the old MTU is back" "$(mtu "$2")" 1500
    check "$1: nothing is left behind" "$(leftovers) $(records)" 'none 0'
    check "$1: nothing is written down" "$(<"$SETMTU_ROOT/etc/conf.d/setmtu")" '# nothing yet'
}

# check_kept NAME DEVICE MTU
check_kept() {
    check "$1: the MTU stays" "$(mtu "$2")" "$3"
    check "$1: it is written down" "$(<"$SETMTU_ROOT/etc/conf.d/setmtu")" "# nothing yet"$'\n'"$2=$3"
    check "$1: nothing is left behind but the original" "$(leftovers) $(records)" 'none 1'
    expect_exit "$1: unset" 0 setmtu unset "$2"
    check "$1: unset takes it back" "$(mtu "$2")" 1500
}

prepare() {
    make_veth v0
    configure '# nothing yet'
}

# slowly WHEN CALL SECONDS COMMAND…: with a pause at its first system call of that name, on `enter` or on `exit`.
slowly() {
    # The leak sanitizer and strace cannot trace one process both.
    ASAN_OPTIONS=detect_leaks=0 strace -f -qq -o /dev/null -e trace="$2" \
        -e inject="$2:delay_$1=$(($3 * 1000000)):when=1" "${@:4}"
}
