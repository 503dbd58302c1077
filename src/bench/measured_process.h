/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Runs a program to its end, or ends it: with a time limit, and keeps its output. */

#include <stdbool.h>
#include <stddef.h>

#include "output/progress.h"

struct measured_process_call {
        const char *const *arguments; /* ends in NULL; the first one is searched in $PATH */
        const char *name;             /* of the program, in a fault */
        bool keeps_output;            /* of stdout; otherwise that is /dev/null */
        unsigned limit_s;
        const char *limit_note;    /* after the limit in a fault */
        struct progress *progress; /* drawn a few times a second; or NULL */
};

/* The texts end in a NUL. */
struct measured_process {
        int status;     /* as in shells */
        double seconds; /* from before its start until its end was seen, CLOCK_MONOTONIC */
        char *output;   /* NULL: not kept */
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

/* The program reads /dev/null, has a process group of its own, which is ended as a whole, and is killed when
 * this process is. RUN_DONE if it has exited, with any status. Otherwise `ret` is untouched: RUN_FAILED if
 * it took too long or was killed, RUN_HOPELESS if it could not be started, or RUN_STOPPED. */
enum run_end measured_process_run(const struct measured_process_call *call, struct measured_process *ret,
                                  char fault[static RUN_FAULT_SIZE]);

/* RUN_FAILED for one that has exited with an error: "WHAT ended with STATUS; it says …". */
enum run_end measured_process_fail(const struct measured_process *process, const char *what,
                                   char fault[static RUN_FAULT_SIZE]);

/* For CLEANUP(); also of one that is all zeros. */
void measured_process_cleanup(struct measured_process *process);
