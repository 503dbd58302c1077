/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What touches the file system, in a directory of its own behind SETMTU_ROOT. */

#include "rows.h"
#include "scratch_root.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/directory.h"
#include "base/whole_file.h"
#include "store/change_lock.h"
#include "store/config_files.h"
#include "store/config_write.h"
#include "store/device_record.h"

static void put(const char *path, const char *text) {
        assert_true(whole_file_replace(path, text, strlen(text)) >= 0);
}

/* Reads the configuration below the root and says `NAME=MTU…! E|W FILE:LINE…`. */
static void note(void *userdata, const struct diagnostic *diagnostic) {
        char *text = userdata;

        snprintf(text + strlen(text), 200, " %c%s:%u", diagnostic->severity == DIAGNOSTIC_ERROR ? 'E' : 'W',
                 diagnostic->file, diagnostic->line);
}

static const char *read_configuration(void) {
        static char seen[2048];
        char diagnostics[1024] = "";
        const struct diagnostic_sink sink = { .report = note, .userdata = diagnostics };
        struct config config;

        config = (struct config){ 0 };
        assert_errno(config_files_read(&config, &sink), 0);
        seen[0] = '\0';
        for (size_t i = 0; i < config.n_lines; i++)
                sprintf(seen + strlen(seen), "%s=%u ", config.lines[i].name, config.lines[i].spec.mtu);
        sprintf(seen + strlen(seen), "!%s", diagnostics);
        config_free(&config);
        return seen;
}

static void test_no_file(void **state) {
        (void)state;
        assert_string_equal(read_configuration(), "!");
}

static void test_order_of_files(void **state) {
        (void)state;
        put(CONFIG_FILE, "a=2000\nb=2000\nc=2000\nd=2000\n");
        put(CONFIG_DIRECTORY "/20.conf", "b=3020\nc=3020\n");
        put(CONFIG_DIRECTORY "/10.conf", "b=3010\n");
        put(CONFIG_DIRECTORY "/.30.conf", "a=3030\n");
        put(CONFIG_DIRECTORY "/40.conf~", "a=3040\n");
        put(CONFIG_DIRECTORY "/.conf", "a=3050\n");
        put("/proc/cmdline", "setmtu=d:4000\n");
        assert_string_equal(read_configuration(), "a=2000 b=3020 c=3020 d=4000 !");
}

/* Each gives way to the next one; of files with one name only the last directory's is read. */
static void test_what_gives_way(void **state) {
        (void)state;
        put(CONFIG_DIRECTORY_VENDOR "/10.conf", "a=1500\nb=1500\nc=1500\nd=1500\ne=1500\n");
        put(CONFIG_DIRECTORY_VENDOR "/30.conf", "b=2000\nc=2000\nd=2000\ne=2000\n");
        put(CONFIG_DIRECTORY_RUN "/20.conf", "c=2500\nd=2500\ne=2500\n");
        put(CONFIG_FILE, "d=3000\ne=3000\n");
        put(CONFIG_DIRECTORY "/40.conf", "e=3500\n");
        assert_string_equal(read_configuration(), "a=1500 b=2000 c=2500 d=3000 e=3500 !");
        put(CONFIG_DIRECTORY_VENDOR "/20.conf", "f=2000\n");
        assert_string_equal(read_configuration(), "a=1500 b=2000 c=2500 d=3000 e=3500 !");
        put(CONFIG_DIRECTORY_RUN "/30.conf", "");
        assert_string_equal(read_configuration(), "a=1500 b=1500 c=2500 d=3000 e=3500 !");
        assert_int_equal(symlink("/dev/null", in_root(CONFIG_DIRECTORY "/20.conf")), 0);
        assert_string_equal(read_configuration(), "a=1500 b=1500 c=1500 d=3000 e=3500 !");
        assert_true(config_files_give_way(CONFIG_DIRECTORY_VENDOR "/30.conf"));
        assert_true(config_files_give_way(CONFIG_DIRECTORY_RUN "/30.conf"));
        assert_false(config_files_give_way(CONFIG_FILE));
        assert_false(config_files_give_way(CONFIG_DIRECTORY "/10.conf"));
        assert_false(config_files_give_way("/proc/cmdline"));
}

static void test_container_has_no_command_line(void **state) {
        (void)state;
        put("/proc/cmdline", "setmtu=d:4000\n");
        put("/run/systemd/container", "systemd-nspawn\n");
        assert_string_equal(read_configuration(), "!");
}

static void test_size(void **state) {
        char *text = malloc(CONFIG_FILE_MAX + 1);

        (void)state;
        assert_non_null(text);
        memset(text, '\n', CONFIG_FILE_MAX + 1);
        memcpy(text, "a=2000\n", 7);
        assert_true(whole_file_replace(CONFIG_FILE, text, CONFIG_FILE_MAX) >= 0);
        assert_string_equal(read_configuration(), "a=2000 !");
        assert_true(whole_file_replace(CONFIG_FILE, text, CONFIG_FILE_MAX + 1) >= 0);
        put(CONFIG_DIRECTORY "/10.conf", "b=3010\n");
        assert_string_equal(read_configuration(), "b=3010 ! E/etc/conf.d/setmtu:0");
        free(text);
}

static void test_unreadable(void **state) {
        (void)state;
        put(CONFIG_FILE, "a=2000\n");
        put(CONFIG_DIRECTORY "/10.conf", "b=3010\n");
        assert_int_equal(unlink(in_root(CONFIG_FILE)), 0);
        assert_int_equal(mkdir(in_root(CONFIG_FILE), 0755), 0);
        assert_string_equal(read_configuration(), "b=3010 ! E/etc/conf.d/setmtu:0");
        assert_int_equal(rmdir(in_root(CONFIG_FILE)), 0);
        assert_int_equal(symlink("setmtu", in_root(CONFIG_FILE)), 0);
        assert_string_equal(read_configuration(), "b=3010 ! E/etc/conf.d/setmtu:0");
}

/* Opening it would wait for a writer, and the boot with it. */
static void test_pipe(void **state) {
        (void)state;
        put(CONFIG_DIRECTORY "/10.conf", "b=3010\n");
        assert_int_equal(mkfifo(in_root(CONFIG_FILE), 0644), 0);
        assert_string_equal(read_configuration(), "b=3010 ! E/etc/conf.d/setmtu:0");
}

static void test_directory_is_a_file(void **state) {
        (void)state;
        put(CONFIG_FILE, "a=2000\n");
        put(CONFIG_DIRECTORY, "b=3010\n");
        assert_string_equal(read_configuration(), "a=2000 ! E/etc/conf.d/setmtu.d:0");
}

static void test_file_name_with_a_newline(void **state) {
        (void)state;
        put(CONFIG_DIRECTORY "/10\nRUN+=x.conf", "b=3010\n");
        put(CONFIG_DIRECTORY "/20.conf", "c=3010\n");
        assert_string_equal(read_configuration(), "c=3010 ! E/etc/conf.d/setmtu.d:0");
}

static void test_replace(void **state) {
        struct stat before, after;

        (void)state;
        assert_int_equal(whole_file_replace("/a/b/c", "one", 3), 1);
        assert_int_equal(stat(in_root("/a/b/c"), &before), 0);
        assert_int_equal(before.st_mode & 07777, 0644);
        assert_int_equal(whole_file_replace("/a/b/c", "one", 3), 0);
        assert_int_equal(stat(in_root("/a/b/c"), &after), 0);
        assert_int_equal(before.st_ino, after.st_ino);
        assert_int_equal(whole_file_replace("/a/b/c", "two", 3), 1);
        assert_int_equal(stat(in_root("/a/b/c"), &after), 0);
        assert_int_not_equal(before.st_ino, after.st_ino);
        assert_int_equal(whole_file_remove("/a/b/c"), 0);
        assert_int_equal(whole_file_remove("/a/b/c"), 0);
        /* No temporary file is left. */
        assert_int_equal(rmdir(in_root("/a/b")), 0);
}

static void test_long_root(void **state) {
        struct directory directory;
        struct config_write *write;
        const char *old;
        char root[PATH_MAX], *text;
        size_t size;

        (void)state;
        memset(root, '/', sizeof(root));
        root[PATH_MAX - 2] = '\0';
        assert_int_equal(setenv("SETMTU_ROOT", root, 1), 0);
        assert_errno(whole_file_read("/a/b", 100, &text, &size), -ENAMETOOLONG);
        assert_errno(whole_file_replace("/a/b", "x", 1), -ENAMETOOLONG);
        assert_errno(whole_file_exists("/a/b"), -ENAMETOOLONG);
        assert_errno(whole_file_is_link("/a/b"), -ENAMETOOLONG);
        assert_errno(whole_file_remove("/a/b"), -ENAMETOOLONG);
        assert_errno(directory_list("/a", "", &directory), -ENAMETOOLONG);
        assert_errno(change_lock_take(0), -ENAMETOOLONG);
        assert_errno(config_write_open(CONFIG_FILE, &write, &old, &size), -ENAMETOOLONG);
}

static void test_replace_fails(void **state) {
        (void)state;
        put("/a", "file");
        assert_errno(whole_file_replace("/a/b", "x", 1), -ENOTDIR);
        assert_int_equal(mkdir(in_root("/d"), 0755), 0);
        assert_int_equal(mkdir(in_root("/d/e"), 0755), 0);
        assert_errno(whole_file_replace("/d/e", "x", 1), -EISDIR);
        assert_int_equal(rmdir(in_root("/d/e")), 0);
        assert_int_equal(rmdir(in_root("/d")), 0);
}

static const struct link seven = {
        .ifindex = 7,
        .name = "eth0",
        .addresses = { .mac = "52:54:00:12:34:56", .permanent = "52:54:00:12:34:56" },
        .mtu = 9000,
};

static const struct device_record written = { .original = { .original = 1500, .set = 9000 } };

static void write_original(const struct link *link) {
        assert_errno(device_record_write(link, DEVICE_RECORD_ORIGINAL, &written), 0);
}

static void test_record(void **state) {
        const struct link eight = { .ifindex = 8, .name = "eth0" };
        struct device_record record, more = { .kept = { .mtu = 9000, .line = 3, .file = "/etc/x" } };

        (void)state;
        assert_errno(device_record_read(&seven, &record), -ENOENT);
        write_original(&seven);
        assert_errno(device_record_write(&seven, DEVICE_RECORD_KEPT, &more), 0);
        assert_errno(device_record_read(&seven, &record), 0);
        assert_string_equal(record.device.name, "eth0");
        assert_string_equal(record.device.permanent, "52:54:00:12:34:56");
        assert_int_equal(record.original.original, 1500);
        assert_int_equal(record.original.set, 9000);
        assert_string_equal(record.kept.file, "/etc/x");
        assert_errno(device_record_read(&eight, &record), -ENOENT);
        assert_errno(device_record_remove(7, DEVICE_RECORD_ORIGINAL), 0);
        assert_errno(device_record_read(&seven, &record), 0);
        assert_true(record.original.set == 0 && record.kept.mtu == 9000);
        assert_errno(device_record_remove(7, DEVICE_RECORD_KEPT), 0);
        assert_errno(device_record_read(&seven, &record), -ENOENT);
        assert_errno(device_record_remove(7, DEVICE_RECORD_ORIGINAL), 0);
}

/* Processes that write different parts at the same time. */
static void test_record_of_many_writers(void **state) {
        static const unsigned parts[] = { DEVICE_RECORD_ORIGINAL, DEVICE_RECORD_KEPT, DEVICE_RECORD_TALLY };
        enum { N_WRITERS = sizeof(parts) / sizeof(parts[0]), N_WRITES = 100 };
        struct device_record record;

        (void)state;
        write_original(&seven);
        for (size_t i = 0; i < N_WRITERS; i++) {
                pid_t child = fork();

                assert_true(child >= 0);
                if (child > 0)
                        continue;
                for (uint32_t n = 1; n <= N_WRITES; n++) {
                        const struct device_record own = { .original = { .original = 1500, .set = n },
                                                           .kept.mtu = n,
                                                           .tally.count = n };

                        if (device_record_write(&seven, parts[i], &own) < 0)
                                _exit(1);
                }
                _exit(0);
        }
        for (size_t i = 0; i < N_WRITERS; i++) {
                int status = 1;

                assert_true(wait(&status) > 0);
                assert_int_equal(status, 0);
        }
        assert_errno(device_record_read(&seven, &record), 0);
        assert_int_equal(record.original.set, N_WRITES);
        assert_int_equal(record.kept.mtu, N_WRITES);
        assert_int_equal(record.tally.count, N_WRITES);
}

/* The kept MTU belongs to a name; the others do not. */
static void test_record_of_a_renamed_device(void **state) {
        struct device_record record, kept = { .kept.mtu = 9000 };
        struct link renamed = seven;

        (void)state;
        strcpy(renamed.name, "lan7");
        write_original(&seven);
        assert_errno(device_record_write(&seven, DEVICE_RECORD_KEPT, &kept), 0);
        assert_errno(device_record_read(&renamed, &record), 0);
        assert_true(record.original.set == 9000 && record.kept.mtu == 0);
        write_original(&renamed);
        assert_errno(device_record_read(&seven, &record), 0);
        assert_true(record.original.set == 9000 && record.kept.mtu == 0);
}

/* What may have become of the device since its record was written, and whether it may be the same. */
static void test_device_of_a_record(void **state) {
        const struct link nic = seven;
        const struct link veth = {
                .ifindex = 7, .name = "v0", .kind = "veth", .addresses.mac = "02:00:00:00:00:01"
        };
        struct {
                const char *what;
                struct link before, now;
                bool is_same;
        } rows[] = {
                { "nothing", nic, nic, true },
                { "renamed, and with a bond's address", nic, nic, true },
                { "another NIC of the name", nic, nic, false },
                { "a virtual device of the name", nic, veth, false },
                { "a NIC in place of a virtual device", veth, nic, false },
                { "virtual, renamed", veth, veth, true },
                { "virtual, with another address", veth, veth, true },
                { "virtual, with another name and address", veth, veth, false },
                { "of another kind", veth, veth, false },
        };
        struct device_record record;

        (void)state;
        strcpy(rows[1].now.name, "lan7");
        strcpy(rows[1].now.addresses.mac, "02:00:00:00:00:09");
        strcpy(rows[2].now.addresses.permanent, "52:54:00:12:34:57");
        strcpy(rows[3].now.name, "eth0");
        strcpy(rows[5].now.name, "v1");
        strcpy(rows[6].now.addresses.mac, "02:00:00:00:00:09");
        strcpy(rows[7].now.name, "v1");
        strcpy(rows[7].now.addresses.mac, "02:00:00:00:00:09");
        strcpy(rows[8].now.kind, "dummy");
        for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
                write_original(&rows[i].before);
                if ((device_record_read(&rows[i].now, &record) == 0) != rows[i].is_same)
                        fail_msg("%s", rows[i].what);
        }
}

/* A file in the directory whose name ends with `suffix`: 7 for device 7. */
static void put_link(const char *directory, const char *suffix, const char *text) {
        char netns[DEVICE_IDENTITY_NETNS_SIZE], path[64];

        assert_errno(device_identity_netns(netns), 0);
        snprintf(path, sizeof(path), "%s/%s.%s", directory, *netns ? netns : "0", suffix);
        assert_errno(whole_file_write_link(path, text), 0);
}

static void put_record(const char *suffix, const char *text) {
        put_link(DEVICE_RECORD_DIRECTORY, suffix, text);
}

/* Of another version of setmtu. */
static void test_record_with_other_keys(void **state) {
        struct device_record record;

        (void)state;
        put_record("7",
                   "VERSION=0\nNAME=eth0\nBOOT_ID=b\nORIGINAL_MTU=1500\nSET_MTU=9000\nKEEP_FILE=/etc/x\n");
        assert_errno(device_record_read(&seven, &record), 0);
        assert_true(record.original.original == 1500 && record.original.set == 9000);
}

/* It is neither used nor overwritten. */
static void test_damaged_record(void **state) {
        struct device_record record;
        struct lowered_mtu lowered;

        (void)state;
        put_record("7", "NAME=eth0\nLOWERED_FROM=1500\nKEEP_MTU=most\n");
        assert_errno(device_record_read(&seven, &record), -EBADMSG);
        assert_errno(lowered_mtu_read(&seven, &lowered), -ENOENT);
        assert_errno(device_record_write(&seven, DEVICE_RECORD_ORIGINAL, &written), -EBADMSG);
        assert_errno(device_record_remove(7, DEVICE_RECORD_KEPT), -EBADMSG);
        assert_errno(device_record_remove(7, DEVICE_RECORD_ALL), 0);
        assert_errno(device_record_read(&seven, &record), -ENOENT);
}

static void test_damaged_trial(void **state) {
        struct trial_record trial;

        (void)state;
        put_record("7", "NAME=eth0\nTRIAL_ID=x\n");
        assert_errno(trial_record_read(7, &trial), -EBADMSG);
        assert_errno(device_record_remove(7, DEVICE_RECORD_TRIAL), -EBADMSG);
        assert_errno(device_record_remove(7, DEVICE_RECORD_ALL), 0);
        assert_errno(trial_record_read(7, &trial), -ENOENT);
}

/* It comes and goes, and the rest stays. */
static void test_trial(void **state) {
        struct trial_record trial = { .ifindex = 7, .id = 5, .spec.mtu = 9000 };
        struct original_mtu record;

        (void)state;
        write_original(&seven);
        device_identity_of(&seven, &trial.device);
        assert_errno(trial_record_write(&trial), 0);
        assert_errno(original_mtu_read(&seven, &record), 0);
        trial.id = 0;
        assert_errno(trial_record_read(7, &trial), 0);
        assert_int_equal(trial.id, 5);
        /* A value without a number. */
        trial.spec = (struct mtu_spec){ .mtu = MTU_MAX, .is_auto = true, .less = 20, .up = true };
        assert_errno(trial_record_write(&trial), 0);
        assert_errno(trial_record_read(7, &trial), 0);
        assert_true(trial.spec.is_auto && trial.spec.less == 20 && trial.spec.up);
        assert_errno(device_record_remove(7, DEVICE_RECORD_TRIAL), 0);
        assert_errno(trial_record_read(7, &trial), -ENOENT);
        assert_errno(original_mtu_read(&seven, &record), 0);
        assert_int_equal(record.original, 1500);
}

static void test_record_of_a_name_alone(void **state) {
        struct link other = seven;
        struct original_mtu record;

        (void)state;
        put_record("7", "NAME=eth0\nORIGINAL_MTU=1500\nSET_MTU=9000\n");
        assert_errno(original_mtu_read(&seven, &record), 0);
        assert_int_equal(record.original, 1500);
        strcpy(other.name, "eth1");
        assert_errno(original_mtu_read(&other, &record), -ENOENT);
}

static int forget_seven(void *userdata, unsigned ifindex) {
        (void)userdata;
        assert_true(ifindex == 7 || ifindex == 8);
        return ifindex == 7 ? device_record_remove(7, DEVICE_RECORD_ORIGINAL) : 0;
}

static void test_forget_gone(void **state) {
        const struct link eight = { .ifindex = 8, .name = "eth0" };
        struct original_mtu record;
        struct rlimit former, none;

        (void)state;
        assert_errno(device_record_each(forget_seven, NULL), 0); /* no directory yet */
        write_original(&seven);
        write_original(&eight);
        put("/run/setmtu/x1.7", "a record of another network namespace");
        put_record("0", "no device has that ifindex");
        put_record(":", "nor that");
        put_record("7x", "nor that");
        put_record("2147483648", "nor that");

        assert_int_equal(getrlimit(RLIMIT_NOFILE, &former), 0);
        none = former;
        none.rlim_cur = 0;
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
        assert_errno(device_record_each(forget_seven, NULL), -EMFILE);
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &former), 0);

        assert_errno(device_record_each(forget_seven, NULL), 0);
        assert_errno(original_mtu_read(&seven, &record), -ENOENT);
        assert_errno(original_mtu_read(&eight, &record), 0);
        assert_true(whole_file_exists("/run/setmtu/x1.7"));
}

static void test_switched_off(void **state) {
        (void)state;
        put(CONFIG_DIRECTORY "/10.conf", "b=3010\n");
        assert_int_equal(symlink("/dev/null", in_root(CONFIG_DIRECTORY "/20.conf")), 0);
        assert_string_equal(read_configuration(), "b=3010 !");
}

#define RULE_DONE "I:123\nE:SETMTU_MTU=9000\nE:SETMTU_ORIGINAL_MTU=1500\n"

static void test_udev_database(void **state) {
        char netns[DEVICE_IDENTITY_NETNS_SIZE], database[512];
        uint32_t original = 1, set = 1;

        (void)state;
        assert_errno(original_mtu_from_udev(&seven, &original, &set), -ENOENT);
        put("/run/udev/data/n7", "I:123\nE:SETMTU_MTU=9000\nE:XSETMTU_ORIGINAL_MTU=3\n");
        assert_errno(original_mtu_from_udev(&seven, &original, &set), -ENODATA);
        put("/run/udev/data/n7", "I:123\nE:SETMTU_MTU=9000\nE:SETMTU_ORIGINAL_MTU=15x\n");
        assert_errno(original_mtu_from_udev(&seven, &original, &set), -ENODATA);
        /* Empty before Linux 5.14, and under qemu-user. */
        device_identity_netns(netns);
        if (netns[0] == '\0')
                skip();
        /* Of no namespace, or of the device 7 that udevd has, in its own network namespace. */
        put("/run/udev/data/n7", RULE_DONE);
        assert_errno(original_mtu_from_udev(&seven, &original, &set), -ENOENT);
        put("/run/udev/data/n7", RULE_DONE "E:SETMTU_NETNS=18446744073709551615\n");
        assert_errno(original_mtu_from_udev(&seven, &original, &set), -ENOENT);
        assert_int_equal(original, 1);
        snprintf(database, sizeof(database), RULE_DONE "E:SETMTU_NETNS=%s\nG:systemd\n", netns);
        put("/run/udev/data/n7", database);
        assert_errno(original_mtu_from_udev(&seven, &original, &set), 0);
        assert_int_equal(original, 1500);
        assert_int_equal(set, 9000);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_root, remove_root)

int main(void) {
        const struct CMUnitTest tests[] = {
                TEST(test_no_file),
                TEST(test_order_of_files),
                TEST(test_what_gives_way),
                TEST(test_container_has_no_command_line),
                TEST(test_size),
                TEST(test_unreadable),
                TEST(test_pipe),
                TEST(test_directory_is_a_file),
                TEST(test_file_name_with_a_newline),
                TEST(test_replace),
                TEST(test_long_root),
                TEST(test_replace_fails),
                TEST(test_record),
                TEST(test_record_of_many_writers),
                TEST(test_record_of_a_renamed_device),
                TEST(test_device_of_a_record),
                TEST(test_record_of_a_name_alone),
                TEST(test_record_with_other_keys),
                TEST(test_damaged_record),
                TEST(test_damaged_trial),
                TEST(test_trial),
                TEST(test_forget_gone),
                TEST(test_switched_off),
                TEST(test_udev_database),
        };

        return cmocka_run_group_tests_name("files", tests, NULL, NULL);
}
