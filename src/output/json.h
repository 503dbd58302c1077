/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the commands' JSON has in common. Values are new references; NULL where memory is out, which
 * jansson's setters take and report. */

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"

/* A string, or null for NULL. Bytes that are not UTF-8 become U+FFFD: a device's name may hold any. */
json_t *json_text(const char *text);

/* A number of bytes; null for 0, which stands for none. */
json_t *json_mtu(uint32_t mtu);

/* Where a line stands: "FILE:LINE"; null for NULL. */
json_t *json_source(const struct config_line *line);

/* Prints `value` on stdout, and lets go of it. False where memory has been out: that is said. */
bool json_print(json_t *value);
