/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Runs a program to its end, or ends it: with a time limit, and with what it prints kept. */

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* Of each of stdout and stderr; what comes after that is read and thrown away. */
#define CHILD_OUTPUT_MAX (4 * 1024 * 1024)

struct child_call {
        const char *const *arguments; /* a NULL ends them; the first one is looked for in $PATH */
        double limit_s;
        const volatile sig_atomic_t *stop; /* once it is not 0, the program is ended */
        void (*tick)(void *userdata);      /* called a few times a second; may be NULL */
        void *userdata;
};

enum child_end {
        CHILD_EXITED, /* with `status` */
        CHILD_KILLED, /* by the signal `status`, and not by us */
        CHILD_TOO_LONG,
        CHILD_STOPPED, /* as asked */
};

struct child_result {
        enum child_end end;
        int status;
        double seconds; /* from before its start until its end was seen, CLOCK_MONOTONIC */
        char *output;   /* both with a NUL behind them; the caller frees them */
        size_t output_size;
        char *messages; /* of stderr */
};

/* The program reads /dev/null, is in a process group of its own, which is ended as a whole, and is killed
 * when this process is. Errors leave `ret` untouched: those of execvp(3), so -ENOENT where there is no such
 * program, pipe(2), fork(2), and -ENOMEM. */
int child_run(const struct child_call *call, struct child_result *ret);

void child_result_cleanup(struct child_result *result); /* for CLEANUP(); of one that is all zeros, too */
