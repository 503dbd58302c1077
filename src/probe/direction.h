/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Which way a size that is not carried is lost: by UDP, whose answer is small, so that only the way there
 * counts. A host gives few such answers, and they are counted here. A part of the method. */

#include "probe/method.h"

/* A second, and a little: a host that has none left has one again. */
#define DIRECTION_STEP_S 1.05

/* How many answers to UDP the host has left, unless it has given others before. */
double direction_left(const struct method *method, double now);

/* It has all that it may have. */
void direction_restore(struct method *method, double now);

/* An answer to UDP has come; `is_overdue`: though a smaller size had none before. */
void direction_answered(struct method *method, bool is_overdue, double now);

/* The host has none left, whatever was believed. */
void direction_none_left(struct method *method, double now);

/* A limit is new. */
void direction_begin(struct method *method);

/* Adds to the round that has begun what asks for the way there. Without `may_wait` only where the host has
 * answers left for that. */
void direction_queue(struct method *method, bool may_wait, double now);

/* Looks at the round that is over. */
void direction_weigh(struct method *method, double now);

/* Whether the size is lost on the way there, for sure. */
bool direction_is_there(const struct method *method);

/* Whether that is more likely than not, where there is no time left to make sure. */
bool direction_is_likely(const struct method *method);
