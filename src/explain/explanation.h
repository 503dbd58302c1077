/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Everything that sets a device's MTU, or may, in the order in which it takes effect, and which setting
 * wins. No I/O: the input is facts, the output sentences. */

#include "explain/explain_data.h"

/* Makes the explanation from the device and the machine, into which it points. -ENOMEM, with the explanation
 * untouched, is the only error. */
int explanation_make(struct explained *explained);
void explanation_free(struct explanation *explanation);

/* Where a step is to be edited: netplan's YAML and not what is made of it; or the step itself. */
const struct explain_step *explanation_origin(const struct explanation *explanation,
                                              const struct explain_step *step);

/* wins, same, overridden, maybe, refused, idle. */
const char *explain_effect_name(enum explain_effect effect);
