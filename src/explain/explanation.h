/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Everything that sets a device's MTU, or may, in the order in which it takes effect, and which setting
 * wins. No I/O: the input is facts, the output sentences. */

#include "explain/explain_data.h"

/* -ENOMEM, with `ret` untouched, is the only error. It points into the device and the machine. */
int explanation_make(const struct explain_device *device, const struct explain_machine *machine,
                     struct explanation *ret);
void explanation_free(struct explanation *explanation);

/* Where a step is to be edited: netplan's YAML and not what is made of it; or the step itself. */
const struct explain_step *explanation_origin(const struct explanation *explanation,
                                              const struct explain_step *step);

/* wins, same, overridden, maybe, refused, idle. */
const char *explain_effect_name(enum explain_effect effect);
