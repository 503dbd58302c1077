# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# What the checks of the managers have in common.

patience_s=30

# configure LINE…: the lines of the configuration, all of them, and taken up.
configure() {
        printf '%s\n' "$@" > /etc/conf.d/setmtu
        setmtu reload || true
}

# make_pair NAME: one end here, the other one, NAMEp, in the namespace `far`, where a DHCP server says 1300 in option 26.
make_pair() {
        ip netns add far 2> /dev/null || true
        ip link add name "$1" type veth peer name "$1p" netns far
        ip -netns far link set "$1p" mtu 9000 up
}

# serve_dhcp NAME SUBNET: on the far end of the pair; again where that is another one by now.
serve_dhcp() {
        [[ ! -e /run/dnsmasq-$1 ]] || kill "$(cat "/run/dnsmasq-$1")" || true
        ip -netns far address replace "$2.1/24" dev "$1p"
        ip netns exec far dnsmasq --conf-file=/dev/null --port=0 --interface="$1p" --bind-dynamic --no-ping \
                --dhcp-range="$2.10,$2.20,2m" --dhcp-option=26,1300 --dhcp-leasefile="/run/leases-$1" --pid-file="/run/dnsmasq-$1"
}

# has_address NAME SUBNET
has_address() {
        has "addresses of $1" "$(ip -4 -oneline address show dev "$1")" " $2."
}

# who_wins MANAGER SITUATION DEVICE SETMTUS OTHERS EXPECTED: one row of the table, and whether it is the expected one, setmtu or
# the manager, and stays so.
who_wins() {
        local got wanted=$5 winner=neither
        [[ $6 != setmtu ]] || wanted=$4
        eventually mtu_is "$3" "$wanted" > /dev/null || true
        sleep 1.5
        got=$(cat "/sys/class/net/$3/mtu" 2> /dev/null || echo none)
        [[ $got != "$5" ]] || winner=$1
        [[ $got != "$4" ]] || winner=setmtu
        report "$(printf '# who wins: %-14s %-40s  setmtu %5s  other %5s  got %5s  %s' "$1" "$2" "$4" "$5" "$got" "$winner")"
        check "$1, $2: $6 wins" is winner "$winner" "$6"
}

# status_of DEVICE KEY
status_of() {
        setmtu status --json "$1" 2> /dev/null | jq --raw-output ".[0].$2"
}

status_is() {
        is "$2 of $1" "$(status_of "$1" "$2")" "$3"
}

status_has() {
        has "$2 of $1" "$(status_of "$1" "$2")" "$3"
}
