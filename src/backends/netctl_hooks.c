/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "backends/netctl_hooks.h"

#include "backends/network_mark.h"
#include "system/systemd_ini.h"

/* "Command" is netctl's, "ACTION" netctl-auto's. The hook is read before netctl looks whether the link is
 * up, which it must not be, and before it makes a VLAN or bridge: that gets its MTU after it is there. A
 * failure must not fail the profile: setmtu is there to tell of it. */
void netctl_hook_write(const struct config_line *line, FILE *stream) {
        network_mark_write(line, stream);
        fprintf(stream,
                "\n"
                "# Changes made here are lost: edit /etc/conf.d/setmtu, then setmtu "
                "reload.\n" NETWORK_HOOK_VARIABLE "%u\n"
                "if [[ ${Command-} != start && ${ACTION-} != CONNECTED ]]; then\n"
                "    : # being stopped, or looked at\n"
                "elif [[ -e /sys/class/net/$Interface ]]; then\n"
                "    ip link set dev \"$Interface\" mtu \"$setmtu_mtu\" || :\n"
                "else\n"
                "    ExecUpPost='ip link set dev \"$Interface\" mtu \"$setmtu_mtu\" || :; '${ExecUpPost-}\n"
                "fi\n",
                line->spec.mtu);
}

/* netcfg does not tell a hook what it is about to do, and the profile's own settings go before the hook's:
 * a device that netcfg makes itself gets its MTU where the profile has no POST_UP= . */
void netcfg_hook_write(const struct config_line *line, FILE *stream) {
        network_mark_write(line, stream);
        fprintf(stream,
                "\n"
                "# Changes made here are lost: edit /etc/conf.d/setmtu, then setmtu "
                "reload.\n" NETWORK_HOOK_VARIABLE "%u\n"
                "if [[ -e /sys/class/net/$INTERFACE ]]; then\n"
                "    ip link set dev \"$INTERFACE\" mtu \"$setmtu_mtu\" || :\n"
                "else\n"
                "    POST_UP='ip link set dev \"$INTERFACE\" mtu \"$setmtu_mtu\" || :'\n"
                "fi\n",
                line->spec.mtu);
}
