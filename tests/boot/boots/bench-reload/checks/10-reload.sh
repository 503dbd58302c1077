# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# A changed number: how long setmtu reload takes, and until the device has it, beside networkctl reload with a changed .network file,
# which sets nothing, and a daemon-reload, in turn. Milliseconds of one run compare with each other only.

mkdir -p /etc/conf.d
echo enp0s4=8000 > /etc/conf.d/setmtu
setmtu reload
check 'the first value' eventually mtu_is enp0s4 8000
file=/etc/systemd/network/40-enp0s3.network
printf '[Match]\nName=enp0s3\n[Network]\nLinkLocalAddressing=no\n[Link]\nMTUBytes=1500\n' > $file
networkctl reload

# milliseconds COMMAND…
milliseconds() {
        local begin=${EPOCHREALTIME/./}
        "$@" > /run/output.$BASHPID 2>&1 || cat /run/output.$BASHPID >&2
        echo $(((${EPOCHREALTIME/./} - begin) / 1000))
}

for ((round = 0; round < 9; round++)); do
        mtu=$((7000 + round))
        sed -i "s/=.*/=$mtu/" /etc/conf.d/setmtu
        poll_s=0.01 milliseconds eventually mtu_is enp0s4 $mtu > /run/in-effect &
        setmtu_ms=$(milliseconds setmtu reload)
        wait $!
        check "round $round: in effect" mtu_is enp0s4 $mtu
        sed -i "s/^MTUBytes=.*/MTUBytes=$((2000 + round))/" $file
        networkctl_ms=$(milliseconds networkctl reload)
        report "# round $round: setmtu reload $setmtu_ms ms, in effect after $(< /run/in-effect), networkctl reload $networkctl_ms ms, daemon-reload $(milliseconds systemctl daemon-reload) ms"
done
