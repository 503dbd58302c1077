/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* CONFIG_FILE, read in order to be changed and replaced as a whole. Paths are absolute and taken behind
 * $SETMTU_ROOT. The caller holds the lock of store/change_lock.h. */

#include <stddef.h>

#include "base/attributes.h"

/* A configuration file as it was found. */
struct config_write;

/* Reads the file. One that is not there is an empty one, to be made with mode 0644. `ret_text`, which has a
 * NUL after its `ret_size` bytes, belongs to `ret`.
 *
 * What would keep it from being replaced is said here already, as far as it can be known. Errors: -ELOOP
 * where it is a symbolic link; -EROFS where its mode keeps its owner from writing, root or not, or where the
 * file system is read-only; -EINVAL where it is no regular file; -EFBIG above CONFIG_FILE_MAX; -EACCES or
 * -EPERM where the folder or the file may not be written to; those of open(2), read(2). */
MUST_USE NONNULL int config_write_open(const char *path, struct config_write **ret, const char **ret_text,
                                       size_t *ret_size);

/* Replaces the file, once, and makes its folder where there is none: a temporary file beside it (one fixed
 * name, so that a crash leaves at most one, which the next write takes over), the old one's owner, mode and
 * extended attributes (SELinux label, ACL), fsync(2), rename(2), fsync(2) of the folder. Returns 0; 1 where
 * that last one failed: the new file is there, and may not be after a loss of power; or an error, and the
 * old file is there, whole. -ESTALE where somebody who does not lock, an editor perhaps, has changed the
 * file since it was opened; -EFBIG above CONFIG_FILE_MAX; those of write(2), fchown(2), fsetxattr(2),
 * rename(2) and their kin. */
MUST_USE NONNULL int config_write_replace(struct config_write *write, const char *text, size_t size);

/* Closes and frees, for CLEANUP(), too; NULL is fine. */
void config_write_cleanup(struct config_write **write);
