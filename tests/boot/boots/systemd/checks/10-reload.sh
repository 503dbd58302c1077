# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# setmtu reload, after edits by hand.

config=/etc/conf.d/setmtu

for device in new1 new2 changed1 removed1 kept1; do
        ip link add name $device type bridge
done
printf '%s\n' changed1=3000 removed1=3100 kept1=3200 >> $config
check 'new lines: reload' exits_with 0 setmtu reload
for line in 'changed1 3000' 'removed1 3100' 'kept1 3200'; do
        # shellcheck disable=SC2086 # two words
        check "new lines: $line" set_and_active $line
done

kept=$(journal_of setmtu@kept1)
sed -i 's/^changed1=.*/changed1=3050/; /^removed1=/d' $config
printf '%s\n' new1=3300 new2=3400 >> $config
check 'an edit: reload' exits_with 0 setmtu reload
check 'an edit: a line that is new' set_and_active new1 3300
check 'an edit: another line that is new' set_and_active new2 3400
check 'an edit: a line that has changed' set_and_active changed1 3050
check 'an edit: a line that is gone, the old MTU' mtu_is removed1 1500
check 'an edit: a line that is gone, its unit' unit_is setmtu@removed1.service inactive
check 'an edit: a line that has stayed' set_and_active kept1 3200
check 'an edit: a line that has stayed, its unit was left alone' is 'its journal' "$(journal_of setmtu@kept1)" "$kept"

# systemd need not reload where no unit comes or goes, and has nothing to say of the edit afterwards.
# The commands themselves set the number and write the rule: no service starts.
loaded=$(systemctl show --value --property UnitsLoadFinishTimestampMonotonic)
journal=$(journal_of setmtu@changed1)$(journal_of setmtu-configure)
sed -i 's/^changed1=.*/changed1=3055/' $config
check 'another number: reload' exits_with 0 setmtu reload
check 'another number: is set' set_and_active changed1 3055
check 'another number: set' exits_with 0 setmtu set changed1 3050
check 'another number: no service was started' is 'their journals' "$(journal_of setmtu@changed1)$(journal_of setmtu-configure)" "$journal"
check 'another number: the rule' grep -q 'SETMTU_MTU}="3050"' /run/udev/rules.d/81-setmtu.rules
check 'another number: systemd was not reloaded' is 'when it was' \
        "$(systemctl show --value --property UnitsLoadFinishTimestampMonotonic)" "$loaded"
check 'another number: no reload is due' is 'NeedDaemonReload' \
        "$(systemctl show --value --property NeedDaemonReload setmtu@changed1.service setmtu-configure.service | sort -u | xargs)" no

# An active unit that is masked keeps its device as it is.
systemctl mask --runtime setmtu@kept1.service
sed -i 's/^kept1=.*/kept1=3210/' $config
check 'masked, another number: reload' exits_with 0 setmtu reload
check 'masked, another number: left alone' mtu_is kept1 3200
systemctl unmask --runtime setmtu@kept1.service
sed -i 's/^kept1=.*/kept1=3200/' $config
check 'unmasked: reload' exits_with 0 setmtu reload

# The program of a unit has read the line before the edit, and sets its number late: after reload, unless that waits.
ip link add name slow1 type bridge
mkdir /run/systemd/system/setmtu@slow1.service.d
cat > /run/slow << 'EOF'
#!/bin/sh
for i in $(seq 50); do
        [ "$(cat /sys/class/net/slow1/mtu)" = 3600 ] || break
        sleep 0.1
done
ip link set slow1 mtu 3600
EOF
chmod +x /run/slow
printf '[Service]\nExecStartPost=+/run/slow\n' > /run/systemd/system/setmtu@slow1.service.d/slow.conf
echo slow1=3600 >> $config
systemctl daemon-reload
systemctl start --no-block setmtu@slow1
check 'a slow unit: has the old number' eventually mtu_is slow1 3600
check 'a slow unit: runs' unit_is setmtu@slow1.service activating
sed -i 's/^slow1=.*/slow1=3700/' $config
check 'a slow unit: reload' exits_with 0 setmtu reload
check 'a slow unit: the new number' set_and_active slow1 3700

# A unit that starts while systemd reloads, as the event of a new device makes it: reload waits for it.
sed -i '/^slow1=/d' $config
check 'a unit that starts meanwhile: reload without its line' exits_with 0 setmtu reload
printf '#!/bin/sh\nsleep 1\n' > /run/slow
mkdir -p /run/systemd/system-generators
printf '#!/bin/sh\nsetsid systemctl start --no-block setmtu@slow1 &\n' > /run/systemd/system-generators/start
chmod +x /run/systemd/system-generators/start
echo slow1=3800 >> $config
check 'a unit that starts meanwhile: reload' exits_with 0 setmtu reload
check 'a unit that starts meanwhile: is active' set_and_active slow1 3800
rm -r /run/systemd/system/setmtu@slow1.service.d /run/systemd/system-generators
systemctl daemon-reload

# A device that comes by the new rule, not only those that are there.
ip link delete dev new1
eventually unit_is setmtu@new1.service inactive
ip link add name new1 type bridge
check 'an edit: a device that comes then' eventually set_and_active new1 3300

cp $config /run/good
sed -i '/^new2=/d; s/^changed1=.*/changed1=3060/; s/^kept1=.*/kept1=32k/' $config
printf '%s\n' removed1=3100 >> $config
loaded=$(ls -lR --time-style=full-iso /run/systemd/generator)
check 'a mistake: exit code 3' exits_with 3 setmtu reload
check 'a mistake: a new line beside it has no effect' mtu_is removed1 1500
check 'a mistake: a changed line beside it has no effect' set_and_active changed1 3050
check 'a mistake: a line that is gone beside it has no effect' set_and_active new2 3400
check 'a mistake: its own device is as before' set_and_active kept1 3200
check 'a mistake: systemd was not reloaded' is 'what the generator made' \
        "$(ls -lR --time-style=full-iso /run/systemd/generator)" "$loaded"
cp /run/good $config
check 'mended: reload' exits_with 0 setmtu reload

# Lines that contradict each other, and one that is gone: no order of changes puts these into effect.
ip link add name lower1 type bridge
ip link add link lower1 name upper1 type macvlan
contradicts() {
        check "$1: exit code 3" exits_with 3 setmtu reload
        setmtu reload 2> /run/messages || true
        check "$1: names both" has 'messages' "$(< /run/messages)" "error: upper1: $2"
        check "$1: nothing has changed" has 'messages' "$(< /run/messages)" 'nothing was changed'
        check "$1: the device below" mtu_is lower1 "$3"
        check "$1: a changed line beside it has no effect" set_and_active changed1 3050
        sed -i 's/^changed1=.*/changed1=3050/' $config
}
lines=$(wc -l < $config)
sed -i 's/^changed1=.*/changed1=3070/' $config
printf '%s\n' upper1=9000 lower1=4000 >> $config
contradicts 'a contradiction' "9000 is more than the device below it will carry: lower1 has 4000 in $config:$((lines + 2))" 1500
sed -i 's/^lower1=.*/lower1=9000/' $config
check 'no contradiction: reload' exits_with 0 setmtu reload
check 'no contradiction: is set' set_and_active upper1 9000
sed -i '/^lower1=/d; s/^changed1=.*/changed1=3070/' $config
contradicts 'a lower line that is gone' '9000 is more than the device below it will carry: lower1 has no valid line any more and gets 1500 back' 9000
check 'a lower line that is gone: the device on top' mtu_is upper1 9000
sed -i '/^upper1=/d; s/^changed1=.*/changed1=70000/; s/^kept1=.*/kept1=3250/' $config
check 'a value out of range: reload fails' exits_with 1 setmtu reload
check 'a value out of range: another line has its effect' set_and_active kept1 3250
check 'a value out of range: lines that are gone' mtu_is lower1 1500
sed -i 's/^changed1=.*/changed1=3050/; s/^kept1=.*/kept1=3200/' $config
check 'a value in range: reload' exits_with 0 setmtu reload
systemctl reset-failed
check 'nothing has failed' empty 'failed units' "$(systemctl list-units --state=failed --no-legend --plain)"
