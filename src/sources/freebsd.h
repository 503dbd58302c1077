/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* FreeBSD's rc.conf(5): ifconfig_alc0="mtu 9000", with the VLANs of that device, which take its MTU. */

#include "sources/reading.h"

int source_freebsd_read(const struct reading *reading);
