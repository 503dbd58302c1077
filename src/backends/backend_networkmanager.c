/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Backend networkmanager: one file in NetworkManager's conf.d, and setmtu-networkmanager, which makes a
 * running NetworkManager apply it. */

#include "backends/backend_networkmanager.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "backends/backend.h"
#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/pool.h"
#include "base/process.h"
#include "base/text.h"
#include "state/unit_state.h"

#define NAME "90-setmtu.conf"
#define DIRECTORY "/run/NetworkManager/conf.d"
#define PATH NETWORKMANAGER_CONF
/* A file of the same name in this directory hides setmtu's. */
#define HIDING "/etc/NetworkManager/conf.d/" NAME
#define MATCH "match-device=interface-name:" /* "=" and a name, or a pattern */

/* A device has one kind, and NetworkManager reads only the key of that kind, so all keys can be written
 * before the device exists. "ethernet" covers every kind with the setting 802-3-ethernet: also VLAN, bond,
 * bridge, team, macvlan, tun, vxlan, dummy, veth, macsec, 6lowpan, Open vSwitch. */
static const char *const keys[] = { "ethernet.mtu", "wifi.mtu", "infiniband.mtu", "ip-tunnel.mtu",
                                    "wireguard.mtu" };

static bool is_for(const struct device_plan *device, bool is_installed) {
        return device->backend == BACKEND_NETWORKMANAGER ||
               (device->backend == BACKEND_AUTO && device->line->spec.mtu != MTU_MAX && is_installed);
}

/* Whether NetworkManager knows such a pattern: g_pattern_match_simple(3) has no [...]. */
static bool is_known(const struct config_line *line) {
        return !line->is_pattern || !strchr(line->name, '[');
}

bool networkmanager_conf_has(const struct device_plan *device, bool is_installed) {
        return is_for(device, is_installed) && is_known(device->line);
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

bool networkmanager_conf_next(const char **rest, char ret_interface[static INTERFACE_NAME_SIZE],
                              uint32_t *ret_mtu) {
        const char *c = strstr(*rest, "\n" MATCH);
        char name[INTERFACE_NAME_SIZE];
        size_t used = 0;

        if (!c)
                return false;
        c += strlen("\n" MATCH);
        for (c += *c == '='; *c && *c != '\n' && *c != ',' && used < sizeof(name) - 1; c++) {
                if (*c == '\\' && c[1])
                        c++;
                name[used++] = *c;
        }
        name[used] = '\0';
        c += strcspn(c, "\n");
        c += strcspn(c, "=");
        *ret_mtu = *c ? (uint32_t)strtoul(c + 1, NULL, 10) : 0;
        strcpy(ret_interface, name);
        *rest = c;
        return true;
}

/* Whether the file can be written. If not, or if another file hides it, reports that for the devices that
 * rely on it. */
static bool is_free(const struct rendering *rendering) {
        int r = generated_file_is_free(PATH);

        if (r < 0)
                return backend_report_unread(rendering, PATH, r);
        for (size_t i = 0; i < rendering->plan->n_devices; i++) {
                const struct device_plan *device = &rendering->plan->devices[i];

                if (device->backend == BACKEND_NETWORKMANAGER &&
                    backend_is_free(rendering, device, PATH, HIDING) < 0)
                        return false;
        }
        return r;
}

static void report_unknown(const struct rendering *rendering, const struct device_plan *device) {
        bool has_unit = backend_has_unit(device->backend);

        plan_report(rendering->sink, has_unit ? DIAGNOSTIC_WARNING : DIAGNOSTIC_ERROR, device->line,
                    "NetworkManager knows only * and ? in a pattern, and does not learn of this MTU; use "
                    "backend=unit%s",
                    has_unit ? " if it need not" : "");
}

static int render(const struct rendering *rendering) {
        struct generated_files *files = rendering->files;
        int is_installed = rendering->plan->has_auto ? unit_is_installed("NetworkManager.service") : 0;
        FILE *stream = NULL;

        if (is_installed < 0)
                (void)backend_report_unread(rendering, "NetworkManager.service", is_installed);
        if (is_installed < 0 || !is_free(rendering))
                return 0;
        for (size_t i = 0; i < rendering->plan->n_devices; i++) {
                const struct device_plan *device = &rendering->plan->devices[i];

                if (is_for(device, is_installed) && !is_known(device->line))
                        report_unknown(rendering, device);
                if (!networkmanager_conf_has(device, is_installed) || !backend_can_write(rendering, device))
                        continue;
                if (!stream) {
                        stream = generated_files_begin(files, &backend_networkmanager.files, PATH, NULL);
                        if (!stream)
                                return -ENOMEM;
                        fputs("# Changes made here are lost: edit " CONFIG_FILE ", then setmtu reload.\n",
                              stream);
                }
                write_section(&rendering->plan->config, device, stream);
                generated_files_add_line(files, device->line);
        }
        return stream ? generated_files_end(files, stream) : 0;
}

#define N_WORDS_MIN 3 /* the program, -- and NULL */

/* The MTU that a text gives the interface; 0: none. */
static uint32_t mtu_in(const char *text, const char *interface) {
        char name[INTERFACE_NAME_SIZE];
        uint32_t mtu;

        while (networkmanager_conf_next(&text, name, &mtu))
                if (strcmp(name, interface) == 0)
                        return mtu;
        return 0;
}

/* The words for setmtu-networkmanager: MTU:NAME for each device whose MTU differs between the two texts,
 * with the MTU from before; 0: none. False if out of memory. */
static bool make_call(const char *before, const char *now, struct process_words *ret) {
        char name[INTERFACE_NAME_SIZE];
        const char *rest;
        uint32_t mtu;

        process_words_add(ret, LIBEXECDIR "/setmtu-networkmanager");
        process_words_add(ret, "--");
        for (rest = now; networkmanager_conf_next(&rest, name, &mtu);)
                if (mtu_in(before, name) != mtu)
                        process_words_add(ret, pool_print(&ret->pool, "%u:%s", mtu_in(before, name), name));
        for (rest = before; networkmanager_conf_next(&rest, name, &mtu);)
                if (mtu_in(now, name) == 0)
                        process_words_add(ret, pool_print(&ret->pool, "%u:%s", mtu, name));
        process_words_add(ret, NULL);
        return !ret->pool.failed;
}

static bool live_before(const struct generated_files *before, const struct generated_files *wanted) {
        const struct generated_file *old = generated_files_find(before, PATH);
        const struct generated_file *now = generated_files_find(wanted, PATH);
        CLEANUP(process_words_cleanup) struct process_words words = { 0 };
        int r;

        if ((!now || !now->is_changed) && (!old || !old->is_changed))
                return true;
        r = unit_is_active("NetworkManager.service");
        if (r < 0)
                log_error("cannot find out whether NetworkManager runs: %s", strerror(-r));
        if (r <= 0)
                return r == 0;
        if (!make_call(old ? old->text : "", now ? now->text : "", &words))
                return log_fail(false, LOG_OUT_OF_MEMORY);
        if (words.n_items == N_WORDS_MIN)
                return true;
        r = process_run(words.items);
        if (r == -ENOENT) {
                /* setmtu was built without the command: NetworkManager reads the file at its next start. */
                log_info(PATH ": NetworkManager reads it when it is restarted");
                return true;
        }
        if (r < 0)
                log_error("%s: %s", words.items[0], strerror(-r));
        return r == EXIT_CODE_DONE;
}

const struct backend_type backend_networkmanager = {
        .files = { .places = { { .directory = DIRECTORY, .suffix = NAME, .is_exact = true } } },
        .render = render,
        .live_before = live_before,
};
