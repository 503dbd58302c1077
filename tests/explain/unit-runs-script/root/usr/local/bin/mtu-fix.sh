#!/bin/sh
set_mtu() {
    ip link set dev "$1" mtu "$2"
}
set_mtu "$1" 9000
