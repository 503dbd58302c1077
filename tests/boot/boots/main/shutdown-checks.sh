# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# Just before the power goes: a network mount may have been in use until a moment ago.

check 'shutdown does not restore: e1000e' mtu_is enp0s2 9000
check 'shutdown does not restore: hot-plugged' mtu_is plug0 4000
