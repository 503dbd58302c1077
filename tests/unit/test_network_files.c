/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Which .link files are found, in a directory behind SETMTU_ROOT. */

#include "rows.h"
#include "scratch_root.h"

#include "base/whole_file.h"
#include "network_files/network_file.h"
#include "store/generated_files.h"

#define N_FILES 6

/* `seen`: each file as PATH:VALUE…, where a value is that of any key; `!` before each diagnostic's file. A
 * text of NULL is a link to /dev/null. */
static const struct row {
        const char *name;
        struct {
                const char *path;
                const char *text;
        } files[N_FILES];
        const char *seen;
} rows[] = {
        { "nothing", { { "/x", "" } }, "" },
        { "by name, whatever the directory",
          { { "/etc/systemd/network/20.link", "[Link]\na=1" },
            { "/usr/lib/systemd/network/10.link", "[Link]\na=2" },
            { "/run/systemd/network/15.link", "[Link]\na=3" } },
          "/usr/lib/systemd/network/10.link:2 /run/systemd/network/15.link:3 "
          "/etc/systemd/network/20.link:1 " },
        { "the first directory wins",
          { { "/usr/lib/systemd/network/a.link", "[Link]\na=4" },
            { "/usr/local/lib/systemd/network/a.link", "[Link]\na=3" },
            { "/run/systemd/network/a.link", "[Link]\na=2" },
            { "/etc/systemd/network/a.link", "[Link]\na=1" } },
          "/etc/systemd/network/a.link:1 " },
        { "the second directory",
          { { "/usr/lib/systemd/network/a.link", "[Link]\na=4" },
            { "/usr/local/lib/systemd/network/a.link", "[Link]\na=3" },
            { "/run/systemd/network/a.link", "[Link]\na=2" } },
          "/run/systemd/network/a.link:2 " },
        { "masked by an empty file",
          { { "/usr/lib/systemd/network/a.link", "[Link]\na=4" }, { "/etc/systemd/network/a.link", "" } },
          "" },
        { "masked by a link",
          { { "/usr/lib/systemd/network/a.link", "[Link]\na=4" }, { "/run/systemd/network/a.link", NULL } },
          "" },
        { "other names",
          { { "/etc/systemd/network/a.link~", "[Link]\na=1" },
            { "/etc/systemd/network/.a.link", "[Link]\na=1" },
            { "/etc/systemd/network/a.network", "[Link]\na=1" } },
          "" },
        { "drop-ins, by name, whatever the directory",
          { { "/usr/lib/systemd/network/a.link", "[Link]\na=1" },
            { "/etc/systemd/network/a.link.d/30.conf", "[Link]\na=4" },
            { "/usr/lib/systemd/network/a.link.d/10.conf", "[Link]\na=2" },
            { "/run/systemd/network/a.link.d/20.conf", "[Link]\na=3" } },
          "/usr/lib/systemd/network/a.link:1234 " },
        { "a drop-in overridden, and one masked",
          { { "/usr/lib/systemd/network/a.link", "[Link]\na=1" },
            { "/usr/lib/systemd/network/a.link.d/10.conf", "[Link]\na=2" },
            { "/etc/systemd/network/a.link.d/10.conf", "[Link]\na=3" },
            { "/usr/lib/systemd/network/a.link.d/20.conf", "[Link]\na=4" },
            { "/run/systemd/network/a.link.d/20.conf", NULL } },
          "/usr/lib/systemd/network/a.link:13 " },
        { "a drop-in to a file that is masked",
          { { "/usr/lib/systemd/network/a.link", "[Link]\na=1" },
            { "/etc/systemd/network/a.link", "" },
            { "/etc/systemd/network/a.link.d/10.conf", "[Link]\na=2" } },
          "" },
        { "a bad file",
          { { "/etc/systemd/network/a.link", "[Link\na=1" },
            { "/etc/systemd/network/b.link", "[Link]\na=2" } },
          "!/etc/systemd/network/a.link /etc/systemd/network/b.link:2 " },
        { "a bad drop-in spoils the file",
          { { "/etc/systemd/network/a.link", "[Link]\na=1" },
            { "/etc/systemd/network/a.link.d/10.conf", "[Link" } },
          "!/etc/systemd/network/a.link.d/10.conf " },
        { "ours are left out",
          { { "/run/systemd/network/05-setmtu-9000.link", GENERATED_FILES_MARK " for e0\n[Link]\na=1" },
            { "/run/systemd/network/05-setmtu-e1.link", "[Link]\na=2" },
            { "/etc/systemd/network/05-setmtu-e2.link", GENERATED_FILES_MARK " for e0\n[Link]\na=3" } },
          "/run/systemd/network/05-setmtu-e1.link:2 /etc/systemd/network/05-setmtu-e2.link:3 " },
};

static void note(void *userdata, const struct diagnostic *diagnostic) {
        sprintf((char *)userdata + strlen(userdata), "!%s ", diagnostic->file);
}

static void test_row(void **state) {
        const struct row *row = *state;
        char seen[1024] = "";
        const struct diagnostic_sink sink = { .report = note, .userdata = seen };
        struct network_files files;

        assert_int_equal(make_root(NULL), 0);
        for (size_t i = 0; i < N_FILES && row->files[i].path; i++) {
                const char *text = row->files[i].text;

                if (text && *text) {
                        assert_int_equal(whole_file_replace(row->files[i].path, text, strlen(text)), 1);
                        continue;
                }
                /* An empty one has to be made by hand, as has a link. */
                assert_errno(whole_file_make_directories(row->files[i].path), 0);
                if (text)
                        assert_int_equal(fclose(fopen(in_root(row->files[i].path), "w")), 0);
                else
                        assert_int_equal(symlink("/dev/null", in_root(row->files[i].path)), 0);
        }
        assert_errno(network_files_read(NETWORK_FILE_LINK, &sink, &files), 0);
        for (size_t i = 0; i < files.n_items; i++) {
                sprintf(seen + strlen(seen), "%s:", files.items[i].path);
                for (size_t j = 0; j < files.items[i].n_settings; j++)
                        strcat(seen, files.items[i].settings[j].value);
                strcat(seen, " ");
        }
        network_files_free(&files);
        assert_int_equal(remove_root(NULL), 0);
        assert_string_equal(seen, row->seen);
}

int main(void) {
        return RUN_ROWS("network_files", test_row, rows);
}
