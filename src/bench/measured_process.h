/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Runs a program to its end, or ends it: with a time limit, and with what it prints kept. */

#include <stdbool.h>
#include <stddef.h>

/* Of each of stdout and stderr; what comes after that is read and thrown away. */
#define MEASURED_OUTPUT_MAX (4 * 1024 * 1024)

struct measured_process_call {
        const char *const *arguments; /* a NULL ends them; the first one is looked for in $PATH */
        double limit_s;
        void (*tick)(void *userdata); /* called a few times a second; may be NULL */
        void *userdata;
};

enum measured_end {
        MEASURED_EXITED, /* with `status` */
        MEASURED_KILLED, /* by the signal `status`, and not by us */
        MEASURED_TOO_LONG,
        MEASURED_STOPPED, /* interrupt_seen() */
};

struct measured_process {
        enum measured_end end;
        int status;
        double seconds; /* from before its start until its end was seen, CLOCK_MONOTONIC */
        char *output;   /* both with a NUL behind them; the caller frees them */
        size_t output_size;
        char *messages; /* of stderr */
};

/* The program reads /dev/null, is in a process group of its own, which is ended as a whole, and is killed
 * when this process is. Errors leave `ret` untouched: those of execvp(3), so -ENOENT where there is no such
 * program, pipe(2), fork(2), and -ENOMEM. */
int measured_process_run(const struct measured_process_call *call, struct measured_process *ret);

void measured_process_cleanup(
                struct measured_process *result); /* for CLEANUP(); of one that is all zeros, too */

/* What came of a measurement. */
enum run_end {
        RUN_DONE,
        RUN_BUSY,     /* the server serves somebody else, or none yet; it may help to wait */
        RUN_FAILED,   /* this one; another one may go well */
        RUN_UNPROVEN, /* it was made at another size */
        RUN_HOPELESS, /* so would be all others */
        RUN_STOPPED,  /* interrupt_seen() */
};
