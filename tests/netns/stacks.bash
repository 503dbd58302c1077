# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Random stacks of every kind of device that the kernel has, the same for the same number.

sizes=(1400 1500 4000 8000 8950 9000)

# Which of these the kernel has. A NIC is one end of a veth.
find_kinds() {
    local kind
    kinds=()
    ip link add name nic0 type veth peer name far0
    for kind in vlan qinq macvlan ipvlan vxlan macsec bridge bond team; do
        if make_upper "$kind" try0 nic0 2>/dev/null; then
            kinds+=("$kind")
            ip link del try0
        fi
    done
    ip link del nic0
}

# done_by_ip WORD…: ip does it; what it has done is in `commands`, a line each.
done_by_ip() {
    ip "$@" && commands+="$*"$'\n'
}

# make_upper KIND NAME LOWER
make_upper() {
    case $1 in
    vlan) done_by_ip link add link "$3" name "$2" type vlan id 5 ;;
    qinq) done_by_ip link add link "$3" name "$2" type vlan proto 802.1ad id 6 ;;
    macvlan) done_by_ip link add link "$3" name "$2" type macvlan mode bridge ;;
    ipvlan) done_by_ip link add link "$3" name "$2" type ipvlan ;;
    vxlan) done_by_ip link add name "$2" type vxlan id 7 dev "$3" dstport 4789 remote 192.0.2.1 ;;
    macsec) done_by_ip link add link "$3" name "$2" type macsec ;;
    bridge | bond | team)
        done_by_ip link add name "$2" type "$1" &&
            { done_by_ip link set "$3" master "$2" || { done_by_ip link del "$2" && false; }; }
        ;;
    esac
}

# Takes all of it away, the uppermost first.
remove_stack() {
    local i
    for ((i = ${#devices[@]} - 1; i >= 0; i--)); do
        echo "link del ${devices[i]}"
    done | ip -force -batch - 2>/dev/null || :
    rm -rf "$SETMTU_ROOT/run/setmtu"
}

pick() {
    picked=${*:1+RANDOM%$#:1}
}

# make_stack NUMBER: up to seven devices, their MTUs, and lines for most of them in `lines`.
make_stack() {
    local i kind device
    RANDOM=$((1000 + $1))
    devices=(nic0 nic1)
    lines=() commands=
    done_by_ip link add name nic0 type veth peer name far0
    done_by_ip link add name nic1 type veth peer name far1
    for ((i = 0; i < 2 + RANDOM % 4; i++)); do
        pick "${kinds[@]}" && kind=$picked
        pick "${devices[@]}"
        # A device may have no room for another one, or be a port already.
        make_upper "$kind" "dev$i" "$picked" 2>/dev/null && devices+=("dev$i")
    done
    # From below; what a device cannot have it has not.
    for device in "${devices[@]}"; do
        pick "${sizes[@]}"
        done_by_ip link set "$device" mtu "$picked" 2>/dev/null || :
        pick "${sizes[@]}"
        ((RANDOM % 3 == 0)) || lines+=("$device=$picked")
    done
}
