# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash

# shellcheck source=/dev/null
source /usr/lib/setmtu-test/managers.sh

falls_to_this_release NetworkManager || exit 0

manager=NetworkManager
prefix='nm'
look_at plain VLAN bridge bond || exit 0
subnets='10\.75?\.'

profiles=/etc/NetworkManager/system-connections

# profile DEVICE TYPE LINE…
profile() {
        printf '%s\n' '[connection]' "id=$1" "interface-name=$1" "type=$2" '[ipv4]' 'method=auto' '[ipv6]' 'method=disabled' \
                "[$2]" "${@:3}" > "$profiles/$1.nmconnection"
        chmod 0600 "$profiles/$1.nmconnection"
}

# port DEVICE OF KIND
port() {
        printf '%s\n' '[connection]' "id=$1" "interface-name=$1" 'type=ethernet' "master=$2" "slave-type=$3" \
                > "$profiles/$1.nmconnection"
        chmod 0600 "$profiles/$1.nmconnection"
}

write_profiles() {
        local mode
        profile nmc0 ethernet
        for mode in "${modes[@]:1}"; do
                profile "nm${mode}0" ethernet
                ! has_kind VLAN || profile "nm${mode}0.5" vlan 'id=5' "parent=nm${mode}0"
                if has_kind bridge; then
                        profile "nm${mode}br" bridge 'stp=false'
                        port "nm${mode}1" "nm${mode}br" bridge
                fi
                if has_kind bond; then
                        profile "nm${mode}bo" bond 'mode=active-backup'
                        port "nm${mode}2" "nm${mode}bo" bond
                fi
        done
}

restart() {
        systemctl restart NetworkManager.service
}

replug() {
        unplug
        plug
}

write_profiles
nmcli connection reload
give_lines
situation 'first activation' plug
situation 'reapply' each nmcli device reapply
situation 'restart' restart
other='' situation 'edit' edit
! look_at plain VLAN || situation 'hot-plug' replug

if look_at plain; then
        other=1400
        for mode in "${modes[@]}"; do
                profile "nm${mode}0" ethernet mtu=1400
        done
        nmcli connection reload
        situation 'its profile says 1400' each nmcli connection up
fi

rm -f "$profiles"/nm*
nmcli connection reload
clean_up
if ! is_whole; then
        systemctl stop NetworkManager.service
        exit
fi

nm() {
        nmcli --wait 60 "$@" > /run/nmcli 2>&1 || { cat /run/nmcli; return 1; }
}

# What the backend of that name does besides, on one connection.
if is_contained; then
        plug_one nm0
        nm connection add type ethernet ifname nm0 con-name nm0 ipv6.method disabled
        configure 'nm0="5000 backend=networkmanager"'
        check 'up' nm connection up nm0
        check 'its MTU' eventually mtu_is nm0 5000
        # Addresses of others stay, and an edit of the profile is not taken up behind its owner's back.
        ip address add 10.9.9.9/32 dev nm0
        nm connection modify nm0 +ipv4.addresses 10.9.8.8/24
        configure 'nm0="4500 backend=networkmanager"'
        check 'an edit beside one of the profile' eventually mtu_is nm0 4500
        check 'its address has stayed' has_address nm0 10.7.1
        check 'an address of somebody else stays' has_address nm0 10.9.9
        check 'the edit of the profile waits for its time' exits_with 1 has_address nm0 10.9.8
        check 'set' setmtu set nm0 4200
        check 'set: at once' mtu_is nm0 4200
        nm connection up nm0
        check 'set: at the next activation, too' eventually mtu_is nm0 4200
        nm connection modify nm0 ethernet.mtu 1400
        nm connection up nm0
        check 'explain tells of an MTU of the profile' explain_has nm0 'profile "nm0" with the MTU 1400'
        check 'check tells of it' has 'setmtu check' "$(setmtu check 2>&1)" 'nm0: NetworkManager sets 1400, not 4200: its profile "nm0" has that MTU'
        configure
        check 'the last line goes: the file goes' test ! -e /run/NetworkManager/conf.d/90-setmtu.conf
        nm connection delete nm0
        ip link del nm0
fi

# Each kind of device that NetworkManager makes and the table does not have.
others=()
! has_kind dummy || others+=('nmdummy dummy')
! is_contained || others+=(
        'nmmac macvlan dev nm1 mode bridge'
        'nmvx vxlan id 5 remote 10.7.0.1'
        'nmtap tun mode tap'
        'nm;e,d\x bridge'
)
# In a container NetworkManager has a NIC besides, and the macvlan is on it.
if is_contained; then
        plug_one nm1
        nm connection add type ethernet ifname nm1 con-name nm1 ipv4.method disabled ipv6.method disabled
        # A device that NetworkManager does not yet know gets its MTU from NetworkManager alone, which then alone knows the one before.
        eventually nm connection up nm1 || true
fi
lines=('SETMTU_BACKEND=networkmanager' 'nm1=5000')
for kind in "${others[@]}"; do
        lines+=("${kind%% *}=1450")
done
configure "${lines[@]}"
! is_contained || nm connection up nm1 || true
for kind in "${others[@]}"; do
        read -r name type rest <<< "$kind"
        # shellcheck disable=SC2086 # words
        nm connection add type "$type" ifname "$name" con-name "$name" ipv4.method disabled ipv6.method disabled $rest || cat /run/nmcli
        nm connection up "$name" || true
        check "a $type ${name//[a-z0-9.-]/} that NetworkManager makes" eventually mtu_is "$name" 1450
done
if is_contained; then
        check 'its line goes' setmtu unset nm1
        check 'its line goes: back to what was there before' mtu_is nm1 1500
fi
configure
for kind in "${others[@]}"; do
        nm connection delete "${kind%% *}" || true
done
if is_contained; then
        nm connection delete nm1
        ip link del nm1
fi
systemctl stop NetworkManager.service
