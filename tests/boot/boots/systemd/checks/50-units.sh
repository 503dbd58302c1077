# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# What systemd thinks of setmtu.path, setmtu-check.timer and the units behind them.

for unit in setmtu.path setmtu-drop-ins.path setmtu-{saved,reload,check,configure}.service setmtu-check.timer setmtu@enp0s2.service; do
        check "systemd-analyze verify: $unit" verify_is_silent $unit
done
# Too slow here to be reached by saves.
for unit in setmtu-saved.service setmtu-reload.service; do
        check "no start limit: $unit" is 'StartLimitIntervalUSec' \
                "$(systemctl show --property=StartLimitIntervalUSec --value $unit)" 0
done
check 'exposure of setmtu-reload is at most 2.0' exposure_is_low setmtu-reload.service
check 'exposure of setmtu-saved is at most 0.5' exposure_is_low setmtu-saved.service 5
check 'exposure of setmtu-configure is at most 2.7' exposure_is_low setmtu-configure.service 27
check 'exposure of setmtu-check is at most 2.0' exposure_is_low setmtu-check.service
# setmtu-apply gives up more by itself, which systemd-analyze does not see; the boot `main` does.
check 'exposure of setmtu@ is at most 6.7' exposure_is_low setmtu@enp0s2.service 67
check 'exposure of setmtu-metrics is at most 2.1' exposure_is_low setmtu-metrics.service 21

# In the unit's sandbox, and in another user's directory.
install -d -o nobody /var/lib/prometheus /var/lib/prometheus/node-exporter
mkdir -p /run/systemd/system/setmtu-metrics.service.d
printf '%s\n' '[Service]' 'Environment=PROBE_HOSTS=127.0.0.1' > /run/systemd/system/setmtu-metrics.service.d/hosts.conf
systemctl daemon-reload
metrics_are_written() {
        systemctl start setmtu-metrics.service || { journal_of setmtu-metrics.service && return 1; }
}
check 'metrics: written' metrics_are_written
check 'metrics: each file is of the owner of the directory' is 'owners and files' \
        "$(stat -c '%U %n' /var/lib/prometheus/node-exporter/* | sed 's,/.*/,,' | xargs)" \
        'nobody setmtu-path-127.0.0.1.prom nobody setmtu-traffic.prom nobody setmtu.prom'
rm -r /var/lib/prometheus /run/systemd/system/setmtu-metrics.service.d

# A unit that has failed, and what doctor says to type.
mkdir -p /run/systemd/system/setmtu-configure.service.d
printf '%s\n' '[Service]' 'ExecStart=' 'ExecStart=sh -c "echo this fails; false"' > /run/systemd/system/setmtu-configure.service.d/fail.conf
systemctl daemon-reload
systemctl restart setmtu-configure.service || :
check 'doctor names it' has doctor "$(setmtu doctor || :)" 'setmtu-configure.service has failed'
command=$({ setmtu doctor || :; } | grep -A 1 'setmtu-configure.service has failed' | sed -n '2s/^    //p')
report "# $command"
says_why() {
        has "$command" "$(bash -euc "${command:-false}" 2>&1)" 'this fails'
}
check 'its command says why' eventually says_why
rm -r /run/systemd/system/setmtu-configure.service.d
systemctl daemon-reload
systemctl restart setmtu-configure.service
check 'doctor: no more' is 'failed units' "$({ setmtu doctor || :; } | grep -c 'has failed' || :)" 0
