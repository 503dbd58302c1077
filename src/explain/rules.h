/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The rules of each source: when it acts, on which devices, and what of its own manager overrides it. */

#include "explain/explain_data.h"

/* Fills `ret` but for what follows from other steps. False if the source has nothing to do with the
 * device. */
bool rules_apply(const struct explained *explained, const struct mtu_source *source,
                 struct explain_step *ret);

/* Whether the manager has the device, or none is known to have it otherwise. If not, `step` gets its effect
 * and reason. */
bool rules_ask_owner(const struct explain_device *device, enum owner owner, struct explain_step *step);

/* Gives the step its effect and the reason. True, which is what its caller returns. */
__attribute__((format(printf, 3, 4))) bool rules_set(struct explain_step *step, enum explain_effect effect,
                                                     const char *format, ...);

/* Of what ifupdown2 sets where nothing is written: behind policies, and before setmtu's hook. */
#define IFUPDOWN2_DEFAULT_RANK "~"

/* In builtin_sources.c: the steps that no file of another program tells of: the driver's, setmtu's own, the
 * kernel's, and what a manager does where nothing is written. Fills `steps` from the first on. Returns how
 * many there are. */
#define BUILTIN_STEPS_MAX 11
size_t builtin_sources_make(const struct explained *explained,
                            struct explain_step steps[static BUILTIN_STEPS_MAX]);

/* In outcome.c: fills in whether the device's MTU is explained by its steps, the sentence that says so, and
 * what to do. */
void outcome_reach(struct explained *explained);
