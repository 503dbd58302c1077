/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Reads /proc/sys/KEY, where KEY has slashes for its dots: the number with this index in it, counted from 0.
 * A negative errno where it cannot be had; -EBADMSG: there is no such number. */
long long network_sysctl_read(const char *key, unsigned index);
