/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* How systemd is told: which .network file gets a drop-in, or which .link files are copied for when. */

#include "rows.h"

#include <stdbool.h>

#include "backends/network_choice.h"

#define N_FILES 4

#define DEFAULT "[Match]\nOriginalName=*\n[Link]\nNamePolicy=keep kernel database onboard slot path\n"
#define USB "[Match]\nPath=*-usb-*\n[Link]\nNamePolicy=mac\n"

struct file {
        const char *name;
        const char *text;
};

/* `seen`: the .network file, or each copy as FILE/a (always), m (moved), u (unnamed) or p (passing), `-` for
 * none; then each diagnostic as E or W. */
static const struct row {
        const char *name;
        const char *line;
        struct file files[N_FILES];
        bool no_policies;
        const char *seen;
} rows[] = {
        { "no file at all", "enp0s2=9000 backend=link", { { 0 } }, false, "-/a " },
        { "the default",
          "enp0s2=9000 backend=link",
          { { "99-default.link", DEFAULT } },
          false,
          "99-default.link/a " },
        { "one with a condition before it",
          "enp0s2=9000 backend=link",
          { { "73-usb.link", USB }, { "99-default.link", DEFAULT } },
          false,
          "73-usb.link/a 99-default.link/a " },
        { "nothing comes after one that takes all",
          "enp0s2=9000 backend=link",
          { { "50-all.link", "[Match]\nOriginalName=*\n" }, { "99-default.link", DEFAULT } },
          false,
          "50-all.link/a " },
        { "one with a condition alone",
          "enp0s2=9000 backend=link",
          { { "73-usb.link", USB } },
          false,
          "73-usb.link/a -/a " },
        { "one for another name",
          "enp0s2=9000 backend=link",
          { { "50-x.link", "[Match]\nOriginalName=eth*\n[Link]\nName=x\n" },
            { "99-default.link", DEFAULT } },
          false,
          "99-default.link/a " },
        { "one without a condition",
          "enp0s2=9000 backend=link",
          { { "50-x.link", "[Link]\nName=x\n" }, { "99-default.link", DEFAULT } },
          false,
          "99-default.link/a " },
        { "one that goes before ours",
          "enp0s2=9000 backend=link",
          { { "00-x.link", "[Match]\nOriginalName=enp*\n" }, { "99-default.link", DEFAULT } },
          false,
          "99-default.link/a W" },
        { "one that goes before ours, for others",
          "enp0s2=9000 backend=link",
          { { "00-x.link", "[Match]\nOriginalName=eth*\n" }, { "99-default.link", DEFAULT } },
          false,
          "99-default.link/a " },
        { "a kernel name",
          "eth0=9000 backend=link",
          { { "99-default.link", DEFAULT } },
          false,
          "99-default.link/m 99-default.link/u " },
        { "a kernel name, one with a condition before",
          "eth0=9000 backend=link",
          { { "73-usb.link", USB }, { "99-default.link", DEFAULT } },
          false,
          "73-usb.link/m 73-usb.link/u 73-usb.link/p 99-default.link/m 99-default.link/u " },
        { "a kernel name, and what renames it",
          "eth0=9000 backend=link",
          { { "10-netplan.link", "[Match]\nMACAddress=52:54:00:00:00:01\n[Link]\nName=lan0\n" },
            { "99-default.link", DEFAULT } },
          false,
          "10-netplan.link/m 10-netplan.link/p 99-default.link/m 99-default.link/u " },
        { "a kernel name, given by a file",
          "eth0=9000 backend=link",
          { { "10-netplan.link", "[Match]\nMACAddress=52:54:00:00:00:01\n[Link]\nName=eth0\n" },
            { "99-default.link", DEFAULT } },
          false,
          "10-netplan.link/a 99-default.link/m 99-default.link/u " },
        { "a kernel name, net.ifnames=0",
          "eth0=9000 backend=link",
          { { "73-usb.link", USB }, { "99-default.link", DEFAULT } },
          true,
          "73-usb.link/a 99-default.link/a " },
        { "a kernel name, net.ifnames=0, and what renames it",
          "eth0=9000 backend=link",
          { { "10-netplan.link", "[Match]\nMACAddress=52:54:00:00:00:01\n[Link]\nName=lan0\n" },
            { "99-default.link", DEFAULT } },
          true,
          "10-netplan.link/m 10-netplan.link/p 99-default.link/a " },
        { "a kernel name, and no policy",
          "eth0=9000 backend=link",
          { { "99-default.link", "[Match]\nOriginalName=*\n[Link]\nNamePolicy=keep kernel\n" } },
          false,
          "99-default.link/a " },
        { "a kernel name, and nothing that takes all",
          "eth0=9000 backend=link",
          { { "73-usb.link", USB } },
          false,
          "73-usb.link/m 73-usb.link/u 73-usb.link/p -/a " },
        { "not a kernel name",
          "eth0x=9000 backend=link",
          { { "99-default.link", DEFAULT } },
          false,
          "99-default.link/a " },
        { "a pattern",
          "enp*=9000 backend=link",
          { { "99-default.link", DEFAULT } },
          false,
          "99-default.link/m 99-default.link/u " },
        { "a pattern, and nothing else", "a[0]=9000 backend=link", { { 0 } }, false, "-/a " },
        { "a bracket", "a]0=9000 backend=link", { { 0 } }, false, "E" },
        { "a backslash", "a\\b=9000 backend=link", { { 0 } }, false, "E" },
        { "an exclamation mark", "!a=9000 backend=link", { { 0 } }, false, "E" },
        { "a percent sign", "a%b=9000 backend=link", { { 0 } }, false, "E" },
        { "a quote", "a'b=9000 backend=link", { { 0 } }, false, "E" },
        { "not ASCII", "\xc3\xa4=9000 backend=link", { { 0 } }, false, "E" },
        { "digits", "17=9000 backend=link", { { 0 } }, false, "E" },
        { "a word for all devices",
          "all=9000 backend=link",
          { { "10-nic.link", "[Match]\nDriver=e1000e\n" } },
          false,
          "E" },
        { "a word for the others", "default=9000 backend=link", { { 0 } }, false, "E" },

        { "network: its own",
          "e0=9000 backend=network",
          { { "a.network", "[Match]\nName=e0\n" } },
          false,
          "a.network " },
        { "network: its own, on a condition",
          "e0=9000 backend=network",
          { { "a.network", "[Match]\nName=e0\nDriver=x\n" } },
          false,
          "a.network " },
        { "network: the same pattern",
          "e*=9000 backend=network",
          { { "a.network", "[Match]\nName=e*\n" } },
          false,
          "a.network " },
        { "network: a wider pattern",
          "e*=9000 backend=network",
          { { "a.network", "[Match]\nName=*\n" } },
          false,
          "E" },
        { "network: a pattern",
          "e0=9000 backend=network",
          { { "a.network", "[Match]\nName=e*\n" } },
          false,
          "E" },
        { "network: a list",
          "e0=9000 backend=network",
          { { "a.network", "[Match]\nName=e0 e1\n" } },
          false,
          "E" },
        { "network: all but others",
          "e0=9000 backend=network",
          { { "a.network", "[Match]\nName=!e1\n" } },
          false,
          "E" },
        { "network: any of a type",
          "e0=9000 backend=network",
          { { "a.network", "[Match]\nType=ether\n" }, { "b.network", "[Match]\nName=e0\n" } },
          false,
          "E" },
        { "network: others' first",
          "e0=9000 backend=network",
          { { "a.network", "[Match]\nName=e1\n" }, { "b.network", "[Match]\nName=e0\n" } },
          false,
          "b.network " },
        { "network: unmanaged",
          "e0=9000 backend=network",
          { { "a.network", "[Match]\nName=e0\n[Link]\nUnmanaged=yes\n" } },
          false,
          "E" },
        { "network: none", "e0=9000 backend=network", { { 0 } }, false, "E" },
        { "networkd: its own",
          "e0=9000 backend=networkd",
          { { "a.network", "[Match]\nName=e0\n" }, { "99-default.link", DEFAULT } },
          false,
          "a.network " },
        { "networkd: its own, on a condition",
          "e0=9000 backend=networkd",
          { { "a.network", "[Match]\nName=e0\nDriver=x\n" } },
          false,
          "-/a " },
        { "networkd: a list",
          "e0=9000 backend=networkd",
          { { "a.network", "[Match]\nName=e0 e1\n" }, { "99-default.link", DEFAULT } },
          false,
          "99-default.link/a " },
        { "networkd: unmanaged",
          "e0=9000 backend=networkd",
          { { "a.network", "[Match]\nName=e0\n[Link]\nUnmanaged=yes\n" } },
          false,
          "-/a " },
        { "networkd: none", "e0=9000 backend=networkd", { { 0 } }, false, "-/a " },
        { "networkd: none, and a name that cannot be written",
          "e%=9000 backend=networkd",
          { { 0 } },
          false,
          "E" },
        { "auto: its own",
          "e0=9000 backend=auto",
          { { "a.network", "[Match]\nName=e0\n" }, { "99-default.link", DEFAULT } },
          false,
          "a.network " },
        { "auto: its own, on a condition",
          "e0=9000",
          { { "10-netplan-e0.network", "[Match]\nPermanentMACAddress=52:54:00:12:34:56\nName=e0\n" } },
          false,
          "10-netplan-e0.network " },
        { "auto: its own, after one that may apply",
          "e0=9000",
          { { "a.network", "[Match]\nDriver=x\n" }, { "b.network", "[Match]\nName=e0\n" } },
          false,
          "b.network " },
        { "auto: a list", "e0=9000", { { "a.network", "[Match]\nName=e0 e1\n" } }, false, "" },
        { "auto: unmanaged",
          "e0=9000",
          { { "a.network", "[Match]\nName=e0\n[Link]\nUnmanaged=yes\n" } },
          false,
          "" },
};

static void note(void *userdata, const struct diagnostic *diagnostic) {
        strcat(userdata, diagnostic->severity == DIAGNOSTIC_ERROR ? "E" : "W");
}

/* The row's files are in the order of their names. */
static void read_files(const struct row *row, const char *suffix, struct network_files *files) {
        for (size_t i = 0; i < N_FILES && row->files[i].name; i++) {
                struct network_file *file = &files->items[files->n_items];

                if (!strstr(row->files[i].name, suffix))
                        continue;
                *file = (struct network_file){ .name = row->files[i].name, .path = row->files[i].name };
                assert_errno(network_file_parse(&files->pool, file, row->files[i].text,
                                                strlen(row->files[i].text)),
                             0);
                files->n_items++;
        }
}

static void test_row(void **state) {
        static const char letters[] = { [LINK_COPY_ALWAYS] = 'a',
                                        [LINK_COPY_MOVED] = 'm',
                                        [LINK_COPY_UNNAMED] = 'u',
                                        [LINK_COPY_PASSING] = 'p' };
        const struct row *row = *state;
        struct network_file links[N_FILES] = { 0 }, networks[N_FILES] = { 0 };
        struct plan plan;
        struct network_surroundings surroundings = { .links = { .items = links },
                                                     .networks = { .items = networks },
                                                     .config = &plan.config,
                                                     .has_name_policies = !row->no_policies };
        char seen[512] = "", diagnostics[16] = "";
        const struct diagnostic_sink sink = { .report = note, .userdata = diagnostics };
        struct network_choice choice = { 0 };

        plan = (struct plan){ 0 };
        assert_errno(config_parse_file(&plan.config, "a", row->line, strlen(row->line), &sink), 0);
        assert_errno(plan_build(&plan, &sink), 0);
        assert_int_equal(plan.n_devices, 1);
        read_files(row, ".link", &surroundings.links);
        read_files(row, ".network", &surroundings.networks);
        assert_errno(network_choice_make(&plan.devices[0], &surroundings, &sink, &choice), 0);
        if (choice.network)
                sprintf(seen, "%s ", choice.network->name);
        for (size_t i = 0; i < choice.n_copies; i++)
                sprintf(seen + strlen(seen), "%s/%c ",
                        choice.copies[i].file ? choice.copies[i].file->name : "-",
                        letters[choice.copies[i].when]);
        strcat(seen, diagnostics);
        assert_string_equal(seen, row->seen);

        network_choice_free(&choice);
        pool_free(&surroundings.links.pool);
        pool_free(&surroundings.networks.pool);
        plan_free(&plan);
}

int main(void) {
        return RUN_ROWS("network_choice", test_row, rows);
}
