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
