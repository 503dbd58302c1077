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

int whole_file_read_from(int fd, size_t max, char **ret_text, size_t *ret_size) {
        CLEANUP(cleanup_free) char *text = NULL;
        struct stat status;
        size_t size = 0, room;

        if (fstat(fd, &status) < 0)
                return -errno;
        /* A link to /dev/null disables a file. */
        if (!S_ISREG(status.st_mode) && !(S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3)))
                return -EINVAL;
        if (status.st_size > 0 && (uintmax_t)status.st_size > max)
                return -EFBIG;

        /* Files in /proc report a size of 0. */
        room = status.st_size > 0 ? (size_t)status.st_size + 1 : 4096;
        for (;;) {
                char *grown = realloc(text, room + 1);
                ssize_t n;

                if (!grown)
                        return -ENOMEM;
                text = grown;
                while (size < room) {
                        n = read(fd, text + size, room - size);
                        if (n < 0 && errno == EINTR)
                                continue;
                        if (n < 0)
                                return -errno;
                        size += (size_t)n;
                        if (n == 0 || size == (size_t)status.st_size) {
                                text[size] = '\0';
                                *ret_text = text;
                                *ret_size = size;
                                text = NULL;
                                return 0;
                        }
                        if (size > max)
                                return -EFBIG;
                }
                room *= 2;
        }
}

int whole_file_read_here(const char *path, size_t max, char **ret_text, size_t *ret_size) {
        CLEANUP(cleanup_close) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

        return fd < 0 ? -errno : whole_file_read_from(fd, max, ret_text, ret_size);
}

int whole_file_read_input(size_t max, char **ret_text, size_t *ret_size) {
        CLEANUP(cleanup_free) char *text = malloc(max + 2);
        size_t size;

        if (!text)
                return -ENOMEM;
        size = fread(text, 1, max + 1, stdin);
        if (ferror(stdin))
                return -EIO;
        if (size > max)
                return -EFBIG;
        text[size] = '\0';
        *ret_text = text;
        *ret_size = size;
        text = NULL;
        return 0;
}

const char *whole_file_named_fault(int error) {
        return error == -EINVAL  ? "not a regular file"
               : error == -EFBIG ? "larger than the limit of 1 MiB"
                                 : strerror(-error);
}

int whole_file_read(const char *path, size_t max, char **ret_text, size_t *ret_size) {
        char buffer[PATH_MAX];

        return whole_file_read_here(root_path(buffer, path), max, ret_text, ret_size);
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

/* A name beside `path`, with a leading dot and unique to that file. */
static int temporary_of(const char *path, char ret[static PATH_MAX]) {
        const char *name = strrchr(path, '/') + 1;

        if (strlen(path) + sizeof("..new") > PATH_MAX)
                return -ENAMETOOLONG;
        strcpy(stpcpy(stpcpy(stpcpy(ret, path) - strlen(name), "."), name), ".new");
        return 0;
}

/* Opens a new file beside `path`. It has no name until link_temporary(); on a file system without O_TMPFILE
 * its name is `temporary` from the start. Returns a descriptor or a negative errno. */
static int open_temporary(const char *path, const char *temporary, bool *ret_has_name) {
        char directory[PATH_MAX];
        int fd;

        strrchr(strcpy(directory, path), '/')[1] = '\0';
        fd = open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
        *ret_has_name = fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL);
        if (*ret_has_name) {
                (void)unlink(temporary); /* left by a killed process */
                fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        }
        return fd < 0 ? -errno : fd;
}

/* Gives an open file the name `path`, or makes a symbolic link of that name. Of the ways to do the former,
 * the first one is shorter, but not for everyone: open(2). */
static int give_name(int fd, const char *target, const char *path) {
        char own[sizeof("/proc/self/fd/") + TEXT_NUMBER_SIZE];
        int r = target ? symlink(target, path) : linkat(fd, "", AT_FDCWD, path, AT_EMPTY_PATH);

        if (target || r == 0 || errno == EEXIST)
                return r;
        text_put_number(stpcpy(own, "/proc/self/fd/"), (uint64_t)fd);
        return linkat(AT_FDCWD, own, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

/* Uses `path` if that name is free and returns 1: a killed process then leaves nothing else. Otherwise uses
 * `temporary` and returns 0: linkat(2) and symlink(2) replace nothing. An existing `temporary` is whole and
 * for this very path: from a killed process, or from another process about to rename it, which then starts
 * over. */
static int name_temporary(int fd, const char *target, const char *path, const char *temporary) {
        if (give_name(fd, target, path) == 0)
                return 1;
        if (errno != EEXIST)
                return -errno;
        while (give_name(fd, target, temporary) < 0)
                if (errno != EEXIST || (unlink(temporary) < 0 && errno != ENOENT))
                        return -errno;
        return 0;
}

/* Renames `temporary`, if `r` says that it is that: 0, 1, or a negative errno. -EAGAIN if another process
 * interfered by doing the same. */
static int put_in_place(int r, const char *path, const char *temporary) {
        if (r == 0 && rename(temporary, path) < 0)
                r = errno == ENOENT ? -EAGAIN : -errno;
        if (r < 0)
                (void)unlink(temporary);
        return r < 0 ? r : 0;
}

/* Writes `text` to a new file and gives it the name `path`, by way of `temporary`. -EAGAIN if another
 * process interfered by doing the same. */
static int try_to_replace(const char *path, const char *temporary, const char *text, size_t size,
                          mode_t mode, bool is_lasting) {
        CLEANUP(cleanup_close) int fd = -1;
        bool has_name;
        int r;

        fd = open_temporary(path, temporary, &has_name);
        if (fd == -ENOENT) {
                r = make_directories(path);
                fd = r < 0 ? r : open_temporary(path, temporary, &has_name);
        }
        if (fd < 0)
                return fd;
        r = whole_file_write_to(fd, text, size);
        if (r == 0 && fchmod(fd, mode) < 0)
                r = -errno;
        if (r == 0 && is_lasting && fsync(fd) < 0)
                r = -errno;
        if (r == 0 && !has_name)
                r = name_temporary(fd, NULL, path, temporary);
        return put_in_place(r, path, temporary);
}

static int replace(const char *path, const char *text, size_t size, mode_t mode, bool is_lasting) {
        char buffer[PATH_MAX], temporary[PATH_MAX];
        int r;

        path = root_path(buffer, path);
        r = temporary_of(path, temporary);
        if (r < 0)
                return r;
        do
                r = try_to_replace(path, temporary, text, size, mode, is_lasting);
        while (r == -EAGAIN);
        return r < 0 ? r : 1;
}

int whole_file_replace(const char *path, const char *text, size_t size) {
        return holds(path, text, size) ? 0 : replace(path, text, size, 0644, false);
}

int whole_file_replace_program(const char *path, const char *text, size_t size) {
        return holds(path, text, size) ? 0 : replace(path, text, size, 0755, true);
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

int whole_file_write_link(const char *path, const char *text) {
        char buffer[PATH_MAX], temporary[PATH_MAX];
        int r;

        path = root_path(buffer, path);
        r = temporary_of(path, temporary);
        if (r < 0)
                return r;
        r = put_in_place(name_temporary(-1, text, path, temporary), path, temporary);
        if (r == -ENOENT) {
                r = make_directories(path);
                r = r < 0 ? r : -EAGAIN;
        }
        while (r == -EAGAIN)
                r = put_in_place(name_temporary(-1, text, path, temporary), path, temporary);
        return r;
}

int whole_file_make_directories(const char *path) {
        char buffer[PATH_MAX];

        return make_directories(root_path(buffer, path));
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
        char buffer[PATH_MAX], temporary[PATH_MAX];
        struct stat status;
        int r;

        path = root_path(buffer, path);
        if (temporary_of(path, temporary) == 0)
                (void)unlink(temporary);
        r = unlink(path) < 0 ? -errno : 0;
        /* On a read-only file system, unlink(2) fails before it looks for the file. */
        if (r == -EROFS && lstat(path, &status) < 0)
                r = -errno;
        return r == -ENOENT ? 0 : r;
}
