/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Which sizes to try next, all at once, between one that passes and one that does not. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIZES_MAX 24

/* Those that networks have, between `low` and `high`, both not included, and `n_wanted` at the most. Returns
 * how many; ascending. */
size_t sizes_common(uint32_t low, uint32_t high, size_t n_wanted, uint32_t ret[static SIZES_MAX]);

/* `n_wanted` at the most, evenly; all there are where those are not many more. Returns how many; ascending.
 */
size_t sizes_between(uint32_t low, uint32_t high, size_t n_wanted, uint32_t ret[static SIZES_MAX]);
