/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* systemd's .link, .network and .netdev files: systemd.link(5), systemd.network(5), systemd.netdev(5). */

#include "sources/reading.h"
#include "system/systemd_ini.h"

/* The text of the reading is not used. */
int source_network_read(const struct reading *reading, const struct network_file *file);

/* Reads what is in the reading: as a .network file, where its name says nothing else, and as a .link file.
 */
int source_network_read_text(const struct reading *reading);
int source_link_read_text(const struct reading *reading);
