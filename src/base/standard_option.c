/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/standard_option.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/exit_code.h"
#include "base/log.h"

bool standard_output_end(void) {
        if (fflush(stdout) != 0)
                return log_fail(false, "standard output: %s", strerror(errno));
        /* Of an earlier failure, errno may be that of something else by now. */
        return !ferror(stdout) || log_fail(false, "standard output: not all of it could be written");
}

void standard_option(int argc, char *argv[], const char *program, const char *help) {
        int r;

        /* Not through stdout, which the loader would look up at each start of a program. */
        if (argc > 1 && strcmp(argv[1], "--help") == 0)
                r = dprintf(STDOUT_FILENO, "%s", help);
        else if (argc > 1 && strcmp(argv[1], "--version") == 0)
                r = dprintf(STDOUT_FILENO, "%s " VERSION "\n", program);
        else
                return;
        if (r < 0)
                log_error("standard output: %s", strerror(errno));
        exit(r < 0 ? EXIT_CODE_FAILURE : EXIT_CODE_DONE);
}
