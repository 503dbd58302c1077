/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Runs a program to its end, or ends it: with a time limit, and with what it prints kept. */

#include <stddef.h>

#include "base/pool.h"
#include "output/progress.h"

/* Of each of stdout and stderr; what comes after that is read and thrown away. */
#define MEASURED_OUTPUT_MAX (4 * 1024 * 1024)

struct measured_process_call {
        const char *const *arguments; /* a NULL ends them; the first one is looked for in $PATH */
        const char *name;             /* what it is called in a fault */
        const char *absent;           /* the fault if there is no such program; NULL: the errno's text */
        unsigned limit_s;
        const char *limit_note;    /* behind the limit in a fault; NULL: nothing */
        struct progress *progress; /* drawn a few times a second; may be NULL */
};

struct measured_process {
        int status;
        double seconds;     /* from before its start until its end was seen, CLOCK_MONOTONIC */
        const char *output; /* both with a NUL behind them */
        size_t output_size;
        const char *messages; /* of stderr */
        struct pool pool;     /* owns them */
};

/* What became of a measurement. */
enum run_end {
        RUN_DONE,
        RUN_BUSY,     /* the server is busy or not ready; waiting may help */
        RUN_REFUSED,  /* no connection; the server of the last run may be about to listen */
        RUN_FAILED,   /* this one; another one may go well */
        RUN_UNPROVEN, /* it was made at another size */
        RUN_HOPELESS, /* so would be all others */
        RUN_STOPPED,  /* interrupt_seen() */
};

#define RUN_FAULT_SIZE 320

/* Writes a sentence that says what is wrong and what to do, into a buffer that is untouched after RUN_DONE
 * and RUN_STOPPED; `format` is as for printf(3). Returns `end`. */
__attribute__((format(printf, 3, 4))) enum run_end run_fail(char fault[static RUN_FAULT_SIZE],
                                                            enum run_end end, const char *format, ...);

/* The program reads /dev/null, is in a process group of its own, which is ended as a whole, and is killed
 * when this process is. RUN_DONE where it has exited, with whatever status. Otherwise `ret` is untouched:
 * RUN_FAILED where it took too long or was killed, RUN_HOPELESS where it cannot be run, or RUN_STOPPED. */
enum run_end measured_process_run(const struct measured_process_call *call, struct measured_process *ret,
                                  char fault[static RUN_FAULT_SIZE]);

/* RUN_FAILED of one that has exited as it should not: "WHAT ended with STATUS; it says …". */
enum run_end measured_process_fail(const struct measured_process *process, const char *what,
                                   char fault[static RUN_FAULT_SIZE]);

void measured_process_cleanup(
                struct measured_process *result); /* for CLEANUP(); of one that is all zeros, too */
