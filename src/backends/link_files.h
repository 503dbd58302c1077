/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The .link files by which systemd-udevd sets an MTU: systemd.link(5). */

#include <stdio.h>

#include "backends/network_choice.h"

#define LINK_FILE_NAME_SIZE \
        (sizeof(NETWORK_CHOICE_LINK_PREFIX) + INTERFACE_NAME_SIZE + sizeof(":4294967295.link"))

/* The file name of the copy with this index. A device that has several counts them behind a ":", which is in
 * no interface's name, so that no two devices have the same. Returns `buffer`. */
const char *link_file_name(char buffer[static LINK_FILE_NAME_SIZE], const char *interface, size_t index,
                           size_t n);

/* Writes one copy: the file's own settings, the name as a further condition, and the MTU. Errors are the
 * stream's. */
void link_file_write(const struct device_plan *device, const struct link_copy *copy, FILE *stream);
