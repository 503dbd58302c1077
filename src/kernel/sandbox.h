/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What a process gives up by itself, in microseconds: a mount namespace and the filters that systemd
 * compiles for a unit take most of a start. The process must have no_new_privs. Each is without effect where
 * the kernel has no such thing. 0 or a negative errno. */

#include "base/attributes.h"

/* From now on this process can create, write and remove files in `directory` only, and start no program:
 * landlock(7). Open files stay as they are, and reading is not restricted. */
MUST_USE NONNULL int sandbox_write_only_in(const char *directory);

/* From now on this process has the system calls for files, memory of its own and netlink sockets, and no
 * others: it can start no process, send no signal, make no set-user-ID file, open no other socket (but on
 * i386 and s390, whose socketcall(2) has its arguments in memory), and execute no memory but what is code
 * already (but on s390, for the same reason): seccomp(2). What is missing is ENOSYS, so that libc does
 * without, and so is each call of another architecture. */
MUST_USE int sandbox_filter_system_calls(void);
