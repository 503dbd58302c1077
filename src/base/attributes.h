/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the compiler is to hold callers to. */

/* The result says whether anything happened, and is never to be ignored. A result that may be ignored, such
 * as that of a clean-up, does without this: gcc takes no cast to void for an excuse. */
#define MUST_USE __attribute__((warn_unused_result))

/* No pointer among the arguments may be NULL. */
#define NONNULL __attribute__((nonnull))
