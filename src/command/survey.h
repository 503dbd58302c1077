/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What a command looks at: the configuration, the devices, and the one beside the other. */

#include "kernel/link.h"
#include "plan/comparison.h"
#include "plan/plan.h"

struct survey {
        struct link_socket *socket;
        struct config config;
        struct plan plan;
        struct link_table links;
        struct comparisons comparisons;
};

/* False where it could not be made: that is said, and the exit code is 1. Mistakes in the configuration go
 * to `sink`. */
bool survey_make(const struct diagnostic_sink *sink, struct survey *ret);
/* The same with a configuration that the caller has read, and that the survey owns from now on in any case.
 */
bool survey_make_with(struct config *config, const struct diagnostic_sink *sink, struct survey *ret);
void survey_cleanup(struct survey *survey); /* for CLEANUP(); of one that is all zeros, too */

/* What `word` of a command line means: the device with that name or alternative name, or the line for an
 * absent one. NULL where there is neither; that is said. */
const struct comparison *survey_find(const struct survey *survey, const char *word);

/* The line of a device that is there, by whichever of its names, or that of the name of an absent one. NULL
 * where there is none. */
const struct config_line *survey_line(const struct survey *survey, const struct link *link,
                                      const char *name);

/* A sink that prints FILE:LINE: error: text on stderr, as compilers do, and counts. */
struct mistakes {
        unsigned n_errors;
        unsigned n_warnings;
};
struct diagnostic_sink mistakes_sink(struct mistakes *mistakes);
