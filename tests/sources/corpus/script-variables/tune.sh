#!/bin/sh
set -e
IFACES="eth2 eth3"
MTU=9000

for i in $IFACES; do
    ip link set dev "$i" mtu "$MTU"
    ethtool -G "$i" rx 4096
done
# ip link set eth9 mtu 9000
ip link set dev eth0 mtu "$MTU"
ip link set dev eth1 mtu 9000   # the NAS
ip route add default via 10.0.0.1 mtu 1400
ip -6 route change default mtu lock 1280
