#!/bin/bash
# jumbo frames
sleep 5
ip link set dev "$IFACE" mtu "${1:-1500}"
/usr/local/bin/other
