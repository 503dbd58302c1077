#!/bin/sh
[ -x /usr/sbin/ethtool ] || exit 0
if [ ! -f /usr/sbin/ethtool ]; then exit; fi
if [ -d /usr/sbin ] && command -v ethtool >/dev/null 2>&1 && which ethtool >/dev/null; then
	ip link set eth2 mtu 4002
fi
[ -x /opt/tuning.sh ] && ip link set eth3 mtu 4003
if [ -f /usr/sbin ] || [ -d /usr/sbin/ethtool ]; then ip link set eth4 mtu 4004; fi
if command -v nmcli >/dev/null; then ip link set eth5 mtu 4005; fi
if type tuning.sh >/dev/null; then ip link set eth6 mtu 4006; fi
# What $(...) does with return is its own.
f() { X=$(test -e /x || return 1); M=4007; }
f
ip link set eth7 mtu $M
command -p /opt/there-too.sh
hash -t tuning.sh && ip link set eth9 mtu 4009
