/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the programs end with. The numbers are documented and stay. */
enum exit_code {
        EXIT_CODE_DONE = 0,
        EXIT_CODE_FAILURE =
                        1,   /* something that worked could not be done: no permission, out of range, I/O */
        EXIT_CODE_USAGE = 2, /* the call's words are off */
        EXIT_CODE_CONFIGURATION = 3, /* the device's line is in error */
        EXIT_CODE_DRIFT = 4,         /* a device has not what the configuration wants */
        EXIT_CODE_NO_LINE = 5,       /* the configuration does not name the device */
        EXIT_CODE_ABSENT = 6,        /* the device is not there */
        EXIT_CODE_NOT_LASTING = 7,   /* a device has what is wanted, and will lose it */
        /* What `setmtu probe` found out; 0 where the path carries it. */
        EXIT_CODE_TOO_BIG = 10,
        EXIT_CODE_BLACK_HOLE = 11,
        EXIT_CODE_FALSE_TOO_BIG = 12,
        EXIT_CODE_RETURN_PATH = 13,
        EXIT_CODE_LOCAL_LIMIT = 14,
        EXIT_CODE_UNREACHABLE = 15,
        EXIT_CODE_INCONCLUSIVE = 16,
};

/* The exit code as the caller is told it: as it is or, with SETMTU_EXIT_STATUS=sysexits in the environment,
 * as in sysexits.h. Our units have that: systemd calls 3 to 6 by what they mean to init scripts, 3
 * NOTIMPLEMENTED. */
int exit_code_told(int exit_code);
