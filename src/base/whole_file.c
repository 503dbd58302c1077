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

int whole_file_read_from(int fd, size_t max, char **ret_text, size_t *ret_size) {
        CLEANUP(cleanup_free) char *text = NULL;
        struct stat status;
        size_t size = 0, room;

        if (fstat(fd, &status) < 0)
                return -errno;
        /* A link to /dev/null is how a file among others is switched off. */
        if (!S_ISREG(status.st_mode) && !(S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3)))
                return -EINVAL;
        if (status.st_size > 0 && (uintmax_t)status.st_size > max)
                return -EFBIG;

        /* Files in /proc say a size of 0. */
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
                        if (n == 0) {
                                text[size] = '\0';
                                *ret_text = text;
                                *ret_size = size;
                                text = NULL;
                                return 0;
                        }
                        size += (size_t)n;
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

int whole_file_read(const char *path, size_t max, char **ret_text, size_t *ret_size) {
        char buffer[PATH_MAX];

        path = root_path(buffer, path);
        return path ? whole_file_read_here(path, max, ret_text, ret_size) : -errno;
}

/* mkdir -p for the folders above the file. */
static int make_folders(const char *path) {
        char folder[PATH_MAX];

        for (size_t i = 0; path[i]; i++) {
                folder[i] = path[i];
                if (i == 0 || path[i] != '/')
                        continue;
                folder[i] = '\0';
                if (mkdir(folder, 0755) < 0 && errno != EEXIST)
                        return -errno;
                folder[i] = '/';
        }
        return 0;
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

static int replace(const char *path, const char *text, size_t size, mode_t mode, bool is_lasting) {
        CLEANUP(cleanup_close) int fd = -1;
        char buffer[PATH_MAX], temporary[PATH_MAX];
        int r;

        if (holds(path, text, size))
                return 0;
        path = root_path(buffer, path);
        if (!path)
                return -errno;
        if (snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path) >= (int)sizeof(temporary))
                return -ENAMETOOLONG;
        r = make_folders(path);
        if (r < 0)
                return r;
        fd = mkostemp(temporary, O_CLOEXEC);
        if (fd < 0)
                return -errno;
        r = whole_file_write_to(fd, text, size);
        if (r == 0 && is_lasting && fsync(fd) < 0)
                r = -errno;
        if (r == 0 && (fchmod(fd, mode) < 0 || rename(temporary, path) < 0))
                r = -errno;
        if (r < 0) {
                (void)unlink(temporary);
                return r;
        }
        return 1;
}

int whole_file_replace(const char *path, const char *text, size_t size) {
        return replace(path, text, size, 0644, false);
}

int whole_file_replace_program(const char *path, const char *text, size_t size) {
        return replace(path, text, size, 0755, true);
}

int whole_file_make_folders(const char *path) {
        char buffer[PATH_MAX];

        path = root_path(buffer, path);
        return path ? make_folders(path) : -errno;
}

/* What a failed look at a path says: 0, there is nothing; or what went wrong. */
static int nothing_or_error(void) {
        return errno == ENOENT || errno == ENOTDIR ? 0 : -errno;
}

int whole_file_exists(const char *path) {
        char buffer[PATH_MAX];

        path = root_path(buffer, path);
        return path && access(path, F_OK) == 0 ? 1 : nothing_or_error();
}

int whole_file_is_link(const char *path) {
        char buffer[PATH_MAX];
        struct stat status;

        path = root_path(buffer, path);
        return path && lstat(path, &status) == 0 ? S_ISLNK(status.st_mode) : nothing_or_error();
}

int whole_file_remove(const char *path) {
        char buffer[PATH_MAX];

        path = root_path(buffer, path);
        if (!path)
                return -errno;
        return unlink(path) < 0 && errno != ENOENT ? -errno : 0;
}
