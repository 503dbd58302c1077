/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Which manager has a device, by the state that the managers keep. A row is what is in their files. */

#include <errno.h>
#include <sys/stat.h>

#include "base/whole_file.h"
#include "rows.h"
#include "scratch_root.h"
#include "system/owner_state.h"

#define ND "/run/systemd/netif/links/7"
#define NM "/run/NetworkManager/devices/7"
#define ND_ON "/run/systemd/units/invocation:systemd-networkd.service"
#define NM_ON "/run/systemd/units/invocation:NetworkManager.service"
#define INVOCATION "/run/systemd/units/invocation:netctl@lan.service"

struct row {
        const char *name;
        struct {
                const char *path;
                const char *text;
        } files[5];
        const char *expected; /* owner(profile) … */
};

static const struct row rows[] = {
        { "nobody", { { 0 } }, "" },
        { "networkd",
          { { ND_ON, NULL }, { ND, "ADMIN_STATE=configured\nNETWORK_FILE=/etc/a.network\n" } },
          "networkd(/etc/a.network)" },
        { "networkd, at work",
          { { ND_ON, NULL }, { ND, "ADMIN_STATE=configuring\nNETWORK_FILE=/etc/a.network\n" } },
          "networkd(/etc/a.network)" },
        { "networkd, unmanaged", { { ND_ON, NULL }, { ND, "ADMIN_STATE=unmanaged\n" } }, "" },
        { "networkd, Unmanaged=yes in a file",
          { { ND_ON, NULL }, { ND, "ADMIN_STATE=unmanaged\nNETWORK_FILE=/etc/a.network\n" } },
          "" },
        { "networkd, of another device",
          { { "/run/systemd/netif/links/70", "ADMIN_STATE=configured\nNETWORK_FILE=/etc/a.network\n" } },
          "" },
        { "networkd, an empty file", { { ND_ON, NULL }, { ND, "" } }, "" },
        { "NetworkManager, no profile",
          { { NM_ON, NULL }, { NM, "[device]\nmanaged=true\n" } },
          "networkmanager(?)" },
        { "NetworkManager, unmanaged",
          { { NM_ON, NULL }, { NM, "[device]\nmanaged=false\nconnection-uuid=a-b\n" } },
          "" },
        { "NetworkManager, nothing said",
          { { NM_ON, NULL }, { NM, "[device]\nperm-hw-addr-fake=00:00:00:00:00:00\n" } },
          "" },
        { "ifupdown", { { "/run/network/ifstate", "lo=lo\neth0=eth0\n" } }, "ifupdown(?)" },
        { "ifupdown, by a mapping", { { "/run/network/ifstate", "eth0=home\n" } }, "ifupdown(?)" },
        { "ifupdown, another device", { { "/run/network/ifstate", "eth00=eth00\nweth0=weth0\n" } }, "" },
        { "ifupdown2",
          { { "/run/network/ifstatenew", "x" },
            { "/etc/network/interfaces", "auto eth0\niface eth0 inet manual\n" } },
          "ifupdown2(?)" },
        { "ifupdown2, without a family",
          { { "/run/network/ifstatenew", "x" }, { "/etc/network/interfaces", "iface eth0\n" } },
          "ifupdown2(?)" },
        { "ifupdown2, at the end of a file",
          { { "/run/network/ifstatenew", "x" }, { "/etc/network/interfaces", "iface eth0" } },
          "ifupdown2(?)" },
        { "ifupdown2, tabs",
          { { "/var/tmp/network/ifstatenew", "x" },
            { "/etc/network/interfaces.d/a", "\tiface\teth0\tinet manual\n" } },
          "ifupdown2(?)" },
        { "ifupdown2, not this one",
          { { "/run/network/ifstatenew", "x" },
            { "/etc/network/interfaces", "iface eth00 inet manual\nifaceeth0\n# iface eth0\n" } },
          "" },
        { "netctl",
          { { INVOCATION, NULL }, { "/etc/netctl/lan", "Interface=eth0\n" } },
          "netctl(/etc/netctl/lan)" },
        { "netctl, quoted",
          { { INVOCATION, NULL }, { "/etc/netctl/lan", "Interface='eth0'\n" } },
          "netctl(/etc/netctl/lan)" },
        { "netctl, another device",
          { { INVOCATION, NULL }, { "/etc/netctl/lan", "Interface=eth01\n" } },
          "" },
        { "netctl, not active", { { "/etc/netctl/lan", "Interface=eth0\n" } }, "" },
        { "netctl, a profile whose name is escaped",
          { { "/run/systemd/units/invocation:netctl@my\\x2dlan.service", NULL },
            { "/etc/netctl/my-lan", "Interface=eth0\n" } },
          "netctl(/etc/netctl/my-lan)" },
        { "two",
          { { ND_ON, NULL },
            { ND, "ADMIN_STATE=configured\nNETWORK_FILE=/etc/a.network\n" },
            { NM_ON, NULL },
            { NM, "[device]\nmanaged=true\n" } },
          "networkd(/etc/a.network) networkmanager(?)" },
        { "networkd, stopped", { { ND, "ADMIN_STATE=configured\nNETWORK_FILE=/etc/a.network\n" } }, "" },
        { "NetworkManager, stopped", { { NM, "[device]\nmanaged=true\n" } }, "" },
        { "netctl-auto",
          { { "/run/systemd/units/invocation:netctl-auto@eth0.service", NULL } },
          "netctl(?)" },
        { "netctl-ifplugd",
          { { "/run/systemd/units/invocation:netctl-ifplugd@eth0.service", NULL } },
          "netctl(?)" },
        { "netctl-auto, another device",
          { { "/run/systemd/units/invocation:netctl-auto@eth01.service", NULL } },
          "" },
};

/* Without a text: a link that leads nowhere. */
static void put(const char *path, const char *text) {
        if (text)
                assert_true(whole_file_replace(path, text, strlen(text)) >= 0);
        else {
                assert_errno(whole_file_make_directories(path), 0);
                assert_int_equal(symlink("0123456789abcdef0123456789abcdef", in_root(path)), 0);
        }
}

static void test_state(void **state) {
        static const char *const names[OWNER_COUNT] = {
                [OWNER_NETWORKD] = "networkd", [OWNER_NETWORKMANAGER] = "networkmanager",
                [OWNER_IFUPDOWN] = "ifupdown", [OWNER_IFUPDOWN2] = "ifupdown2",
                [OWNER_NETCTL] = "netctl",
        };
        const struct row *row = *state;
        struct link link = { .ifindex = 7, .name = "eth0" };
        struct owners owners;
        void *unused = NULL;
        char got[512] = "";
        size_t used = 0;

        assert_int_equal(make_root(&unused), 0);
        for (size_t i = 0; i < 5 && row->files[i].path; i++)
                put(row->files[i].path, row->files[i].text);
        assert_errno(owner_state_read(&link, &owners), 0);
        for (unsigned i = 0; i < OWNER_COUNT; i++)
                if (owners.has[i])
                        used += (size_t)snprintf(got + used, sizeof(got) - used, "%s%s(%s)", used ? " " : "",
                                                 names[i], owners.profile[i] ? owners.profile[i] : "?");
        assert_string_equal(got, row->expected);
        owners_free(&owners);
        assert_int_equal(remove_root(&unused), 0);
}

int main(void) {
        return RUN_ROWS("state", test_state, rows);
}
