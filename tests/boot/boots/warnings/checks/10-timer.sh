# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# A boot writes the warnings to the journal, once. The timer waits a minute.

absent_rule='/etc/udev/rules.d/90-absent.rules:1: warning: absent0: udev has 1400 here, not 4000'

said() {
        is 'how often it is in the journal' "$(journal_of setmtu-check.service | grep -c -F "$absent_rule")" 1
}

# shellcheck disable=SC2034 # eventually's
patience_s=180
check 'the boot waits for nothing' unit_is setmtu-check.timer active
check 'the warning is in the journal' eventually said
check 'with its command' has journal "$(journal_of setmtu-check.service)" \
        '    ${EDITOR:-vi} +1 /etc/udev/rules.d/90-absent.rules'
check 'as a warning' has journal "$(journalctl --boot --priority=warning --output=cat --unit=setmtu-check.service)" "$absent_rule"
check 'the unit has not failed' eventually unit_is setmtu-check.service inactive
systemctl restart setmtu-configure.service
sleep 5
check 'not again' said
