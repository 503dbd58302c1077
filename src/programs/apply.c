/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu-apply: sets the MTU of one device as the configuration wants it, or puts back what was there
 * before. Run by setmtu@.service. See setmtu-apply(8). */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/unit_name.h"
#include "change/mtu_change.h"
#include "files/config_files.h"
#include "kernel/capability.h"
#include "kernel/link.h"
#include "programs/exit_code.h"
#include "programs/load_plan.h"
#include "programs/log.h"
#include "programs/standard_option.h"

static const char help[] =
                "Usage: setmtu-apply [--restore] [--] INSTANCE\n"
                "\n"
                "Sets the MTU of a network device to what /etc/conf.d/setmtu wants. INSTANCE is the\n"
                "interface's name, plain or escaped as in a unit's name: br-lan or br\\x2dlan.\n"
                "setmtu@INSTANCE.service runs this.\n"
                "\n"
                "      --restore  put back the MTU from before, if nobody has changed it since\n"
                "      --help     show this and exit\n"
                "      --version  show the version and exit\n"
                "\n"
                "Exit status: 0 done; 1 the kernel or the device refused; 2 usage; 3 the device's line is\n"
                "in error; 5 no line for this device; 6 no such device (0 with --restore).\n"
                "See setmtu-apply(8).\n";

/* What a message says of where a value stands: FILE:LINE. */
struct place {
        char text[256];
};

static struct place place_of(const struct config_line *line) {
        struct place place;

        if (line->line > 0)
                snprintf(place.text, sizeof(place.text), "%s:%u", line->file, line->line);
        else
                snprintf(place.text, sizeof(place.text), "%s", line->file);
        return place;
}

/* The kernel's own words where it had some, errno's otherwise. */
static const char *reason(const struct link_socket *socket, int error) {
        const char *complaint = link_socket_complaint(socket);

        return complaint ? complaint : strerror(-error);
}

/* Finds the device that INSTANCE means: the name that it is the escaped form of, or else the name as it
 * stands. `ret_name` is that name; the kernel's may differ, where the device was found by an alternative
 * name. */
static int find_device(struct link_socket *socket, const char *instance, struct link *ret_link,
                       char ret_name[static INTERFACE_NAME_SIZE]) {
        char unescaped[INTERFACE_NAME_SIZE];
        const char *candidates[2] = {
                unit_name_unescape(instance, unescaped, sizeof(unescaped)) ? unescaped : NULL,
                instance,
        };

        for (size_t i = 0; i < 2; i++) {
                int r;

                if (!candidates[i] || interface_name_fault(candidates[i], strlen(candidates[i])))
                        continue;
                r = link_get_by_name(socket, candidates[i], ret_link);
                if (r == 0)
                        strcpy(ret_name, candidates[i]);
                if (r != -ENODEV)
                        return r;
        }
        return -ENODEV;
}

/* Lets through what concerns one device, or all of them. */
struct own_diagnostics {
        const char *name;
        bool has_error;
        unsigned n_nameless; /* lines in error that could have been anybody's */
};

static void log_own(void *userdata, const struct diagnostic *diagnostic) {
        struct own_diagnostics *own = userdata;
        bool is_own = diagnostic->name && strcmp(diagnostic->name, own->name) == 0;

        if (is_own || diagnostic->whole_file) {
                load_plan_log_diagnostic(diagnostic);
                own->has_error |= diagnostic->severity == DIAGNOSTIC_ERROR;
        } else if (!diagnostic->name)
                own->n_nameless++;
}

/* The device's line, if it is one that the plan carries out. */
static const struct config_line *planned_line(const struct config *config, const struct plan *plan,
                                              const char *name) {
        const struct config_line *line = config_find(config, name);

        for (size_t i = 0; i < plan->n_devices; i++)
                if (plan->devices[i].line == line)
                        return line;
        return NULL;
}

static void log_no_line(const char *name, unsigned n_nameless) {
        if (n_nameless > 0)
                log_message(LOG_PRIORITY_ERROR,
                            "%s: " CONFIG_FILE
                            " has no line for it, but %u in error that might be meant so; "
                            "see systemctl status setmtu-configure",
                            name, n_nameless);
        else
                log_message(LOG_PRIORITY_ERROR,
                            "%s: " CONFIG_FILE " has no line for it; add one, for example %s=9000", name,
                            name);
}

static void log_no_permission(const char *name) {
        log_message(LOG_PRIORITY_ERROR,
                    "%s: setting an MTU needs the capability CAP_NET_ADMIN; run this as root", name);
}

/* The whole story of a value that the kernel refused. */
static void log_refusal(struct link_socket *socket, const struct config_line *line,
                        const struct mtu_change *change) {
        struct place place = place_of(line);
        char words[256];
        struct link lower;

        snprintf(words, sizeof(words), "%s",
                 reason(socket, change->error)); /* a request below takes its place */
        if (change->error == -EPERM)
                log_no_permission(line->name);
        else if ((change->error == -ERANGE || change->error == -EINVAL) && change->link.lower_ifindex > 0 &&
                 link_get_by_ifindex(socket, change->link.lower_ifindex, &lower) == 0 &&
                 lower.mtu < change->wanted)
                log_message(LOG_PRIORITY_ERROR,
                            "%s: %" PRIu32 " is more than the device below it carries: %s has %" PRIu32
                            "; raise that one first, or lower the value in %s",
                            line->name, change->wanted, lower.name, lower.mtu, place.text);
        else if (change->error == -EBUSY && change->link.up)
                log_message(LOG_PRIORITY_ERROR,
                            "%s: %" PRIu32
                            " was refused: %s; this driver may want the link down for a change of MTU; %s",
                            line->name, change->wanted, words, place.text);
        else
                log_message(LOG_PRIORITY_ERROR, "%s: %" PRIu32 " was refused: %s; %s", line->name,
                            change->wanted, words, place.text);
}

/* Says what became of a line. True where the device has its MTU. */
static bool log_change(struct link_socket *socket, const struct config_line *line,
                       const struct mtu_change *change) {
        struct place place = place_of(line);
        const struct link *link = &change->link;

        /* Where nothing came of the change there is nothing to keep. */
        if (change->record_error < 0 &&
            (change->result == MTU_CHANGE_DONE || change->result == MTU_CHANGE_EQUAL ||
             change->result == MTU_CHANGE_ROUNDED))
                log_message(LOG_PRIORITY_WARNING,
                            "%s: the MTU from before, %" PRIu32
                            ", could not be kept in /run/setmtu: %s; stopping the "
                            "unit will not restore it",
                            line->name, change->original, strerror(-change->record_error));
        switch (change->result) {
        case MTU_CHANGE_DONE:
                log_message(LOG_PRIORITY_INFO, "%s: MTU set to %" PRIu32 ", was %" PRIu32 "; %s", line->name,
                            change->wanted, change->before, place.text);
                return true;
        case MTU_CHANGE_EQUAL:
                log_message(LOG_PRIORITY_INFO, "%s: MTU is %" PRIu32 " already; %s", line->name,
                            change->wanted, place.text);
                return true;
        case MTU_CHANGE_NO_LARGEST:
                log_message(LOG_PRIORITY_ERROR,
                            "%s: max cannot be had: the device states no largest MTU; write a number in %s",
                            line->name, place.text);
                return false;
        case MTU_CHANGE_TOO_LARGE:
                log_message(LOG_PRIORITY_ERROR,
                            "%s: %" PRIu32 " is more than this device takes (%" PRIu32 " to %" PRIu32
                            "); %s",
                            line->name, change->wanted, link->mtu_min, link->mtu_max, place.text);
                return false;
        case MTU_CHANGE_TOO_SMALL:
                log_message(LOG_PRIORITY_ERROR,
                            "%s: %" PRIu32 " is less than this device takes (%" PRIu32 " at least); %s",
                            line->name, change->wanted, link->mtu_min, place.text);
                return false;
        case MTU_CHANGE_UNRECORDED:
                log_message(LOG_PRIORITY_ERROR,
                            "%s: left at %" PRIu32 " and not set to %" PRIu32
                            ": the MTU from before, %" PRIu32 ", could not be kept in /run/setmtu: %s; %s",
                            line->name, link->mtu, change->wanted, change->original,
                            strerror(-change->record_error), place.text);
                return false;
        case MTU_CHANGE_REFUSED:
                log_refusal(socket, line, change);
                return false;
        case MTU_CHANGE_LOST:
                log_message(LOG_PRIORITY_ERROR, "%s: cannot be read back: %s", line->name,
                            reason(socket, change->error));
                return false;
        case MTU_CHANGE_ROUNDED:
                log_message(LOG_PRIORITY_ERROR,
                            "%s: the device made %" PRIu32 " of %" PRIu32 " without an error; %s",
                            line->name, link->mtu, change->wanted, place.text);
                return false;
        }
        return false;
}

static int apply_line(struct link_socket *socket, const struct config_line *line, const struct link *link) {
        struct mtu_change change;
        int r;

        mtu_change_apply(socket, link, &line->request, &change);
        if (!log_change(socket, line, &change))
                return EXIT_CODE_FAILURE;
        if (!line->request.up || change.link.up)
                return EXIT_CODE_DONE;
        r = link_set_up(socket, link->ifindex);
        if (r < 0) {
                log_message(LOG_PRIORITY_ERROR, "%s: the MTU is set, but the link does not come up: %s; %s",
                            line->name, reason(socket, r), place_of(line).text);
                return EXIT_CODE_FAILURE;
        }
        log_message(LOG_PRIORITY_INFO, "%s: link brought up", line->name);
        return EXIT_CODE_DONE;
}

static int apply(struct link_socket *socket, const char *name, const struct link *link) {
        struct own_diagnostics own = { .name = name };
        const struct diagnostic_sink sink = { .report = log_own, .userdata = &own };
        const struct config_line *line;
        struct config config;
        struct plan plan;
        int exit_code;

        if (load_plan(&sink, &config, &plan) < 0) {
                log_message(LOG_PRIORITY_ERROR, "%s: out of memory", name);
                return EXIT_CODE_FAILURE;
        }
        line = planned_line(&config, &plan, name);
        if (line)
                exit_code = apply_line(socket, line, link);
        else if (own.has_error)
                exit_code = EXIT_CODE_CONFIGURATION; /* said already */
        else {
                log_no_line(name, own.n_nameless);
                exit_code = EXIT_CODE_NO_LINE;
        }
        plan_free(&plan);
        config_free(&config);
        return exit_code;
}

static int restore(struct link_socket *socket, const char *name, const struct link *link) {
        struct mtu_restore restore;

        mtu_change_restore(socket, link, &restore);
        switch (restore.result) {
        case MTU_RESTORE_DONE:
                log_message(LOG_PRIORITY_INFO, "%s: MTU restored to %" PRIu32 ", was %" PRIu32, name,
                            restore.original, restore.set);
                return EXIT_CODE_DONE;
        case MTU_RESTORE_EQUAL:
        case MTU_RESTORE_NOTHING:
                return EXIT_CODE_DONE;
        case MTU_RESTORE_FOREIGN:
                log_message(LOG_PRIORITY_INFO,
                            "%s: MTU is %" PRIu32 ", no longer the %" PRIu32
                            " that was set: somebody else's now, left alone",
                            name, link->mtu, restore.set);
                return EXIT_CODE_DONE;
        case MTU_RESTORE_REFUSED:
                if (restore.error == -EPERM)
                        log_no_permission(name);
                else
                        log_message(LOG_PRIORITY_ERROR,
                                    "%s: the MTU from before, %" PRIu32 ", was refused: %s", name,
                                    restore.original, reason(socket, restore.error));
                return EXIT_CODE_FAILURE;
        case MTU_RESTORE_UNREADABLE:
                log_message(LOG_PRIORITY_ERROR,
                            "%s: the record of its MTU in /run/setmtu is unreadable: %s; left at %" PRIu32,
                            name, strerror(-restore.error), link->mtu);
                return EXIT_CODE_FAILURE;
        }
        return EXIT_CODE_FAILURE;
}

static int run(const char *instance, bool is_restore) {
        CLEANUP(link_socket_cleanup) struct link_socket *socket = NULL;
        char name[INTERFACE_NAME_SIZE];
        struct link link;
        int r;

        r = capability_keep_net_admin();
        if (r < 0) {
                log_message(LOG_PRIORITY_ERROR, "cannot give up capabilities: %s", strerror(-r));
                return EXIT_CODE_FAILURE;
        }
        r = link_socket_open(&socket);
        if (r < 0) {
                log_message(LOG_PRIORITY_ERROR, "cannot talk to the kernel over rtnetlink: %s",
                            strerror(-r));
                return EXIT_CODE_FAILURE;
        }
        r = find_device(socket, instance, &link, name);
        if (r == -ENODEV && is_restore) {
                mtu_change_forget_gone(socket);
                return EXIT_CODE_DONE;
        }
        if (r == -ENODEV) {
                log_message(LOG_PRIORITY_ERROR, "%s: there is no such network device", instance);
                return EXIT_CODE_ABSENT;
        }
        if (r < 0) {
                log_message(LOG_PRIORITY_ERROR, "%s: the kernel does not tell of it: %s", instance,
                            reason(socket, r));
                return EXIT_CODE_FAILURE;
        }
        return is_restore ? restore(socket, name, &link) : apply(socket, name, &link);
}

int main(int argc, char *argv[]) {
        bool is_restore = false;
        int i = 1, exit_code;

        log_open("setmtu-apply");
        if (standard_option(argc, argv, "setmtu-apply", help, &exit_code))
                return exit_code;

        if (i < argc && strcmp(argv[i], "--restore") == 0) {
                is_restore = true;
                i++;
        }
        if (i < argc && strcmp(argv[i], "--") == 0)
                i++;
        else if (i < argc && argv[i][0] == '-') {
                log_message(LOG_PRIORITY_ERROR,
                            "unknown option %s; see --help (a device's name that begins with \"-\" goes "
                            "after --)",
                            argv[i]);
                return EXIT_CODE_USAGE;
        }
        if (argc - i != 1 || !*argv[i]) {
                log_message(LOG_PRIORITY_ERROR, "takes one device; see --help");
                return EXIT_CODE_USAGE;
        }
        return run(argv[i], is_restore);
}
