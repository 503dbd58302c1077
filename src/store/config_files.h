/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Where a configuration is kept, each before what overrides it: the systemd credential "setmtu.conf";
 * CONFIG_FOLDER_VENDOR/ *.conf and CONFIG_FOLDER_RUN/ *.conf in the order of their names; CONFIG_FILE;
 * CONFIG_FOLDER/ *.conf; the kernel command line. Of files of one name only the last folder's is read. */

#include "base/attributes.h"
#include "config/config.h"

/* CONFIG_FILE is the build option configfile. */
#define CONFIG_FOLDER CONFIG_FILE ".d"
#define CONFIG_FOLDER_RUN "/run/setmtu.d"
#define CONFIG_FOLDER_VENDOR "/usr/lib/setmtu.d"
/* What config_credential_keep() has made of the credential, which only PID 1's own processes may read. */
#define CONFIG_CREDENTIAL_COPY "/run/setmtu/credential.conf"

/* Reads them all into `config`, which the caller has initialised. A file that is not there is no mistake;
 * one that cannot be read is told to `sink` and costs itself alone, and the configuration is partial then.
 * -ENOMEM is the only error. */
MUST_USE NONNULL int config_files_read(struct config *config, const struct diagnostic_sink *sink);

/* Whether a line of `file`, as config_files_read() names it, gives way to one in CONFIG_FILE. */
MUST_USE NONNULL bool config_files_give_way(const char *file);

/* Makes CONFIG_CREDENTIAL_COPY what the credential is; removes it where there is none. 0 or a negative
 * errno. */
MUST_USE int config_credential_keep(void);
