/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The .link and .network files of this machine, as systemd-udevd and systemd-networkd find them:
 * conf_files_list_strv() in systemd's src/basic/conf-files.c, config_parse_many() in
 * src/shared/conf-parser.c. */

#include "base/attributes.h"
#include "config/diagnostic.h"
#include "network_files/network_file.h"

/* Reads those whose names end in `suffix`, of which the first of the directories that has one counts, with
 * their drop-ins. Left out are those that are masked (empty, or a link to /dev/null), those that setmtu has
 * written, and, with a warning, bad ones that systemd leaves out as well. Errors leave `ret` untouched:
 * -ENOMEM; and those of a file or directory that is there and cannot be read, which is reported as such.
 * Without it, which one is in effect for a device cannot be told. */
MUST_USE int network_files_read(const char *suffix, const struct diagnostic_sink *sink,
                                struct network_files *ret);
void network_files_free(struct network_files *files); /* for CLEANUP(), too */
