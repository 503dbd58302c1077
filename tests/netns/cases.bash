# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What the files of cases in this folder share. Such a file sources this one, defines functions case_NAME, and ends in
# `run_cases "$@"`; it is called as `FILE BUILD [CASE…]`, prints TAP, and exits with 1 where a check failed.
#
# A case is a process of its own in network, mount and process namespaces of its own: its devices, its files (a tmpfs)
# and whatever it started go with it, however it ends.

set -euo pipefail
export LC_ALL=C
# As if called by hand, whatever started this test.
unset SYSTEMD_EXEC_PID JOURNAL_STREAM SETMTU_ROOT

### For the cases

# check NAME GOT EXPECTED
check() {
    if [[ $2 == "$3" ]]; then
        printf 'ok - %s\n' "$1"
        return
    fi
    printf 'not ok - %s\n' "$1"
    show_text expected "$3"
    show_text got "$2"
}

# check_match NAME GOT PATTERN
check_match() {
    # shellcheck disable=SC2053 # a pattern is what is meant
    if [[ $2 == $3 ]]; then
        printf 'ok - %s\n' "$1"
        return
    fi
    printf 'not ok - %s\n' "$1"
    show_text 'expected, as a pattern' "$3"
    show_text got "$2"
}

# skip NAME REASON: one check that cannot be made here.
skip() {
    printf 'ok - %s # SKIP %s\n' "$1" "$2"
}

# expect NAME STATUS MESSAGES COMMAND…: its exit code and all that it says on stderr. What it says on stdout is in
# $output afterwards.
expect() {
    local name=$1 expected="exit $2"$'\n'"$3" status=0 messages
    shift 3
    "$@" >"$case_folder/stdout" 2>"$case_folder/stderr" || status=$?
    # shellcheck disable=SC2034 # the cases look at it
    output=$(<"$case_folder/stdout")
    messages=$(<"$case_folder/stderr")
    check "$name" "exit $status"$'\n'"$messages" "$expected"
}

apply() {
    "$build/src/setmtu-apply" "$@"
}

# configure LINE…: the whole of /etc/conf.d/setmtu.
configure() {
    printf '%s\n' "$@" >"$SETMTU_ROOT/etc/conf.d/setmtu"
}

# make_veth NAME: a device of 1500 with limits of 68 and 65535, not up.
make_veth() {
    ip link add name "$1" type veth peer name "peer$((++n_veths))"
}

# make_or_skip CHECK ARGUMENTS…: `ip link add ARGUMENTS`. Where the kernel has no such kind of device, CHECK is skipped and
# the answer is false; any other refusal is a mistake of the case and ends it.
make_or_skip() {
    local words

    if words=$(ip link add "${@:2}" 2>&1); then
        return 0
    fi
    if [[ $words != *'Unknown device type'* && $words != *'not supported'* ]]; then
        printf 'ip link add %s: %s\n' "${*:2}" "$words" >&2
        exit 1
    fi
    words=${*:2}
    words=${words##*type }
    skip "$1" "the kernel has no ${words%% *}"
    return 1
}

# property NAME FIELD: the word behind FIELD in what ip says of the device: mtu, state, …
property() {
    local words
    read -ra words < <(ip -o -d link show dev "$1")
    for ((i = 0; i < ${#words[@]} - 1; i++)); do
        if [[ ${words[i]} == "$2" ]]; then
            printf '%s\n' "${words[i + 1]}"
            return
        fi
    done
}

mtu() {
    property "$1" mtu
}

# is_up NAME: yes or no, as the administrator set it.
is_up() {
    if [[ $(ip -o link show dev "$1") == *[\<,]UP[,\>]* ]]; then echo yes; else echo no; fi
}

# records: how many originals are kept.
records() {
    if [[ -d $SETMTU_ROOT/run/setmtu ]]; then
        find "$SETMTU_ROOT/run/setmtu" -type f | wc -l
    else
        echo 0
    fi
}

# without_net_admin COMMAND…
without_net_admin() {
    setpriv --bounding-set=-net_admin --inh-caps=-net_admin -- "$@"
}

### Running them

show_text() {
    printf '#   %s:\n#     %s\n' "$1" "${2//$'\n'/$'\n'#     }"
}

# A case's own process begins here.
run_inside() {
    local name=$1

    build=$2
    case_folder=$3
    n_veths=0
    mount -t tmpfs -o mode=755 tmpfs "$case_folder"
    export SETMTU_ROOT=$case_folder/root
    mkdir -p "$SETMTU_ROOT/etc/conf.d"
    "case_$name"
}

in_namespaces() {
    exec unshare --net --mount --propagation private --pid --fork --kill-child --mount-proc -- "$@"
}

clean_up() {
    # With unshare goes the first process of the namespace, and with that one all the others.
    [[ -z $case_pid ]] || kill -KILL "$case_pid" 2>/dev/null || :
    [[ -z $mount_point ]] || rmdir "$mount_point"
}

run_case() {
    local name=$1 line status=0 n_before=$n_checks

    # Not as a pipeline: the counters are to stay, and the process to be known.
    exec {results}< <(in_namespaces "$BASH" "$file" --inside "$name" "$build" "$mount_point")
    case_pid=$!
    while IFS= read -r -u "$results" line; do
        case $line in
        'ok - '*)
            printf 'ok %d - %s: %s\n' "$((++n_checks))" "${name//_/ }" "${line#ok - }"
            ;;
        'not ok - '*)
            printf 'not ok %d - %s: %s\n' "$((++n_checks))" "${name//_/ }" "${line#not ok - }"
            n_failed=$((n_failed + 1))
            ;;
        *) printf '%s\n' "$line" ;;
        esac
    done
    exec {results}<&-
    wait "$case_pid" || status=$?
    case_pid=
    if ((status != 0 || n_checks == n_before)); then
        printf 'not ok %d - %s: runs to its end\n' "$((++n_checks))" "${name//_/ }"
        printf '#   exit code %d after %d checks\n' "$status" "$((n_checks - 1 - n_before))"
        n_failed=$((n_failed + 1))
    fi
}

# Without the right to make namespaces nothing was tested, and nothing else may be said.
skip_all() {
    printf '1..0 # SKIP %s\n' "$1"
    printf '%s: NOTHING WAS TESTED: %s\n' "${file##*/}" "$1" >&2
    exit 0
}

run_cases() {
    local reason tool

    if [[ ${1-} == --inside ]]; then
        run_inside "${@:2}"
        return
    fi
    if (($# == 0)); then
        printf 'Usage: %s BUILD [CASE...]\n' "$0" >&2
        exit 2
    fi
    build=$(realpath "$1")
    shift
    file=$(realpath "$0")
    case_pid=
    n_checks=0
    n_failed=0
    for tool in ip unshare setpriv; do
        [[ $(type -P "$tool") ]] || skip_all "$tool is not installed"
    done
    reason=$(in_namespaces true 2>&1) || skip_all "no right to make namespaces, run it as root (${reason//#/})"
    [[ -x $build/src/setmtu-apply ]] || {
        printf 'Bail out! %s holds no src/setmtu-apply\n' "$build"
        exit 1
    }

    mount_point=
    trap clean_up EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    mount_point=$(mktemp -d "${TMPDIR:-/tmp}/setmtu-netns.XXXXXX")
    mapfile -t cases < <(compgen -A function case_)
    if (($# > 0)); then
        cases=("$@")
    fi
    for name in "${cases[@]}"; do
        run_case "${name#case_}"
    done
    printf '1..%d\n' "$n_checks"
    ((n_failed == 0))
}
