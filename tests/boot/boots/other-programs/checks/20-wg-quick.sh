# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# wg-quick sets an MTU after it has made the device: where its file has none, it computes one, here 1420. Whether the unit is faster
# is chance otherwise, so that wg-quick waits for it here.

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
# wg-quick calls it between the device and its MTU.
wg() {
        local n
        for ((n = 0; n < 60; n++)); do
                [[ $1 == setconf ]] || break
                systemctl --quiet is-active setmtu@wg0.service && (($(< /sys/class/net/wg0/mtu) == 1380)) && break
                sleep 1
        done
        command wg "$@"
}
export -f wg

echo 'wg0=1380' >> /etc/conf.d/setmtu
check 'reload' setmtu reload
check 'without MTU=' wg-quick up wg0
check 'without MTU=: wg-quick has its own' mtu_is wg0 1420

setmtu check > /run/check 2>&1 || true
check 'check warns, with the file' has 'check' "$(< /run/check)" "$file: warning: wg0: wg-quick sets an MTU of its own, not 1380"
command=$(sed -n 's/^ *\(sed -i .*\)/\1/p' /run/check)
check 'check prints a command' has 'command' "$command" "$file"
check 'the command works' bash -c "$command"
setmtu check > /run/check 2>&1 || true
check 'check is content' empty 'wg0 in check' "$(grep wg0 /run/check || true)"
check 'down' wg-quick down wg0
check 'with MTU=' wg-quick up wg0
check "with MTU=: the line's" mtu_is wg0 1380
check 'down again' wg-quick down wg0
rm $file
