/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>

/* A kernel interface name takes at most 15 bytes and a NUL (IFNAMSIZ in linux/if.h). */
#define INTERFACE_NAME_SIZE 16

/* NULL where `name` may be an interface's name, otherwise why not, as the end of a sentence that begins with
 * the name. Follows the kernel's dev_valid_name() and is a little stricter: no control characters, UTF-8
 * only. */
const char *interface_name_fault(const char *name, size_t size);
