/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/exit_code.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

int exit_code_told(int exit_code) {
        const char *kind = getenv("SETMTU_EXIT_STATUS");

        if (!kind || strcmp(kind, "sysexits") != 0)
                return exit_code;
        if (exit_code == EXIT_CODE_CONFIGURATION || exit_code == EXIT_CODE_NO_LINE)
                return EX_CONFIG;
        return exit_code == EXIT_CODE_ABSENT ? EX_UNAVAILABLE : exit_code;
}
