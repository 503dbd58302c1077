/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu reload: puts an edited configuration into effect. */

#include "command/activate.h"
#include "command/command.h"

static int run_reload(const struct command_line *line) {
        (void)line;
        return activate_configuration();
}

const struct command command_reload = {
        .name = "reload",
        .arguments = "",
        .summary = "put an edited configuration into effect",
        .text = "Makes systemd read the configuration again if a unit is new or gone, rewrites the udev "
                "rules, starts the units of devices with new lines, sets MTUs that have changed, and stops "
                "the units of devices whose line is gone, which restores their MTU. If the configuration "
                "has an error, or lines contradict each other, nothing changes. setmtu try does the same, "
                "and undoes it unless it is confirmed.",
        .examples = { "# setmtu reload", "# systemctl enable --now setmtu.path" },
        .changes = true,
        .words_max = 0,
        .run = run_reload,
};
