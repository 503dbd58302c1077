/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* JSON, with jansson. */

#include <jansson.h>

#include "sources/reading.h"

/* NULL where the text is none, which the sink of the reading is told. */
json_t *json_text_read(const struct reading *reading);
void json_text_free(json_t **json); /* for CLEANUP() */

/* Adds a finding with what `value` is: a number or a string; another kind is unclear. */
int json_text_add(const struct reading *reading, const json_t *value, struct draft *draft);
