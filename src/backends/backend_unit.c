/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "backends/backend_unit.h"

#include <errno.h>
#include <string.h>

#include "base/whole_file.h"
#include "state/unit_state.h"
#include "store/device_record.h"

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

/* The original MTU is recorded only on "add" and while none is known; a later MTU may be setmtu's. */
static const char tail[] = "\n"
                           "ENV{.SETMTU_UNIT}!=\"?*\", GOTO=\"setmtu_end\"\n"
                           "%s\n"
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
        /* Backslashes are not doubled: neither udev nor PID 1 unescapes SYSTEMD_WANTS. Point releases of
         * systemd from before 2025 do (device_add_udev_wants() without EXTRACT_RETAIN_ESCAPE) and pull in a
         * unit that its conditions skip; the .device.wants directory has the right unit. */
        fprintf(stream, "ENV{.SETMTU_UNIT}=\"setmtu@%s.service\"\n", device->instance);
}

bool backend_unit_has_rule(const struct device_plan *device) {
        return backend_has_unit(device->backend) && !strpbrk(device->line->name, "*?[]|\"\\!");
}

int backend_unit_render(const struct plan *plan, const struct diagnostic_sink *sink,
                        struct generated_files *files) {
        static const struct generated_kind kind = { .is_program = false };
        const bool is_for_initrd = plan->config.is_for_initrd;
        char netns[DEVICE_IDENTITY_NETNS_SIZE] = "";
        FILE *stream = NULL;
        int r;

        for (size_t i = 0; i < plan->n_devices; i++) {
                const struct device_plan *device = &plan->devices[i];
                bool has_rule = backend_unit_has_rule(device);
                int is_masked = has_rule ? unit_is_device_masked(device->line->name) : 0;

                if (is_masked < 0)
                        diagnostic_report_file(sink, "/etc/systemd/system",
                                               "cannot find out whether setmtu@%s.service is masked: %s",
                                               device->instance, strerror(-is_masked));
                if (!has_rule || is_masked != 0 || (is_for_initrd && device->line->spec.mtu == MTU_MAX))
                        continue;
                if (!stream) {
                        stream = generated_files_begin(files, &kind, UDEV_RULES_PATH, NULL);
                        if (!stream)
                                return -ENOMEM;
                        if (!is_for_initrd)
                                fputs(advice, stream);
                        fputs(head, stream);
                }
                write_rule(device, stream);
                generated_files_add_line(files, device->line);
        }
        if (!stream)
                return 0;
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
