# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Roots of Debian releases for the scripts in this directory to work in, and the words of their results. Such a script sources
# this file, calls check and step, and ends in `results_end`. It prints TAP, like the other tests.

set -euo pipefail
export LC_ALL=C.UTF-8

here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
source_tree=$(readlink -f "$here/../..")
count=0
n_failed=0

### Results

# check NAME GOT EXPECTED
check() {
    count=$((count + 1))
    if [[ $2 == "$3" ]]; then
        echo "ok $count - $1"
        return
    fi
    n_failed=$((n_failed + 1))
    echo "not ok $count - $1"
    printf '#   expected:\n#     %s\n#   got:\n#     %s\n' "${3//$'\n'/$'\n#     '}" "${2//$'\n'/$'\n#     '}"
}

# step NAME COMMAND…: one result; what it says goes to $directory/NAME.log and is shown where it fails.
step() {
    # shellcheck disable=SC2154 # for the script to set
    local log="$directory/${1//[^a-zA-Z0-9]/-}.log" started=$SECONDS status=0
    count=$((count + 1))
    "${@:2}" >"$log" 2>&1 || status=$?
    if ((status == 0)); then
        echo "ok $count - $1 ($((SECONDS - started)) s)"
        return
    fi
    n_failed=$((n_failed + 1))
    echo "not ok $count - $1"
    tail -n 40 "$log" | sed 's/^/#   /'
    return "$status"
}

results_end() {
    echo "1..$count"
    ((n_failed == 0))
}

### Roots

# root_make SUITE DIRECTORY PACKAGE…: a Debian system in DIRECTORY, where there is none yet. With apt's lists, as a person's has. The
# index of a testing release may be past its date on a mirror that lags.
root_make() {
    local suite=$1 root=$2 list="${*:3}"
    [[ ! -e $root/etc/setmtu-root ]] || return 0
    rm -rf --one-file-system "$root"
    mmdebstrap --quiet --mode=root --variant=apt --include="${list// /,}" --skip=cleanup/apt/lists \
        --aptopt='Acquire::Retries "3"' --aptopt='Acquire::Check-Valid-Until "false"' --dpkgopt=force-unsafe-io \
        "$suite" "$root" "${SETMTU_TEST_MIRROR:-http://deb.debian.org/debian}" || return
    : >"$root/etc/setmtu-root"
}

# in_root ROOT COMMAND…: the sources are at /source, read-only. What it mounts is gone with it.
in_root() {
    # shellcheck disable=SC2016 # expanded by the inner shell
    unshare --mount --propagation private bash -euc '
        root=$1
        # A mount point, so that what runs in there may make mount namespaces of its own.
        mount --bind "$root" "$root"
        mkdir -p "$root/source"
        mount --bind "$2" "$root/source"
        mount -o remount,bind,ro "$root/source"
        # Of its own: what builds as root may well replace /dev/null.
        mount -t tmpfs -o mode=755 dev "$root/dev"
        mkdir "$root/dev/pts" "$root/dev/shm"
        mount -t devpts -o newinstance,ptmxmode=666,mode=620 devpts "$root/dev/pts"
        mount -t tmpfs -o mode=1777 shm "$root/dev/shm"
        for node in null:3 zero:5 full:7 random:8 urandom:9; do
            mknod -m 666 "$root/dev/${node%:*}" c 1 "${node#*:}"
        done
        mknod -m 666 "$root/dev/tty" c 5 0
        # For tests that mount a file. Those that are there may be in use.
        mknod -m 600 "$root/dev/loop-control" c 10 237
        for node in {0..15}; do
            mknod -m 600 "$root/dev/loop$node" b 7 "$node"
        done
        ln -s pts/ptmx "$root/dev/ptmx"
        ln -s /proc/self/fd "$root/dev/fd"
        for node in 0:stdin 1:stdout 2:stderr; do
            ln -s "/proc/self/fd/${node%:*}" "$root/dev/${node#*:}"
        done
        mount -t proc proc "$root/proc"
        mount -t sysfs sysfs "$root/sys"
        # A worktree has its repository elsewhere.
        repository=$(realpath "$(git -C "$2" -c safe.directory="*" rev-parse --path-format=absolute --git-common-dir)")
        if [[ $repository != "$2"/* ]]; then
            mkdir -p "$root$repository"
            mount --bind "$repository" "$root$repository"
            mount -o remount,bind,ro "$root$repository"
        fi
        # Unlike after chroot, what runs in there may make user namespaces.
        cd "$root"
        pivot_root . .
        umount --lazy .
        exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
            DEBIAN_FRONTEND=noninteractive GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0="*" \
            "${@:3}"
    ' in_root "$1" "$source_tree" "${@:2}"
}

need_root() {
    ((EUID == 0)) || { echo "1..0 # SKIP wants root, for mmdebstrap" && exit 0; }
    [[ $(type -P mmdebstrap) ]] || { echo '1..0 # SKIP mmdebstrap is missing' && exit 0; }
}

### Machines

machine_pid=

# start_machine ROOT [OPTION…]: PID 1 of it in a container, with the device host0 and these options of systemd-nspawn. No udev runs
# there, so no device starts a unit. $directory/console has what it says.
start_machine() {
    local i
    systemd-nspawn --quiet --boot --directory="$1" --network-veth --machine="setmtu-test-$$" --register=no \
        --keep-unit --resolv-conf=off --link-journal=no --console=pipe "${@:2}" </dev/null >"$directory/console" 2>&1 &
    nspawn_pid=$!
    for ((i = 0; i < 100; i++)); do
        machine_pid=$(pgrep --parent "$nspawn_pid" || :)
        if [[ $machine_pid ]] && inside test -S /run/systemd/private 2>/dev/null; then
            inside systemctl is-system-running --wait >/dev/null 2>&1 || :
            return
        fi
        sleep 0.2
    done
    echo '# the container does not start'
    return 1
}

stop_machine() {
    [[ ! $machine_pid ]] || kill -s RTMIN+14 "$machine_pid" 2>/dev/null || :
    [[ ! ${nspawn_pid-} ]] || wait "$nspawn_pid" || :
    machine_pid=
    nspawn_pid=
}

# inside COMMAND…: in the container.
inside() {
    nsenter --target "$machine_pid" --all --root --wd -- \
        env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
