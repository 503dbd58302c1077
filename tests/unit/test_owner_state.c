/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Which manager has a device, by the state that the managers keep. A row is what is in their files. */

#include <errno.h>
#include <sys/stat.h>

#include "base/whole_file.h"
#include "rows.h"
#include "scratch_root.h"
#include "state/owner_state.h"

#define INVOCATION "/run/systemd/units/invocation:netctl@lan.service"

struct row {
        const char *name;
        struct {
                const char *path;
                const char *text;
        } files[5];
        const char *expected; /* the owner, and the profile */
};

static const struct row rows[] = {
        { "nobody", { { 0 } }, "" },
        { "ifupdown", { { "/run/network/ifstate", "lo=lo\neth0=eth0\n" } }, "ifupdown" },
        { "ifupdown, by a mapping", { { "/run/network/ifstate", "eth0=home\n" } }, "ifupdown" },
        { "ifupdown, another device", { { "/run/network/ifstate", "eth00=eth00\nweth0=weth0\n" } }, "" },
        { "ifupdown2",
          { { "/run/network/ifstatenew", "x" },
            { "/etc/network/interfaces", "auto eth0\niface eth0 inet manual\n" } },
          "ifupdown2" },
        { "ifupdown2, without a family",
          { { "/run/network/ifstatenew", "x" }, { "/etc/network/interfaces", "iface eth0\n" } },
          "ifupdown2" },
        { "ifupdown2, at the end of a file",
          { { "/run/network/ifstatenew", "x" }, { "/etc/network/interfaces", "iface eth0" } },
          "ifupdown2" },
        { "ifupdown2, tabs",
          { { "/var/tmp/network/ifstatenew", "x" },
            { "/etc/network/interfaces.d/a", "\tiface\teth0\tinet manual\n" } },
          "ifupdown2" },
        { "ifupdown2, not this one",
          { { "/run/network/ifstatenew", "x" },
            { "/etc/network/interfaces", "iface eth00 inet manual\nifaceeth0\n# iface eth0\n" } },
          "" },
        { "netctl",
          { { INVOCATION, NULL }, { "/etc/netctl/lan", "Interface=eth0\n" } },
          "netctl /etc/netctl/lan" },
        { "netctl, quoted",
          { { INVOCATION, NULL }, { "/etc/netctl/lan", "Interface='eth0'\n" } },
          "netctl /etc/netctl/lan" },
        { "netctl, another device",
          { { INVOCATION, NULL }, { "/etc/netctl/lan", "Interface=eth01\n" } },
          "" },
        { "netctl, not active", { { "/etc/netctl/lan", "Interface=eth0\n" } }, "" },
        { "netctl, a profile whose name is escaped",
          { { "/run/systemd/units/invocation:netctl@my\\x2dlan.service", NULL },
            { "/etc/netctl/my-lan", "Interface=eth0\n" } },
          "netctl /etc/netctl/my-lan" },
        { "netctl-auto", { { "/run/systemd/units/invocation:netctl-auto@eth0.service", NULL } }, "netctl " },
        { "netctl-ifplugd",
          { { "/run/systemd/units/invocation:netctl-ifplugd@eth0.service", NULL } },
          "netctl " },
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
        const struct row *row = *state;
        char profile[PATH_MAX], got[PATH_MAX + 64];
        void *unused = NULL;

        assert_int_equal(make_root(&unused), 0);
        for (size_t i = 0; i < 5 && row->files[i].path; i++)
                put(row->files[i].path, row->files[i].text);
        assert_true(owner_is_netctl("eth0", profile) >= 0);
        snprintf(got, sizeof(got), "%s%s%s%s", owner_is_ifupdown("eth0") == 1 ? "ifupdown" : "",
                 owner_is_ifupdown2("eth0") == 1 ? "ifupdown2" : "",
                 owner_is_netctl("eth0", profile) == 1 ? "netctl " : "", profile);
        assert_string_equal(got, row->expected);
        assert_int_equal(remove_root(&unused), 0);
}

int main(void) {
        return RUN_ROWS("state", test_state, rows);
}
