# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# CNI's plugin bridge, called as an engine does: with the network's file and a namespace.

. /usr/lib/setmtu-test/containers.sh
network=/etc/cni/net.d/10-net.conflist

cat > $network << 'END'
{
  "cniVersion": "0.4.0",
  "name": "net",
  "plugins": [
    { "type": "bridge", "bridge": "cni0", "isGateway": true, "ipam": { "type": "host-local", "subnet": "10.22.0.0/24" } }
  ]
}
END

# pod_has NAME MTU: a new one.
pod_has() {
        ip netns add "$1"
        jq '.plugins[0] + {name, cniVersion}' $network |
                CNI_COMMAND=ADD CNI_CONTAINERID=$1 CNI_NETNS=/run/netns/$1 CNI_IFNAME=eth0 CNI_PATH=/usr/lib/cni /usr/lib/cni/bridge
        is "MTU in $1" "$(ip -netns "$1" -json link show eth0 | jq '.[0].mtu')" "$2"
}

check 'before' pod_has pod0 1500
setmtu set cni0 auto > /run/messages 2>&1
check 'set: the bridge' mtu_is cni0 1400
check 'set: pods have it' pod_has pod1 1500
check 'doctor' judged cni0 'path does not carry it: *1500*cni0*1400. Set "mtu" in the network*s file to 1400'
check 'the command' typed
check 'new pods' pod_has pod2 1400
check 'doctor names the older ones' judged cni0 "path does not carry it: *1500*1400. $network:* has 1400 already: restart the older containers"
ip netns del pod0
ip netns del pod1
check 'cni0 is fine' eventually judged cni0 'fine: '
