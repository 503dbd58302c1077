/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What is kept about a device for as long as it and this boot last: KEY=VALUE lines in a small file of
 * /run/setmtu/. A record belongs to a device, not to a name: it is found by ifindex, and so survives a
 * rename and not a replug. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"

#define DEVICE_RECORD_FOLDER "/run/setmtu"
#define DEVICE_RECORD_PATH_SIZE 96

/* `prefix` tells kinds of records apart and may be empty. An ifindex is unique in its network namespace
 * alone, and /run may be shared by several. 0 or a negative errno. */
MUST_USE NONNULL int device_record_path(const char *prefix, unsigned ifindex,
                                        char path[static DEVICE_RECORD_PATH_SIZE]);

/* The text of a record, which the caller frees: 0, -ENOENT, or the errors of whole_file_read(). */
MUST_USE NONNULL int device_record_read(const char *prefix, unsigned ifindex, char **ret_text);
/* These two: 0, or a negative errno as whole_file_replace() and whole_file_remove() have it, with the old
 * record left. */
MUST_USE NONNULL int device_record_write(const char *prefix, unsigned ifindex, const char *text);
NONNULL int device_record_remove(const char *prefix, unsigned ifindex);

/* Calls `take` for each record of this kind and network namespace. */
void device_record_each(const char *prefix, void (*take)(void *userdata, unsigned ifindex), void *userdata);

/* The value of the line that begins with `key`, up to its newline: copied where it is not empty and fits,
 * with its NUL. */
NONNULL bool device_record_find_text(const char *text, const char *key, char *ret, size_t size);
/* The same of a number, decimal and below 2^32. */
NONNULL bool device_record_find_number(const char *text, const char *key, uint32_t *ret);
