/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Requests over rtnetlink, one at a time: netlink(7), rtnetlink(7). Functions return 0 or a negative errno,
 * which is the kernel's own where it answered. */

#include <linux/netlink.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"

struct netlink_socket;

MUST_USE NONNULL int netlink_socket_open(struct netlink_socket **ret);
/* Closes and frees; NULL is fine. */
void netlink_socket_close(struct netlink_socket *socket);
/* For CLEANUP(). */
void netlink_socket_cleanup(struct netlink_socket **socket);

/* What the kernel said about the last request that failed (its extended acknowledgement), or NULL where it
 * said nothing. Owned by the socket, until the next request. */
NONNULL const char *netlink_socket_error_text(const struct netlink_socket *socket);

/* Whether the kernel has answered the last request. Where it has not, and the exchange failed all the same,
 * the kernel may have done what was asked: the answer is lost, not the request. */
MUST_USE NONNULL bool netlink_socket_was_answered(const struct netlink_socket *socket);

/* Begins a request with a header of `header_size` bytes, all zeros, which `ret_header` points to. Attributes
 * may follow. It is the socket's, until netlink_exchange(). */
NONNULL struct nlmsghdr *netlink_begin(struct netlink_socket *socket, uint16_t type, uint16_t flags,
                                       size_t header_size, void **ret_header);

/* Sends it, and hands each message of the answer to `take`, which may be NULL where an acknowledgement is
 * all that is expected. The first error of `take` is returned once the answer has been read to its end.
 * `ret_changed`, which may be NULL: what a dump lists has changed meanwhile, and some may be missing. */
MUST_USE int netlink_exchange(struct netlink_socket *socket, struct nlmsghdr *request,
                              int (*take)(void *userdata, const struct nlmsghdr *message), void *userdata,
                              bool *ret_changed);
