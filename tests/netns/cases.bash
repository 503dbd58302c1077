# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What the files of cases in this directory share. Such a file sources this one, defines functions case_NAME, and ends in
# `run_cases "$@"`; it is called as `FILE BUILD [CASE…]`, prints TAP, and exits with 1 where a check failed.
#
# A case is a process of its own in network, mount and process namespaces of its own: its devices, its files (a tmpfs)
# and whatever it started go with it, however it ends.

set -euo pipefail
export LC_ALL=C
# The programs of the distribution first: with the shims of pyenv, each start of python3 takes as long as a check.
PATH=/usr/sbin:/usr/bin:/sbin:/bin:$PATH
# As if called by hand, whatever started this test.
unset SYSTEMD_EXEC_PID JOURNAL_STREAM SETMTU_ROOT NO_COLOR
# What a file needs beside ip, unshare and setpriv; for it to set.
needs=()
# How many cases run at the same time; for a file to set whose cases mostly wait.
at_once=1

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

# run COMMAND…: its exit code, what it says on stdout, and on stderr, are in $status, $output and $messages afterwards.
run() {
    status=0
    "$@" >"$case_directory/stdout" 2>"$case_directory/stderr" || status=$?
    # shellcheck disable=SC2034 # the cases look at it
    read_whole output "$case_directory/stdout"
    read_whole messages "$case_directory/stderr"
}

# read_whole VARIABLE FILE: as $(<FILE), without a process, which costs 40 ms where the processor is emulated.
read_whole() {
    IFS= read -r -d '' "$1" <"$2" || :
    while [[ ${!1} == *$'\n' ]]; do
        printf -v "$1" %s "${!1%$'\n'}"
    done
}

# expect NAME STATUS MESSAGES COMMAND…: its exit code and all that it says on stderr. What it says on stdout is in
# $output afterwards.
expect() {
    run "${@:4}"
    check "$1" "exit $status"$'\n'"$messages" "exit $2"$'\n'"$3"
}

# expect_exit NAME STATUS COMMAND…: its exit code. What it says is in $output and $messages afterwards.
expect_exit() {
    run "${@:3}"
    check "$1" "exit $status" "exit $2"
    if ((status != $2)); then
        show_text 'it said' "$messages"
    fi
}

# eventually COMMAND…: whether it becomes true, within half a minute: sanitizers and busy machines.
eventually() {
    local i
    for ((i = 0; i < 600; i++)); do
        if "$@"; then
            return 0
        fi
        sleep 0.05
    done
    return 1
}

# is_apart PID: whether it is in a network namespace of its own by now.
is_apart() {
    [[ $(readlink "/proc/$1/ns/net") != "$(readlink /proc/self/ns/net)" ]]
}

# catches_interrupts PID: whether setmtu does so already. Before it is executed the process is a copy of this shell, and what a
# shell runs in the background begins with ignoring them.
catches_interrupts() {
    local caught
    caught=$(sed -n 's/^SigCgt:\t/0x/p' "/proc/$1/status")
    [[ $(<"/proc/$1/comm") == setmtu ]] && ((caught & 2))
}

# serves PORT: whether somebody listens on that TCP port of this namespace.
serves() {
    [[ $(ss --no-header --tcp --numeric state listening "sport = $1") ]]
}

apply() {
    "$build/src/setmtu-apply" "$@"
}

setmtu() {
    "$build/src/setmtu" "$@"
}

# configure LINE…: the whole of /etc/conf.d/setmtu.
configure() {
    printf '%s\n' "$@" >"$SETMTU_ROOT/etc/conf.d/setmtu"
}

# drop_in NAME LINE…
drop_in() {
    mkdir -p "$SETMTU_ROOT/etc/conf.d/setmtu.d"
    printf '%s\n' "${@:2}" >"$SETMTU_ROOT/etc/conf.d/setmtu.d/$1"
}

# command_line WORD…: the kernel's.
command_line() {
    mkdir -p "$SETMTU_ROOT/proc"
    printf '%s\n' "$*" >"$SETMTU_ROOT/proc/cmdline"
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

# netns_cookie: the number of this network namespace, SO_NETNS_COOKIE, by which udev's rule notes it.
netns_cookie() {
    python3 -c 'import socket, sys
with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW) as any_socket:
    print(int.from_bytes(any_socket.getsockopt(socket.SOL_SOCKET, 71, 8), sys.byteorder))'
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

# mtu NAME: without a process; nothing else is asked as often.
mtu() {
    local mtu
    read -r mtu <"$case_directory/sys/class/net/$1/mtu" && echo "$mtu"
}

# is_up NAME: yes or no, as the administrator set it.
is_up() {
    local flags
    read -r flags <"$case_directory/sys/class/net/$1/flags"
    if ((flags & 1)); then echo yes; else echo no; fi
}

ifindex() {
    ip -o link show dev "$1" | sed 's/:.*//'
}

# records: how many there are.
records() {
    if [[ -d $SETMTU_ROOT/run/setmtu ]]; then
        find "$SETMTU_ROOT/run/setmtu" -maxdepth 1 -type l | wc -l
    else
        echo 0
    fi
}

# record_with KEY: those with such a line.
record_with() {
    local record
    for record in "$SETMTU_ROOT"/run/setmtu/[0-9]*; do
        if [[ $(readlink "$record") == *$'\n'"$1="* ]]; then
            echo "$record"
        fi
    done
}

# put_record FILE TEXT: a record is the target of a symbolic link.
put_record() {
    ln --symbolic --force --no-dereference "$2" "$1"
}

# edit_record SCRIPT FILE, as in sed(1).
edit_record() {
    put_record "$2" "$(readlink "$2" | sed "$1")"
}

# without_net_admin COMMAND…
without_net_admin() {
    setpriv --bounding-set=-net_admin --inh-caps=-net_admin -- "$@"
}

# as_nobody PROGRAM ARGUMENTS…: a program of the build as an ordinary user, who may not be able to get at the build tree:
# a copy.
as_nobody() {
    install -m 755 "$build/src/$1" "$case_directory/$1"
    setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all -- "$case_directory/$1" "${@:2}"
}

# has_strace CHECK: where it is not installed, CHECK is skipped and the answer is false.
has_strace() {
    if [[ $(type -P strace) ]]; then
        return 0
    fi
    skip "$1" 'strace is not installed'
    return 1
}

# inject EXPRESSIONS PATH COMMAND…: with system calls that fail, as in strace(1): `openat:error=EIO:when=2`. PATH is the file
# that they are about, or empty for all.
inject() {
    local expression options=()

    for expression in $1; do
        options+=(-e "inject=$expression")
    done
    # The leak sanitizer and strace cannot trace one process both.
    ASAN_OPTIONS=detect_leaks=0 strace -f -qq -o "$case_directory/trace" "${options[@]}" ${2:+-P "$2"} "${@:3}"
}

# check_set_requests NAME NUMBER COMMAND…: how many requests to change a device it sends to the kernel.
check_set_requests() {
    local requests

    has_strace "$1" || return 0
    # The leak sanitizer and strace cannot trace one process both.
    ASAN_OPTIONS=detect_leaks=0 strace -f -o "$case_directory/trace" -e trace=sendto,sendmsg,sendmmsg,write,writev \
        "${@:3}" >/dev/null 2>&1 || :
    # Numbers, where strace cannot find out what kind of netlink socket that is.
    requests=$(grep -cE 'nlmsg_type=(RTM_SETLINK|0x13|RTM_NEWLINK|0x10)\b' "$case_directory/trace" || :)
    check "$1" "$requests" "$2"
}

# on_terminal COMMAND…: on a terminal of its own, whose keyboard is stdin and whose screen is stdout.
on_terminal() {
    # script(1) hands its command to a shell; a shell script's background processes have these signals ignored.
    TERM=xterm SHELL=$BASH env --default-signal=INT,QUIT,HUP \
        script --quiet --return --flush --command "$(printf '%q ' "$@")" /dev/null
}

# has_records: whether this kernel can hold records of MTU changes here; otherwise what is left of the case is skipped.
has_records() {
    mkdir -p "$SETMTU_ROOT/sys/fs/bpf"
    if mount -t bpf bpf "$SETMTU_ROOT/sys/fs/bpf" 2>/dev/null && "$build/tests/netns/pin-history" </dev/null 2>/dev/null; then
        return 0
    fi
    skip 'records' 'this kernel has no BPF maps here'
    return 1
}

# put FILE LINE…: below the root.
put() {
    mkdir -p "$SETMTU_ROOT${1%/*}"
    printf '%s\n' "${@:2}" >"$SETMTU_ROOT$1"
}

# record EVENT…: what setmtu-history has recorded from now on; each as a line for pin_history.c.
record() {
    rm -rf "$SETMTU_ROOT/sys/fs/bpf/setmtu"
    printf '%s\n' "$@" | "$build/tests/netns/pin-history"
}

# check_schema NAME SCHEMA: $output against that file of tests/schema. All of them are looked at in the end, by one process.
check_schema() {
    printf '%s\n' "$2" "${case_name//_/ }: $1" "$output" >"$documents/$EPOCHREALTIME.$case_name"
}

# columns LIST KEY…: the values of these keys in each object of a list in the JSON of $output, a line an object. LIST is
# the key that the list is behind, or empty where all is that list.
columns() {
    python3 -c 'import json, sys
document = json.load(sys.stdin)
for entry in document[sys.argv[1]] if sys.argv[1] else document:
    print(*("null" if entry[key] is None else entry[key] for key in sys.argv[2:]))' "$@" <<<"$output"
}

# harmless TEXT: yes, or the control characters in it, but for newlines. 0xc2 and a byte up to 0x9f is one in UTF-8.
harmless() {
    local found
    found=$(LC_ALL=C grep -aoP '[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' <<<"$1" | od -An -c || :)
    echo "${found:-yes}"
}

### Running them

show_text() {
    printf '#   %s:\n#     %s\n' "$1" "${2//$'\n'/$'\n'#     }"
}

# A case's own process begins here.
run_inside() {
    local name=$1

    case_name=$1
    build=$2
    case_directory=$3
    documents=${3%/*}/documents
    n_veths=0
    mount -t tmpfs -o mode=755 tmpfs "$case_directory"
    # The devices of this namespace, whose /sys shows those of another one.
    mkdir "$case_directory/sys"
    mount -t sysfs -o ro sysfs "$case_directory/sys"
    export SETMTU_ROOT=$case_directory/root
    mkdir -p "$SETMTU_ROOT/etc/conf.d"
    "case_$name"
}

in_namespaces() {
    exec unshare --net --mount --propagation private --pid --fork --kill-child --mount-proc -- "$@"
}

clean_up() {
    # With unshare goes the first process of the namespace, and with that one all the others.
    ((${#case_pids[@]} == 0)) || kill -KILL "${case_pids[@]}" 2>/dev/null || :
    [[ -z $scratch ]] || rm -rf --one-file-system "$scratch"
}

# count LINE: prints it as a line of TAP.
count() {
    case $1 in
    'ok - '*) printf 'ok %d - %s\n' "$((++n_checks))" "${1#ok - }" ;;
    'not ok - '*)
        printf 'not ok %d - %s\n' "$((++n_checks))" "${1#not ok - }"
        n_failed=$((n_failed + 1))
        ;;
    *) printf '%s\n' "$1" ;;
    esac
}

# start_case I: in the background. What it says goes to ${results[I]}.
start_case() {
    local fd

    # Not as a pipeline: the process is to be known.
    exec {fd}< <(in_namespaces "$BASH" "$file" --inside "${cases[$1]#case_}" "$build" "$mount_point")
    case_pids[$1]=$!
    results[$1]=$fd
}

# finish_case I: prints what it says, and counts.
finish_case() {
    local name=${cases[$1]#case_} fd=${results[$1]} line status=0 n_before=$n_checks

    while IFS= read -r -u "$fd" line; do
        case $line in
        'ok - '*) line="ok - ${name//_/ }: ${line#ok - }" ;;
        'not ok - '*) line="not ok - ${name//_/ }: ${line#not ok - }" ;;
        esac
        count "$line"
    done
    exec {fd}<&-
    wait "${case_pids[$1]}" || status=$?
    unset "case_pids[$1]"
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

# Of the names on stdin those that SETMTU_TEST_CASES has, an extended regular expression for a whole name; "!" before it
# means all the others, so that two tests with one expression make every case between them.
chosen_cases() {
    case ${SETMTU_TEST_CASES-} in
    '') cat ;;
    !*) grep -vxE "${SETMTU_TEST_CASES#!}" ;;
    *) grep -xE "$SETMTU_TEST_CASES" ;;
    esac
}

run_cases() {
    local reason tool line i next=0

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
    case_pids=()
    results=()
    n_checks=0
    n_failed=0
    for tool in ip unshare setpriv "${needs[@]}"; do
        [[ $(type -P "$tool") ]] || skip_all "$tool is not installed"
    done
    reason=$(in_namespaces true 2>&1) || skip_all "no right to make namespaces, run it as root (${reason//#/})"
    [[ -x $build/src/setmtu-apply ]] || {
        printf 'Bail out! %s holds no src/setmtu-apply\n' "$build"
        exit 1
    }

    scratch=
    trap clean_up EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    scratch=$(mktemp -d "${TMPDIR:-/tmp}/setmtu-netns.XXXXXX")
    mount_point=$scratch/case
    documents=$scratch/documents
    mkdir "$mount_point" "$documents"
    # The cases have other users, too.
    chmod 755 "$scratch"
    mapfile -t cases < <(compgen -A function case_ | sed 's/^case_//' | chosen_cases)
    if (($# > 0)); then
        cases=("$@")
    fi
    for i in "${!cases[@]}"; do
        while ((next < ${#cases[@]} && next < i + at_once)); do
            start_case "$((next++))"
        done
        finish_case "$i"
    done
    if [[ $(compgen -G "$documents/*") ]]; then
        while IFS= read -r line; do
            count "$line"
        done < <("$(dirname "$file")/../schema/validate" "$documents"/* || echo 'not ok - the documents could be looked at')
    fi
    printf '1..%d\n' "$n_checks"
    ((n_failed == 0))
}
