M=9000 n=0
n=0; while [ $n -lt 2 ]; do n=$((n+1))
(
M=$(($M - 100))
) & wait
done
ip link set dev eth0 mtu 1500
(
eval "ip link set dev eth0 mtu $(( (${M} + n) / 3 %4000 ))"
) & wait

