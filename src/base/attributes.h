/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Attributes by which the compiler checks callers. */

/* The result must be used. A function whose result may be ignored, such as a clean-up, does not have this
 * attribute: a cast to void does not silence gcc. */
#define MUST_USE __attribute__((warn_unused_result))

/* No pointer among the arguments may be NULL. */
#define NONNULL __attribute__((nonnull))
