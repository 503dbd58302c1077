/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* /etc/conf.d/net of OpenRC's netifrc: mtu_eth0="9000". */

#include "sources/reading.h"

int source_openrc_read(const struct reading *reading);
