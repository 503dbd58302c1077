/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Profiles of tuned: tuned-profiles(7), and the net plug-in. */

#include "sources/reading.h"

int source_tuned_read(const struct reading *reading);

/* The profiles that `include=` of [main] names, in `ret`, at most `ret_size` bytes with the NUL. False:
 * none. */
bool source_tuned_include(const char *text, size_t size, char *ret, size_t ret_size);
