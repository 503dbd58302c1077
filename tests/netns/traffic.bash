# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# TCP connections between h and s of paths.bash, for the tests of `setmtu watch`.

# connect FAMILY [SECONDS [alone | back | both | bound]]: from h to s, which reads for that long. See connections.py. With n_peers, s
# has so many addresses, which h takes for peers.
connect() {
    local ends i prefix hosts
    ends=$(dirname "${BASH_SOURCE[0]}")/connections.py
    host=$(server "$1")
    hosts=("$host")
    for ((i = 1; i < ${n_peers-1}; i++)); do
        hosts+=("${host%2}$((100 + i))")
        prefix=24
        [[ $1 == 4 ]] || prefix='64 nodad'
        # shellcheck disable=SC2086 # words
        ip -n s address add ${hosts[i]}/$prefix dev "in$((n_links - 1))"
    done
    (exec ip netns exec s python3 -I "$ends" serve "${2-1000}" "${hosts[@]}") &
    far=$!
    eventually at s bash -c "(( \$(ss -Hltn sport = 5001 | wc -l) == ${#hosts[@]} ))"
    (exec ip netns exec h python3 -I "$ends" send "$(IFS=, && echo "${hosts[*]}")" "${@:3}" 2>/dev/null) &
    near=$!
    programs+=("$far" "$near")
}

# lose_one_of_eight CONDITION: the fullest of eight_links loses such packets: that of the large connection.
lose_one_of_eight() {
    local device
    device=$(ip -n r1 -s -o link show type veth | grep ': w[0-7]@' | sed -E 's/^[0-9]+: ([^@:]*).*TX:[^\\]*\\ *([0-9]+).*/\2 \1/' |
        sort -n | tail -n 1 | cut -d ' ' -f 2)
    nft_at r2 inet prerouting "iifname $device $1 drop"
}
