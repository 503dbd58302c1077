# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# Docker: its containers have the MTU of its setting, whatever docker0 has.

. /usr/lib/setmtu-test/containers.sh
command=
daemon=/etc/docker/daemon.json

# More often in a minute than systemd lets it start.
restart_docker() {
        systemctl reset-failed docker.service docker.socket
        systemctl restart docker
        systemctl reset-failed docker.service docker.socket
}

check 'Docker runs' systemctl start docker
make_image docker
start docker old
start docker always --restart always
docker network create own > /run/own
start docker inown --network own
own=br-$(cut -c -12 /run/own)

check 'before' new_has docker bridge 1500
setmtu set docker0 auto > /run/messages 2>&1
check 'set: the bridge' mtu_is docker0 1400
check 'set says that containers have another one' has 'messages' "$(< /run/messages)" "$daemon: warning: docker0: Docker's containers get 1500, not 1400"
check 'set: containers have it' new_has docker bridge 1500
check 'doctor names the setting' judged docker0 "path does not carry it: *1500*docker0*1400. Set \"mtu\" in $daemon to 1400"
check 'the command has the number, and restarts Docker' has 'command' "$command" "echo '{ \"mtu\": 1400 }' > $daemon && systemctl restart docker"
check 'the command' typed
check 'new containers' new_has docker bridge 1400
check 'a container that ran' has_inside docker old 1400
check 'one that Docker starts itself' eventually has_inside docker always 1400
check 'docker0 is fine' judged docker0 'fine: '
check 'check is content' exits_with 0 grep -q ' 0 warnings' <(setmtu check 2>&1)

# A network that exists has what it was made with.
check 'a network of its own' new_has docker own 1500
check 'a network of its own: what ran was started again' has_inside docker inown 1500
check 'a network of its own: doctor' judged "$own" 'path does not carry it: *1500*up0*1400. Set com.docker.network.driver.mtu of a new network in its place, * to 1400'
check 'a network of its own: the command' typed
check 'a network of its own: new containers' new_has docker own 1400
check 'a network of its own: what runs' has_inside docker inown 1400
check 'a network of its own: fine' judged "br-$(docker network inspect -f '{{.Id}}' own | cut -c -12)" 'fine: '

# dockerd does not start with both, so that the line with the option is named.
rm $daemon
echo 'DOCKER_OPTS="--mtu=1450"' > /etc/default/docker
restart_docker
check 'on the command line: before' new_has docker bridge 1450
docker start old > /run/started
check 'on the command line: doctor' judged docker0 'path does not carry it: *1450*1400. Set the MTU in /etc/default/docker:1 to 1400'
check 'on the command line: the command' typed
check 'on the command line: new containers' new_has docker bridge 1400
check 'on the command line: what ran' has_inside docker old 1400
echo '{ "mtu": 1400 }' > $daemon
check 'dockerd with both' exits_with 1 dockerd --validate --mtu=1400
check 'dockerd with both: why' has 'message' "$(< /run/setmtu-test/said)" 'specified both as a flag and in the configuration file: mtu'
rm /etc/default/docker

# With live-restore, containers outlive the restart, and the network with them.
echo '{ "live-restore": true, "mtu": 1450, "default-network-opts": { "bridge": { "com.docker.network.driver.mtu": "1380" } } }' > $daemon
restart_docker
docker start old > /run/started
check 'live-restore: before' has_inside docker old 1450
check 'live-restore: doctor' judged docker0 "path does not carry it: *1450*1400. Set the MTU in $daemon:1 to 1400"
check 'live-restore: the command' typed
check 'live-restore: what runs' has_inside docker old 1450
check 'live-restore: doctor again' judged docker0 "path does not carry it: *1450*1400. $daemon:1 has 1400 already: restart the older containers"
check 'live-restore: the other command' typed
check 'live-restore: what ran' has_inside docker old 1400
check 'live-restore: new containers' new_has docker bridge 1400
docker network create later > /run/later
check 'a network to come has what the other key says' new_has docker later 1380
check 'all is fine' judged docker0 'fine: '
docker rm --force old always inown > /run/removed
docker network rm own later > /run/removed
systemctl stop docker.socket docker
