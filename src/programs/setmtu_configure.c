/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu-configure: writes the files by which other services set an MTU, before they start. Run by
 * setmtu-configure.service; a generator may write units only. See setmtu-configure.service(8). */

#include <stdio.h>
#include <string.h>

#include "backends/configure_live.h"
#include "backends/configure_network.h"
#include "backends/configure_networkmanager.h"
#include "backends/configure_rules.h"
#include "backends/network_own.h"
#include "backends/networkmanager_conf.h"
#include "backends/udev_rules.h"
#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/standard_option.h"
#include "base/whole_file.h"
#include "store/load_plan.h"
#include "system/systemd_ini.h"
#include "system/unit_mask.h"

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
        int r = link_socket_open(&snapshot->socket);

        if (r == 0)
                r = snapshot_look(snapshot);
        if (r < 0)
                log_warning("cannot look at the network devices over rtnetlink: %s", strerror(-r));
}

/* All that is not for udev rules. */
static bool configure_others(struct snapshot *snapshot, const struct network_own *own, bool is_incomplete) {
        CLEANUP(network_outputs_free) struct network_outputs outputs = { 0 };
        CLEANUP(network_changes_free) struct network_changes changes = { 0 };
        const struct plan *plan = &snapshot->plan;
        bool is_done;

        if (!plan->has_others && own->n_items == 0 && !whole_file_exists(NETWORKMANAGER_CONF_PATH))
                return true;
        look(snapshot);
        if (network_outputs_make(plan, &snapshot->links, &load_plan_log, &outputs) < 0) {
                log_out_of_memory();
                return false;
        }
        is_done = configure_network_save(&outputs, own, !is_incomplete, &changes);
        is_done &= configure_networkmanager(plan, &snapshot->links);
        return configure_live_apply(&changes, &outputs, own, snapshot) && is_done;
}

static bool configure_rules(const struct plan *plan) {
        int r = configure_rules_save(plan);

        if (r < 0)
                log_error(UDEV_RULES_PATH ": %s", strerror(-r));
        if (r > 0)
                log_info(UDEV_RULES_PATH " written");
        return r >= 0;
}

static int configure(void) {
        CLEANUP(network_own_free) struct network_own own = { 0 };
        bool is_incomplete = false, is_done = true;
        const struct diagnostic_sink sink = { .report = log_and_note, .userdata = &is_incomplete };
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { .socket = NULL };

        if (network_own_read(&own) < 0 || load_plan(&sink, &snapshot.plan) < 0) {
                log_out_of_memory();
                return EXIT_CODE_FAILURE;
        }
        unit_mask_leave_out(&snapshot.plan);
        /* Of a configuration that is there and cannot be read, what was read last is the better half. */
        if (is_incomplete && whole_file_exists(UDEV_RULES_PATH))
                log_warning(UDEV_RULES_PATH ": left as it was");
        else
                is_done &= configure_rules(&snapshot.plan);
        if (is_incomplete && (network_own_has_runtime(&own) || whole_file_exists(NETWORKMANAGER_CONF_PATH)))
                log_warning(NETWORK_FILE_FOLDER " and " NETWORKMANAGER_CONF_PATH ": left as they were");
        else
                is_done &= configure_others(&snapshot, &own, is_incomplete);
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
