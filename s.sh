#!/bin/bash
a=lo; b=1500
IFS=', ' read -r a <<< ":,:"
ip link set "x$a" mtu 2000
ip link set "y$a" mtu 3000
