#!/bin/sh
set_mtu() {
	ip link set eth1 mtu 9000
}
if [ "$(hostname)" = storage ]; then
	ip link set dev eth0 mtu 9000
else
	ip link set dev eth0 mtu 1500
fi
case "$1" in
start)
	set_mtu
	ip li s enp2s0 mtu 0x2328
	;;
stop) : ;;
esac
cat >/etc/motd <<EOF
ip link set br-lan mtu 9000
EOF
ip netns exec blue ip link set eth7 mtu 9000
ip -n blue link set eth8 mtu 9000
echo 9216 > /sys/class/net/br-lan/mtu
