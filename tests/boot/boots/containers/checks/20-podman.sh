# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# Podman: netavark up to 1.15 gives containers 1500; later ones give them what the default route has when the bridge is made.

. /usr/lib/setmtu-test/containers.sh

netavark=$(/usr/lib/podman/netavark --version | sed -n 's/^netavark 1\.\([0-9]*\).*/\1/p;q')
usual=1500
((netavark < 16)) || usual=1400
make_image podman
check 'before' new_has podman podman $usual
ip link set up0 mtu 1500
start podman pold
podman network create --disable-dns pown > /run/pown
start podman pinown --network pown
check 'with a wider uplink' has_inside podman pold 1500
ip link set up0 mtu 1400
setmtu set podman0 auto > /run/messages 2>&1
check 'set: the bridge' mtu_is podman0 1400
check 'set: what runs' has_inside podman pold 1500
check 'doctor' judged podman0 'path does not carry it: *1500*podman0*1400. Set the option mtu of the network podman to 1400'
check 'the command' typed
check 'new containers' new_has podman podman 1400
check 'what runs' has_inside podman pold 1500
check 'doctor again' judged podman0 'path does not carry it: *1500*1400. /etc/containers/networks/podman.json:* has 1400 already: restart the older containers'
check 'the other command' typed
check 'what ran' has_inside podman pold 1400
check 'podman0 is fine' judged podman0 'fine: '

check 'a network of its own: doctor' judged podman1 'path does not carry it: *1500*up0*1400. Set the option mtu of the network to 1400'
check 'a network of its own: the command' typed
check 'a network of its own: new containers' new_has podman pown 1400
podman restart pinown > /run/restarted
check 'a network of its own: what ran' has_inside podman pinown 1400
check 'a network of its own: fine' judged podman1 'fine: '
podman rm --force pold pinown > /run/removed
