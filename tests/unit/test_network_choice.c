/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* How systemd is told: which .network file gets a drop-in, or which .link files are copied. */

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

/* `seen`: the .network file, or each copy as FILE (always), m (moved), u (unnamed) or p (passing), `-` for
 * none; then each diagnostic as E or W. */
static const struct row {
        const char *name;
        const char *line;
        struct file files[N_FILES];
        const char *seen;
} rows[] = {
        { "no file at all", "enp0s2=9000 backend=link", { { 0 } }, "- " },
        { "the default",
          "enp0s2=9000 backend=link",
          { { "99-default.link", DEFAULT } },
          "99-default.link " },
        { "one with a condition before it",
          "enp0s2=9000 backend=link",
          { { "73-usb.link", USB }, { "99-default.link", DEFAULT } },
          "73-usb.link 99-default.link " },
        { "nothing comes after one that takes all",
          "enp0s2=9000 backend=link",
          { { "50-all.link", "[Match]\nOriginalName=*\n" }, { "99-default.link", DEFAULT } },
          "50-all.link " },
        { "one with a condition alone",
          "enp0s2=9000 backend=link",
          { { "73-usb.link", USB } },
          "73-usb.link - " },
        { "one for another name",
          "enp0s2=9000 backend=link",
          { { "50-x.link", "[Match]\nOriginalName=eth*\n[Link]\nName=x\n" },
            { "99-default.link", DEFAULT } },
          "99-default.link " },
        { "one without a condition",
          "enp0s2=9000 backend=link",
          { { "50-x.link", "[Link]\nName=x\n" }, { "99-default.link", DEFAULT } },
          "99-default.link " },
        { "one that goes before ours",
          "enp0s2=9000 backend=link",
          { { "00-x.link", "[Match]\nOriginalName=enp*\n" }, { "99-default.link", DEFAULT } },
          "99-default.link W" },
        { "one that goes before ours, for others",
          "enp0s2=9000 backend=link",
          { { "00-x.link", "[Match]\nOriginalName=eth*\n" }, { "99-default.link", DEFAULT } },
          "99-default.link " },
        { "a kernel name", "eth0=9000 backend=link", { { "99-default.link", DEFAULT } }, "E" },
        { "a longer number", "usb10=9000 backend=link", { { 0 } }, "E" },
        { "not a kernel name",
          "eth0x=9000 backend=link",
          { { "99-default.link", DEFAULT } },
          "99-default.link " },
        { "a pattern", "enp*=9000 backend=link", { { "99-default.link", DEFAULT } }, "99-default.link " },
        { "a pattern for kernel names", "e*=9000 backend=link", { { "99-default.link", DEFAULT } }, "E" },
        { "a pattern for some of them", "eth1?=9000 backend=link", { { 0 } }, "E" },
        { "a pattern, and nothing else", "a[0]=9000 backend=link", { { 0 } }, "- " },
        { "a bracket", "a]0=9000 backend=link", { { 0 } }, "E" },
        { "a backslash", "a\\b=9000 backend=link", { { 0 } }, "E" },
        { "an exclamation mark", "!a=9000 backend=link", { { 0 } }, "E" },
        { "a percent sign", "a%b=9000 backend=link", { { 0 } }, "E" },
        { "a quote", "a'b=9000 backend=link", { { 0 } }, "E" },
        { "not ASCII", "\xc3\xa4=9000 backend=link", { { 0 } }, "E" },
        { "digits", "17=9000 backend=link", { { 0 } }, "E" },
        { "a word for all devices",
          "all=9000 backend=link",
          { { "10-nic.link", "[Match]\nDriver=e1000e\n" } },
          "E" },
        { "a word for the others", "default=9000 backend=link", { { 0 } }, "E" },

        { "network: its own",
          "e0=9000 backend=network",
          { { "a.network", "[Match]\nName=e0\n" } },
          "a.network " },
        { "network: its own, on a condition",
          "e0=9000 backend=network",
          { { "a.network", "[Match]\nName=e0\nDriver=x\n" } },
          "a.network " },
        { "network: the same pattern",
          "e*=9000 backend=network",
          { { "a.network", "[Match]\nName=e*\n" } },
          "a.network " },
        { "network: a wider pattern",
          "e*=9000 backend=network",
          { { "a.network", "[Match]\nName=*\n" } },
          "E" },
        { "network: a pattern", "e0=9000 backend=network", { { "a.network", "[Match]\nName=e*\n" } }, "E" },
        { "network: a list", "e0=9000 backend=network", { { "a.network", "[Match]\nName=e0 e1\n" } }, "E" },
        { "network: all but others",
          "e0=9000 backend=network",
          { { "a.network", "[Match]\nName=!e1\n" } },
          "E" },
        { "network: any of a type",
          "e0=9000 backend=network",
          { { "a.network", "[Match]\nType=ether\n" }, { "b.network", "[Match]\nName=e0\n" } },
          "E" },
        { "network: others' first",
          "e0=9000 backend=network",
          { { "a.network", "[Match]\nName=e1\n" }, { "b.network", "[Match]\nName=e0\n" } },
          "b.network " },
        { "network: unmanaged",
          "e0=9000 backend=network",
          { { "a.network", "[Match]\nName=e0\n[Link]\nUnmanaged=yes\n" } },
          "E" },
        { "network: none", "e0=9000 backend=network", { { 0 } }, "E" },
        { "networkd: its own",
          "e0=9000 backend=networkd",
          { { "a.network", "[Match]\nName=e0\n" }, { "99-default.link", DEFAULT } },
          "a.network " },
        { "networkd: its own, on a condition",
          "e0=9000 backend=networkd",
          { { "a.network", "[Match]\nName=e0\nDriver=x\n" } },
          "- " },
        { "networkd: a list",
          "e0=9000 backend=networkd",
          { { "a.network", "[Match]\nName=e0 e1\n" }, { "99-default.link", DEFAULT } },
          "99-default.link " },
        { "networkd: unmanaged",
          "e0=9000 backend=networkd",
          { { "a.network", "[Match]\nName=e0\n[Link]\nUnmanaged=yes\n" } },
          "- " },
        { "networkd: none", "e0=9000 backend=networkd", { { 0 } }, "- " },
        { "networkd: none, and a name that cannot be written", "e%=9000 backend=networkd", { { 0 } }, "E" },
        { "auto: its own",
          "e0=9000 backend=auto",
          { { "a.network", "[Match]\nName=e0\n" }, { "99-default.link", DEFAULT } },
          "a.network " },
        { "auto: its own, on a condition",
          "e0=9000",
          { { "10-netplan-e0.network", "[Match]\nPermanentMACAddress=52:54:00:12:34:56\nName=e0\n" } },
          "10-netplan-e0.network " },
        { "auto: its own, after one that may apply",
          "e0=9000",
          { { "a.network", "[Match]\nDriver=x\n" }, { "b.network", "[Match]\nName=e0\n" } },
          "b.network " },
        { "auto: a list", "e0=9000", { { "a.network", "[Match]\nName=e0 e1\n" } }, "" },
        { "auto: unmanaged",
          "e0=9000",
          { { "a.network", "[Match]\nName=e0\n[Link]\nUnmanaged=yes\n" } },
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
        const struct row *row = *state;
        struct network_file links[N_FILES] = { 0 }, networks[N_FILES] = { 0 };
        struct plan plan;
        struct network_surroundings surroundings = { .links = { .items = links },
                                                     .networks = { .items = networks },
                                                     .config = &plan.config };
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
                sprintf(seen + strlen(seen), "%s ",
                        choice.copies[i].file ? choice.copies[i].file->name : "-");
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
