/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* How a configuration file is replaced, in a directory of its own behind SETMTU_ROOT. What a crash leaves,
 * the script config-write-crash looks at. */

#include "rows.h"
#include "scratch_root.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>

#include "base/cleanup.h"
#include "base/whole_file.h"
#include "config/config_edit.h"
#include "store/change_lock.h"
#include "store/config_files.h"
#include "store/config_write.h"

#define TEMPORARY "/etc/conf.d/.setmtu.new"
#define ACCESS_ACL "system.posix_acl_access"
#define DEFAULT_ACL "system.posix_acl_default"

/* A part that could not be looked at: then the whole test is skipped, if nothing else failed. */
static bool is_incomplete;

static void leave_out(const char *what, const char *why) {
        print_message("left out: %s: %s\n", what, why);
        is_incomplete = true;
}

static void put(const char *path, const char *text) {
        assert_true(whole_file_replace(path, text, strlen(text)) >= 0);
}

static void assert_holds(const char *path, const char *expected) {
        CLEANUP(cleanup_free) char *text = NULL;
        size_t size;

        assert_errno(whole_file_read(path, CONFIG_FILE_MAX, &text, &size), 0);
        assert_string_equal(text, expected);
        assert_int_equal(size, strlen(expected));
}

/* No temporary file, or anything else, beside the file. */
static void assert_alone(void) {
        DIR *directory = opendir(in_root("/etc/conf.d"));
        struct dirent *entry;

        assert_non_null(directory);
        while ((entry = readdir(directory)))
                if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
                        assert_string_equal(entry->d_name, "setmtu");
        closedir(directory);
}

/* Replaces the file, whatever was in it. */
static int replace(const char *text) {
        CLEANUP(config_write_cleanup) struct config_write *write = NULL;
        const char *old;
        size_t size;
        int r = config_write_open(CONFIG_FILE, &write, &old, &size);

        return r < 0 ? r : config_write_replace(write, text, strlen(text));
}

/* What opening alone says. */
static int try_open(void) {
        CLEANUP(config_write_cleanup) struct config_write *write = NULL;
        const char *text = NULL;
        size_t size = 4711;
        int r = config_write_open(CONFIG_FILE, &write, &text, &size);

        if (r < 0 && (write || text || size != 4711))
                return -EUCLEAN; /* not untouched */
        return r;
}

/* What `function` returns in a child: 0 or a negative errno. */
static int in_child(int (*function)(void)) {
        pid_t child = fork();
        int status;

        assert_true(child >= 0);
        if (child == 0)
                _exit(-function());
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        return -WEXITSTATUS(status);
}

static struct stat status_of(const char *path) {
        struct stat status;

        assert_int_equal(lstat(in_root(path), &status), 0);
        return status;
}

/* What is read and written ------------------------------------------------------------------------------ */

static void test_no_directory(void **state) {
        CLEANUP(config_write_cleanup) struct config_write *write = NULL;
        const char *text;
        size_t size;
        mode_t mask = umask(0027);

        (void)state;
        assert_errno(config_write_open(CONFIG_FILE, &write, &text, &size), 0);
        assert_int_equal(size, 0);
        assert_string_equal(text, "");
        assert_false(whole_file_exists(CONFIG_FILE));
        assert_errno(config_write_replace(write, "eth0=9000\n", 10), 0);
        umask(mask);
        assert_holds(CONFIG_FILE, "eth0=9000\n");
        assert_int_equal(status_of(CONFIG_FILE).st_mode & 07777, 0644);
        assert_alone();
}

static void test_replace(void **state) {
        CLEANUP(config_write_cleanup) struct config_write *write = NULL;
        struct stat before;
        const char *text;
        size_t size;

        (void)state;
        put(CONFIG_FILE, "eth0=1500\n");
        before = status_of(CONFIG_FILE);
        assert_errno(config_write_open(CONFIG_FILE, &write, &text, &size), 0);
        assert_int_equal(size, 10);
        assert_string_equal(text, "eth0=1500\n");
        assert_errno(config_write_replace(write, "eth0=9000\0\n", 11), 0);
        config_write_cleanup(&write);
        assert_errno(config_write_open(CONFIG_FILE, &write, &text, &size), 0);
        assert_int_equal(size, 11);
        assert_memory_equal(text, "eth0=9000\0\n\0", 12);
        /* Not written over, which a crash might interrupt. */
        assert_int_not_equal(status_of(CONFIG_FILE).st_ino, before.st_ino);
        assert_alone();
}

static void test_nothing_replaced(void **state) {
        struct stat before, after;

        (void)state;
        put(CONFIG_FILE, "eth0=1500\n");
        before = status_of(CONFIG_FILE);
        assert_errno(try_open(), 0);
        after = status_of(CONFIG_FILE);
        assert_int_equal(before.st_ino, after.st_ino);
        assert_holds(CONFIG_FILE, "eth0=1500\n");
        assert_alone();
        config_write_cleanup(&(struct config_write *){ NULL });
}

static void test_size(void **state) {
        CLEANUP(cleanup_free) char *text = malloc(CONFIG_FILE_MAX + 2);
        struct config_write *write;
        const char *old;
        size_t size;

        (void)state;
        assert_non_null(text);
        memset(text, '#', CONFIG_FILE_MAX + 1);
        assert_true(whole_file_replace(CONFIG_FILE, text, CONFIG_FILE_MAX + 1) > 0);
        assert_errno(try_open(), -EFBIG);
        assert_true(whole_file_replace(CONFIG_FILE, text, CONFIG_FILE_MAX) > 0);
        assert_errno(config_write_open(CONFIG_FILE, &write, &old, &size), 0);
        assert_int_equal(size, CONFIG_FILE_MAX);
        text[0] = ';';
        assert_errno(config_write_replace(write, text, CONFIG_FILE_MAX + 1), -EFBIG);
        assert_int_equal(status_of(CONFIG_FILE).st_size, CONFIG_FILE_MAX);
        assert_alone();
        assert_errno(config_write_replace(write, text, CONFIG_FILE_MAX), 0);
        config_write_cleanup(&write);
        assert_errno(config_write_open(CONFIG_FILE, &write, &old, &size), 0);
        assert_int_equal(size, CONFIG_FILE_MAX);
        assert_memory_equal(old, text, CONFIG_FILE_MAX);
        config_write_cleanup(&write);
}

/* What stays -------------------------------------------------------------------------------------------- */

static void test_mode(void **state) {
        static const mode_t modes[] = { 0600, 0640, 0664, 0666, 0755, 02640, 0200 };
        mode_t mask = umask(0077);

        (void)state;
        for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
                if (modes[i] == 0200 && geteuid() != 0)
                        continue; /* cannot be read */
                put(CONFIG_FILE, "eth0=1500\n");
                assert_int_equal(chmod(in_root(CONFIG_FILE), modes[i]), 0);
                assert_errno(replace("eth0=9000\n"), 0);
                assert_int_equal(status_of(CONFIG_FILE).st_mode & 07777, modes[i]);
                assert_holds(CONFIG_FILE, "eth0=9000\n");
        }
        umask(mask);
}

static void test_owner(void **state) {
        static const struct {
                uid_t uid;
                gid_t gid;
        } owners[] = { { 12, 0 }, { 0, 34 }, { 12, 34 } };

        (void)state;
        if (geteuid() != 0) {
                leave_out("another owner", "not root");
                return;
        }
        for (size_t i = 0; i < sizeof(owners) / sizeof(owners[0]); i++) {
                struct stat status;

                put(CONFIG_FILE, "eth0=1500\n");
                assert_int_equal(chown(in_root(CONFIG_FILE), owners[i].uid, owners[i].gid), 0);
                assert_int_equal(chmod(in_root(CONFIG_FILE), 06664), 0);
                assert_errno(replace("eth0=9000\n"), 0);
                status = status_of(CONFIG_FILE);
                assert_int_equal(status.st_uid, owners[i].uid);
                assert_int_equal(status.st_gid, owners[i].gid);
                assert_int_equal(status.st_mode & 07777, 06664);
                assert_holds(CONFIG_FILE, "eth0=9000\n");
        }
}

/* 0, or 1 where the file system has no such thing. */
static int set_attribute(const char *path, const char *name, const void *value, size_t size) {
        if (setxattr(in_root(path), name, value, size, 0) == 0)
                return 0;
        assert_errno(-errno, -ENOTSUP);
        leave_out(name, "not on this file system");
        return 1;
}

static void assert_attribute(const char *path, const char *name, const void *value, size_t size) {
        char got[1024];

        assert_int_equal(getxattr(in_root(path), name, got, sizeof(got)), size);
        assert_memory_equal(got, value, size);
}

static void test_attributes(void **state) {
        char large[1000];

        (void)state;
        put(CONFIG_FILE, "eth0=1500\n");
        if (set_attribute(CONFIG_FILE, "user.text", "text", 4) > 0)
                return;
        memset(large, '\xff', sizeof(large));
        assert_int_equal(set_attribute(CONFIG_FILE, "user.empty", "", 0), 0);
        assert_int_equal(set_attribute(CONFIG_FILE, "user.large", large, sizeof(large)), 0);
        assert_errno(replace("eth0=9000\n"), 0);
        assert_attribute(CONFIG_FILE, "user.text", "text", 4);
        assert_attribute(CONFIG_FILE, "user.empty", "", 0);
        assert_attribute(CONFIG_FILE, "user.large", large, sizeof(large));
        assert_holds(CONFIG_FILE, "eth0=9000\n");
}

/* As in linux/posix_acl_xattr.h, little-endian: user::rw-, user:4711:r--, group::---, mask::r--, other::---
 */
static const unsigned char access_list[] = {
        2,    0,    0,    0, /* version */
        0x01, 0,    6,    0,    0xff, 0xff, 0xff, 0xff, 0x02, 0,    4,    0,    0x67, 0x12,
        0,    0,    0x04, 0,    0,    0,    0xff, 0xff, 0xff, 0xff, 0x10, 0,    4,    0,
        0xff, 0xff, 0xff, 0xff, 0x20, 0,    0,    0,    0xff, 0xff, 0xff, 0xff,
};

static void test_access_list(void **state) {
        (void)state;
        put(CONFIG_FILE, "eth0=1500\n");
        if (set_attribute(CONFIG_FILE, ACCESS_ACL, access_list, sizeof(access_list)) > 0)
                return;
        assert_errno(replace("eth0=9000\n"), 0);
        assert_attribute(CONFIG_FILE, ACCESS_ACL, access_list, sizeof(access_list));
        assert_int_equal(status_of(CONFIG_FILE).st_mode & 07777, 0640);
}

/* What is made in a directory gets the directory's default list; what is replaced there keeps having none.
 */
static void test_default_access_list(void **state) {
        (void)state;
        put(CONFIG_FILE, "eth0=1500\n");
        if (set_attribute("/etc/conf.d", DEFAULT_ACL, access_list, sizeof(access_list)) > 0)
                return;
        assert_errno(replace("eth0=9000\n"), 0);
        assert_int_equal(getxattr(in_root(CONFIG_FILE), ACCESS_ACL, NULL, 0), -1);
        assert_errno(errno, ENODATA);
        assert_int_equal(status_of(CONFIG_FILE).st_mode & 07777, 0644);
}

/* What is refused --------------------------------------------------------------------------------------- */

static void test_symbolic_link(void **state) {
        (void)state;
        put("/etc/elsewhere", "eth0=1500\n");
        assert_int_equal(mkdir(in_root("/etc/conf.d"), 0755), 0);
        assert_int_equal(symlink("../elsewhere", in_root(CONFIG_FILE)), 0);
        assert_errno(try_open(), -ELOOP);
        assert_true(S_ISLNK(status_of(CONFIG_FILE).st_mode));
        assert_holds("/etc/elsewhere", "eth0=1500\n");
        assert_errno(whole_file_remove("/etc/elsewhere"), 0);
        assert_errno(try_open(), -ELOOP);
        assert_alone();
}

static void test_read_only(void **state) {
        (void)state;
        put(CONFIG_FILE, "eth0=1500\n");
        assert_int_equal(chmod(in_root(CONFIG_FILE), 0444), 0);
        assert_errno(try_open(), -EROFS);
        /* The owner's bit, not the group's. */
        assert_int_equal(chmod(in_root(CONFIG_FILE), 0466), 0);
        assert_errno(try_open(), -EROFS);
        assert_alone();
}

static void test_no_regular_file(void **state) {
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

        (void)state;
        put(CONFIG_FILE "/file", "");
        assert_errno(try_open(), -EINVAL);
        assert_int_equal(unlink(in_root(CONFIG_FILE "/file")), 0);
        assert_int_equal(rmdir(in_root(CONFIG_FILE)), 0);

        /* Nobody waits for the other end. */
        assert_int_equal(mkfifo(in_root(CONFIG_FILE), 0644), 0);
        assert_errno(try_open(), -EINVAL);
        assert_int_equal(unlink(in_root(CONFIG_FILE)), 0);

        strcpy(address.sun_path, in_root(CONFIG_FILE));
        assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
        assert_errno(try_open(), -EINVAL);
        close(fd);
        assert_alone();
}

static void test_no_regular_directory(void **state) {
        (void)state;
        put("/etc/conf.d", "");
        assert_errno(try_open(), -ENOTDIR);
        assert_holds("/etc/conf.d", "");
        assert_errno(whole_file_remove("/etc/conf.d"), 0);
        assert_int_equal(symlink("nowhere", in_root("/etc/conf.d")), 0);
        assert_errno(try_open(), -ENOENT);
}

/* As somebody whom the file system stops, which it does not do to root. */
static int try_open_as_nobody(void) {
        if (geteuid() == 0 && setresuid(65534, 65534, 65534) < 0)
                return -errno;
        return try_open();
}

static void test_no_permission(void **state) {
        (void)state;
        assert_int_equal(chmod(in_root(""), 0755), 0);
        assert_int_equal(mkdir(in_root("/etc"), 0755), 0);
        assert_int_equal(mkdir(in_root("/etc/conf.d"), 0555), 0);
        assert_errno(in_child(try_open_as_nobody), -EACCES); /* no file yet */
        assert_int_equal(chmod(in_root("/etc/conf.d"), 0755), 0);
        put(CONFIG_FILE, "eth0=1500\n");
        assert_int_equal(chmod(in_root("/etc/conf.d"), 0555), 0);
        assert_errno(in_child(try_open_as_nobody), -EACCES);
        /* Into the directory, but not over somebody's file. */
        if (geteuid() == 0) {
                assert_int_equal(chmod(in_root("/etc/conf.d"), 0777), 0);
                assert_errno(in_child(try_open_as_nobody), -EACCES);
        } else
                leave_out("somebody else's file", "not root");
        assert_int_equal(chmod(in_root("/etc/conf.d"), 0755), 0);
        assert_holds(CONFIG_FILE, "eth0=1500\n");
        assert_alone();
}

/* In mounts of its own. EUCLEAN stands for a result that is not the expected one. */
static int mount_at(const char *path, unsigned long flags) {
        char place[PATH_MAX];

        snprintf(place, sizeof(place), "%s", in_root(path));
        if (mount(place, place, NULL, MS_BIND, NULL) < 0 ||
            mount(NULL, place, NULL, MS_REMOUNT | MS_BIND | flags, NULL) < 0)
                return -errno;
        return 0;
}

static int own_mounts(void) {
        return unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ? -errno
                                                                                                 : 0;
}

static int try_read_only_directory(void) {
        int r = own_mounts();

        if (r == 0)
                r = mount_at("/etc", MS_RDONLY);
        return r < 0 ? r : try_open();
}

static int try_read_only_file(void) {
        int r = own_mounts();

        if (r == 0)
                r = mount_at(CONFIG_FILE, MS_RDONLY);
        return r < 0 ? r : try_open();
}

static int try_mounted_file(void) {
        int r = own_mounts();

        if (r == 0)
                r = mount_at(CONFIG_FILE, 0);
        return r < 0 ? r : replace("eth0=9000\n");
}

static void test_mounts(void **state) {
        int r = in_child(own_mounts);

        (void)state;
        if (r < 0) {
                leave_out("mounts", strerror(-r));
                return;
        }
        put("/etc/other", "");
        assert_errno(in_child(try_read_only_directory), -EROFS); /* no directory yet */
        put(CONFIG_FILE, "eth0=1500\n");
        assert_errno(in_child(try_read_only_directory), -EROFS);
        assert_errno(in_child(try_read_only_file), -EROFS);
        /* As a container has it; known only when it is tried. */
        assert_errno(in_child(try_mounted_file), -EBUSY);
        assert_holds(CONFIG_FILE, "eth0=1500\n");
        assert_alone();
}

/* Others ------------------------------------------------------------------------------------------------ */

static void test_left_over(void **state) {
        (void)state;
        put(CONFIG_FILE, "eth0=1500\n");
        put(TEMPORARY, "left by a crash, and longer than what is written now\n");
        assert_int_equal(chmod(in_root(TEMPORARY), 0), 0);
        assert_errno(replace("eth0=9000\n"), 0);
        assert_holds(CONFIG_FILE, "eth0=9000\n");
        assert_alone();

        /* Put there to have something else written to. */
        put("/etc/elsewhere", "mine\n");
        assert_int_equal(symlink("../elsewhere", in_root(TEMPORARY)), 0);
        assert_errno(replace("eth0=4000\n"), 0);
        assert_holds(CONFIG_FILE, "eth0=4000\n");
        assert_holds("/etc/elsewhere", "mine\n");
        assert_true(S_ISREG(status_of(CONFIG_FILE).st_mode));
        assert_alone();

        assert_int_equal(mkdir(in_root(TEMPORARY), 0755), 0);
        assert_errno(replace("eth0=1500\n"), -EISDIR);
        assert_holds(CONFIG_FILE, "eth0=4000\n");
}

/* An editor that knows nothing of the lock. */
static void save_in_place(void) {
        int fd = open(in_root(CONFIG_FILE), O_WRONLY | O_CLOEXEC);

        assert_int_equal(write(fd, "EDIT", 4), 4);
        close(fd);
}

static void save_anew(void) {
        put(CONFIG_FILE, "EDIT0=1500");
}

static void change_mode(void) {
        assert_int_equal(chmod(in_root(CONFIG_FILE), 0600), 0);
}

static void remove_it(void) {
        assert_errno(whole_file_remove(CONFIG_FILE), 0);
}

static const struct other_row {
        const char *name;
        const char *before; /* NULL: no file */
        void (*meanwhile)(void);
        const char *after; /* the other's */
} other_rows[] = {
        { "saved in place", "eth0=1500\n", save_in_place, "EDIT=1500\n" },
        { "saved anew", "eth0=1500\n", save_anew, "EDIT0=1500" },
        { "another mode", "eth0=1500\n", change_mode, "eth0=1500\n" },
        { "removed", "eth0=1500\n", remove_it, NULL },
        { "made", NULL, save_anew, "EDIT0=1500" },
};

static void test_changed_meanwhile(void **state) {
        (void)state;
        for (size_t i = 0; i < sizeof(other_rows) / sizeof(other_rows[0]); i++) {
                const struct other_row *row = &other_rows[i];
                struct config_write *write;
                const char *text;
                size_t size;

                if (row->before)
                        put(CONFIG_FILE, row->before);
                else
                        assert_errno(whole_file_remove(CONFIG_FILE), 0);
                assert_errno(config_write_open(CONFIG_FILE, &write, &text, &size), 0);
                /* Times are told in steps of some milliseconds. */
                usleep(20000);
                row->meanwhile();
                assert_errno(config_write_replace(write, "eth0=9000\n", 10), -ESTALE);
                config_write_cleanup(&write);
                if (row->after)
                        assert_holds(CONFIG_FILE, row->after);
                else
                        assert_false(whole_file_exists(CONFIG_FILE));
                assert_alone();
        }
}

#define N_WRITERS 4
#define N_TURNS 25

/* Adds a line N_TURNS times. Returns 0 or a negative errno. */
static int add_lines(unsigned writer) {
        const struct mtu_spec spec = { .mtu = 9000 };

        for (unsigned turn = 0; turn < N_TURNS; turn++) {
                CLEANUP(cleanup_close) int lock = change_lock_take(30);
                CLEANUP(config_write_cleanup) struct config_write *write = NULL;
                CLEANUP(cleanup_free) char *text = NULL;
                const char *old;
                char name[16];
                size_t size;
                int r = lock < 0 ? lock : config_write_open(CONFIG_FILE, &write, &old, &size);

                snprintf(name, sizeof(name), "w%u.%u", writer, turn);
                if (r == 0)
                        r = config_edit_set(old, size, name, &spec, &text, &size);
                if (r == 1)
                        r = config_write_replace(write, text, size);
                if (r < 0)
                        return r;
        }
        return 0;
}

static void test_at_once(void **state) {
        CLEANUP(cleanup_free) char *text = NULL;
        pid_t children[N_WRITERS];
        unsigned lines = 0;
        size_t size;

        (void)state;
        for (unsigned i = 0; i < N_WRITERS; i++) {
                children[i] = fork();
                assert_true(children[i] >= 0);
                if (children[i] == 0)
                        _exit(-add_lines(i));
        }
        for (unsigned i = 0; i < N_WRITERS; i++) {
                int status;

                assert_int_equal(waitpid(children[i], &status, 0), children[i]);
                assert_true(WIFEXITED(status));
                assert_errno(WEXITSTATUS(status), 0);
        }
        assert_errno(whole_file_read(CONFIG_FILE, CONFIG_FILE_MAX, &text, &size), 0);
        for (unsigned i = 0; i < N_WRITERS; i++)
                for (unsigned turn = 0; turn < N_TURNS; turn++) {
                        char line[32];

                        snprintf(line, sizeof(line), "w%u.%u=9000\n", i, turn);
                        assert_non_null(strstr(text, line));
                }
        for (const char *c = text; *c; c++)
                lines += *c == '\n';
        assert_int_equal(lines, N_WRITERS * N_TURNS);
        assert_alone();
}

static void test_lock(void **state) {
        int lock = change_lock_take(0);
        pid_t child;

        (void)state;
        assert_true(lock >= 0);
        /* Whoever may read a file may lock it, and keep everybody waiting. */
        assert_int_equal(status_of(CHANGE_LOCK_PATH).st_mode & 07777, 0600);
        assert_errno(change_lock_take(0), -ETIMEDOUT);
        close(lock);
        lock = change_lock_take(0);
        assert_true(lock >= 0);
        close(lock);

        /* Who is killed leaves nothing behind that locks. */
        child = fork();
        if (child == 0) {
                if (change_lock_take(0) >= 0)
                        kill(getpid(), SIGKILL);
        }
        assert_int_equal(waitpid(child, NULL, 0), child);
        lock = change_lock_take(0);
        assert_true(lock >= 0);
        close(lock);

        assert_errno(whole_file_remove(CHANGE_LOCK_PATH), 0);
        put("/etc/elsewhere", "mine\n");
        assert_int_equal(symlink("../../etc/elsewhere", in_root(CHANGE_LOCK_PATH)), 0);
        assert_errno(change_lock_take(0), -ELOOP);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_root, remove_root)

int main(void) {
        const struct CMUnitTest tests[] = {
                TEST(test_no_directory),
                TEST(test_replace),
                TEST(test_nothing_replaced),
                TEST(test_size),
                TEST(test_mode),
                TEST(test_owner),
                TEST(test_attributes),
                TEST(test_access_list),
                TEST(test_default_access_list),
                TEST(test_symbolic_link),
                TEST(test_read_only),
                TEST(test_no_regular_file),
                TEST(test_no_regular_directory),
                TEST(test_no_permission),
                TEST(test_mounts),
                TEST(test_left_over),
                TEST(test_changed_meanwhile),
                TEST(test_at_once),
                TEST(test_lock),
        };
        int failures = cmocka_run_group_tests_name("configuration written", tests, NULL, NULL);

        return failures > 0 ? failures : is_incomplete ? 77 : 0;
}
