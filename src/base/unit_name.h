/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* How systemd escapes a string in a unit name: systemd.unit(5), "String Escaping for Inclusion in Unit
 * Names"; do_escape() in its src/basic/unit-name.c. */

#include <stdbool.h>
#include <stddef.h>

/* The largest size of an escaped string of `length` bytes, with its NUL. */
#define UNIT_NAME_ESCAPED_SIZE(length) (4 * (length) + 1)

/* Escapes `name` for the middle of a unit name, as in the device unit of an interface: a leading dot stays a
 * dot, as in `sys-subsystem-net-devices-.x.device`, although `systemd-escape .x` prints `\x2ex`. `escaped`
 * has room for UNIT_NAME_ESCAPED_SIZE(strlen(name)). */
void unit_name_escape(const char *name, char *escaped);

/* The reverse. False if `escaped` holds a backslash that begins no `\xNN`, or the result does not fit into
 * `size` bytes with its NUL or would hold a NUL itself. `size` is not 0. */
bool unit_name_unescape(const char *escaped, char *name, size_t size);
