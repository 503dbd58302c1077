/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Backend netctl: writes the interface hooks of netctl and of netcfg, its predecessor. A hook is a piece of
 * bash that both read with each profile of an interface: netctl.special(7), load_interface_config() in
 * netctl's src/lib/globals, load_profile() in netcfg's src/network. Only the comment in a hook contains text
 * from outside: the interface is the shell's own variable. The hooks persist across boots. */

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "backends/backend.h"
#include "base/whole_file.h"
#include "state/owner_state.h"

#define NETCTL "/etc/netctl"
#define NETCFG "/etc/network.d"
#define VARIABLE "setmtu_mtu="

/* "Command" is netctl's variable, "ACTION" netctl-auto's. netctl reads the hook before it checks that the
 * link is down, and before it creates a VLAN or bridge, which gets its MTU later. A failure must not fail
 * the profile: setmtu reports it. */
static const char netctl_hook[] =
                "if [[ ${Command-} != start && ${ACTION-} != CONNECTED ]]; then\n"
                "    : # being stopped, or looked at\n"
                "elif [[ -e /sys/class/net/$Interface ]]; then\n"
                "    ip link set dev \"$Interface\" mtu \"$setmtu_mtu\" || :\n"
                "else\n"
                "    ExecUpPost='ip link set dev \"$Interface\" mtu \"$setmtu_mtu\" || :; '${ExecUpPost-}\n"
                "fi\n";

/* netcfg does not tell a hook which action follows, and the profile's settings override the hook's: a device
 * that netcfg creates gets its MTU only if the profile has no POST_UP= . */
static const char netcfg_hook[] = "if [[ -e /sys/class/net/$INTERFACE ]]; then\n"
                                  "    ip link set dev \"$INTERFACE\" mtu \"$setmtu_mtu\" || :\n"
                                  "else\n"
                                  "    POST_UP='ip link set dev \"$INTERFACE\" mtu \"$setmtu_mtu\" || :'\n"
                                  "fi\n";

/* With backend auto, a device gets a hook if netctl manages it, or keeps the hook that it has. Returns 1, 0
 * or a negative errno. Errors other than -ENOMEM are reported. */
static int wants_hook(const struct rendering *rendering, const struct device_plan *device,
                      const char *path) {
        const struct config_line *line = device->line;
        const struct link *link = rendering->links ? link_table_by_name(rendering->links, line->name) : NULL;
        char profile[PATH_MAX];
        int r = device->backend != BACKEND_AUTO ? 1 : generated_file_is_ours(path);

        if (r < 0)
                (void)backend_report_unread(rendering, path, r);
        if (r != 0 || !link)
                return r;
        r = owner_is_netctl(link->name, profile);
        if (r < 0 && r != -ENOMEM)
                diagnostic_report_file(rendering->sink, "/run",
                                       "cannot find out whether netctl manages %s: %s; setmtu's own files "
                                       "stay",
                                       line->name, strerror(-r));
        return r;
}

static int render_hook(const struct rendering *rendering, const struct device_plan *device,
                       const char *directory, const char *hook) {
        const struct config_line *line = device->line;
        char path[PATH_MAX];
        FILE *stream;
        int r;

        snprintf(path, sizeof(path), "%s/interfaces/%s", directory, line->name);
        r = wants_hook(rendering, device, path);
        if (r <= 0 || backend_is_free(rendering, device, path, NULL) <= 0)
                return r == -ENOMEM ? r : 0;
        stream = generated_files_begin(rendering->files, &backend_netctl.files, path, line);
        if (!stream)
                return -ENOMEM;
        fprintf(stream,
                "\n"
                "# Changes made here are lost: edit " CONFIG_FILE ", then setmtu reload.\n" VARIABLE
                "%u\n%s",
                line->spec.mtu, hook);
        return generated_files_end(rendering->files, stream);
}

static int render(const struct rendering *rendering) {
        int has_netctl = whole_file_exists(NETCTL), has_netcfg = whole_file_exists(NETCFG), r = 0;

        if (has_netctl < 0 || has_netcfg < 0) {
                (void)backend_report_unread(rendering, has_netctl < 0 ? NETCTL : NETCFG,
                                            has_netctl < 0 ? has_netctl : has_netcfg);
                return 0;
        }
        for (size_t i = 0; i < rendering->plan->n_devices && r == 0; i++) {
                const struct device_plan *device = &rendering->plan->devices[i];
                bool is_for = device->backend == BACKEND_NETCTL ||
                              (device->backend == BACKEND_AUTO && (has_netctl || has_netcfg));

                /* A hook is for one interface. */
                if (!is_for || device->line->is_pattern || !backend_can_write(rendering, device))
                        continue;
                if (has_netctl)
                        r = render_hook(rendering, device, NETCTL, netctl_hook);
                if (has_netcfg && r == 0)
                        r = render_hook(rendering, device, NETCFG, netcfg_hook);
                if (!has_netctl && !has_netcfg)
                        plan_report(rendering->sink, DIAGNOSTIC_ERROR, device->line,
                                    "there is neither " NETCTL " nor " NETCFG
                                    ", where netctl or netcfg would find it; use backend=unit");
        }
        return r;
}

const struct backend_type backend_netctl = {
        .files = { .is_program = true,
                   .mtu_key = "\n" VARIABLE,
                   .places = { { .directory = NETCTL "/interfaces", .suffix = "" },
                               { .directory = NETCFG "/interfaces", .suffix = "" } } },
        .render = render,
};
