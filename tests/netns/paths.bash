# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Paths between two hosts for the tests of `setmtu probe`, each node a network namespace: h, the routers r1, r2, …, and s,
# whom h probes. Link I leads from node I to node I+1; its ends are called outI and inI. All of it goes with the case.

node_of() {
    if (($1 == 0)); then
        echo h
    elif (($1 == n_links)); then
        echo s
    else
        echo "r$1"
    fi
}

at() {
    ip netns exec "$@"
}

# chain LINKS [MTU]: nodes and links, all of 9000, and the routes. What was there before goes.
chain() {
    local i j node size=${2:-9000}

    clear_chain
    n_links=$1
    if [[ ! -e /run/.paths ]]; then
        mount -t tmpfs tmpfs /run
        : >/run/.paths
        mkdir /run/netns
    fi
    nodes=()
    for ((i = 0; i <= n_links; i++)); do
        node=$(node_of "$i")
        nodes+=("$node")
        ip netns add "$node"
        at "$node" sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward; echo 0 >/proc/sys/net/ipv6/conf/default/accept_dad
            echo 1 >/proc/sys/net/ipv6/conf/all/forwarding; echo 0 >/proc/sys/net/ipv4/conf/all/rp_filter
            echo 0 >/proc/sys/net/ipv4/conf/default/rp_filter; ip link set lo up'
    done
    for ((i = 0; i < n_links; i++)); do
        ip -n "${nodes[i]}" link add name "out$i" mtu "$size" type veth peer name "in$i" mtu "$size" netns "${nodes[i + 1]}"
        address_link "$i"
    done
    for ((i = 0; i <= n_links; i++)); do
        {
            for ((j = 0; j < n_links; j++)); do
                ((j <= i)) || echo "route add 10.0.$j.0/24 via 10.0.$i.2"
                ((j >= i - 1)) || echo "route add 10.0.$j.0/24 via 10.0.$((i - 1)).1"
            done
        } | ip -n "${nodes[i]}" -batch -
        {
            for ((j = 0; j < n_links; j++)); do
                ((j <= i)) || echo "route add fd00:$((j + 1))::/64 via fd00:$((i + 1))::2"
                ((j >= i - 1)) || echo "route add fd00:$((j + 1))::/64 via fd00:$i::1"
            done
        } | ip -6 -n "${nodes[i]}" -batch -
    done
    eventually is_awake
}

# Neighbours know each other.
is_awake() {
    at h "$build/src/setmtu" probe -6 --size 1280 --timeout 2s "$(server 6)" >/dev/null
}

# address_link I: its ends are there, by these names.
address_link() {
    printf '%s\n' "address add 10.0.$1.1/24 dev out$1" "address add fd00:$(($1 + 1))::1/64 dev out$1 nodad" "link set out$1 up" |
        ip -n "${nodes[$1]}" -batch -
    printf '%s\n' "address add 10.0.$1.2/24 dev in$1" "address add fd00:$(($1 + 1))::2/64 dev in$1 nodad" "link set in$1 up" |
        ip -n "${nodes[$1 + 1]}" -batch -
    # A new link is deaf to the first question for a neighbour, sometimes.
    at "${nodes[$1]}" sh -c "echo 50 >/proc/sys/net/ipv6/neigh/out$1/retrans_time_ms"
    at "${nodes[$1 + 1]}" sh -c "echo 50 >/proc/sys/net/ipv6/neigh/in$1/retrans_time_ms"
}

clear_chain() {
    local pid
    for pid in "${programs[@]}"; do
        kill "$pid" 2>/dev/null || :
        wait "$pid" 2>/dev/null || :
    done
    programs=()
    ip -all netns delete 2>/dev/null || :
}
programs=()

# The address of s, and of the router before link I as h sees it.
server() {
    if [[ $1 == 4 ]]; then echo "10.0.$((n_links - 1)).2"; else echo "fd00:$n_links::2"; fi
}
router() {
    if [[ $1 == 4 ]]; then echo "10.0.$(($2 - 1)).2"; else echo "fd00:$2::2"; fi
}

### What narrows a path

# narrow I SIZE: link I has that MTU, on both sides.
narrow() {
    ip -n "${nodes[$1]}" link set "out$1" mtu "$2"
    ip -n "${nodes[$1 + 1]}" link set "in$1" mtu "$2"
}

# nft_at NODE FAMILY HOOK RULE…
nft_at() {
    local rule
    {
        echo "add table $2 t"
        echo "add chain $2 t $3 { type filter hook $3 priority 0; }"
        for rule in "${@:4}"; do
            echo "add rule $2 t $3 $rule"
        done
    } | at "$1" nft -f -
}

# switch I: puts a bridge in a namespace of its own, bI, into link I.
switch() {
    local i=$1
    ip netns add "b$i"
    at "b$i" sh -c 'echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6; echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6'
    ip -n "${nodes[i]}" link delete "out$i"
    ip -n "${nodes[i]}" link add name "out$i" mtu 9000 type veth peer name left mtu 9000 netns "b$i"
    ip -n "${nodes[i + 1]}" link add name "in$i" mtu 9000 type veth peer name right mtu 9000 netns "b$i"
    printf '%s\n' 'link add br0 type bridge' 'link set left master br0 up' 'link set right master br0 up' 'link set br0 up' |
        ip -n "b$i" -batch -
    address_link "$i"
    restore_routes "$i"
    eventually is_awake
}

# Routes went with the link.
restore_routes() {
    local i=$1 j
    for ((j = i + 1; j < n_links; j++)); do
        ip -n "${nodes[i]}" route replace "10.0.$j.0/24" via "10.0.$i.2"
        ip -n "${nodes[i]}" route replace "fd00:$((j + 1))::/64" via "fd00:$((i + 1))::2"
    done
    for ((j = 0; j < i; j++)); do
        ip -n "${nodes[i + 1]}" route replace "10.0.$j.0/24" via "10.0.$i.1"
        ip -n "${nodes[i + 1]}" route replace "fd00:$((j + 1))::/64" via "fd00:$((i + 1))::1"
    done
}

# drop_above I SIZE [CONDITION]: the switch in link I drops IP packets of more than SIZE bytes, silently.
drop_above() {
    [[ $(ip netns list) == *"b$1"* ]] || switch "$1"
    nft_at "b$1" bridge forward "ether type ip ${3-} ip length > $2 drop" "ether type ip6 ip6 length > $(($2 - 40)) drop"
}

# port_mtu I SIZE: the ports of the switch have that MTU; it drops what is larger.
port_mtu() {
    switch "$1"
    ip -n "b$1" link set left mtu "$2"
    ip -n "b$1" link set right mtu "$2"
}

# mute I [WHAT]: the router before link I sends no ICMP errors, or only no "too big".
mute() {
    if [[ ${2-} == too-big ]]; then
        nft_at "r$1" inet output 'icmp type destination-unreachable icmp code frag-needed drop' 'icmpv6 type packet-too-big drop'
    else
        nft_at "r$1" inet output 'icmp type { destination-unreachable, time-exceeded } drop' \
            'icmpv6 type { destination-unreachable, packet-too-big, time-exceeded } drop'
    fi
}

# seldom I: it sends one ICMP error a second.
seldom() {
    nft_at "r$1" inet output 'icmp type { destination-unreachable, time-exceeded } limit rate over 1/second burst 1 packets drop' \
        'icmpv6 type { destination-unreachable, packet-too-big, time-exceeded } limit rate over 1/second burst 1 packets drop'
}

# limit_there I SIZE: the router before link I drops larger packets from h, silently. limit_back: larger ones to h.
limit_there() {
    nft_at "r$1" inet forward "iifname in$(($1 - 1)) meta length > $2 drop"
}
limit_back() {
    nft_at "r$1" inet forward "oifname in$(($1 - 1)) meta length > $2 drop"
}

# lie I ABOVE SAYS [ICMP-TOO]: r1… says of packets above ABOVE that SAYS would pass.
lie() {
    exec {listening}< <(exec ip netns exec "r$1" "$build/tests/netns/false-router" "in$(($1 - 1))" "$2" "$3")
    programs+=($!)
    read -r -u "$listening" _
    exec {listening}<&-
}

# ask_again_for_neighbours NODE DEVICE
ask_again_for_neighbours() {
    at "$1" sh -c 'for directory in /proc/sys/net/ipv[46]/neigh/$0; do
        echo 20 >"$directory/mcast_solicit"; echo 50 >"$directory/retrans_time_ms"; done' "$2"
}

# lose PERCENT: both ways, at h's end. Netem loses questions for a neighbour, too. Twenty of them in a second leave none
# unanswered; the kernel's three, a second apart, do in one run of 150, and setmtu probe is right to find nobody then.
lose() {
    if at h tc qdisc add dev out0 root netem loss "$1%" 2>/dev/null; then
        at "${nodes[1]}" tc qdisc add dev in0 root netem loss "$1%"
        ask_again_for_neighbours h out0
        ask_again_for_neighbours "${nodes[1]}" in0
    else
        nft_at h inet input "numgen random mod 1000 < $(($1 * 10)) drop"
        nft_at "${nodes[1]}" inet prerouting "iifname in0 numgen random mod 1000 < $(($1 * 10)) drop"
    fi
}

# disorder DELAY JITTER DUPLICATE: link 0 carries packets so many milliseconds late, up to JITTER more, and that percentage of
# them twice: by netem or, where the kernel has none, by a program in its place.
disorder() {
    if at h tc qdisc add dev out0 root netem delay "$1ms" "$2ms" duplicate "$3%" limit 10000 2>/dev/null; then
        at "${nodes[1]}" tc qdisc add dev in0 root netem delay "$1ms" "$2ms" duplicate "$3%" limit 10000
        return
    fi
    switch 0
    printf '%s\n' 'link set left nomaster' 'link set right nomaster' | ip -n b0 -batch -
    exec {listening}< <(exec ip netns exec b0 "$build/tests/netns/bad-link" left right "$1" "$2" "$3" 0)
    programs+=($!)
    read -r -u "$listening" _
    exec {listening}<&-
    eventually is_awake
}

# second_way I SIZE: answers take another link between the nodes of link I, whose MTU is that.
second_way() {
    local i=$1
    ip -n "${nodes[i]}" link add name other mtu "$2" type veth peer name other mtu "$2" netns "${nodes[i + 1]}"
    printf '%s\n' 'address add 10.1.0.1/24 dev other' 'address add fd01::1/64 dev other nodad' 'link set other up' |
        ip -n "${nodes[i]}" -batch -
    printf '%s\n' 'address add 10.1.0.2/24 dev other' 'address add fd01::2/64 dev other nodad' 'link set other up' \
        'route replace 10.0.0.0/24 via 10.1.0.1' 'route replace fd00:1::/64 via fd01::1' | ip -n "${nodes[i + 1]}" -batch -
}

# spines [SIZE]: the first router is a leaf that has two equal ways to s, by r2 and by x, and chooses one by addresses and
# ports. x and its links have that MTU, which r1 reports.
spines() {
    chain 3
    ip netns add x
    at x sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward; echo 1 >/proc/sys/net/ipv6/conf/all/forwarding'
    ip -n r1 link add name outx mtu "${1:-9000}" type veth peer name inx mtu "${1:-9000}" netns x
    ip -n s link add name viax mtu "${1:-9000}" type veth peer name tos mtu "${1:-9000}" netns x
    printf '%s\n' 'address add 10.1.1.1/24 dev outx' 'address add fd01:1::1/64 dev outx nodad' 'link set outx up' \
        'route replace 10.0.2.0/24 nexthop via 10.0.1.2 nexthop via 10.1.1.2' \
        'route replace fd00:3::/64 nexthop via fd00:2::2 nexthop via fd01:1::2' | ip -n r1 -batch -
    printf '%s\n' 'address add 10.1.1.2/24 dev inx' 'address add fd01:1::2/64 dev inx nodad' 'link set inx up' \
        'address add 10.1.2.1/24 dev tos' 'address add fd01:2::1/64 dev tos nodad' 'link set tos up' \
        'route add 10.0.2.0/24 via 10.1.2.2' 'route add fd00:3::/64 via fd01:2::2' \
        'route add 10.0.0.0/24 via 10.1.1.1' 'route add fd00:1::/64 via fd01:1::1' | ip -n x -batch -
    printf '%s\n' 'address add 10.1.2.2/24 dev viax' 'address add fd01:2::2/64 dev viax nodad' 'link set viax up' | ip -n s -batch -
    at r1 sh -c 'echo 1 >/proc/sys/net/ipv4/fib_multipath_hash_policy; echo 1 >/proc/sys/net/ipv6/fib_multipath_hash_policy'
}

# eight_links: link 1 of three is eight equal ones, w0 to w7 at both ends, of which r1 chooses one by addresses and ports.
eight_links() {
    local i v4='' v6=''

    chain 3
    for ((i = 0; i < 8; i++)); do
        ip -n r1 link add name "w$i" mtu 9000 type veth peer name "w$i" mtu 9000 netns r2
        printf '%s\n' "address add 10.1.$i.1/24 dev w$i" "address add fd01:$i::1/64 dev w$i nodad" "link set w$i up" | ip -n r1 -batch -
        printf '%s\n' "address add 10.1.$i.2/24 dev w$i" "address add fd01:$i::2/64 dev w$i nodad" "link set w$i up" | ip -n r2 -batch -
        v4+=" nexthop via 10.1.$i.2"
        v6+=" nexthop via fd01:$i::2"
    done
    printf '%s\n' "route replace 10.0.2.0/24$v4" "route replace fd00:3::/64$v6" | ip -n r1 -batch -
    at r1 sh -c 'echo 1 >/proc/sys/net/ipv4/fib_multipath_hash_policy; echo 1 >/proc/sys/net/ipv6/fib_multipath_hash_policy'
}

# hash_by_ports: r1 chooses a link by addresses, protocol and ports alone. Otherwise it takes the sender's own hash, if that has come
# along from the other namespace, and a flow that begins again may take another link.
hash_by_ports() {
    # shellcheck disable=SC2016 # the shell there expands it
    at r1 sh -c 'for family in ipv4 ipv6; do
        echo 0x37 >/proc/sys/net/$family/fib_multipath_hash_fields; echo 3 >/proc/sys/net/$family/fib_multipath_hash_policy; done'
}
