/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Changes one device's line in the text of a configuration file and leaves every other byte as it is. No
 * I/O. config_parse_file() defines lines and names, and checks the result before it is returned. */

#include <stddef.h>

#include "base/attributes.h"
#include "config/mtu_spec.h"

/* Writes `spec` for the device `name`: in place of the value of its last line in `text` that has a "=",
 * good or in error; in a new last line if there is none. The caller frees `ret_text`, which has a NUL after
 * its `ret_size` bytes. Returns 1, or 0 if the request is in effect already and `ret_text` is a copy.
 *
 * -EINVAL where no line can name the device (it begins with "#", ";" or SETMTU_, or has a "="); -EBADMSG
 * where the change would alter what the text says of other devices, or would not be in effect (a line of
 * nearly ENV_FILE_LINE_MAX bytes, with those that a quote or a backslash joins to it); -EFBIG; -ENOMEM. */
MUST_USE NONNULL int config_edit_set(const char *text, size_t size, const char *name,
                                     const struct mtu_spec *spec, char **ret_text, size_t *ret_size);

/* Removes every line of the device that has a "=", good or in error, each with its newline. Returns the
 * number of lines that went; 0 if there is none, also where there can be none. Errors but -EINVAL, and
 * `ret_text`, as above; -EBADMSG also where a line before it is in error by an open quote or a backslash at
 * its end, and would be good without the device's. */
MUST_USE NONNULL int config_edit_unset(const char *text, size_t size, const char *name, char **ret_text,
                                       size_t *ret_size);
