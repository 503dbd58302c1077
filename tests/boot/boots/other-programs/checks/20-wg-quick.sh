# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# wg-quick sets an MTU after it has made the device: where its file has none, it computes one, here 1420. The unit may set the line's
# before or after that, so that the MTU is only printed.

file=/etc/wireguard/wg0.conf
key=$(wg genkey)
umask 077
cat > $file << END
[Interface]
PrivateKey = $key
Address = 192.0.2.1/24
[Peer]
PublicKey = $(wg pubkey <<< "$key")
AllowedIPs = 192.0.2.2/32
END
umask 022
echo 'wg0=1380' >> /etc/conf.d/setmtu
check 'reload' setmtu reload
check 'without MTU=' wg-quick up wg0
pause 3
report "# wg0=1380, and wg-quick without MTU=: $(< /sys/class/net/wg0/mtu)"

setmtu check > /run/check 2>&1 || true
check 'check warns, with the file' has 'check' "$(< /run/check)" "$file: warning: wg0: wg-quick sets an MTU of its own, not 1380"
command=$(sed -n 's/^ *\(sed -i .*\)/\1/p' /run/check)
check 'check prints a command' has 'command' "$command" "$file"
check 'the command works' bash -c "$command"
setmtu check > /run/check 2>&1 || true
check 'check is content' empty 'wg0 in check' "$(grep wg0 /run/check || true)"
for n in 1 2 3; do
        wg-quick down wg0
        check "start $n" wg-quick up wg0
        udevadm settle
        pause 1
        check "start $n: the line's MTU" mtu_is wg0 1380
done
wg-quick down wg0
rm $file
