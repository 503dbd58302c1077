#!/bin/sh
ip link set eth5 mtu 1502
