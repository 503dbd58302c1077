/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu-apply: sets the configured MTU of one device, or restores the MTU from before. Run by
 * setmtu@.service. See setmtu-apply(8). */

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/standard_option.h"
#include "base/text.h"
#include "base/unit_name.h"
#include "change/carry_out.h"
#include "command/change_log.h"
#include "kernel/link.h"
#include "kernel/sandbox.h"
#include "plan/stack.h"
#include "state/unit_state.h"
#include "store/device_record.h"
#include "store/load_plan.h"

static const char help[] =
                "Usage: setmtu-apply [--restore|--has-line] [--] INSTANCE\n"
                "\n"
                "Sets the MTU of a network device as " CONFIG_FILE " says. INSTANCE is the\n"
                "interface's name, plain or escaped as in a unit's name: br-lan or br\\x2dlan.\n"
                "setmtu@INSTANCE.service runs this.\n"
                "\n"
                "      --restore  restore the MTU from before, unless it has changed since\n"
                "      --has-line exit with 0 if setmtu sets the MTU of the device, and with 5 if not; for\n"
                "                 the hooks of DHCP clients\n" STANDARD_OPTION_HELP
                "Exit status: 0 done; 1 the kernel or the device refused; 2 usage; 3 the device's line is\n"
                "in error; 5 no line for this device; 6 no such device (0 with --restore).\n"
                "See setmtu-apply(8).\n";

/* Finds the device of INSTANCE: by the unescaped name, or else by INSTANCE itself. `ret_name` is the name
 * that was found; the kernel's differs if this is an alternative name. */
static int find_device(struct netlink_socket *socket, const char *instance, struct link *ret_link,
                       char ret_name[static INTERFACE_NAME_SIZE]) {
        char unescaped[INTERFACE_NAME_SIZE];
        const char *candidates[2] = {
                unit_name_unescape(instance, unescaped, sizeof(unescaped)) ? unescaped : NULL,
                instance,
        };

        for (size_t i = 0; i < 2; i++) {
                int r;

                if (!candidates[i] || interface_name_fault(candidates[i]))
                        continue;
                r = link_get_by_name(socket, candidates[i], ret_link);
                if (r == 0)
                        strcpy(ret_name, candidates[i]);
                if (r != -ENODEV)
                        return r;
        }
        return -ENODEV;
}

struct own_diagnostics {
        const char *name;
        bool has_error;
};

static void log_own(void *userdata, const struct diagnostic *diagnostic) {
        struct own_diagnostics *own = userdata;
        bool is_own = diagnostic->name && (strcmp(diagnostic->name, own->name) == 0 ||
                                           (interface_name_is_pattern(diagnostic->name) &&
                                            fnmatch(diagnostic->name, own->name, 0) == 0));

        if (is_own || diagnostic->whole_file) {
                load_plan_log.report(NULL, diagnostic);
                own->has_error |= diagnostic->severity == DIAGNOSTIC_ERROR;
        }
}

/* Records the MTU that setmtu-keep.service restores, or removes it. Called before the change, so that no
 * later change is missed. */
static void note_kept(const struct device_plan *device, const struct link *link) {
        bool is_auto = device->line->spec.is_auto;
        uint32_t wanted = is_auto ? link->mtu : device_status_of(link, device->line).wanted;
        struct device_record record;
        int r;

        if (!device->is_kept || wanted == 0) {
                (void)device_record_remove(link->ifindex, DEVICE_RECORD_KEPT);
                return;
        }
        (void)device_record_read(link, &record);
        /* An MTU that the device has refused before is tried again. */
        record.tally.refused = 0;
        record.kept = (struct kept_mtu){ .mtu = wanted, .line = device->line->line, .is_auto = is_auto };
        if (strlen(device->line->file) < sizeof(record.kept.file) && text_is_plain(device->line->file))
                strcpy(record.kept.file, device->line->file);
        r = device_record_write(link, DEVICE_RECORD_KEPT | DEVICE_RECORD_TALLY, &record);
        if (r < 0)
                log_warning("%s: cannot be kept: %s", link->name, strerror(-r));
}

/* Whether the device has become a port of a bond or team, which gives its ports their MTU. */
static bool is_port(struct netlink_socket *socket, const struct link *link) {
        struct link controller;

        return link->controller_ifindex > 0 &&
               link_get_by_ifindex(socket, link->controller_ifindex, &controller) == 0 &&
               stack_is_setter(&controller);
}

static int apply_own_line(struct snapshot *snapshot, const char *name, const struct link *link) {
        struct own_diagnostics own = { .name = name };
        const struct diagnostic_sink sink = { .report = log_own, .userdata = &own };
        const struct device_plan *device;
        struct config_line line;

        if (load_plan(&sink, &snapshot->plan) < 0)
                return log_fail(EXIT_CODE_FAILURE, "%s: out of memory", name);
        device = plan_find(&snapshot->plan, name);
        if (device && device->line->is_pattern && is_port(snapshot->socket, link)) {
                log_info("%s: left as it is: it is a port now, which %s, %s, is not meant for", name,
                         device->line->name, CONFIG_LINE_PLACE(device->line));
                return EXIT_CODE_DONE;
        }
        if (device) {
                note_kept(device, link);
                line = *device->line;
                strcpy(line.name, name);
                if (change_set_and_log(snapshot, &line, link))
                        return EXIT_CODE_DONE;
                /* What fits may be another MTU later. */
                if (!line.spec.is_auto)
                        (void)device_record_remove(link->ifindex, DEVICE_RECORD_KEPT);
                return EXIT_CODE_FAILURE;
        }
        /* A line in error leaves the record as it is. */
        if (own.has_error)
                return EXIT_CODE_CONFIGURATION; /* logged already */
        if (!snapshot->plan.config.is_partial)
                (void)device_record_remove(link->ifindex, DEVICE_RECORD_KEPT);
        return log_fail(EXIT_CODE_NO_LINE,
                        "%s: " CONFIG_FILE " has no valid line for it; add one, for example %s=9000", name,
                        name);
}

/* Whether the MTU is the udev rule's and no unit has seen the device: it came after the one that is gone,
 * while the unit of that one stops, and systemd may start no unit for it. */
static bool is_successor(const struct link *link) {
        struct original_mtu record;

        return original_mtu_read(link, &record) == -ENOENT && original_mtu_find(link, &record) == 0 &&
               record.original != link->mtu;
}

static int restore_original(struct snapshot *snapshot, const char *name, const struct link *link,
                            bool is_unit) {
        const struct device_plan *device;

        (void)device_record_remove(link->ifindex, DEVICE_RECORD_KEPT);
        if (is_unit && is_successor(link)) {
                log_info("%s: its unit has no record of it, as if it were added later; left at %u", name,
                         link->mtu);
                return EXIT_CODE_DONE;
        }
        /* Without the plan, devices on top of this one are not considered. */
        (void)load_plan(&diagnostic_silent, &snapshot->plan);
        device = plan_find(&snapshot->plan, name);
        if (device && !backend_has_unit(device->backend)) {
                log_info("%s: backend %s sets its MTU now; left as it is", name,
                         backend_name(device->backend));
                return EXIT_CODE_DONE;
        }
        return change_restore_and_log(snapshot, name, link) ? EXIT_CODE_DONE : EXIT_CODE_FAILURE;
}

/* If the unit is masked, setmtu leaves the device alone. Other programs report configuration errors. */
static int has_line(const char *instance) {
        const struct device_plan *device;
        char name[INTERFACE_NAME_SIZE];
        struct plan plan;
        int is_masked;
        bool is_own;

        if (load_plan(&diagnostic_silent, &plan) < 0)
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        device = plan_find_instance(&plan, instance);
        is_own = unit_name_unescape(instance, name, sizeof(name)) && !interface_name_fault(name);
        is_masked = device ? unit_is_device_masked(is_own ? name : instance) : 1;
        plan_free(&plan);
        if (is_masked < 0)
                return log_fail(EXIT_CODE_FAILURE, "%s: cannot find out whether its unit is masked: %s",
                                instance, strerror(-is_masked));
        return is_masked ? EXIT_CODE_NO_LINE : EXIT_CODE_DONE;
}

static int run_for_instance(const char *instance, bool is_restore) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { .socket = NULL };
        /* Set by systemd for the unit: systemd.exec(5). */
        const char *directory = getenv("RUNTIME_DIRECTORY");
        char name[INTERFACE_NAME_SIZE];
        struct link link;
        int r = directory ? sandbox_write_only_in(directory) : 0;

        if (r < 0)
                return log_fail(EXIT_CODE_FAILURE, "cannot give up writing elsewhere than in %s: %s",
                                directory, strerror(-r));
        r = directory ? sandbox_filter_system_calls() : 0;
        if (r < 0)
                return log_fail(EXIT_CODE_FAILURE, "cannot give up system calls: %s", strerror(-r));
        r = netlink_socket_open(NETLINK_ROUTE, &snapshot.socket);
        if (r < 0)
                return log_fail(EXIT_CODE_FAILURE, "cannot open an rtnetlink socket: %s", strerror(-r));
        r = find_device(snapshot.socket, instance, &link, name);
        if (r == -ENODEV && is_restore) {
                r = mtu_change_forget_gone(snapshot.socket);
                if (r < 0)
                        log_warning("%s: not all records of absent devices in /run/setmtu could be removed: "
                                    "%s",
                                    instance, strerror(-r));
                return EXIT_CODE_DONE;
        }
        if (r == -ENODEV)
                return log_fail(EXIT_CODE_ABSENT, "%s: there is no such network device", instance);
        if (r < 0) {
                change_log_unreadable(snapshot.socket, instance, r);
                return EXIT_CODE_FAILURE;
        }
        return is_restore ? restore_original(&snapshot, name, &link, directory)
                          : apply_own_line(&snapshot, name, &link);
}

int main(int argc, char *argv[]) {
        bool is_restore, is_question;
        int i = 1;

        log_open("setmtu-apply");
        standard_option(argc, argv, "setmtu-apply", help);
        is_restore = argc > 1 && strcmp(argv[1], "--restore") == 0;
        is_question = argc > 1 && strcmp(argv[1], "--has-line") == 0;
        i += is_restore || is_question;
        if (i < argc && strcmp(argv[i], "--") == 0)
                i++;
        else if (i < argc && argv[i][0] == '-')
                return log_fail(EXIT_CODE_USAGE,
                                "unknown option %s; see --help (a device's name that begins with \"-\" goes "
                                "after --)",
                                argv[i]);
        if (argc - i != 1 || !*argv[i])
                return log_fail(EXIT_CODE_USAGE, "takes one device; see --help");
        return is_question ? has_line(argv[i]) : run_for_instance(argv[i], is_restore);
}
