/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* IRIX's /etc/config/ifconfig-N.options, for the interface that netif.options calls ifN. */

#include "sources/reading.h"

/* `netif` is the text of netif.options, or NULL where it is not there. */
int source_irix_read(const struct reading *reading, const char *netif, size_t netif_size);

/* Without it. */
int source_irix_read_text(const struct reading *reading);
