/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu-configure: writes the files by which other services set an MTU, before they start. Run by
 * setmtu-configure.service; a generator may write units only. See setmtu-configure.service(8). */

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "backends/backend_unit.h"
#include "backends/backends.h"
#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/process.h"
#include "base/standard_option.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "kernel/link.h"
#include "network_files/network_file.h"
#include "state/unit_state.h"
#include "store/change_lock.h"
#include "store/config_files.h"
#include "store/load_plan.h"

#define LOCK_PATIENCE_S 5

static const char help[] =
                "Usage: setmtu-configure [--initrd]\n"
                "\n"
                "Writes, from " CONFIG_FILE ", " UDEV_RULES_PATH ", the files in\n" NETWORK_FILE_DIRECTORY
                " by which systemd-udevd and systemd-networkd set an MTU, and\n" NETWORKMANAGER_CONF
                ", and removes what no line needs. setmtu-configure.service runs this at boot; after an "
                "edit:\n"
                "systemctl restart setmtu-configure.\n"
                "\n"
                "      --initrd   print the udev rules for an initrd, and write "
                "nothing\n" STANDARD_OPTION_HELP
                "Exit status: 0 done, also where a line of the configuration is in error and left out;\n"
                "1 a file could not be read or written; 2 usage.\n";

static void log_and_note(void *userdata, const struct diagnostic *diagnostic) {
        bool *is_unread = userdata;

        load_plan_log.report(NULL, diagnostic);
        *is_unread |= diagnostic->whole_file;
}

/* Reads the network devices. False if the kernel does not report them; the list is empty then. */
static bool look(struct link_table *ret) {
        CLEANUP(netlink_socket_cleanup) struct netlink_socket *socket = NULL;
        int r = netlink_socket_open(NETLINK_ROUTE, &socket);

        if (r == 0)
                r = link_get_all(socket, ret);
        if (r < 0)
                log_warning("cannot look at the network devices over rtnetlink: %s", strerror(-r));
        return r == 0;
}

static unsigned count_changed(const struct generated_files *files) {
        unsigned n = 0;

        for (size_t i = 0; i < files->n_items; i++)
                n += files->items[i].is_changed && files->items[i].kind->directory;
        return n;
}

/* Files in a directory of their own are counted. */
static void log_files(const struct generated_files *files, const char *done) {
        for (size_t i = 0; i < files->n_items; i++) {
                const struct generated_file *file = &files->items[i];

                if (file->error < 0)
                        log_error("%s cannot be %s: %s", file->path, done, strerror(-file->error));
                else if (file->is_changed && !file->kind->directory)
                        log_info("%s %s", file->path, done);
        }
}

static bool save(struct generated_files *wanted, struct generated_files *before, bool may_remove) {
        bool is_done = generated_files_save(wanted, before, may_remove);
        unsigned n_written = count_changed(wanted), n_removed = count_changed(before);

        if (n_written + n_removed > 0)
                log_info(NETWORK_FILE_DIRECTORY ": %u %s written, %u removed", n_written,
                         n_written == 1 ? "file" : "files", n_removed);
        log_files(wanted, "written");
        log_files(before, "removed");
        return is_done;
}

/* What reads files of a kind, and the command that makes it read them again. */
static const struct reader {
        const struct generated_kind *kind;
        const char *suffix; /* of the files' names */
        const char *service;
        const char *unit;
        const char *words[5];
        const char *note; /* or NULL */
} readers[] = {
        { &backend_networkd.files,
          NETWORK_FILE_LINK,
          "udevd",
          "systemd-udevd.service",
          { "udevadm", "control", "--reload", "--timeout=10" } },
        { &backend_networkd.files,
          NETWORK_DROP_IN_NAME,
          "networkd",
          "systemd-networkd.service",
          { "networkctl", "reload" } },
        { &backend_networkmanager.files,
          ".conf",
          "NetworkManager",
          "NetworkManager.service",
          { "nmcli", "general", "reload", "conf" },
          NETWORKMANAGER_CONF ": for active profiles it counts from their next activation or DHCP lease on, "
                              "or from nmcli device reapply IFACE" },
};

#define N_READERS (sizeof(readers) / sizeof(readers[0]))

static bool has_changed(const struct generated_files *files, const struct reader *reader) {
        for (size_t i = 0; i < files->n_items; i++)
                if (files->items[i].kind == reader->kind && files->items[i].is_changed &&
                    text_ends_in(files->items[i].path, reader->suffix))
                        return true;
        return false;
}

static bool make_reload(const struct reader *reader) {
        int r = process_run(reader->words);
        char command[64] = "";

        if (r == 0 && reader->note)
                log_info("%s", reader->note);
        if (r == 0)
                return true;
        for (size_t i = 0; reader->words[i]; i++)
                strcat(strcat(command, " "), reader->words[i]);
        log_warning("%s could not be made to read its files again: %s; to try again:%s", reader->service,
                    r < 0 ? strerror(-r) : "it refused", command);
        return false;
}

/* Makes running managers read what has changed. Does nothing at boot, when they start later. */
static bool make_all_reload(const struct generated_files *before, const struct generated_files *wanted) {
        bool is_done = true;

        if (unit_is_boot() > 0)
                return true;
        for (const struct reader *reader = readers; reader < readers + N_READERS; reader++)
                if ((has_changed(before, reader) || has_changed(wanted, reader)) &&
                    unit_is_active(reader->unit) != 0)
                        is_done &= make_reload(reader);
        return is_done;
}

static bool configure_backends(const struct plan *plan) {
        CLEANUP(generated_files_free) struct generated_files before = { 0 }, wanted = { 0 };
        CLEANUP(link_table_free) struct link_table links = { 0 };
        bool is_unread = false, is_done;
        const struct diagnostic_sink sink = { .report = log_and_note, .userdata = &is_unread };

        if (backends_read(&before, &sink) < 0)
                return log_fail(false, LOG_OUT_OF_MEMORY);
        if (plan->config.is_partial && before.n_items > 0) {
                log_warning(NETWORK_FILE_DIRECTORY " and " NETWORKMANAGER_CONF ": left as they were");
                return false;
        }
        if (!plan->has_others && !plan->has_auto && before.n_items == 0)
                return !is_unread;
        /* With backend auto alone, a boot need not wait for drivers that hold the kernel's lock: the units
         * report values that a device rejects. */
        is_done = (!plan->has_others && unit_is_boot() > 0) || look(&links);
        if (backends_render(&(struct rendering){ plan, &links, &sink, &wanted }) < 0)
                return log_fail(false, LOG_OUT_OF_MEMORY);
        /* If anything could not be read, files from before stay. */
        is_done &= save(&wanted, &before, !plan->config.is_partial && !is_unread);
        if (is_unread)
                log_warning("not everything could be read: no file was removed");
        return make_all_reload(&before, &wanted) && is_done && !is_unread;
}

static bool configure_rules(const struct plan *plan) {
        CLEANUP(generated_files_free) struct generated_files rules = { 0 };
        bool is_unread = false;
        const struct diagnostic_sink sink = { .report = log_and_note, .userdata = &is_unread };
        int r = backend_unit_render(plan, &sink, &rules);

        /* If anything could not be read, the rules from before are better. */
        if (r == 0 && (plan->config.is_partial || is_unread) && whole_file_exists(UDEV_RULES_PATH) != 0) {
                log_warning(UDEV_RULES_PATH ": left as it was");
                return false;
        }
        if (r == 0)
                r = backend_unit_save(&rules);
        if (r < 0)
                log_error(UDEV_RULES_PATH ": %s", strerror(-r));
        if (r > 0)
                log_info(UDEV_RULES_PATH " written");
        return r >= 0 && !is_unread;
}

static int configure(void) {
        CLEANUP(plan_free) struct plan plan = { .n_devices = 0 };
        /* Commands write the rules, too: the last ones are to be of the last configuration. At boot, which
         * waits for this, none runs. */
        CLEANUP(cleanup_close)
        int lock = unit_is_boot() > 0 ? -1 : change_lock_take(LOCK_PATIENCE_S);
        bool is_done;

        if (lock == -ETIMEDOUT)
                log_warning(CHANGE_LOCK_PATH ": another command has held it for %d s; going on without",
                            LOCK_PATIENCE_S);
        if (load_plan(&load_plan_log, &plan) < 0)
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        is_done = configure_rules(&plan);
        cleanup_close(&lock);
        lock = -1;
        is_done &= configure_backends(&plan);
        return is_done && !plan.config.is_partial ? EXIT_CODE_DONE : EXIT_CODE_FAILURE;
}

/* Prints nothing if no line needs a rule. */
static int print_initrd_rules(void) {
        CLEANUP(plan_free) struct plan plan = { .config = { .is_for_initrd = true } };
        CLEANUP(generated_files_free) struct generated_files rules = { 0 };
        bool is_unread = false;
        const struct diagnostic_sink sink = { .report = log_and_note, .userdata = &is_unread };

        if (config_files_read(&plan.config, &sink) < 0 || plan_build(&plan, &sink) < 0 ||
            backend_unit_render(&plan, &sink, &rules) < 0)
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        if (rules.n_items > 0)
                fputs(rules.items[0].text, stdout);
        return standard_output_end() && !is_unread ? EXIT_CODE_DONE : EXIT_CODE_FAILURE;
}

int main(int argc, char *argv[]) {
        log_open("setmtu-configure");
        /* If the caller ignores it, waitpid(2) cannot tell how a child ended. */
        signal(SIGCHLD, SIG_DFL);

        standard_option(argc, argv, "setmtu-configure", help);
        if (argc == 2 && strcmp(argv[1], "--initrd") == 0)
                return print_initrd_rules();
        if (argc != 1)
                return log_fail(EXIT_CODE_USAGE, "takes no arguments; see --help");
        return configure();
}
