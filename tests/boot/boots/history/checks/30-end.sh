# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# What the record outlasts, and what ends it.

ip link add fight0 mtu 1333 type dummy 2> /dev/null || true

systemctl daemon-reexec
ip link set fight0 mtu 1334
check 'daemon-reexec' has 'the last event' "$(setmtu history fight0 | tail -n 1)" '1333 -> 1334'
check 'a second start leaves it alone' has 'what it says' "$(/usr/libexec/setmtu/setmtu-history 2>&1)" 'recorded already'
check 'and what is recorded' has 'the last event' "$(setmtu history fight0 | tail -n 1)" '1333 -> 1334'
systemctl stop setmtu-history.service
check 'stopped: nothing is left' test ! -e /sys/fs/bpf/setmtu
check 'stopped: said so' exits_with 20 setmtu history
check 'stopped: with the command' has 'what it says' "$(setmtu history 2>&1)" 'systemctl enable --now setmtu-history'
systemctl start setmtu-history.service
check 'started again' exits_with 0 setmtu history
umount /sys/fs/bpf
check '/sys/fs/bpf unmounted: said so' has 'what it says' "$(setmtu history 2>&1)" \
        'mount -t bpf bpf /sys/fs/bpf && systemctl restart setmtu-history'
mount -t bpf bpf /sys/fs/bpf
systemctl restart setmtu-history
check 'mounted and restarted' exits_with 0 setmtu history
ip link set fight0 mtu 1335
setpriv=$(setpriv --reuid=65534 --clear-groups setmtu history 2>&1) && status=0 || status=$?
check 'not for other users' is 'exit status' "$status" 1
check 'and told why' has 'what it says' "$setpriv" 'root'

if systemctl --help | grep -q soft-reboot; then
        soft_reboot
fi
