/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu-keep: restores MTUs that other programs change. Run by setmtu-keep.service; see its man page. */

#include <malloc.h>
#include <string.h>

#include "base/exit_code.h"
#include "base/log.h"
#include "base/standard_option.h"
#include "programs/keeper.h"

static const char help[] =
                "Usage: setmtu-keep\n"
                "\n"
                "Listens to the kernel and sets the MTU again of devices whose lines in " CONFIG_FILE "\n"
                "say keep or auto. setmtu-keep.service runs this.\n"
                "\n" STANDARD_OPTION_HELP
                "Exit status: 1 it cannot listen; 2 usage. See setmtu-keep.service(8).\n";

int main(int argc, char *argv[]) {
        log_open("setmtu-keep");
        standard_option(argc, argv, "setmtu-keep", help);
        if (argc != 1)
                return log_fail(EXIT_CODE_USAGE, "takes no arguments; see --help");
#ifdef M_MMAP_THRESHOLD
        /* Returns the memory of a snapshot of thousands of devices to the kernel when it is freed. */
        (void)mallopt(M_MMAP_THRESHOLD, 32 * 1024);
        (void)mallopt(M_TRIM_THRESHOLD, 64 * 1024);
#endif
        return log_fail(EXIT_CODE_FAILURE, "cannot listen to the kernel over rtnetlink: %s",
                        strerror(-keeper_run()));
}
