/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What setmtu explain says of a device, to people and to programs. */

#include <jansson.h>

#include "explain/explanation.h"
#include "explain/note.h"

/* One device with all that is to be said of it. Owns its explanation and its owners. */
struct explained {
        struct explain_device device;
        struct explanation explanation;
        struct explain_note notes[EXPLAIN_NOTES_MAX];
        size_t n_notes;
};

void explained_free(struct explained *explained);

/* For a terminal it is as wide as that. What is the same for all devices is said once: `said_probing` goes
 * from one call to the next. False where memory has been out. */
bool explain_print_text(const struct explained *explained, bool *said_probing);

/* NULL where memory is out. */
json_t *explain_print_json(const struct explained *explained);
