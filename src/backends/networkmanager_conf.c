/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "backends/networkmanager_conf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/whole_file.h"
#include "plan/device_status.h"

#define MARK "# Written by setmtu-configure"
#define MATCH "match-device=interface-name:="

/* A device has one kind, and NetworkManager asks for the key of that kind alone, so all of them can stand
 * there before the device does. "ethernet" is all that has the setting 802-3-ethernet: VLAN, bond, bridge,
 * team, macvlan, tun, vxlan, dummy, veth, macsec, 6lowpan, Open vSwitch as well. */
static const char *const keys[] = { "ethernet.mtu", "wifi.mtu", "infiniband.mtu", "ip-tunnel.mtu",
                                    "wireguard.mtu" };

bool networkmanager_conf_has(const struct device_plan *device) {
        return device->backend == BACKEND_NETWORKMANAGER ||
               (device->backend == BACKEND_AUTO && device->line->spec.mtu != MTU_MAX &&
                (whole_file_exists("/etc/NetworkManager") || whole_file_exists("/usr/lib/NetworkManager")));
}

/* As nm_match_spec_split() of its src/core/nm-core-utils.c takes it apart. */
static void write_match(const char *name, FILE *stream) {
        fputs(MATCH, stream);
        for (; *name; name++) {
                if (*name == '\\' || *name == ',' || *name == ';')
                        fputc('\\', stream);
                fputc(*name, stream);
        }
        fputc('\n', stream);
}

static void write_section(const struct device_plan *device, FILE *stream) {
        const struct config_line *line = device->line;

        if (line->line > 0)
                fprintf(stream, "\n# %s:%u\n", line->file, line->line);
        else
                fprintf(stream, "\n# %s\n", line->file);
        /* Escaped as for a unit: a section's name may have no brackets. */
        fprintf(stream, "[connection-setmtu-%s]\n", device->instance);
        write_match(line->name, stream);
        if (strcmp(line->name, "lo") == 0)
                fprintf(stream, "loopback.mtu=%u\n", line->spec.mtu);
        else
                for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
                        fprintf(stream, "%s=%u\n", keys[i], line->spec.mtu);
}

size_t networkmanager_conf_write(const struct plan *plan, const struct link_table *links,
                                 const struct diagnostic_sink *sink, FILE *stream) {
        size_t n = 0;

        fputs(MARK " from /etc/conf.d/setmtu, its drop-ins and the kernel command line.\n"
                   "# Changes made here are lost: edit /etc/conf.d/setmtu, then setmtu reload.\n",
              stream);
        for (size_t i = 0; i < plan->n_devices; i++) {
                const struct device_plan *device = &plan->devices[i];

                if (!networkmanager_conf_has(device) ||
                    !device_status_is_possible(device->line, links,
                                               device->backend == BACKEND_NETWORKMANAGER ? sink : NULL))
                        continue;
                write_section(device, stream);
                n++;
        }
        return n;
}

static void report_all(const struct plan *plan, const struct diagnostic_sink *sink, const char *text) {
        for (size_t i = 0; i < plan->n_devices; i++) {
                const struct config_line *line = plan->devices[i].line;

                if (plan->devices[i].backend == BACKEND_NETWORKMANAGER)
                        diagnostic_report(sink, DIAGNOSTIC_ERROR, line->file, line->line, line->name,
                                          "%s: %s", line->name, text);
        }
}

bool networkmanager_conf_is_free(const struct plan *plan, const struct diagnostic_sink *sink) {
        CLEANUP(cleanup_free) char *text = NULL;
        size_t size;
        int r = whole_file_read(NETWORKMANAGER_CONF_PATH, NETWORKMANAGER_CONF_MAX, &text, &size);

        if (r != -ENOENT && (r < 0 || !networkmanager_conf_is_ours(text))) {
                report_all(plan, sink,
                           NETWORKMANAGER_CONF_PATH
                           " was not written by setmtu and is left alone; remove it or rename it");
                return false;
        }
        if (whole_file_exists(NETWORKMANAGER_CONF_HIDING))
                report_all(plan, sink,
                           NETWORKMANAGER_CONF_HIDING " hides " NETWORKMANAGER_CONF_PATH
                                                      "; remove it or rename it");
        return true;
}

bool networkmanager_conf_is_ours(const char *text) {
        return strncmp(text, MARK, strlen(MARK)) == 0;
}

bool networkmanager_conf_next(const char **rest, char ret_interface[static INTERFACE_NAME_SIZE],
                              uint32_t *ret_mtu) {
        const char *c = strstr(*rest, "\n" MATCH);
        char name[INTERFACE_NAME_SIZE];
        size_t used = 0;

        if (!c)
                return false;
        for (c += strlen("\n" MATCH); *c && *c != '\n' && used < sizeof(name) - 1; c++) {
                if (*c == '\\' && c[1])
                        c++;
                name[used++] = *c;
        }
        name[used] = '\0';
        c += strcspn(c, "=");
        *ret_mtu = *c ? (uint32_t)strtoul(c + 1, NULL, 10) : 0;
        strcpy(ret_interface, name);
        *rest = c;
        return true;
}
