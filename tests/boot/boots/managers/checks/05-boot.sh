# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# What the boot has left, before anything is edited.

if [[ -x /usr/bin/netctl ]]; then
        check "netctl's hook was written by the boot" test -x /etc/netctl/interfaces/enp0s3
fi
