# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash disable=SC2154
#
# The boot itself: nothing waited, nothing else failed. absent0 has a line and a link from the days of the hand-written
# unit (multi-user.target.wants), and is not there.

# shellcheck source=/dev/null
source /usr/lib/setmtu-test/baseline

# A job that waits for a device does so for 90 s. Two boots of an idle host differ by a second or two, those of a busy one
# by half a minute; what waits for less than this is found by the next two checks.
tolerance_us=60000000

multi_user_us=$(systemctl show --property=ActiveEnterTimestampMonotonic --value multi-user.target)
report "# multi-user.target after $((multi_user_us / 1000)) ms, without setmtu after $((baseline_multi_user_us / 1000)) ms"

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
check 'absent device: multi-user.target is not 90 s later than without setmtu' \
        at_most 'µs to multi-user.target' "$multi_user_us" $((baseline_multi_user_us + tolerance_us))
check 'absent device: no job is waiting' eventually no_job_waits
check 'absent device: nothing waited for it' nobody_expected_the_absent_device
check 'absent device, with the old multi-user.target.wants link: its unit is skipped' absent_unit_is_skipped
check 'rtl8139=9000: its unit has failed' eventually unit_is setmtu@enp0s3.service failed
check 'rtl8139=9000: no other unit has failed' only_the_rtl8139_failed
check 'setmtu-configure has run' unit_is setmtu-configure.service active
