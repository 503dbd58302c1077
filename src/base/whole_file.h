/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Small files, read and written whole. Paths are absolute and taken behind $SETMTU_ROOT. */

#include <limits.h>
#include <stddef.h>

#include "base/attributes.h"

/* Reads at most `max` bytes. The caller frees `ret_text`, which has a NUL after its `ret_size` bytes. Errors
 * leave both untouched: -ENOENT; -EFBIG above `max`; -EINVAL for anything but a regular file or /dev/null,
 * which is empty; those of open(2) and read(2). Never blocks, for example on a pipe. */
MUST_USE NONNULL int whole_file_read(const char *path, size_t max, char **ret_text, size_t *ret_size);

/* The same for an open file, from its beginning. */
MUST_USE NONNULL int whole_file_read_from(int fd, size_t max, char **ret_text, size_t *ret_size);

/* The same for a path from a user, which may be relative and is not below $SETMTU_ROOT; "-" is standard
 * input, which may be a pipe and is waited for. */
#define WHOLE_FILE_NAMED_MAX (1024 * 1024)
MUST_USE NONNULL int whole_file_read_named(const char *path, char **ret_text, size_t *ret_size);

/* Why a file could not be read, of which the limit is 1 MiB. */
const char *whole_file_fault(int error);

/* Makes `path` hold exactly `text`, mode 0644, by a temporary file beside it and rename(2), so that a reader
 * sees the old text or the new one. A process that is killed may leave the temporary file, whose name begins
 * with a dot. Makes the directories above it, mode 0755 whatever the umask.
 * Returns 1, or 0 if it held the text already and was not touched; errors are those of mkdir(2), open(2),
 * write(2) and rename(2), and leave the old file. */
MUST_USE NONNULL int whole_file_replace(const char *path, const char *text, size_t size);

/* Writes all of it to an open file. Errors are those of write(2). */
MUST_USE NONNULL int whole_file_write_to(int fd, const char *text, size_t size);

/* For files written in other ways. The name of a temporary file beside `path`, with a leading dot. Both are
 * not below $SETMTU_ROOT. */
MUST_USE NONNULL int whole_file_temporary(const char *path, char ret[static PATH_MAX]);
/* Renames it to `path`, or removes it if `r` is an error. 0, that error, or one of rename(2). */
MUST_USE NONNULL int whole_file_put_in_place(int r, const char *temporary, const char *path);

/* The number, not negative, in a file of /proc/sys; a negative errno if it cannot be read. */
MUST_USE NONNULL long whole_file_read_number(const char *path);

/* A text in a symbolic link instead of a file, as its target: one system call writes it whole, and needs
 * no descriptor. systemd keeps the invocation ID of a unit so. `text` is neither empty nor longer than
 * PATH_MAX - 1. Replaces what is there, and makes the directories, as whole_file_replace() does; only one
 * process at a time may do so. Errors are those of mkdir(2), symlink(2) and rename(2). */
MUST_USE NONNULL int whole_file_write_link(const char *path, const char *text);
/* The same, but -EEXIST if there is anything. */
MUST_USE NONNULL int whole_file_create_link(const char *path, const char *text);
/* Reads it to `ret`, with a NUL. -EFBIG if it does not fit, -EINVAL if `path` is no symbolic link; those of
 * readlink(2). `ret` is undefined after an error. */
MUST_USE NONNULL int whole_file_read_link(const char *path, char *ret, size_t size);

/* Opens a file for flock(2), and makes it and the directories above it. Its mode is 0600, because a user may
 * lock every file that he may read. Returns a descriptor, or errors of mkdir(2) and open(2). */
MUST_USE NONNULL int whole_file_open_lock(const char *path);

/* mkdir -p for the directories above `path`, mode 0755 whatever the umask. Errors are those of mkdir(2). */
MUST_USE NONNULL int whole_file_make_directories(const char *path);

/* 1 if it exists, 0 if it does not, or a negative errno if that is not known. */
MUST_USE NONNULL int whole_file_exists(const char *path);
/* The same for a symbolic link, whether or not its target exists. */
MUST_USE NONNULL int whole_file_is_link(const char *path);

/* Removes `path`. 0 also if it is not there. */
NONNULL int whole_file_remove(const char *path);
