/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What became of changes of devices, as messages: for commands and programs, once per change. */

#include "base/attributes.h"
#include "change/carry_out.h"
#include "store/change_lock.h"

/* Logs what a function of carry_out.h, which returned `error`, did to the device `name` and to others. True
 * if all targets have the MTU that they are to have; `error` is 0 then. */
NONNULL bool change_log(struct netlink_socket *socket, const char *name, int error,
                        const struct change *change);

/* change_set_line() and its messages. */
MUST_USE bool change_set_and_log(struct snapshot *snapshot, const struct config_line *line,
                                 const struct link *link);
/* Sets a device back from a change that failed or is not to be final, with messages. */
NONNULL void change_revert_and_log(struct snapshot *snapshot, const struct mtu_change *failed);
/* Sets `link`, which has just been read and is not of the snapshot, back to its original MTU, with messages.
 * True also if another program has changed its MTU, which is left alone. */
MUST_USE NONNULL bool change_restore_and_log(struct snapshot *snapshot, const char *name,
                                             const struct link *link);

/* Takes the command lock, for which it waits half a minute. False if it could not: a message says why. */
NONNULL bool change_log_lock(struct command_lock *ret);

/* Logs that CAP_NET_ADMIN is missing. */
NONNULL void change_log_no_permission(const char *name);

/* Logs that the device cannot be read. */
NONNULL void change_log_unreadable(const struct netlink_socket *socket, const char *name, int error);

/* The command by which Open vSwitch holds `mtu` on `link`, one of its own ports, such as br-ex; without it,
 * these get the MTU of the smallest other port again: mtu_request in ovs-vswitchd.conf.db(5). NULL for other
 * devices. */
NONNULL const char *change_openvswitch(struct pool *pool, const struct link *link, uint32_t mtu);
