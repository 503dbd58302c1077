/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/standard_option.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/exit_code.h"
#include "base/log.h"

bool standard_output_end(void) {
        if (fflush(stdout) != 0)
                return log_fail(false, "standard output: %s", strerror(errno));
        /* Of an earlier failure, errno may be that of something else by now. */
        return !ferror(stdout) || log_fail(false, "standard output: not all of it could be written");
}

bool standard_option(int argc, char *argv[], const char *program, const char *help, int *ret_exit_code) {
        if (argc < 2)
                return false;
        if (strcmp(argv[1], "--help") == 0)
                fputs(help, stdout);
        else if (strcmp(argv[1], "--version") == 0)
                printf("%s " VERSION "\n", program);
        else
                return false;
        *ret_exit_code = EXIT_CODE_DONE;
        if (!standard_output_end())
                *ret_exit_code = EXIT_CODE_FAILURE;
        return true;
}
