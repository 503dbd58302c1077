/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu-configure: writes the files by which other services set an MTU, before they start. Run by
 * setmtu-configure.service; a generator may write units only. See setmtu-configure.service(8). */

#include <stdio.h>
#include <string.h>

#include "backends/backend_unit.h"
#include "backends/backends.h"
#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/standard_option.h"
#include "base/whole_file.h"
#include "store/load_plan.h"
#include "system/systemd_ini.h"

static const char help[] =
                "Usage: setmtu-configure\n"
                "\n"
                "Writes, from /etc/conf.d/setmtu, " UDEV_RULES_PATH " and the files in\n" NETWORK_FILE_FOLDER
                " by which systemd-udevd and systemd-networkd set an MTU, and\n"
                "removes what no line needs. setmtu-configure.service runs this at boot; after an edit:\n"
                "systemctl restart setmtu-configure.\n"
                "\n"
                "      --help     show this and exit\n"
                "      --version  show the version and exit\n"
                "\n"
                "Exit status: 0 done, also where a line of the configuration is in error and left out;\n"
                "1 a file could not be read or written; 2 usage.\n";

static void log_and_note(void *userdata, const struct diagnostic *diagnostic) {
        bool *is_incomplete = userdata;

        load_plan_log_diagnostic(diagnostic);
        *is_incomplete |= diagnostic->whole_file;
}

/* The devices that are there; where the kernel does not tell of them, none. */
static void look(struct snapshot *snapshot) {
        int r = netlink_socket_open(&snapshot->socket);

        if (r == 0)
                r = snapshot_look(snapshot);
        if (r < 0)
                log_warning("cannot look at the network devices over rtnetlink: %s", strerror(-r));
}

/* The files of all backends but the unit's. */
static bool configure_backends(struct snapshot *snapshot, struct generated_files *before, bool may_remove) {
        CLEANUP(generated_files_free) struct generated_files wanted = { 0 };
        const struct plan *plan = &snapshot->plan;
        bool is_done;

        if (!plan->has_others && before->n_items == 0)
                return true;
        look(snapshot);
        if (backends_render(&(struct rendering){ plan, &snapshot->links, &load_plan_log, &wanted }) < 0) {
                log_out_of_memory();
                return false;
        }
        is_done = backends_save(&wanted, before, may_remove);
        return backends_go_live(before, &wanted, snapshot) && is_done;
}

static bool configure_rules(const struct plan *plan) {
        CLEANUP(generated_files_free) struct generated_files rules = { 0 };
        int r = backend_unit_render(plan, &rules);

        if (r == 0)
                r = rules.n_items > 0 ? whole_file_replace(UDEV_RULES_PATH, rules.items[0].text,
                                                           rules.items[0].size)
                                      : whole_file_remove(UDEV_RULES_PATH);
        if (r < 0)
                log_error(UDEV_RULES_PATH ": %s", strerror(-r));
        if (r > 0)
                log_info(UDEV_RULES_PATH " written");
        return r >= 0;
}

static int configure(void) {
        CLEANUP(generated_files_free) struct generated_files before = { 0 };
        bool is_incomplete = false, is_done = true;
        const struct diagnostic_sink sink = { .report = log_and_note, .userdata = &is_incomplete };
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { .socket = NULL };

        if (backends_read(&before) < 0 || load_plan(&sink, &snapshot.plan) < 0) {
                log_out_of_memory();
                return EXIT_CODE_FAILURE;
        }
        /* Of a configuration that is there and cannot be read, what was read last is the better half. */
        if (is_incomplete && whole_file_exists(UDEV_RULES_PATH))
                log_warning(UDEV_RULES_PATH ": left as it was");
        else
                is_done &= configure_rules(&snapshot.plan);
        if (is_incomplete && generated_files_have_runtime(&before))
                backends_log_left();
        else
                is_done &= configure_backends(&snapshot, &before, !is_incomplete);
        return is_done && !is_incomplete ? EXIT_CODE_DONE : EXIT_CODE_FAILURE;
}

int main(int argc, char *argv[]) {
        int exit_code;

        log_open("setmtu-configure");

        if (standard_option(argc, argv, "setmtu-configure", help, &exit_code))
                return exit_code;
        if (argc != 1) {
                log_error("takes no arguments; see --help");
                return EXIT_CODE_USAGE;
        }
        return configure();
}
