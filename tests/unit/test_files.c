/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What touches the file system, in a folder of its own behind SETMTU_ROOT. */

#include "rows.h"
#include "scratch_root.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "store/config_files.h"
#include "store/mtu_record.h"

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

        config_init(&config);
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
        put(CONFIG_FOLDER "/20.conf", "b=3020\nc=3020\n");
        put(CONFIG_FOLDER "/10.conf", "b=3010\n");
        put(CONFIG_FOLDER "/.30.conf", "a=3030\n");
        put(CONFIG_FOLDER "/40.conf~", "a=3040\n");
        put(CONFIG_FOLDER "/.conf", "a=3050\n");
        put("/proc/cmdline", "setmtu=d:4000\n");
        assert_string_equal(read_configuration(), "a=2000 b=3020 c=3020 d=4000 !");
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
        put(CONFIG_FOLDER "/10.conf", "b=3010\n");
        assert_string_equal(read_configuration(), "b=3010 ! E/etc/conf.d/setmtu:0");
        free(text);
}

static void test_unreadable(void **state) {
        (void)state;
        put(CONFIG_FILE, "a=2000\n");
        put(CONFIG_FOLDER "/10.conf", "b=3010\n");
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
        put(CONFIG_FOLDER "/10.conf", "b=3010\n");
        assert_int_equal(mkfifo(in_root(CONFIG_FILE), 0644), 0);
        assert_string_equal(read_configuration(), "b=3010 ! E/etc/conf.d/setmtu:0");
}

static void test_folder_is_a_file(void **state) {
        (void)state;
        put(CONFIG_FILE, "a=2000\n");
        put(CONFIG_FOLDER, "b=3010\n");
        assert_string_equal(read_configuration(), "a=2000 ! E/etc/conf.d/setmtu.d:0");
}

static void test_file_name_with_a_newline(void **state) {
        (void)state;
        put(CONFIG_FOLDER "/10\nRUN+=x.conf", "b=3010\n");
        put(CONFIG_FOLDER "/20.conf", "c=3010\n");
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

static void test_record(void **state) {
        struct original_mtu record, written = { .name = "eth0", .original = 1500, .set = 9000 };

        (void)state;
        assert_errno(original_mtu_read(7, &record), -ENOENT);
        assert_errno(original_mtu_write(7, &written), 0);
        assert_errno(original_mtu_read(7, &record), 0);
        assert_string_equal(record.name, "eth0");
        assert_int_equal(record.original, 1500);
        assert_int_equal(record.set, 9000);
        assert_errno(original_mtu_read(8, &record), -ENOENT);
        assert_errno(original_mtu_remove(7), 0);
        assert_errno(original_mtu_read(7, &record), -ENOENT);
        assert_errno(original_mtu_remove(7), 0);
}

static void forget_seven(void *userdata, unsigned ifindex) {
        (void)userdata;
        if (ifindex == 7)
                (void)original_mtu_remove(ifindex);
}

static void test_forget_gone(void **state) {
        struct original_mtu record, written = { .name = "eth0", .original = 1500, .set = 9000 };

        (void)state;
        original_mtu_each(forget_seven, NULL); /* no folder yet */
        assert_errno(original_mtu_write(7, &written), 0);
        assert_errno(original_mtu_write(8, &written), 0);
        put("/run/setmtu/1.7", "a record of another network namespace");
        original_mtu_each(forget_seven, NULL);
        assert_errno(original_mtu_read(7, &record), -ENOENT);
        assert_errno(original_mtu_read(8, &record), 0);
        assert_true(whole_file_exists("/run/setmtu/1.7"));
}

static void test_switched_off(void **state) {
        (void)state;
        put(CONFIG_FOLDER "/10.conf", "b=3010\n");
        assert_int_equal(symlink("/dev/null", in_root(CONFIG_FOLDER "/20.conf")), 0);
        assert_string_equal(read_configuration(), "b=3010 !");
}

static void test_udev_database(void **state) {
        uint32_t original = 1, set = 1;

        (void)state;
        assert_errno(original_mtu_from_udev(7, &original, &set), -ENOENT);
        put("/run/udev/data/n7", "I:123\nE:SETMTU_MTU=9000\nE:XSETMTU_ORIGINAL_MTU=3\n");
        assert_errno(original_mtu_from_udev(7, &original, &set), -ENODATA);
        put("/run/udev/data/n7", "I:123\nE:SETMTU_MTU=9000\nE:SETMTU_ORIGINAL_MTU=15x\n");
        assert_errno(original_mtu_from_udev(7, &original, &set), -ENODATA);
        assert_int_equal(original, 1);
        put("/run/udev/data/n7", "I:123\nE:SETMTU_MTU=9000\nE:SETMTU_ORIGINAL_MTU=1500\nG:systemd\n");
        assert_errno(original_mtu_from_udev(7, &original, &set), 0);
        assert_int_equal(original, 1500);
        assert_int_equal(set, 9000);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_root, remove_root)

int main(void) {
        const struct CMUnitTest tests[] = {
                TEST(test_no_file),
                TEST(test_order_of_files),
                TEST(test_container_has_no_command_line),
                TEST(test_size),
                TEST(test_unreadable),
                TEST(test_pipe),
                TEST(test_folder_is_a_file),
                TEST(test_file_name_with_a_newline),
                TEST(test_replace),
                TEST(test_replace_fails),
                TEST(test_record),
                TEST(test_forget_gone),
                TEST(test_switched_off),
                TEST(test_udev_database),
        };

        return cmocka_run_group_tests_name("files", tests, NULL, NULL);
}
