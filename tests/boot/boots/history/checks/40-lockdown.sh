# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# A soft reboot keeps the record. Lockdown can only be raised.

if [[ -e /run/setmtu-test/was-soft-reboot ]]; then
        check 'soft reboot: what was recorded is there' has 'history' "$(setmtu history fight0)" '-> 1335'
        ip link set fight0 mtu 1336
        check 'soft reboot: and goes on' has 'history' "$(setmtu history fight0)" '1335 -> 1336'
        check 'soft reboot: the unit' eventually unit_is setmtu-history.service active
fi
[[ -e /sys/kernel/security/lockdown ]] || mount -t securityfs securityfs /sys/kernel/security
echo integrity > /sys/kernel/security/lockdown
systemctl restart setmtu-history.service || true
check 'lockdown=integrity: the unit' unit_is setmtu-history.service active
ip link set fight0 mtu 1340
check 'lockdown=integrity: recorded' has 'history' "$(setmtu history fight0)" '-> 1340'
echo confidentiality > /sys/kernel/security/lockdown
systemctl restart setmtu-history.service || true
check 'lockdown=confidentiality: the unit' unit_is setmtu-history.service failed
check 'lockdown=confidentiality: its exit status' is ExecMainStatus "$(systemctl show --property=ExecMainStatus --value setmtu-history)" 21
check 'lockdown=confidentiality: history' exits_with 21 setmtu history
check 'lockdown=confidentiality: told why' has 'what it says' "$(setmtu history 2>&1)" 'lockdown=confidentiality'
