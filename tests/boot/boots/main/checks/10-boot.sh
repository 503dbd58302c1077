# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash disable=SC2154
#
# The boot itself: nothing waited, nothing else failed. absent0 has a line and a link from the days of the hand-written
# unit (multi-user.target.wants), and is not there.

no_job_waits() {
        empty 'jobs' "$(systemctl list-jobs --no-legend --plain | grep -v boot-checks)"
}

nobody_expected_the_absent_device() {
        empty 'messages about waiting' "$(journalctl --boot --no-pager --output=cat | grep -E 'Expecting device .*absent0|Timed out waiting')"
}

absent_unit_is_skipped() {
        unit_is setmtu@absent0.service inactive &&
                is 'condition of setmtu@absent0' "$(systemctl show --property=ConditionResult --value setmtu@absent0)" no
}

only_the_rtl8139_failed() {
        is 'failed units' "$(systemctl list-units --state=failed --no-legend --plain | awk '{ print $1 }')" setmtu@enp0s3.service
}

check 'the boot reached multi-user.target' unit_is multi-user.target active
check 'absent device: no job is waiting' eventually no_job_waits
check 'absent device: nothing waited for it' nobody_expected_the_absent_device
check 'absent device, with the old multi-user.target.wants link: its unit is skipped' absent_unit_is_skipped
check 'rtl8139=9000: its unit has failed' eventually unit_is setmtu@enp0s3.service failed
check 'rtl8139=9000: no other unit has failed' only_the_rtl8139_failed
check 'setmtu-configure has run' unit_is setmtu-configure.service active
