/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu-generator: called by PID 1 at boot and at each daemon-reload, which wait for it: no child, no
 * look-up, no message to another process. See setmtu-generator(8), systemd.generator(7). */

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "backends/unit_links.h"
#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/standard_option.h"
#include "store/load_plan.h"

static const char help[] =
                "Usage: setmtu-generator NORMAL-DIR [EARLY-DIR LATE-DIR]\n"
                "\n"
                "Makes, in NORMAL-DIR, the symlinks by which each network device that " CONFIG_FILE "\n"
                "names pulls in its setmtu@ unit. systemd calls this; by hand it shows what systemd gets:\n"
                "\n"
                "  mkdir /tmp/units && setmtu-generator /tmp/units && find /tmp/units -type l\n"
                "\n" STANDARD_OPTION_HELP
                "Exit status: 0 done, also where a line of the configuration is in error and left out;\n"
                "1 a file could not be read, or a link not be made; 2 usage. See setmtu-generator(8).\n";

static int generate(const char *path) {
        CLEANUP(cleanup_close) int directory = -1;
        struct unit_link link;
        struct plan plan;
        bool is_partial;
        int r;

        directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (directory < 0)
                return log_fail(EXIT_CODE_FAILURE, "%s: cannot be opened as a directory: %s", path,
                                strerror(errno));
        if (load_plan(&load_plan_log, &plan) < 0)
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        r = unit_links_write(&plan, directory, &link);
        is_partial = plan.config.is_partial;
        plan_free(&plan);
        if (r < 0)
                return log_fail(EXIT_CODE_FAILURE, "%s: no link %s/%s: %s", path, link.directory, link.name,
                                strerror(-r));
        return is_partial ? EXIT_CODE_FAILURE : EXIT_CODE_DONE;
}

int main(int argc, char *argv[]) {
        log_open_generator("setmtu-generator");

        standard_option(argc, argv, "setmtu-generator", help);
        if ((argc != 2 && argc != 4) || argv[1][0] == '-')
                return log_fail(EXIT_CODE_USAGE,
                                "takes one directory or three, as systemd gives them; see --help");
        return generate(argv[1]);
}
