/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Where a configuration is kept: CONFIG_FILE, then CONFIG_FOLDER/ *.conf in the order of their
 * names, then the kernel command line. */

#include "base/attributes.h"
#include "config/config.h"

/* CONFIG_FILE is the build option configfile. */
#define CONFIG_FOLDER CONFIG_FILE ".d"

/* Reads them all into `config`, which the caller has initialised. A file that is not there is no mistake;
 * one that cannot be read is told to `sink` and costs itself alone, and the configuration is partial then.
 * -ENOMEM is the only error. */
MUST_USE NONNULL int config_files_read(struct config *config, const struct diagnostic_sink *sink);
