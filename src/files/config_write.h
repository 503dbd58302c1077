/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* CONFIG_FILE, read in order to be changed and replaced as a whole, by one process at a time. Paths are
 * absolute and taken behind $SETMTU_ROOT. */

#include <stddef.h>

/* A configuration file that no other config_write_open() gets for as long as this is open. The lock goes
 * with the open folder, which a child made meanwhile by fork(2) shares. */
struct config_write;

/* Locks the folder of `path` (flock(2); makes the folder where there is none), waiting for whoever has it,
 * and reads the file. A file that is not there is an empty one, to be made with mode 0644. `ret_text`, which
 * has a NUL after its `ret_size` bytes, belongs to `ret`.
 *
 * What would keep it from being replaced is said here already, as far as it can be known. Errors: -ELOOP
 * where it is a symbolic link; -EROFS where its mode keeps its owner from writing, root or not, or where the
 * file system is read-only; -EINVAL where it is no regular file; -EFBIG above CONFIG_FILE_MAX; -EACCES or
 * -EPERM where the folder or the file may not be written to; those of open(2), mkdir(2), flock(2), read(2).
 */
int config_write_open(const char *path, struct config_write **ret, const char **ret_text, size_t *ret_size);

/* Replaces the file, once: a temporary file beside it (one fixed name, so that a crash leaves at most one,
 * which the next write takes over), the old one's owner, mode and extended attributes (SELinux label, ACL),
 * fsync(2), rename(2), fsync(2) of the folder. On an error the old file is there, whole; only where the last
 * fsync(2) is what failed (-EIO), it is the new one. -ESTALE where somebody who does not lock, an editor
 * perhaps, has changed the file since it was opened; -EFBIG above CONFIG_FILE_MAX; those of write(2),
 * fchown(2), fsetxattr(2), rename(2) and their kin. */
int config_write_replace(struct config_write *write, const char *text, size_t size);

/* Unlocks and frees; NULL is fine. */
void config_write_close(struct config_write *write);
void config_write_cleanup(struct config_write **write); /* for CLEANUP() */
