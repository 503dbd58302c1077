/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "backends/backend_unit.h"

#include <errno.h>
#include <string.h>

#include "base/whole_file.h"
#include "state/unit_state.h"
#include "store/device_record.h"

/* See backend_unit_has_rule(). */
#define UNFIT "]|\"\\!"

/* $name is the device's name after udev has renamed it, or the kernel's name if udev does not rename it.
 *
 * IMPORT{db} first: each event starts without properties, and the original MTU must survive all events. */
static const char advice[] = "# Changes made here are lost: edit " CONFIG_FILE ", then systemctl restart "
                             "setmtu-configure.\n";
static const char head[] = "\n"
                           "SUBSYSTEM!=\"net\", GOTO=\"setmtu_end\"\n"
                           "ACTION==\"remove\", GOTO=\"setmtu_end\"\n"
                           "IMPORT{db}=\"" UDEV_PROPERTY_ORIGINAL_MTU "\"\n"
                           "IMPORT{db}=\"" UDEV_PROPERTY_NETNS "\"\n"
                           "ENV{.SETMTU_NAME}=\"$name\"\n"
                           "\n";

/* SYSTEMD_WANTS besides the .device.wants directory, which has no effect for a device that an initrd's
 * systemd already knew. */
static const char pull_in[] = "TAG+=\"systemd\", ENV{SYSTEMD_WANTS}+=\"$env{.SETMTU_UNIT}\"";
/* An initrd has no units. Most empty udev's database at the end, which has the original MTU. */
static const char persist[] = "OPTIONS+=\"db_persist\"";

/* The rules of patterns: the last one that matches a device wins, unless it has a rule of its own. An initrd
 * may have made a bond, whose ports come once more. */
static const char patterns_head[] = "ENV{.SETMTU_UNIT}==\"?*\", GOTO=\"setmtu_known\"\n"
                                    "ENV{.SETMTU_NAME}==\"lo\", GOTO=\"setmtu_end\"\n"
                                    "TEST==\"bonding_slave\", GOTO=\"setmtu_end\"\n";
/* A unit's name escapes all but these characters: systemd.unit(5). The words of PROGRAM are split at quotes,
 * so a device with an unusual name has no unit, and no MTU by a pattern's rule. udev leaves \xNN in $result:
 * udev_replace_chars() in systemd's src/shared/udev-util.c. */
static const char patterns_tail[] =
                "ENV{.SETMTU_UNIT}!=\"?*\", GOTO=\"setmtu_end\"\n"
                /* The unit leaves a port of a team alone; sysfs does not tell it from one of a bridge. */
                "TEST==\"master\", ENV{" UDEV_PROPERTY_MTU "}=\"\"\n"
                "ENV{.SETMTU_NAME}!=\"*[!0-9A-Za-z_.:]*\", GOTO=\"setmtu_known\"\n"
                "ENV{.SETMTU_UNIT}=\"\"\n"
                "ENV{.SETMTU_NAME}!=\"*[!0-9A-Za-z_.:+,=@~#%-]*\", "
                "PROGRAM==\"/usr/bin/systemd-escape --template=setmtu@.service -- $name\", "
                "ENV{.SETMTU_UNIT}=\"$result\"\n";

/* Of a mask: a link to /dev/null, which everybody may write, unlike a unit of the administrator's own. */
#define ALONE "ENV{" UDEV_PROPERTY_MTU "}=\"\", GOTO=\"setmtu_end\"\n"

/* The original MTU is recorded only on "add" and while none is known; a later MTU may be setmtu's. */
static const char tail[] = "\n"
                           "ENV{.SETMTU_UNIT}!=\"?*\", GOTO=\"setmtu_end\"\n"
                           "TEST{0002}==\"/etc/systemd/system/$env{.SETMTU_UNIT}\", " ALONE
                           "TEST{0002}==\"/run/systemd/system/$env{.SETMTU_UNIT}\", " ALONE "%s\n"
                           "ACTION!=\"add\", GOTO=\"setmtu_end\"\n"
                           "ENV{" UDEV_PROPERTY_MTU "}!=\"?*\", GOTO=\"setmtu_end\"\n"
                           "ENV{" UDEV_PROPERTY_ORIGINAL_MTU "}!=\"?*\", ENV{" UDEV_PROPERTY_ORIGINAL_MTU
                           "}=\"$attr{mtu}\"\n"
                           "ENV{" UDEV_PROPERTY_NETNS "}=\"%s\"\n"
                           "ATTR{mtu}=\"$env{" UDEV_PROPERTY_MTU "}\"\n"
                           "ENV{" UDEV_PROPERTY_ADDED "}=\"1\"\n"
                           "\n"
                           "LABEL=\"setmtu_end\"\n";

static void write_rule(const struct device_plan *device, FILE *stream) {
        const struct config_line *line = device->line;

        fprintf(stream, "# %s\nENV{.SETMTU_NAME}==\"%s\", ", CONFIG_LINE_PLACE(line), line->name);
        /* For "max" the unit asks the kernel. */
        if (line->spec.mtu != MTU_MAX)
                fprintf(stream, "ENV{" UDEV_PROPERTY_MTU "}=\"%u\", ", line->spec.mtu);
        else if (line->is_pattern) /* an earlier one may have matched */
                fputs("ENV{" UDEV_PROPERTY_MTU "}=\"\", ", stream);
        /* Backslashes are not doubled: neither udev nor PID 1 unescapes SYSTEMD_WANTS. Point releases of
         * systemd from before 2025 do (device_add_udev_wants() without EXTRACT_RETAIN_ESCAPE) and pull in a
         * unit that its conditions skip; the .device.wants directory has the right unit. */
        fprintf(stream, "ENV{.SETMTU_UNIT}=\"setmtu@%s.service\"\n",
                line->is_pattern ? "$name" : device->instance);
}

bool backend_unit_has_rule(const struct device_plan *device) {
        const struct config_line *line = device->line;

        return backend_has_unit(device->backend) && (line->is_pattern || !strpbrk(line->name, UNFIT));
}

/* Nothing in an initrd's rules sees a masked unit: an initrd has no units. */
static bool has_rule(const struct plan *plan, const struct device_plan *device) {
        const struct config_line *line = device->line;

        return backend_unit_has_rule(device) &&
               !(plan->config.is_for_initrd &&
                 (line->spec.mtu == MTU_MAX || unit_is_device_masked(line->name) > 0));
}

/* What its own line, or a later pattern, keeps from the patterns has no rule of its own here. */
static void write_patterns(const struct plan *plan, FILE *stream) {
        const struct config *config = &plan->config;

        fputs(patterns_head, stream);
        for (size_t i = 0; i < plan->n_devices; i++) {
                const struct config_line *line = plan->devices[i].line;

                if (!line->is_pattern && !strpbrk(line->name, UNFIT) && !has_rule(plan, &plan->devices[i]))
                        fprintf(stream, "ENV{.SETMTU_NAME}==\"%s\", GOTO=\"setmtu_end\"\n", line->name);
        }
        for (size_t i = 0; i < config->n_patterns; i++) {
                const struct config_line *line = &config->lines[config->patterns[i]];
                const struct device_plan *device = plan_find(plan, line->name);

                if (device && has_rule(plan, device))
                        write_rule(device, stream);
                else
                        fprintf(stream, "ENV{.SETMTU_NAME}==\"%s\", ENV{.SETMTU_UNIT}=\"\"\n", line->name);
        }
        fputs(config->is_for_initrd ? "" : patterns_tail, stream);
        fputs("LABEL=\"setmtu_known\"\n", stream);
}

int backend_unit_render(const struct plan *plan, const struct diagnostic_sink *sink,
                        struct generated_files *files) {
        static const struct generated_kind kind = { .directory = NULL };
        const bool is_for_initrd = plan->config.is_for_initrd;
        char netns[DEVICE_IDENTITY_NETNS_SIZE] = "";
        bool has_patterns = false;
        FILE *stream = NULL;
        int r = unit_is_masked("setmtu@.service");

        if (r < 0)
                diagnostic_report_file(sink, "/etc/systemd/system",
                                       "cannot find out whether setmtu@.service is masked: %s",
                                       strerror(-r));
        for (size_t i = 0; i < plan->n_devices && r == 0; i++) {
                const struct device_plan *device = &plan->devices[i];

                if (!has_rule(plan, device))
                        continue;
                if (!stream) {
                        stream = generated_files_begin(files, &kind, UDEV_RULES_PATH, NULL);
                        if (!stream)
                                return -ENOMEM;
                        if (!is_for_initrd)
                                fputs(advice, stream);
                        fputs(head, stream);
                }
                has_patterns |= device->line->is_pattern;
                if (!device->line->is_pattern)
                        write_rule(device, stream);
        }
        if (!stream)
                return 0;
        if (has_patterns)
                write_patterns(plan, stream);
        /* Without the namespace, the MTU that the rule sets would count as the original. The system's rule
         * replaces what that of an initrd leaves. */
        r = is_for_initrd ? 0 : device_identity_netns(netns);
        fprintf(stream, tail, is_for_initrd ? persist : pull_in, netns);
        return generated_files_end(files, stream) < 0 ? -ENOMEM : r;
}

int backend_unit_save(const struct generated_files *rules) {
        return rules->n_items > 0 ? whole_file_replace(UDEV_RULES_PATH, rules->items[0].text,
                                                       rules->items[0].size)
                                  : whole_file_remove(UDEV_RULES_PATH);
}
