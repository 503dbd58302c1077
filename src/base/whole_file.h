/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Small files, read and written whole. Paths are absolute and taken behind $SETMTU_ROOT. */

#include <stddef.h>

#include "base/attributes.h"

/* Reads at most `max` bytes. The caller frees `ret_text`, which has a NUL after its `ret_size` bytes. Errors
 * leave both untouched: -ENOENT, -EFBIG above `max`, -EINVAL where it is neither /dev/null, which is an
 * empty one, nor a regular file (nothing is waited for: not a pipe's other end either), and those of open(2)
 * and read(2). */
MUST_USE NONNULL int whole_file_read(const char *path, size_t max, char **ret_text, size_t *ret_size);

/* The same of a path as a user gave it, which may be relative and is not taken behind $SETMTU_ROOT. */
MUST_USE NONNULL int whole_file_read_here(const char *path, size_t max, char **ret_text, size_t *ret_size);

/* The same of an open file, which has not been read from. */
MUST_USE NONNULL int whole_file_read_from(int fd, size_t max, char **ret_text, size_t *ret_size);

/* Makes `path` hold exactly `text`, mode 0644, by a temporary file beside it and rename(2), so that a reader
 * sees the old text or the new one. A process that is killed may leave the temporary file, which goes with
 * the next change or removal of `path`. Makes the folders above it, mode 0755 whatever the umask. Returns 1,
 * or 0 where it held the text already and was not touched; errors are those of mkdir(2), open(2), write(2)
 * and rename(2), and leave the old file. */
MUST_USE NONNULL int whole_file_replace(const char *path, const char *text, size_t size);

/* The same with mode 0755, and with the text on the disk before it gets its name: it outlives the boot. */
MUST_USE NONNULL int whole_file_replace_program(const char *path, const char *text, size_t size);

/* Writes all of it to an open file. Errors are those of write(2). */
MUST_USE NONNULL int whole_file_write_to(int fd, const char *text, size_t size);

/* mkdir -p for the folders above `path`, mode 0755 whatever the umask. Errors are those of mkdir(2). */
MUST_USE NONNULL int whole_file_make_folders(const char *path);

/* 1; 0 where nothing is there; or a negative errno where that cannot be told, which is neither. */
MUST_USE NONNULL int whole_file_exists(const char *path);
/* The same, of a symbolic link, whether or not what it leads to is there. */
MUST_USE NONNULL int whole_file_is_link(const char *path);

/* Removes `path`. 0 also where it is not there. */
NONNULL int whole_file_remove(const char *path);
