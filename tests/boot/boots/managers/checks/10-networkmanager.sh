# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# NetworkManager: at boot, through everything that it does to a device by itself, and after edits.

# shellcheck source=/dev/null
source /usr/lib/setmtu-test/managers.sh

report "# NetworkManager $(NetworkManager --version), systemd $(systemctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')"

nm() {
        nmcli --wait 60 "$@" > /run/nmcli 2>&1 || { cat /run/nmcli; return 1; }
}

check 'NetworkManager has the NIC' eventually status_has enp0s2 backend networkmanager
check 'NetworkManager gives it an address' eventually has_address enp0s2 10.0.2
who_wins NetworkManager 'boot, DHCP' enp0s2 4000 1500 setmtu
check 'auto: right from birth' eventually set_and_active enp0s4 3000
check 'auto: NetworkManager has it' eventually status_is enp0s4 backend networkmanager
check 'auto: and why' status_has enp0s4 backend_reason 'NetworkManager has the device'
check 'setmtu-configure has not waited for it' unit_is setmtu-configure.service active
check 'the file is read' has print-config "$(NetworkManager --print-config)" '[connection-setmtu-enp0s2]'
check 'and nothing in it is unknown' empty warnings "$(journal_of NetworkManager.service | grep -i 'unknown key' || true)"

# A connection that DHCP gives another MTU.
make_pair nm0
serve_dhcp nm0 10.7.0
nm connection add type ethernet ifname nm0 con-name nm0 ipv6.method disabled
check 'up without a line' nm connection up nm0
who_wins NetworkManager 'no line, DHCP option 26' nm0 none 1300 NetworkManager

configure 'nm0="4000 backend=unit"'
who_wins NetworkManager 'backend unit, an edit' nm0 4000 1300 setmtu
nm connection up nm0
who_wins NetworkManager 'backend unit, activation, DHCP option 26' nm0 4000 1300 NetworkManager

configure 'nm0="4000 backend=networkmanager"'
who_wins NetworkManager 'an edit, DHCP option 26' nm0 4000 1300 setmtu
configure 'nm0="5000 backend=networkmanager"'
who_wins NetworkManager 'another edit' nm0 5000 4000 setmtu
check 'its address has stayed' has_address nm0 10.7.0
nm connection up nm0
who_wins NetworkManager 'activation, DHCP option 26' nm0 5000 1300 setmtu
nm device reapply nm0
who_wins NetworkManager 'reapply, DHCP option 26' nm0 5000 1300 setmtu
ip link set nm0 mtu 1700
nm device reapply nm0
who_wins NetworkManager 'reapply after a change by hand' nm0 5000 1700 setmtu
systemctl restart NetworkManager.service
check 'connected again' eventually nm device show nm0
check 'with its address' eventually has_address nm0 10.7.0
who_wins NetworkManager 'restart, DHCP option 26' nm0 5000 1300 setmtu
ip link del nm0
make_pair nm0
serve_dhcp nm0 10.7.0
check 'hot-plug: connected by itself' eventually has_address nm0 10.7.0
who_wins NetworkManager 'hot-plug, DHCP option 26' nm0 5000 1300 setmtu

# Addresses of others stay, and an edit of the profile is not taken up behind its owner's back.
ip address add 10.7.9.9/32 dev nm0
nm connection modify nm0 +ipv4.addresses 10.7.8.8/24
configure 'nm0="4500 backend=networkmanager"'
who_wins NetworkManager 'an edit beside one of the profile' nm0 4500 5000 setmtu
check 'an address of somebody else stays' has_address nm0 10.7.9
check 'the edit of the profile waits for its time' empty 'its address' "$(ip -4 -oneline address show dev nm0 | grep 10.7.8 || true)"

nm connection modify nm0 ethernet.mtu 1400
nm connection up nm0
who_wins NetworkManager "the profile's own MTU" nm0 4500 1400 NetworkManager
check 'status tells' status_has nm0 backend_reason 'profile "nm0" gives it 1400'
check 'check tells' has 'setmtu check' "$(setmtu check 2>&1)" 'nm0: NetworkManager sets 1400, not 4500, on each activation'
configure 'nm0="4600 backend=networkmanager"'
who_wins NetworkManager "the profile's own MTU, an edit" nm0 4600 1400 NetworkManager
configure 'nm0="4700 backend=auto"'
who_wins NetworkManager "the profile's own MTU, auto, an edit" nm0 4700 1400 NetworkManager
nm connection modify nm0 ethernet.mtu 0
nm connection up nm0
who_wins NetworkManager 'auto, DHCP option 26' nm0 4700 1300 setmtu
configure
check 'the last line goes: the file goes' test ! -e /run/NetworkManager/conf.d/90-setmtu.conf
nm connection up nm0
who_wins NetworkManager 'no line any more' nm0 4700 1300 NetworkManager
nm connection delete nm0

# Each kind of device that NetworkManager makes.
kinds=(
        'nmbond bond'
        'nm-br bridge'
        'nmdummy dummy'
        'nm1.5 vlan dev nm1 id 5'
        'nmmac macvlan dev nm1 mode bridge'
        'nmvx vxlan id 5 remote 10.7.0.1'
        'nmtap tun mode tap'
        'nm;e,d\x bridge'
)
make_pair nm1
nm connection add type ethernet ifname nm1 con-name nm1 ipv4.method disabled ipv6.method disabled
lines=('SETMTU_BACKEND=networkmanager' 'nm1=5000')
for kind in "${kinds[@]}"; do
        lines+=("${kind%% *}=1450")
done
configure "${lines[@]}"
nm connection up nm1 || true
for kind in "${kinds[@]}"; do
        read -r name type rest <<< "$kind"
        # shellcheck disable=SC2086 # words
        nm connection add type "$type" ifname "$name" con-name "$name" ipv4.method disabled ipv6.method disabled $rest || cat /run/nmcli
        nm connection up "$name" || true
        who_wins NetworkManager "makes a device: $type ${name//[a-z0-9.-]/}" "$name" 1450 1500 setmtu
done
configure 'nmbond="1460 backend=networkmanager"'
who_wins NetworkManager 'a bond, an edit' nmbond 1460 1450 setmtu
configure
check 'its line goes: back to what was there before' eventually mtu_is nm1 1500
for kind in "${kinds[@]}"; do
        read -r name type rest <<< "$kind"
        nmcli connection delete "$name" > /dev/null 2>&1 || true
done
systemctl stop NetworkManager.service
