# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# Open vSwitch sets the MTU of its own ports, and holds one only by mtu_request.

command=

ovs() {
        ovs-vsctl --timeout=60 "$@"
}

# command_of VERDICT: doctor's for br-ex.
command_of() {
        setmtu doctor --json > /run/doctor || true
        command=$(jq -r --arg verdict "$1" '.devices[] | select(.name == "br-ex") | .findings[] | select(.verdict == $verdict) | .command' /run/doctor)
}

drop_requests() {
        ovs clear Interface br-ex mtu_request
}

check 'it runs' systemctl start openvswitch-switch
ip link add name uplink0 type dummy
ovs add-br br-ex
ovs add-port br-ex uplink0
check 'its own port' eventually mtu_is br-ex 1500
check 'the kind of its own port' is 'kind' "$(ip -json -details link show br-ex | jq -r '.[0].linkinfo.info_kind')" openvswitch

echo 'br-ex=9000' >> /etc/conf.d/setmtu
setmtu apply br-ex 2> /run/messages || true
check 'apply names the command' has 'messages' "$(< /run/messages)" '; to have Open vSwitch hold it: ovs-vsctl set Interface br-ex mtu_request=9000; '
check 'it sets its own port back' eventually mtu_is br-ex 1500
command_of 'not in effect'
check 'doctor names the command' is 'command' "$command" 'ovs-vsctl set Interface br-ex mtu_request=9000'
check 'the command works' bash -c "$command"
check 'the command works: the MTU' eventually mtu_is br-ex 9000
ip link set uplink0 mtu 1400
sleep 3
check 'it holds the MTU' mtu_is br-ex 9000
check 'status' exits_with 0 setmtu status --check br-ex

check 'without the request' drop_requests
sed -i 's/^br-ex=.*/br-ex="9000 keep"/' /etc/conf.d/setmtu
# Its unit fails if Open vSwitch is faster than the answer of the kernel; keep has a fight otherwise.
setmtu reload || true
names_the_command() {
        [[ $(journal_of setmtu-keep; journal_of 'setmtu@br\x2dex') == *'br-ex: '*'ovs-vsctl set Interface br-ex mtu_request=9000'* ]]
}
ovs set Interface uplink0 mtu_request=1500
check 'keep, or the unit, names the command' eventually names_the_command

ovs del-br br-ex
ip link del uplink0
systemctl stop openvswitch-switch
: > /etc/conf.d/setmtu
check 'it is gone' setmtu reload
