/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The table of the backends, and functions over all of them. */

#include "backends/backend.h"
#include "base/attributes.h"

/* Renders the files of all of them. -ENOMEM is the only error; the files are the caller's in any case. */
MUST_USE int backends_render(const struct rendering *rendering);

/* Finds all files that they have written before, as generated_files_read() does. */
MUST_USE int backends_read(struct generated_files *ret, const struct diagnostic_sink *sink);

/* Does what setmtu-configure would do now, if that is to write the udev rules and nothing else. False: it is
 * more, there is a mistake to be reported, or the file cannot be written; then nothing was done. */
MUST_USE NONNULL bool backends_write_rules(const struct plan *plan, const struct link_table *links);
