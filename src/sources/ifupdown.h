/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* interfaces(5) of ifupdown, whose syntax ifupdown2 shares. */

#include "sources/reading.h"

/* Which of the two reads it matters: only ifupdown2 takes an MTU where the address comes by DHCP. */
int source_ifupdown_read(const struct reading *reading);
int source_ifupdown2_interfaces_read(const struct reading *reading);

/* Whether `auto` or `allow-…` of this text brings up `device`. */
bool source_ifupdown_brings_up(const char *text, size_t size, const char *device);

/* What `source` and `source-directory` name, one after the other, from `*position` on, which begins with 0.
 * `ret` is copied, at most `ret_size` bytes with its NUL. False at the end. */
bool source_ifupdown_included(const char *text, size_t size, size_t *position, bool *ret_is_folder,
                              char *ret, size_t ret_size);
