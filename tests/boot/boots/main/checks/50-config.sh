# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# Where lines come from, and what a bad one costs.

drop_in=/etc/conf.d/setmtu.d/50-bad-lines.conf

# reported TEXT: the generator has said, in the kernel's log, what is wrong with the drop-in's line that begins so.
reported() {
        local number
        number=$(grep -n "^$1" $drop_in | cut -d: -f1)
        has 'journal' "$(journalctl --boot --no-pager --quiet --output=cat --identifier=setmtu-generator)" \
                "$drop_in:$number: error: " &&
                has "kernel's log" "$(dmesg --notime | grep '^setmtu-generator')" \
                        "setmtu-generator: $drop_in:$number: error: "
}

for device in cmdline0 over0 good0 good1; do
        ip link add name $device type dummy
done
check "kernel's command line" eventually set_and_active cmdline0 4200
check "kernel's command line: wins over the file" eventually set_and_active over0 3300
check 'good line before bad ones' eventually set_and_active good0 2600
check 'good line after bad ones' eventually set_and_active good1 2700
for line in 'no equals sign' 'bad0=' 'a-name-of-more' 'bad1=' 'bad2='; do
        check "bad line '$line' is in the kernel's log" reported "$line"
done
check 'lo: set, and its unit active' set_and_active lo 60000
