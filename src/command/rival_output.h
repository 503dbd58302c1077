/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Warnings about settings of other programs beside lines: explain/rival.h. The files of the machine are read
 * only if there is a line. */

#include "base/attributes.h"
#include "change/snapshot.h"
#include "output/json.h"

/* Prints the rivals of the device of that name, or of all lines for NULL, on stderr, each with its command
 * below it; then warns of what could not be read. Returns how many there are. */
unsigned rivals_report(const struct snapshot *snapshot, const char *name);

/* Adds to the object, which may be NULL, `warnings`, the rivals of all lines, and `unread`, what could not
 * be read. Without a snapshot both are empty. Returns the object, or frees it and returns NULL. */
MUST_USE json_t *rivals_add_json(const struct snapshot *snapshot, json_t *object);

/* rivals_report() of one device in the present configuration; with `spec`, as if that was its line. */
void rivals_warn(const char *name, const struct mtu_spec *spec);
