# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# TCP connections between h and s of paths.bash, for the tests of `setmtu watch`.

# connect FAMILY [SECONDS [alone | back | both | bound]]: from h to s, which reads for that long. See connections.py.
connect() {
    local ends
    ends=$(dirname "${BASH_SOURCE[0]}")/connections.py
    host=$(server "$1")
    (exec ip netns exec s python3 -I "$ends" serve "${2-1000}") &
    far=$!
    eventually at s bash -c "[[ \$(ss -Hltn sport = 5001) ]]"
    (exec ip netns exec h python3 -I "$ends" send "$host" "${@:3}" 2>/dev/null) &
    near=$!
    programs+=("$far" "$near")
}
