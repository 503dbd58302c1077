ip link set "$1" mtu 1400
