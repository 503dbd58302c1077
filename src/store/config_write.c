/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "store/config_write.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/root.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "config/config.h"

#define ACCESS_ACL "system.posix_acl_access"

struct config_write {
        int file;           /* the old one, or -1 */
        struct stat status; /* the old one's when it was opened */
        char *text;
        size_t size;
        char path[PATH_MAX];
        char temporary[PATH_MAX];
};

void config_write_cleanup(struct config_write **write) {
        if (!*write)
                return;
        cleanup_close(&(*write)->file);
        free((*write)->text);
        free(*write);
}

/* The directory of the file. */
static void directory_of(const struct config_write *write, char ret[static PATH_MAX]) {
        *strrchr(strcpy(ret, write->path), '/') = '\0';
}

static int sync_directory(const char *path) {
        CLEANUP(cleanup_close) int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        /* EINVAL: the file system cannot sync directories. */
        return fd < 0 || (fsync(fd) < 0 && errno != EINVAL) ? -errno : 0;
}

/* Opens the file and checks that it may be replaced. Without a file, `file` stays negative. */
static int open_file(struct config_write *write) {
        write->file = open(write->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (write->file < 0)
                /* ENXIO: a socket. */
                return errno == ENOENT ? 0 : errno == ENXIO ? -EINVAL : -errno;
        if (fstat(write->file, &write->status) < 0)
                return -errno;
        if (!S_ISREG(write->status.st_mode))
                return -EINVAL;
        if (!(write->status.st_mode & S_IWUSR))
                return -EROFS;
        /* Also fails for an immutable file (chattr(1)) and a read-only mount of the file alone. */
        return faccessat(AT_FDCWD, write->path, W_OK, AT_EACCESS) < 0 ? -errno : 0;
}

static int read_file(struct config_write *write) {
        if (write->file >= 0)
                return whole_file_read_from(write->file, CONFIG_FILE_MAX, &write->text, &write->size);
        write->text = strdup("");
        return write->text ? 0 : -ENOMEM;
}

int config_write_open(const char *path, struct config_write **ret, const char **ret_text, size_t *ret_size) {
        CLEANUP(config_write_cleanup) struct config_write *write = malloc(sizeof(*write));
        char buffer[PATH_MAX], directory[PATH_MAX];
        int r;

        if (!write)
                return -ENOMEM;
        *write = (struct config_write){ .file = -1 };
        strcpy(write->path, root_path(buffer, path));
        r = whole_file_temporary(write->path, write->temporary);
        if (r == 0)
                r = whole_file_make_directories(path);
        if (r < 0)
                return r;
        directory_of(write, directory);
        if (faccessat(AT_FDCWD, strcat(directory, "/."), W_OK | X_OK, AT_EACCESS) < 0)
                return -errno;
        r = open_file(write);
        if (r == 0)
                r = read_file(write);
        if (r < 0)
                return r;
        *ret_text = write->text;
        *ret_size = write->size;
        *ret = write;
        write = NULL;
        return 0;
}

static int copy_attributes(int from, int to) {
        CLEANUP(cleanup_free) char *names = malloc(XATTR_LIST_MAX);
        CLEANUP(cleanup_free) char *value = malloc(XATTR_SIZE_MAX);
        CLEANUP(cleanup_free) char *present = malloc(XATTR_SIZE_MAX);
        ssize_t length;

        if (!names || !value || !present)
                return -ENOMEM;
        length = flistxattr(from, names, XATTR_LIST_MAX);
        if (length < 0)
                return errno == ENOTSUP ? 0 : -errno;
        for (const char *name = names; name < names + length; name += strlen(name) + 1) {
                ssize_t size;

                /* The kernel computes these from the contents: a copy would not fit the new ones. */
                if (text_is_among(name, "security.ima security.evm"))
                        continue;
                size = fgetxattr(from, name, value, XATTR_SIZE_MAX);
                if (size < 0)
                        return -errno;
                /* Needs no permission if the directory has given the same label. */
                if (fgetxattr(to, name, present, XATTR_SIZE_MAX) == size &&
                    memcmp(value, present, (size_t)size) == 0)
                        continue;
                if (fsetxattr(to, name, value, (size_t)size, 0) < 0)
                        return -errno;
        }
        return 0;
}

/* The owner first: a new one clears the set-ID bits. The mode before the ACL, whose mask it would change. */
static int copy_rights(const struct config_write *write, int fd) {
        const struct stat *status = &write->status;
        struct stat own;

        if (write->file < 0)
                return fchmod(fd, 0644) < 0 ? -errno : 0;
        if (fstat(fd, &own) < 0)
                return -errno;
        if ((own.st_uid != status->st_uid || own.st_gid != status->st_gid) &&
            fchown(fd, status->st_uid, status->st_gid) < 0)
                return -errno;
        /* The directory may have a default ACL for new files. */
        if ((fremovexattr(fd, ACCESS_ACL) < 0 && errno != ENODATA && errno != ENOTSUP) ||
            fchmod(fd, status->st_mode & 07777) < 0)
                return -errno;
        return copy_attributes(write->file, fd);
}

static int write_temporary(const struct config_write *write, const char *text, size_t size) {
        CLEANUP(cleanup_close) int fd = -1;
        int r;

        /* A crash may have left one. */
        if (unlink(write->temporary) < 0 && errno != ENOENT)
                return -errno;
        fd = open(write->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0)
                return -errno;
        r = whole_file_write_to(fd, text, size);
        if (r == 0)
                r = copy_rights(write, fd);
        if (r == 0 && fsync(fd) < 0)
                r = -errno;
        return r;
}

/* -ESTALE if the file is not the one that was read. The change time of the inode, which no program can set,
 * stands for all its other fields. */
static int check_unchanged(const struct config_write *write) {
        const struct stat *then = &write->status;
        struct stat now = { 0 };

        if (lstat(write->path, &now) < 0 && errno != ENOENT)
                return -errno;
        /* For a missing file, both are all zeros. */
        if (now.st_dev == then->st_dev && now.st_ino == then->st_ino &&
            now.st_ctim.tv_sec == then->st_ctim.tv_sec && now.st_ctim.tv_nsec == then->st_ctim.tv_nsec)
                return 0;
        return -ESTALE;
}

int config_write_replace(struct config_write *write, const char *text, size_t size) {
        char directory[PATH_MAX];
        int r;

        if (size > CONFIG_FILE_MAX)
                return -EFBIG;
        r = write_temporary(write, text, size);
        if (r == 0)
                r = check_unchanged(write);
        r = whole_file_put_in_place(r, write->temporary, write->path);
        if (r < 0)
                return r;
        directory_of(write, directory);
        if (sync_directory(directory) < 0)
                return 1;
        /* The directory of a new file may be new as well. */
        return write->file < 0 && sync_directory(strcat(directory, "/..")) < 0;
}
