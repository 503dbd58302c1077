# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The trees of files in ../explain, for those who source cases.bash: make_tree NAME puts one below $SETMTU_ROOT and makes its
# devices. What a tree is, command_explain says.

trees=$(realpath "$(dirname "$0")/../explain")

# The words of a tree's `devices`.

# lay FOLDER: its files, over those that are there.
lay() {
    cp -R --remove-destination "$1/." "$SETMTU_ROOT/"
}

# root NAME…: the shared roots, each laid over those before it.
root() {
    local name
    for name in "$@"; do
        lay "$trees/roots/$name"
    done
}

# nic NAME MTU [MAC]
nic() {
    make_veth "$1"
    ip link set "$1" mtu "$2"
    if [[ ${3-} ]]; then
        ip link set "$1" address "$3"
    fi
    names+=("$1")
}

bridge() {
    ip link add "$1" type bridge
    ip link set "$1" mtu "$2"
    names+=("$1")
}

port() {
    ip link set "$1" master "$2"
}

macvlan() {
    ip link add link "$2" name "$1" type macvlan
    names+=("$1")
}

no_systemd() {
    rmdir "$SETMTU_ROOT/run/systemd/system"
}

# stopped SERVICE: a shared root has it running.
stopped() {
    rm "$SETMTU_ROOT/run/systemd/units/invocation:$1.service"
}

# explain WORD…: what it is called with.
explain() {
    words=("$@")
}

ifindex() {
    ip -o link show dev "$1" | cut -d: -f1
}

# make_tree NAME: its files, where @NAME@ in a file's name is that device's ifindex and @netns@ in udev's database this network
# namespace, and its devices.
make_tree() {
    local name file index
    # shellcheck disable=SC2034 # for those who make a tree
    names=() words=() shown=(-e '')
    mkdir -p "$SETMTU_ROOT/run/systemd/system"
    # shellcheck disable=SC1090
    . "$trees/$1/devices"
    if [[ -d $trees/$1/root ]]; then
        lay "$trees/$1/root"
    fi
    for name in "${names[@]}"; do
        index=$(ifindex "$name")
        shown+=(-e "s,/\\(leases\\|devices\\)/$index:,/\\1/@$name@:,")
        mkdir -p "$SETMTU_ROOT/sys/class/net/$name"
        printf '%s\n' "$index" >"$SETMTU_ROOT/sys/class/net/$name/ifindex"
        while IFS= read -r file; do
            mv "$file" "${file//@$name@/$index}"
        done < <(find "$SETMTU_ROOT" -name "*@$name@*")
    done
    if [[ -d $SETMTU_ROOT/run/udev/data ]]; then
        find "$SETMTU_ROOT/run/udev/data" -type f -exec sed -i "s/@netns@/$(netns_cookie)/" {} +
    fi
}
