/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Runs a program to its end, or ends it: with a time limit, and keeps its output. */

#include <stddef.h>

#include "output/progress.h"

/* The texts end in a NUL. */
struct measured_process {
        int status;   /* as in shells */
        char *output; /* of stdout */
        size_t output_size;
        char *messages; /* of stderr */
};
/* The status of a program that is not installed. */
#define MEASURED_PROCESS_ABSENT 127

/* How a measurement ended. */
enum run_end {
        RUN_DONE,
        RUN_BUSY,     /* the server is busy or not ready; waiting may help */
        RUN_REFUSED,  /* no connection; the server of the last run may be about to listen */
        RUN_FAILED,   /* another one may succeed */
        RUN_UNPROVEN, /* it was made at another size */
        RUN_HOPELESS, /* all others would fail, too */
        RUN_STOPPED,  /* interrupt_seen() */
};

#define RUN_FAULT_SIZE 320

/* Writes a sentence that says what is wrong and what to do, into a buffer that is untouched after RUN_DONE
 * and RUN_STOPPED; `format` is as for printf(3). Returns `end`. */
__attribute__((format(printf, 3, 4))) enum run_end run_fail(char fault[static RUN_FAULT_SIZE],
                                                            enum run_end end, const char *format, ...);

/* Runs the program `arguments[0]`, which is searched in $PATH; the list ends in NULL. It reads /dev/null,
 * has a process group of its own, which is ended as a whole, and is killed when this process is. `progress`
 * is drawn a few times a second. RUN_DONE if the program has exited, with any status. Otherwise `ret` is
 * untouched: RUN_FAILED if it took too long or was killed, RUN_HOPELESS if it could not be started, or
 * RUN_STOPPED. */
enum run_end measured_process_run(const char *const *arguments, unsigned limit_s, struct progress *progress,
                                  struct measured_process *ret, char fault[static RUN_FAULT_SIZE]);

/* For CLEANUP(); also of one that is all zeros. */
void measured_process_cleanup(struct measured_process *process);
