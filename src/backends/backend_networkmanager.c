/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Backend networkmanager: one file in NetworkManager's conf.d: NetworkManager.conf(5), "CONNECTION SECTION".
 * NetworkManager uses these defaults only where the profile has no MTU of its own, and before it takes one
 * from DHCP: nm_device_get_configured_mtu_from_connection() and _commit_mtu() in its
 * src/core/devices/nm-device.c. */

#include <errno.h>
#include <string.h>

#include "backends/backend.h"
#include "base/whole_file.h"

#define NAME "90-setmtu.conf"
#define DIRECTORY "/run/NetworkManager/conf.d"
#define PATH NETWORKMANAGER_CONF
#define MATCH "match-device=interface-name:" /* "=" and a name, or a pattern */

/* A device has one kind, and NetworkManager reads only the key of that kind, so all keys can be written
 * before the device exists. "ethernet" covers every kind with the setting 802-3-ethernet: also VLAN, bond,
 * bridge, team, macvlan, tun, vxlan, dummy, veth, macsec, 6lowpan, Open vSwitch. */
static const char *const keys[] = { "ethernet.mtu", "wifi.mtu", "infiniband.mtu", "ip-tunnel.mtu",
                                    "wireguard.mtu" };

/* A mask counts, too: the package is there. True if that cannot be told. */
static bool is_installed(void) {
        static const char *const units[] = {
                "/usr/lib/systemd/system/NetworkManager.service",
                "/lib/systemd/system/NetworkManager.service",
                "/usr/local/lib/systemd/system/NetworkManager.service",
                "/etc/systemd/system/NetworkManager.service",
        };

        for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
                if (whole_file_exists(units[i]) != 0)
                        return true;
        return false;
}

static bool is_for(const struct device_plan *device, bool has_manager) {
        return device->backend == BACKEND_NETWORKMANAGER ||
               (device->backend == BACKEND_AUTO && device->line->spec.mtu != MTU_MAX && has_manager);
}

/* Escapes what nm_match_spec_split() in NetworkManager's src/core/nm-core-utils.c unescapes. [...] becomes
 * ?, which matches that and more: such a name only leaves devices out. */
static void write_name(const char *name, bool is_pattern, FILE *stream) {
        for (; *name; name++) {
                if (is_pattern && *name == '[') {
                        fputc('?', stream);
                        name = strchr(name + 2 + (name[1] == '!'), ']');
                        continue;
                }
                if (*name == '\\' || *name == ',' || *name == ';')
                        fputc('\\', stream);
                fputc(*name, stream);
        }
}

static void write_match(const struct config *config, const struct config_line *line, FILE *stream) {
        const struct config_line *other;
        size_t index = 0;

        fputs(line->is_pattern ? MATCH : MATCH "=", stream);
        write_name(line->name, line->is_pattern, stream);
        while (line->is_pattern && (other = config_next_override(config, line, &index))) {
                fputs(other->is_pattern ? ",except:interface-name:" : ",except:interface-name:=", stream);
                write_name(other->name, other->is_pattern, stream);
        }
        fputc('\n', stream);
}

static void write_section(const struct config *config, const struct device_plan *device, FILE *stream) {
        const struct config_line *line = device->line;

        fprintf(stream, "\n# %s\n", CONFIG_LINE_PLACE(line));
        /* Escaped as in a unit name: a section name may not contain brackets. */
        fprintf(stream, "[connection-setmtu-%s]\n", device->instance);
        write_match(config, line, stream);
        if (strcmp(line->name, "lo") == 0)
                fprintf(stream, "loopback.mtu=%u\n", line->spec.mtu);
        else
                for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
                        fprintf(stream, "%s=%u\n", keys[i], line->spec.mtu);
}

/* Whether the file can be written. If not, or if another file hides it, reports that for the devices that
 * rely on it. */
static bool is_free(const struct rendering *rendering) {
        int r = generated_file_is_ours(PATH);
        bool is_free = r != 0;

        if (r < 0 && r != -ENOENT) {
                diagnostic_report_file(rendering->sink, PATH, "cannot be read: %s; setmtu's own files stay",
                                       strerror(-r));
                return false;
        }
        for (size_t i = 0; i < rendering->plan->n_devices; i++) {
                const struct device_plan *device = &rendering->plan->devices[i];

                if (device->backend == BACKEND_NETWORKMANAGER)
                        is_free &= backend_is_free(rendering, device, PATH) >= 0;
        }
        return is_free;
}

/* Whether NetworkManager knows such a pattern: g_pattern_match_simple(3) has no [...]. Otherwise reported.
 */
static bool is_known(const struct rendering *rendering, const struct device_plan *device) {
        bool has_unit = backend_has_unit(device->backend);

        if (!device->line->is_pattern || !strchr(device->line->name, '['))
                return true;
        plan_report(rendering->sink, has_unit ? DIAGNOSTIC_WARNING : DIAGNOSTIC_ERROR, device->line,
                    "NetworkManager knows only * and ? in a pattern, and does not learn of this MTU; use "
                    "backend=unit%s",
                    has_unit ? " if it need not" : "");
        return false;
}

static int render(const struct rendering *rendering) {
        struct generated_files *files = rendering->files;
        bool has_manager = rendering->plan->has_auto && is_installed();
        FILE *stream = NULL;

        if (!is_free(rendering))
                return 0;
        for (size_t i = 0; i < rendering->plan->n_devices; i++) {
                const struct device_plan *device = &rendering->plan->devices[i];

                if (!is_for(device, has_manager) || !is_known(rendering, device) ||
                    !backend_can_write(rendering, device))
                        continue;
                if (!stream) {
                        stream = generated_files_begin(files, &backend_networkmanager.files, PATH, NULL);
                        if (!stream)
                                return -ENOMEM;
                        fputs("# Changes made here are lost: edit " CONFIG_FILE ", then setmtu reload.\n",
                              stream);
                }
                write_section(&rendering->plan->config, device, stream);
        }
        return stream ? generated_files_end(files, stream) : 0;
}

const struct backend_type backend_networkmanager = {
        .files = { .places = { { .directory = DIRECTORY, .suffix = NAME } } },
        .render = render,
};
