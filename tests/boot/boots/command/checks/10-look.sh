# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# The commands that only look: status, check, plan.

line_of() {
        grep -n "^$1=" /etc/conf.d/setmtu | cut -d: -f1
}

# status_is DEVICE JSON: the device's object, whose keys are written here in the order of the alphabet.
status_is() {
        is "status of $1" "$(setmtu status --json "$1" | jq --compact-output --sort-keys '.[]')" "$2"
}

table_has_both() {
        local table
        table=$(setmtu) &&
                matches 'line of enp0s2' "$(grep '^enp0s2 ' <<< "$table")" "* 9000 * 68-9212 *ok *e1000e */etc/conf.d/setmtu:$(line_of enp0s2)*" &&
                matches 'line of enp0s3' "$(grep '^enp0s3 ' <<< "$table")" '* 1500 * 60-4096 *impossible *8139cp *'
}

nobody_sees_the_same() {
        is 'status as nobody' "$(setpriv --reuid=65534 --regid=65534 --clear-groups -- setmtu status --json)" \
                "$(setmtu status --json)"
}

plan_is_of() {
        is "plan for $1" "$(setmtu plan --json |
                jq --raw-output ".requests[] | select(.name == \"$1\") | \"\\(.action) \\(.from) \\(.to)\"")" "$2"
}

ip link add name dummy1 type dummy

check 'the boot has set the e1000e' eventually set_and_active enp0s2 9000
check 'the boot could not set the rtl8139' eventually unit_is setmtu@enp0s3.service failed
check 'status: e1000e' status_is enp0s2 \
        "{\"auto\":null,\"driver\":\"e1000e\",\"keep\":null,\"max\":9212,\"min\":68,\"mtu\":9000,\"name\":\"enp0s2\",\"source\":\"/etc/conf.d/setmtu:$(line_of enp0s2)\",\"state\":\"ok\",\"trial\":null,\"wanted\":9000}"
check 'status: rtl8139' status_is enp0s3 \
        "{\"auto\":null,\"driver\":\"8139cp\",\"keep\":null,\"max\":4096,\"min\":60,\"mtu\":1500,\"name\":\"enp0s3\",\"source\":\"/etc/conf.d/setmtu:$(line_of enp0s3)\",\"state\":\"impossible\",\"trial\":null,\"wanted\":9000}"
check 'status: virtio, without a line' status_is enp0s4 \
        '{"auto":null,"driver":"virtio_net","keep":null,"max":9000,"min":68,"mtu":9000,"name":"enp0s4","source":null,"state":"unset","trial":null,"wanted":null}'
check 'status: absent' status_is absent0 \
        "{\"auto\":null,\"driver\":null,\"keep\":null,\"max\":null,\"min\":null,\"mtu\":null,\"name\":\"absent0\",\"source\":\"/etc/conf.d/setmtu:$(line_of absent0)\",\"state\":\"absent\",\"trial\":null,\"wanted\":9000}"
check 'status: a dummy, whose driver is its kind' status_is dummy1 \
        '{"auto":null,"driver":"dummy","keep":null,"max":null,"min":0,"mtu":1500,"name":"dummy1","source":null,"state":"unset","trial":null,"wanted":null}'
check 'status: the table' table_has_both
check 'status: nobody sees what root sees' nobody_sees_the_same
check 'status --check: 4 for what is impossible' exits_with 4 setmtu status --check
check 'status --check: 0 for one that is right' exits_with 0 setmtu status --check enp0s2

ip link set enp0s2 mtu 1400
check 'drift: status' status_is enp0s2 \
        "{\"auto\":null,\"driver\":\"e1000e\",\"keep\":null,\"max\":9212,\"min\":68,\"mtu\":1400,\"name\":\"enp0s2\",\"source\":\"/etc/conf.d/setmtu:$(line_of enp0s2)\",\"state\":\"drift\",\"trial\":null,\"wanted\":9000}"
check 'drift: status --check' exits_with 4 setmtu status --check enp0s2
check 'drift: plan' plan_is_of enp0s2 'set 1400 9000'
check 'drift: apply' setmtu apply enp0s2
check 'drift: mended' set_and_active enp0s2 9000
check 'plan: nothing to do' plan_is_of enp0s2 'keep 9000 9000'
check 'plan: impossible' plan_is_of enp0s3 'refuse 1500 9000'
check 'check names the limits' has 'check' "$(setmtu check 2>&1)" '60 to 4096'
