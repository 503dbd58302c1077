/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu-history: has the kernel record who changes an MTU. Run by setmtu-history.service; see its man page.
 */

#include <errno.h>
#include <string.h>

#include "base/exit_code.h"
#include "base/log.h"
#include "base/standard_option.h"
#include "history/mtu_history.h"
#include "history/recorder.h"

static const char help[] =
                "Usage: setmtu-history [--stop]\n"
                "\n"
                "Has the kernel record each change of an MTU, for setmtu history, and ends: no process\n"
                "stays. setmtu-history.service runs this.\n"
                "\n"
                "      --stop     end the recording, and forget what was recorded\n" STANDARD_OPTION_HELP
                "Exit status: 1 failure; 2 usage; 20 /sys/fs/bpf is not mounted; 21 the kernel is\n"
                "locked down; 22 it has no BTF; 23 in a container. See setmtu-history.service(8).\n";

static int start(void) {
        int exit_code, r = recorder_start();
        const char *fault;

        if (r == 0)
                log_info("MTU changes are recorded already");
        if (r >= 0)
                return EXIT_CODE_DONE;
        fault = history_fault(-ENOENT, &exit_code);
        if (exit_code != EXIT_CODE_NOT_RECORDED || !history_is_mounted())
                return log_fail(exit_code, "%s", fault);
        if (r == -ENOENT)
                return log_fail(EXIT_CODE_FAILURE, "this kernel has none of the functions that are known to "
                                                   "set an MTU (netif_set_mtu_ext, dev_set_mtu_ext)");
        return log_fail(EXIT_CODE_FAILURE, "the programs that record MTU changes cannot be loaded: %s%s",
                        strerror(-r),
                        r == -EPERM ? "; this needs root, and a kernel that permits tracing programs" : "");
}

int main(int argc, char *argv[]) {
        int r;

        log_open("setmtu-history");
        standard_option(argc, argv, "setmtu-history", help);
        if (argc == 1)
                return start();
        if (argc != 2 || strcmp(argv[1], "--stop") != 0)
                return log_fail(EXIT_CODE_USAGE, "takes no arguments but --stop; see --help");
        r = recorder_stop();
        if (r < 0)
                return log_fail(EXIT_CODE_FAILURE, HISTORY_DIRECTORY " cannot be removed: %s", strerror(-r));
        return EXIT_CODE_DONE;
}
