# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# setmtu.path: every save is taken up, however the editor makes it.

config=/etc/conf.d/setmtu

# at_rest: what the last save has started is over.
at_rest() {
        unit_is setmtu-saved.service inactive && ! systemctl --quiet is-active setmtu-reload.service &&
                empty 'jobs' "$(systemctl list-jobs --no-legend --plain)"
}

# By rename, as many editors do.
save() {
        cat > $config.new
        mv $config.new $config
}

without_path() {
        grep -v '^path[0-9]*=' $config || true
}

journal_tells_the_mistake() {
        has 'journal of setmtu-reload' "$(journal_of setmtu-reload)" "$config:$(grep -n '^path1=' $config | cut -d: -f1): error: " &&
                has 'journal of setmtu-reload' "$(journal_of setmtu-reload)" 'status=3/'
}

for device in path1 path2; do
        ip link add name $device type bridge
done

check 'enable' systemctl enable --now setmtu.path
{ without_path && echo path1=2200; } | save
check 'by rename' eventually set_and_active path1 2200
eventually at_rest
text=$(without_path && echo path1=2300)
echo "$text" > $config
check 'in place' eventually set_and_active path1 2300
eventually at_rest

mkdir /etc/conf.d/setmtu.d
echo path1=2400 > /etc/conf.d/setmtu.d/50-path.conf
check 'a drop-in, in a directory that was not there' eventually set_and_active path1 2400
eventually at_rest
rm -r /etc/conf.d/setmtu.d
check 'without the drop-in' eventually set_and_active path1 2300
eventually at_rest

# Away for a moment, as where an editor keeps a backup.
mv $config $config~
eventually unit_is setmtu-saved.service activating
cp $config~ $config
eventually at_rest
check 'away for a moment: no device has lost its MTU' set_and_active path1 2300
check 'away for a moment: its unit was left alone' empty 'stops' "$(journal_of setmtu@path1 | grep -i 'restored')"

for mtu in {2501..2512}; do
        { without_path && echo "path1=$mtu"; } | save
        sleep 0.1
done
check 'twelve in a row: the last one counts' eventually set_and_active path1 2512
eventually at_rest

# Saved while the one before is still being taken up.
mkdir -p /run/systemd/system/setmtu-reload.service.d
printf '%s\n' '[Service]' 'ExecStartPost=sleep 3' > /run/systemd/system/setmtu-reload.service.d/slow.conf
systemctl daemon-reload
{ without_path && echo path1=2601; } | save
eventually set_and_active path1 2601
unit_is setmtu-reload.service activating
{ without_path && echo path1=2602; } | save
check 'saved while the one before is being taken up' eventually set_and_active path1 2602
eventually at_rest
rm -r /run/systemd/system/setmtu-reload.service.d
systemctl daemon-reload

cp $config /run/good
{ without_path && echo path1=26k path2=2700; } | tr ' ' '\n' | save
check 'a mistake: the journal tells it' eventually journal_tells_the_mistake
eventually at_rest
check 'a mistake: its device is as before' set_and_active path1 2602
check 'a mistake: the good line beside it has no effect' mtu_is path2 1500
check 'a mistake: setmtu-reload has failed' unit_is setmtu-reload.service failed
check 'a mistake: the next save is awaited' unit_is setmtu.path active
save < /run/good
eventually at_rest
check 'mended: setmtu-reload has not failed' unit_is setmtu-reload.service inactive
check 'mended' set_and_active path1 2602

check 'disable' systemctl disable --now setmtu.path
{ without_path && echo path1=2800; } | save
sleep 2
check 'disabled: a save has no effect' mtu_is path1 2602
without_path | save
check 'disabled: reload by hand' setmtu reload
check 'disabled: reload by hand, the line is gone' mtu_is path1 1500
