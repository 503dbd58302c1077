# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# Who wins, cell for cell. A manager has the same devices twice: with a line, and with a line that says `keep`. A NIC without a line
# shows what the manager does by itself. It does the same to all of them at once.

# What stands in the names behind the manager's two letters: no line, a line, and one that says keep.
modes=(c d k)
wanted=4000
# What a manager gives to a device where setmtu does not: option 26 of the DHCP server, or something of its own.
other=1300

# Whose cells are judged. Those of the others are only printed.
judged=' none NetworkManager networkd netctl ifupdown ifupdown2 netplan '

# The managers that every release has. Networkd is below netplan, too.
in_each_release=(NetworkManager networkd none)

# falls_to_this_release MANAGER: where several releases are booted, one of them is enough for each of those. The emulated machine, which
# one of them has, has all managers.
falls_to_this_release() {
        local share i
        is_contained || return 0
        share=$(< /usr/lib/setmtu-test/share)
        for ((i = ${share%/*}; i < ${#in_each_release[@]}; i += ${share#*/})); do
                [[ ${in_each_release[i]} != "$1" ]] || return 0
        done
        return 1
}

# is_whole: whether this machine makes each of its cells, as each container does. Where several releases are booted, an emulated one has
# the first activation, the restart of a daemon and an edit.
is_whole() {
        [[ $(< /usr/lib/setmtu-test/share) == 0/1 ]]
}

# configure LINE…: the lines of the configuration, all of them, and taken up.
configure() {
        printf '%s\n' "$@" > /etc/conf.d/setmtu
        setmtu reload || true
}

# device MODE KIND
device() {
        case $2 in
        plain) echo "$prefix${1}0" ;;
        VLAN) echo "$prefix${1}0.5" ;;
        bridge) echo "$prefix${1}br" ;;
        bond) echo "$prefix${1}bo" ;;
        esac
}

# The kinds of devices that this machine is for: those that the kernel of a container has, or those that it lacks and plain
# ones, which the others stand on.
read -r -a kinds_here < /usr/lib/setmtu-test/kinds

# has_kind KIND: whether this machine is for it.
has_kind() {
        [[ " ${kinds_here[*]} " == *" $1 "* ]]
}

# look_at KIND…: at those that this machine is for, in the situations that follow. False where there are none, and where an emulated
# machine has plain devices alone: containers show what these do.
look_at() {
        local kind
        kinds=()
        for kind; do
                ! has_kind "$kind" || kinds+=("$kind")
        done
        is_contained || [[ ${kinds[*]} == *[Vb]* ]]
}

# kinds_of MODE: those that are looked at now.
kinds_of() {
        [[ $1 != c ]] || { echo plain && return; }
        echo "${kinds[@]}"
}

# devices MODE…: one that stands on another comes after it.
devices() {
        local mode kind
        for mode; do
                for kind in $(kinds_of "$mode"); do
                        device "$mode" "$kind"
                done
        done
}

# each COMMAND…: for each device, all at once.
each() {
        local name jobs=()
        for name in $(devices "${modes[@]}"); do
                "$@" "$name" &
                jobs+=($!)
        done
        wait "${jobs[@]}" || true
}

# from_below COMMAND…: for the NICs, and then for all: nothing answers on a VLAN whose NIC is not up.
from_below() {
        (kinds=(plain) && each "$@")
        each "$@"
}

# give_lines: one for each device that is to have one.
give_lines() {
        local name lines=()
        for name in $(devices "${modes[@]}"); do
                case $name in
                "$prefix"d*) lines+=("$name=$wanted") ;;
                "$prefix"k*) lines+=("$name=\"$wanted keep\"") ;;
                esac
        done
        configure "${lines[@]}"
}

# edit: as a person does it, in the file, and the manager is not told by anybody else than setmtu.
edit() {
        wanted=5000
        give_lines
}

# not_available MANAGER WHY: not in this machine, which the table is to say.
not_available() {
        report "# cell $1||||$2"
}

# nics: for the devices that are looked at now: 0 to be used as it is and below the VLAN, 1 for the bridge, 2 for the bond.
nics() {
        local mode kind
        for mode in "${modes[@]}"; do
                for kind in $(kinds_of "$mode"); do
                        case $kind in
                        plain) echo "$prefix${mode}0" ;;
                        bridge) echo "$prefix${mode}1" ;;
                        bond) echo "$prefix${mode}2" ;;
                        esac
                done
        done
}

# plug, unplug: these NICs. Their other ends are on one wire.
plug() {
        local name
        [[ -e /run/netns/far ]] || lay_wire 600
        for name in $(nics); do
                plug_one "$name"
        done
        udevadm settle
        # Their units too, as on a machine that has had its NICs for a while.
        eventually units_have_no_jobs > /dev/null || true
}

units_have_no_jobs() {
        empty 'jobs' "$(systemctl list-jobs --no-legend 'setmtu@*')"
}

plug_one() {
        ip link add name "$1" type veth peer name "$1p" netns far
        ip -netns far link set "$1p" mtu 9000 master far0 up
}

unplug() {
        local name
        [[ -e /run/netns/far ]] || lay_wire 600
        for name in $(nics); do
                ip link del "$name"
        done
        udevadm settle
        # A device that is back before its unit has stopped is left with one that is not active.
        eventually units_have_no_jobs > /dev/null || true
}

# clean_up: all NICs of the manager, what it has made and leaves, and the lines, of which systemd learns at the next reload.
clean_up() {
        local name
        kinds=("${kinds_here[@]}")
        unplug
        for name in $(devices "${modes[@]:1}"); do
                ip link del "$name" 2> /dev/null || true
        done
        : > /etc/conf.d/setmtu
}

# lay_wire LEASE_S: the wire, with a DHCP server on it, and on its VLAN 5, that says 1300 in option 26.
lay_wire() {
        local link subnet servers
        # Each device answers for its own address alone, as if it were in a machine of its own.
        echo 1 > /proc/sys/net/ipv4/conf/all/arp_ignore
        if ! ip netns add far 2> /dev/null; then
                # Not by their pidfiles: the one before removes that of the next one where it takes its time to end.
                mapfile -t servers < <(ip netns pids far)
                kill "${servers[@]}" || true
                eventually no_servers
        else
                ip -netns far link add name far0 mtu 9000 type bridge
                ip -netns far link set far0 up
                ! has_kind VLAN || ip -netns far link add name far0.5 link far0 up type vlan id 5
        fi
        for link in far0=10.7 far0.5=10.75; do
                [[ $link != far0.5=* ]] || has_kind VLAN || continue
                subnet=${link#*=}
                link=${link%=*}
                ip -netns far address replace "$subnet.0.1/16" dev "$link"
                : > "/run/leases-$link"
                printf '%s\n' "interface $link" "start $subnet.1.1" "end $subnet.1.250" "lease_file /run/leases-$link" \
                        'min_lease 5' "opt lease $1" 'opt subnet 255.255.0.0' 'opt mtu 1300' > "/run/udhcpd-$link.conf"
                ip netns exec far busybox udhcpd -a 10 "/run/udhcpd-$link.conf"
        done
}

no_servers() {
        empty 'DHCP servers' "$(ip netns pids far)"
}

# are_there DEVICE…: all have come, and those that DHCP is to give an address have one. Asked again and again, so one process does.
are_there() {
        local name addresses=
        [[ ! $subnets ]] || addresses=$(ip -4 -oneline address show)
        for name; do
                [[ -e /sys/class/net/$name ]] || { echo "$name is not there" && return 1; }
                [[ ! $subnets || $addresses =~ ": $name "[^$'\n']*"inet "($subnets) ]] || { echo "$name has no address" && return 1; }
        done
}

# all_are_there DEVICE…: the same, in time; of one that is not, what its manager said.
all_are_there() {
        local said patience_s=90
        said=$(eventually are_there "$@") && return
        echo "$said"
        journalctl --boot --quiet --output short-monotonic | grep -F -w -e "${said%% *}" | tail -n 40
        return 1
}

# has_acted: the manager has given the devices without a line what it gives.
has_acted() {
        local name
        for name in $(devices c); do
                mtu_is "$name" "$other" || return
        done
}

declare -A mtus

# settle DEVICE…: into `mtus`, the MTU that each has and had 1.5 s before. What it has only for a moment does not count: NetworkManager
# lowers each bridge by one after its start, and raises it again at once.
settle() {
        local before deadline=$((SECONDS + patience_s))
        mtus=()
        look "$@"
        until [[ ${before-} == "${mtus[*]}" ]] || ((SECONDS >= deadline)); do
                before=${mtus[*]}
                pause 1.5
                look "$@"
        done
}

# look DEVICE…
look() {
        local name
        for name; do
                { read -r "mtus[$name]" < "/sys/class/net/$name/mtu"; } 2> /dev/null || mtus[$name]=absent
        done
}

# situation NAME COMMAND…: what the command makes the manager do, and a cell for each device. What is told, is told before.
situation() {
        local situation=$1 mode kind name names patience_s=$patience_s
        [[ $1 == @('first activation'|restart|edit) ]] || is_whole || return 0
        mapfile -t names < <(devices "${modes[@]}")
        warnings=$(setmtu check 2>&1) || true
        for name in $(devices c); do
                # What it gives shows where it was something else before.
                [[ ! $other || ! -e /sys/class/net/$name ]] || ip link set "$name" mtu 1400
        done
        "${@:2}" > /run/situation 2>&1 || sed 's/^/# /' /run/situation | while IFS= read -r line; do report "$line"; done
        # Where a manager does nothing, that setmtu wins says nothing.
        check "$manager, $situation: all are there, with their addresses" all_are_there "${names[@]}"
        # What the manager has made has a unit, too.
        udevadm settle
        eventually units_have_no_jobs > /run/jobs || report "# $manager, $situation: $(cat /run/jobs)"
        patience_s=12
        [[ ! $other ]] || eventually has_acted > /run/acted || report "# $manager, $situation: $(cat /run/acted)"
        settle "${names[@]}"
        for mode in "${modes[@]}"; do
                for kind in $(kinds_of "$mode"); do
                        cell "$situation" "$kind" "$mode" "$(device "$mode" "$kind")"
                done
        done
}

# cell SITUATION KIND MODE DEVICE: who has won, as a line for the table, and whether that may be: `setmtu`, or `told` where `setmtu
# check` had a warning for this device, or for the one below, with which the kernel lowers it; with also=drift, what no file says beforehand and status shows. With keep always setmtu. A
# device without a line shows what the others would have without theirs.
cell() {
        local got=${mtus[$4]} word line='a line' allowed='setmtu told'
        word=$got
        if [[ $3 == c ]]; then
                report "# cell $manager|$1|$2|$3|$word"
                return
        elif [[ $got == "$wanted" ]]; then
                word=setmtu
        elif grep -F -e "warning: $4: " -e "warning: ${4%.5}: " <<< "$warnings" | grep "\b${other:-none}\b" > /dev/null; then
                word=told
        elif [[ ${also-} == drift ]] && status_is "$4" state drift > /dev/null; then
                word=drift
                allowed+=' drift'
        fi
        [[ $3 != k ]] || { line=keep && allowed=setmtu; }
        report "# cell $manager|$1|$2|$3|$word"
        [[ $judged != *" $manager "* ]] || check "$manager, $1, $2, $line: $word" one_of "$word" "$allowed"
}

# has_address DEVICE SUBNET
has_address() {
        has "addresses of $1" "$(ip -4 -oneline address show dev "$1")" " $2."
}

# one_of WORD WORDS
one_of() {
        [[ " $2 " == *" $1 "* ]] || { echo "expected one of: $2" && return 1; }
}

# status_of DEVICE KEY
status_of() {
        setmtu status --json "$1" 2> /dev/null | jq --raw-output ".[0].$2"
}

status_is() {
        is "$2 of $1" "$(status_of "$1" "$2")" "$3"
}

explain_has() {
        has "explain $1" "$(setmtu explain "$1" 2> /dev/null)" "$2"
}
