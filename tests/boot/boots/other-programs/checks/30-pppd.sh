# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# pppd makes its device first, and sets the MTU that it has negotiated: long after the unit, so that the hook in ip-up.d sets the
# line's once more. Its peer is another pppd on a pty, which waits for /run/ppp-peer. With auto, what it has negotiated stays.

hooks=/etc/ppp/ip-up.d
echo 'ppp0=1400' >> /etc/conf.d/setmtu
check 'reload' setmtu reload
check 'the hook is there' test -x $hooks/setmtu

# Before that hook, and after it; of both ends, as they are in one network namespace.
for hook in 0-before zz-after; do
        cat > $hooks/$hook << END
#!/bin/sh
cat "/sys/class/net/\$PPP_IFACE/mtu" > "/run/ppp-$hook-\$PPP_IFACE"
END
        chmod +x $hooks/$hook
done

recorded() {
        is "$1" "$(cat "/run/ppp-$1-ppp0" 2> /dev/null)" "$2"
}

# dial MRU: that of the peer.
dial() {
        pppd unit 0 local nodetach noauth noccp noipv6 lcp-max-configure 1000 192.0.2.1:192.0.2.2 \
                pty "until [ -e /run/ppp-peer ]; do sleep 1; done
                        exec pppd unit 9 notty local noauth noccp noipv6 mru $1 192.0.2.2:192.0.2.1" < /dev/null > /run/pppd 2>&1 &
        pppd=$!
}

dial 1492
check 'before it negotiates' eventually mtu_is ppp0 1400
pause 5
check 'before it negotiates: it holds' mtu_is ppp0 1400
touch /run/ppp-peer
check 'negotiated' eventually recorded 0-before 1492
check 'the hook' eventually recorded zz-after 1400
pause 3
check 'the MTU holds' mtu_is ppp0 1400
check 'status' exits_with 0 setmtu status --check ppp0
kill $pppd
wait $pppd || true

rm -f /run/ppp-*-ppp0
sed -i 's/^ppp0=.*/ppp0=auto/' /etc/conf.d/setmtu
check 'auto: reload' setmtu reload
dial 1480
check 'auto: negotiated' eventually recorded zz-after 1480
pause 3
check 'auto: it holds' mtu_is ppp0 1480
check 'auto: status' exits_with 0 setmtu status --check ppp0
check 'auto: why' has 'status' "$(setmtu status --json ppp0)" 'what PPP has negotiated'
sed -i 's/^ppp0=.*/ppp0=auto-20/' /etc/conf.d/setmtu
check 'auto-20: is a mistake' exits_with 3 setmtu check
check 'auto-20: left alone' mtu_is ppp0 1480
kill $pppd
wait $pppd || true
