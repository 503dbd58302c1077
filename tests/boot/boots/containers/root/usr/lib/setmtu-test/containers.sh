# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# What the checks of all engines do. Containers have busybox and nothing else.

mtu_inside=(/bin/busybox sh -c 'cat /sys/class/net/eth*/mtu')

# make_image ENGINE
make_image() {
        tar -C /usr -c bin/busybox | "$1" import - box > /run/image 2>&1
}

# start ENGINE NAME OPTION…: a container that runs.
start() {
        "$1" run --detach --stop-signal KILL --name "$2" "${@:3}" box /bin/busybox sleep 100000 > "/run/container-$2"
}

# new_has ENGINE NETWORK MTU: a container that is started now.
new_has() {
        is "MTU of a new container in $2" "$("$1" run --rm --network "$2" box "${mtu_inside[@]}" 2>&1)" "$3"
}

# has_inside ENGINE NAME MTU: one that runs.
has_inside() {
        is "MTU in $2" "$("$1" exec "$2" "${mtu_inside[@]}" 2>&1)" "$3"
}

command=

# judged DEVICE VERDICT-AND-REASON: by doctor, as a pattern; $command is what it prints to type.
judged() {
        local judgement
        setmtu doctor --json > /run/doctor || true
        judgement=$(jq -r --arg name "$1" '.devices[] | select(.name == $name) |
                .verdict + ": " + [.findings[] | select(.verdict != "fine")][0].reason' /run/doctor)
        command=$(jq -r --arg name "$1" '.devices[] | select(.name == $name) | .command // ""' /run/doctor)
        matches 'doctor' "$judgement" "$2"
}

# A person who writes 1400 in place of the number, or that number where there is none.
cat > /run/editor << 'END'
#!/bin/bash
sed -i -E 's/(mtu[": =]+)[0-9]+/\11400/; /mtu/!s/"bridge": /"mtu": 1400, &/' "${@: -1}"
END
chmod +x /run/editor

# typed: the command of doctor, as it is.
typed() {
        EDITOR=/run/editor bash -c "$command"
}

# An uplink that carries less than the usual.
if [[ ! -e /run/uplink ]]; then
        ip link set up0 mtu 1400 up
        ip link set up0p up
        ip address add 10.9.0.1/24 dev up0
        ip route add default via 10.9.0.2
        touch /run/uplink
fi
