/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu reload: puts an edited configuration into effect. */

#include "base/exit_code.h"
#include "base/log.h"
#include "command/activate.h"
#include "command/command.h"
#include "command/try.h"

enum { OPTION_TRY, OPTION_PROBE };

static int run_reload(const struct command_line *line) {
        const char *time = line->options[OPTION_TRY], *hosts = line->options[OPTION_PROBE];
        unsigned timeout_s;
        int exit_code;

        if (hosts && !time)
                return log_fail(EXIT_CODE_USAGE, "reload: --probe is for a trial; add --try TIME, for "
                                                 "example --try 2min");
        if (!time)
                return activate_configuration();
        exit_code = try_parse_time("try", time, &timeout_s);
        return exit_code == EXIT_CODE_DONE ? try_configuration(timeout_s, hosts, TRY_ASKS) : exit_code;
}

const struct command command_reload = {
        .name = "reload",
        .arguments = "",
        .summary = "put an edited configuration into effect",
        .text = "Makes systemd read the configuration again if a unit is new or gone, rewrites the udev "
                "rules, starts the units of devices with new lines, sets MTUs that have changed, and stops "
                "the units of devices whose line is gone, which restores their MTU. If the configuration "
                "has an error, or lines contradict each other, nothing changes.",
        .examples = { "# setmtu reload --try 2min", "# systemctl enable --now setmtu.path" },
        .options = { [OPTION_TRY] = { "try", "TIME", "try it first; undone unless confirmed in TIME" },
                     [OPTION_PROBE] = { "probe", "HOST,...",
                                        "with --try: confirm if the paths carry it, else undo it" } },
        .changes = true,
        .words_max = 0,
        .run = run_reload,
};
