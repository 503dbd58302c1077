#!/bin/sh
ip link set eth8 mtu 4008
