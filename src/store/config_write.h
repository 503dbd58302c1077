/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* CONFIG_FILE, read in order to be changed and replaced as a whole. Paths are absolute and taken behind
 * $SETMTU_ROOT. The caller holds the lock of store/change_lock.h. */

#include <stddef.h>

#include "base/attributes.h"

/* A configuration file as it was found. */
struct config_write;

/* Reads the file. An absent file is treated as empty, to be created with mode 0644; its directory is made.
 * `ret_text`, which has a NUL after its `ret_size` bytes, belongs to `ret`.
 *
 * Reports as early as possible what would prevent the replacement. Errors: -ELOOP for a symbolic link;
 * -EROFS if the mode denies its owner writing, even for root, or the file system is read-only; -EINVAL if it
 * is no regular file; -EFBIG above CONFIG_FILE_MAX; -EACCES or -EPERM if the directory or the file is not
 * writable; those of mkdir(2), open(2) and read(2). */
MUST_USE NONNULL int config_write_open(const char *path, struct config_write **ret, const char **ret_text,
                                       size_t *ret_size);

/* Replaces the file, once: a temporary file beside it (with a fixed name, so that a crash leaves at most
 * one, which the next write reuses), with the owner, mode and extended attributes (SELinux label, ACL) of
 * the old file, fsync(2), rename(2), fsync(2) of the directory, and of the one above for a new file. Returns
 * 0; 1 if only the last fsync(2) failed: the new file exists, but may be lost with a loss of power; or an
 * error, with the old file unchanged: -ESTALE if a program that does not lock, such as an editor, has
 * changed the file since it was opened; -EFBIG above CONFIG_FILE_MAX; those of write(2), fchown(2),
 * fsetxattr(2), rename(2) and the like. */
MUST_USE NONNULL int config_write_replace(struct config_write *write, const char *text, size_t size);

/* Closes and frees, for CLEANUP(), too; NULL is fine. */
void config_write_cleanup(struct config_write **write);
