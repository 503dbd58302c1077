ip link set "$1" mtu 9000
