/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/root.h"
#include "base/text.h"

/* Reads to the end, or `expected` bytes if that is not 0. */
static int read_all(int fd, size_t expected, size_t max, char **ret_text, size_t *ret_size) {
        CLEANUP(cleanup_free) char *text = NULL;
        size_t size = 0, room = 0;
        ssize_t n;

        do {
                if (size == room) {
                        char *grown;

                        room = room > 0 ? 2 * room : expected > 0 ? expected : 4096;
                        grown = realloc(text, room + 1);
                        if (!grown)
                                return -ENOMEM;
                        text = grown;
                }
                n = read(fd, text + size, room - size);
                if (n < 0 && errno != EINTR)
                        return -errno;
                size += n > 0 ? (size_t)n : 0;
                if (size > max)
                        return -EFBIG;
        } while (n < 0 || (n > 0 && size != expected));
        text[size] = '\0';
        *ret_text = text;
        *ret_size = size;
        text = NULL;
        return 0;
}

int whole_file_read_from(int fd, size_t max, char **ret_text, size_t *ret_size) {
        struct stat status;

        if (fstat(fd, &status) < 0)
                return -errno;
        /* A link to /dev/null disables a file. */
        if (!S_ISREG(status.st_mode) && !(S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3)))
                return -EINVAL;
        /* Files in /proc report a size of 0. */
        return (uintmax_t)status.st_size > max
                               ? -EFBIG
                               : read_all(fd, (size_t)status.st_size, max, ret_text, ret_size);
}

static int read_path(const char *path, size_t max, char **ret_text, size_t *ret_size) {
        CLEANUP(cleanup_close) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

        return fd < 0 ? -errno : whole_file_read_from(fd, max, ret_text, ret_size);
}

int whole_file_read_named(const char *path, char **ret_text, size_t *ret_size) {
        return strcmp(path, "-") == 0 ? read_all(STDIN_FILENO, 0, WHOLE_FILE_NAMED_MAX, ret_text, ret_size)
                                      : read_path(path, WHOLE_FILE_NAMED_MAX, ret_text, ret_size);
}

const char *whole_file_fault(int error) {
        return error == -EINVAL  ? "not a regular file"
               : error == -EFBIG ? "larger than the limit of 1 MiB"
                                 : strerror(-error);
}

int whole_file_read(const char *path, size_t max, char **ret_text, size_t *ret_size) {
        char buffer[PATH_MAX];

        return read_path(root_path(buffer, path), max, ret_text, ret_size);
}

/* mkdir -p for the directories above the file. */
static int make_directories(const char *path) {
        char directory[PATH_MAX];
        int r = 0;

        *strrchr(strcpy(directory, path), '/') = '\0';
        if (!*directory)
                return 0;
        if (mkdir(directory, 0755) < 0)
                r = -errno;
        if (r == -ENOENT) {
                r = make_directories(directory);
                if (r == 0 && mkdir(directory, 0755) < 0)
                        r = -errno;
        }
        /* Regardless of the umask: all users may read the directory. */
        if (r == 0 && chmod(directory, 0755) < 0)
                r = -errno;
        return r == -EEXIST ? 0 : r;
}

static bool holds(const char *path, const char *text, size_t size) {
        CLEANUP(cleanup_free) char *old = NULL;
        size_t old_size = 0;

        return whole_file_read(path, size, &old, &old_size) == 0 && old && old_size == size &&
               memcmp(old, text, size) == 0;
}

static bool is_gone(const char *path) {
        struct stat status;

        return lstat(path, &status) < 0 && errno == ENOENT;
}

/* An error of unlink(2) is no proof that the file is there. */
static int remove_file(const char *path) {
        int r = unlink(path) < 0 ? -errno : 0;

        return r == -ENOENT || (r < 0 && is_gone(path)) ? 0 : r;
}

int whole_file_write_to(int fd, const char *text, size_t size) {
        while (size > 0) {
                ssize_t n = write(fd, text, size);

                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0)
                        return -errno;
                text += n;
                size -= (size_t)n;
        }
        return 0;
}

int whole_file_temporary(const char *path, char ret[static PATH_MAX]) {
        const char *name = strrchr(path, '/') + 1;

        return snprintf(ret, PATH_MAX, "%.*s.%s.new", (int)(name - path), path, name) < PATH_MAX
                               ? 0
                               : -ENAMETOOLONG;
}

int whole_file_put_in_place(int r, const char *temporary, const char *path) {
        if (r == 0 && rename(temporary, path) < 0) {
                r = -errno;
                /* The error is no proof that it was not renamed: the name is gone then. */
                r = is_gone(temporary) ? 0 : r;
        }
        if (r < 0)
                (void)unlink(temporary);
        return r;
}

/* Gives an open file the name `temporary`, as open(2) has it. Another process that writes the same file has
 * the same name for its own, which is whole: whichever is renamed last stays. A killed one may have left it.
 */
static int give_name(int fd, const char *temporary) {
        char own[sizeof("/proc/self/fd/") + TEXT_NUMBER_SIZE];

        text_put_number(stpcpy(own, "/proc/self/fd/"), (uint64_t)fd);
        while (linkat(AT_FDCWD, own, AT_FDCWD, temporary, AT_SYMLINK_FOLLOW) < 0)
                if (errno != EEXIST || remove_file(temporary) < 0)
                        return -errno;
        return 0;
}

static int replace(const char *path, const char *text, size_t size) {
        CLEANUP(cleanup_close) int fd = -1;
        char buffer[PATH_MAX], directory[PATH_MAX], temporary[PATH_MAX];
        int r;

        path = root_path(buffer, path);
        r = make_directories(path);
        if (r == 0)
                r = whole_file_temporary(path, temporary);
        if (r < 0)
                return r;
        strrchr(strcpy(directory, path), '/')[1] = '\0';
        /* Without a name before it is whole. */
        fd = open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
        if (fd < 0)
                return -errno;
        r = whole_file_write_to(fd, text, size);
        if (r == 0 && fchmod(fd, 0644) < 0)
                r = -errno;
        if (r == 0)
                r = give_name(fd, temporary);
        r = whole_file_put_in_place(r, temporary, path);
        return r < 0 ? r : 1;
}

int whole_file_replace(const char *path, const char *text, size_t size) {
        return holds(path, text, size) ? 0 : replace(path, text, size);
}

long whole_file_read_number(const char *path) {
        CLEANUP(cleanup_free) char *text = NULL;
        int r = whole_file_read(path, 4096, &text, &(size_t){ 0 });

        return r < 0 || !text ? r : strtol(text, NULL, 10);
}

int whole_file_read_link(const char *path, char *ret, size_t size) {
        char buffer[PATH_MAX];
        ssize_t n = readlink(root_path(buffer, path), ret, size);

        if (n < 0)
                return -errno;
        if ((size_t)n == size)
                return -EFBIG;
        ret[n] = '\0';
        return 0;
}

int whole_file_create_link(const char *path, const char *text) {
        char buffer[PATH_MAX];
        int r;

        path = root_path(buffer, path);
        if (symlink(text, path) == 0)
                return 0;
        if (errno != ENOENT)
                return -errno;
        r = make_directories(path);
        return r < 0 ? r : symlink(text, path) < 0 ? -errno : 0;
}

int whole_file_write_link(const char *path, const char *text) {
        char buffer[PATH_MAX], temporary[PATH_MAX];
        int r = whole_file_create_link(path, text);

        if (r != -EEXIST)
                return r;
        path = root_path(buffer, path);
        r = whole_file_temporary(path, temporary);
        /* A killed process may have left it. */
        if (r == 0)
                r = remove_file(temporary);
        if (r < 0)
                return r;
        return whole_file_put_in_place(symlink(text, temporary) < 0 ? -errno : 0, temporary, path);
}

int whole_file_make_directories(const char *path) {
        char buffer[PATH_MAX];

        return make_directories(root_path(buffer, path));
}

int whole_file_open_lock(const char *path) {
        const int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC;
        char buffer[PATH_MAX];
        int fd, r;

        path = root_path(buffer, path);
        fd = open(path, flags, 0600);
        if (fd < 0 && errno == ENOENT) {
                r = make_directories(path);
                if (r < 0)
                        return r;
                fd = open(path, flags, 0600);
        }
        return fd < 0 ? -errno : fd;
}

/* After a failed access to a path: 0 if nothing is there, else a negative errno. */
static int nothing_or_error(void) {
        return errno == ENOENT || errno == ENOTDIR ? 0 : -errno;
}

int whole_file_exists(const char *path) {
        char buffer[PATH_MAX];

        return access(root_path(buffer, path), F_OK) == 0 ? 1 : nothing_or_error();
}

int whole_file_is_link(const char *path) {
        char buffer[PATH_MAX];
        struct stat status;

        return lstat(root_path(buffer, path), &status) == 0 ? S_ISLNK(status.st_mode) : nothing_or_error();
}

int whole_file_remove(const char *path) {
        char buffer[PATH_MAX];

        return remove_file(root_path(buffer, path));
}
