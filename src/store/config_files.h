/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Where a configuration is kept, each before what overrides it:
 * CONFIG_DIRECTORY_VENDOR/ *.conf and CONFIG_DIRECTORY_RUN/ *.conf in the order of their names; CONFIG_FILE;
 * CONFIG_DIRECTORY/ *.conf; the kernel command line. Of files of one name only the last directory's is read.
 */

#include "base/attributes.h"
#include "config/config.h"

/* CONFIG_FILE is the build option configfile. */
#define CONFIG_DIRECTORY CONFIG_FILE ".d"
#define CONFIG_DIRECTORY_RUN "/run/setmtu.d"
#define CONFIG_DIRECTORY_VENDOR "/usr/lib/setmtu.d"

/* Reads all of them into `config`, which the caller has initialised; for an initrd, those in /usr and /etc
 * only: the others may differ in the boot that it is for. An absent file is no mistake. A file that cannot
 * be read is reported to `sink` and skipped; the configuration is then partial. -ENOMEM is the only error.
 */
MUST_USE NONNULL int config_files_read(struct config *config, const struct diagnostic_sink *sink);

/* Whether a line of CONFIG_FILE overrides a line of `file`, named as config_files_read() does. */
MUST_USE NONNULL bool config_files_give_way(const char *file);
