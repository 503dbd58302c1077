/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu-networkmanager: makes a running NetworkManager apply the files that setmtu-configure has written. A
 * separate program, so that setmtu-configure, which udev waits for at boot, need not load libsystemd. */

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "backends/backend_networkmanager.h"
#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/standard_option.h"
#include "base/text.h"
#include "bus/networkmanager_bus.h"
#include "change/change_log.h"
#include "plan/stack.h"
#include "state/unit_state.h"

static const char help[] =
                "Usage: setmtu-networkmanager [--] MTU:NAME...\n"
                "\n"
                "Makes NetworkManager read its configuration again, and gives these devices the MTU of\n"
                "their lines. MTU is the one that NetworkManager had for the device before, or 0 for none.\n"
                "setmtu-configure calls this.\n"
                "\n" STANDARD_OPTION_HELP "Exit status: 0 done; 1 something could not be done; 2 usage.\n"
                "See setmtu-configure.service(8).\n";

struct reapplication {
        struct bus *networkmanager;
        struct snapshot snapshot;
};

static bool reapply(struct reapplication *job, const char *name,
                    const struct networkmanager_device *device) {
        if (!device->is_active || networkmanager_reapply(job->networkmanager, device) >= 0)
                return true;
        return log_fail(false, "%s: NetworkManager does not apply its profile again: %s", name,
                        bus_error_text(job->networkmanager));
}

/* Records `former` as set by setmtu if NetworkManager has set it on setmtu's behalf. */
static void own_up(const struct link *link, uint32_t former) {
        struct device_record record;
        int r;

        if (former == 0 || link->mtu != former || device_record_read(link, &record) < 0 ||
            record.original.set == 0 || record.original.set == former)
                return;
        record.original.set = former;
        r = device_record_write(link, DEVICE_RECORD_ORIGINAL, &record);
        if (r < 0)
                log_warning("%s: the record of its MTU in /run/setmtu: %s; it may not be restored",
                            link->name, strerror(-r));
}

/* A profile's own MTU overrides a conf.d file: NetworkManager's rule, and the user's choice. */
static bool is_overridden(const struct config_line *line, const struct networkmanager_device *device) {
        if (device->mtu == 0 || device->mtu == line->spec.mtu)
                return false;
        log_warning("%s: its NetworkManager profile \"%s\" gives it %u by itself, which overrides %s; "
                    "left as it is",
                    line->name, device->profile, device->mtu, CONFIG_LINE_PLACE(line));
        return true;
}

static bool take_up_wanted(struct reapplication *job, const struct device_plan *planned,
                           const struct link *link, const struct networkmanager_device *device,
                           uint32_t former) {
        struct config_line own = *planned->line, *line = &own;
        bool is_done;

        strcpy(own.name, link->name); /* instead of a pattern */

        if (!device->is_managed) {
                if (planned->backend == BACKEND_NETWORKMANAGER)
                        log_warning("%s: NetworkManager does not manage it, and sets no MTU; use "
                                    "backend=unit",
                                    line->name);
                return true;
        }
        if (is_overridden(line, device))
                return true;
        /* The device first: NetworkManager then finds the right MTU, and restores no other one when the
         * profile goes down. */
        own_up(link, former);
        is_done = change_set_and_log(&job->snapshot, line, link, &former);
        return reapply(job, line->name, device) && is_done;
}

static bool take_up_gone(struct reapplication *job, const char *name, const struct link *link,
                         const struct networkmanager_device *device, uint32_t former) {
        bool is_done = !device->is_managed || reapply(job, name, device);
        struct original_mtu record;

        /* If the line is for another backend now, that backend sets the MTU. */
        if (config_match(&job->snapshot.plan.config, name))
                return is_done;
        own_up(link, former);
        if (original_mtu_read(link, &record) == -ENOENT && link->mtu == former)
                log_info("%s: its MTU stays %u until NetworkManager takes its profile down; only "
                         "NetworkManager knows the MTU from before",
                         name, link->mtu);
        return change_restore_and_log(&job->snapshot, name, link) && is_done;
}

static bool take_up(struct reapplication *job, const char *name, uint32_t former) {
        const struct device_plan *planned = plan_find(&job->snapshot.plan, name);
        struct networkmanager_device device = { 0 };
        int r, is_installed = unit_is_installed("NetworkManager.service");
        struct link link;

        if (is_installed < 0)
                return log_fail(false, "NetworkManager.service: %s", strerror(-is_installed));
        r = link_get_by_name(job->snapshot.socket, name, &link);

        if (r == -ENODEV || (r == 0 && strcmp(link.name, name) != 0))
                return true; /* NetworkManager sets the MTU when the device appears */
        if (r < 0)
                return log_fail(false, "%s: it cannot be read from the kernel: %s", name, strerror(-r));
        r = networkmanager_get_device(job->networkmanager, name, &device);
        if (r < 0 && r != -ENODEV)
                return log_fail(false, "%s: NetworkManager does not report its state: %s", name,
                                bus_error_text(job->networkmanager));
        return planned && networkmanager_conf_has(planned, is_installed)
                               ? take_up_wanted(job, planned, &link, &device, former)
                               : take_up_gone(job, name, &link, &device, former);
}

/* The same for a word, which may be a pattern. */
static bool take_up_all(struct reapplication *job, const char *name, uint32_t former) {
        CLEANUP(link_table_free) struct link_table links = { 0 };
        bool is_done = true;
        int r;

        if (!interface_name_is_pattern(name))
                return take_up(job, name, former);
        r = link_get_all(job->snapshot.socket, &links);
        if (r < 0)
                return log_fail(false, "%s: the devices cannot be read from the kernel: %s", name,
                                strerror(-r));
        for (size_t i = 0; i < links.n_links; i++)
                if (fnmatch(name, links.links[i].name, 0) == 0 && !stack_setter(&links, &links.links[i]))
                        is_done &= take_up(job, links.links[i].name, former);
        return is_done;
}

static void job_cleanup(struct reapplication *job) {
        snapshot_cleanup(&job->snapshot);
        bus_cleanup(&job->networkmanager);
}

static int reapply_devices(char **words) {
        CLEANUP(job_cleanup) struct reapplication job = { .networkmanager = NULL };
        bool is_done = true;
        int r = networkmanager_open(&job.networkmanager);

        if (r == -ENXIO)
                return EXIT_CODE_DONE; /* NetworkManager reads the file when it starts */
        if (r == 0)
                r = networkmanager_reload(job.networkmanager);
        if (r < 0)
                return log_fail(EXIT_CODE_FAILURE,
                                "NetworkManager could not be made to read its files again: %s; to try "
                                "again: nmcli general reload conf",
                                job.networkmanager ? bus_error_text(job.networkmanager) : strerror(-r));
        /* setmtu-configure has reported the errors. */
        r = snapshot_open(&diagnostic_silent, &job.snapshot);
        if (r < 0)
                return log_fail(EXIT_CODE_FAILURE, "cannot look at the network devices over rtnetlink: %s",
                                strerror(-r));
        for (; *words; words++) {
                char *name;
                uint32_t former = (uint32_t)strtoul(*words, &name, 10);

                is_done &= take_up_all(&job, name + 1, former);
        }
        return is_done ? EXIT_CODE_DONE : EXIT_CODE_FAILURE;
}

static bool is_word(const char *word) {
        size_t digits = strspn(word, "0123456789");

        return digits > 0 && word[digits] == ':' && !interface_name_fault(word + digits + 1);
}

int main(int argc, char *argv[]) {
        int exit_code;

        log_open("setmtu-networkmanager");
        if (standard_option(argc, argv, "setmtu-networkmanager", help, &exit_code))
                return exit_code;
        argv += argc > 1 && strcmp(argv[1], "--") == 0 ? 2 : 1;
        if (!*argv)
                return log_fail(EXIT_CODE_USAGE, "takes devices, as MTU:NAME; see --help");
        for (char **word = argv; *word; word++)
                if (!is_word(*word))
                        return log_fail(EXIT_CODE_USAGE, "\"%.64s\" is not MTU:NAME; see --help", *word);
        return reapply_devices(argv);
}
