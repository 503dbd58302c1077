/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Exit codes of the programs. The numbers are documented and do not change. */
enum exit_code {
        EXIT_CODE_DONE = 0,
        EXIT_CODE_FAILURE =
                        1,   /* something that worked could not be done: no permission, out of range, I/O */
        EXIT_CODE_USAGE = 2, /* invalid command line */
        EXIT_CODE_CONFIGURATION = 3, /* the device's line is in error */
        EXIT_CODE_DRIFT = 4,         /* a device's MTU differs from the configured one */
        EXIT_CODE_NO_LINE = 5,       /* the configuration does not name the device */
        EXIT_CODE_ABSENT = 6,        /* the device does not exist */
        EXIT_CODE_NOT_LASTING = 7,   /* a device has the wanted MTU, and will lose it */
        /* What `setmtu probe` found out; 0 if the path carries it. */
        EXIT_CODE_TOO_BIG = 10,
        EXIT_CODE_BLACK_HOLE = 11,
        EXIT_CODE_FALSE_TOO_BIG = 12,
        EXIT_CODE_RETURN_PATH = 13,
        EXIT_CODE_LOCAL_LIMIT = 14,
        EXIT_CODE_UNREACHABLE = 15,
        EXIT_CODE_INCONCLUSIVE = 16,
        EXIT_CODE_SEVERAL = 17, /* hosts with different ones of these, or of 1 to 6 */
        /* MTU changes are not recorded: `setmtu history`. */
        EXIT_CODE_NOT_RECORDED = 20,
        EXIT_CODE_LOCKED_DOWN = 21,
        EXIT_CODE_WITHOUT_BTF = 22,
        EXIT_CODE_IN_CONTAINER = 23,
};
