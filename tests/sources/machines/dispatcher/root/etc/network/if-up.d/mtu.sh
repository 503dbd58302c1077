#!/bin/sh
ip link set dev eth0 mtu 1200
