/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What became of changes of devices, as messages. */

#include "base/attributes.h"
#include "change/mtu_change.h"
#include "plan/step.h"

/* Logs the result of a line; the socket's error text is that of the request that failed. */
NONNULL void change_log_result(struct netlink_socket *socket, const struct config_line *line,
                               const struct mtu_change *change);

/* Logs that the link of the line's device was brought up, or why not: a negative errno. */
NONNULL void change_log_set_up(const struct netlink_socket *socket, const struct config_line *line,
                               int error);

/* Logs why the step, which is about another device, was refused. */
NONNULL void change_log_refused(const struct step *step);

/* Logs that the step's device stays lowered with the one below it; `error` 0: the driver rounds the MTU. */
NONNULL void change_log_low(const struct netlink_socket *socket, const struct step *step, int error);

/* Logs that the record of that is not up to date. `regained`: the MTU that the device has again; 0: none. */
NONNULL void change_log_unkept_fall(const struct netlink_socket *socket, const struct step *step,
                                    uint32_t regained, int error);

/* Logs that CAP_NET_ADMIN is missing. */
NONNULL void change_log_no_permission(const char *name);

/* Logs that the device existed and cannot be read any more. */
NONNULL void change_log_unreadable(const struct netlink_socket *socket, const char *name, int error);

/* Logs what differs from before a change that was undone. True if the MTU does not. */
NONNULL bool change_log_undone(const char *name, const struct mtu_undone *undone, uint32_t before);
/* Logs that devices on top of a restored one stay as they are, because they could not be read. */
NONNULL void change_log_alone(const char *name, int error);

/* The error text of the kernel for a failed request, or that of the errno. */
NONNULL const char *change_reason(const struct netlink_socket *socket, int error);
