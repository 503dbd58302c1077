/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* systemd's .link, .network and .netdev files: systemd.link(5), systemd.network(5), systemd.netdev(5). */

#include "sources/format/source_parser.h"
#include "system/systemd_ini.h"

/* The text of the parser is not used. */
void source_network_read(const struct source_parser *parser, const struct network_file *file);
