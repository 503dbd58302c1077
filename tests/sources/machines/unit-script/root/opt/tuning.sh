sysctl -w net.ipv4.tcp_mtu_probing=1
ip link set eth1 mtu 4000
. /opt/tuning.sh
