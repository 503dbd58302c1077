/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Requests over netlink, one at a time: netlink(7), rtnetlink(7), sock_diag(7). Functions return 0 or a
 * negative errno, which is the kernel's own where it answered. */

#include <linux/netlink.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"
#include "plan/net_address.h"

struct netlink_socket;

/* `protocol`: NETLINK_ROUTE or another one of linux/netlink.h. */
MUST_USE NONNULL int netlink_socket_open(int protocol, struct netlink_socket **ret);
/* For CLEANUP(): closes and frees; NULL is fine. */
void netlink_socket_cleanup(struct netlink_socket **socket);

/* Overwrites the last answer. */
NONNULL void netlink_socket_forget(struct netlink_socket *socket);

/* Stays the socket's. */
NONNULL int netlink_socket_fd(const struct netlink_socket *socket);

/* The extended acknowledgement of the last request, which failed, or the text of `error` if the kernel sent
 * none. Valid until the next request, and as strerror(3). */
NONNULL const char *netlink_socket_error_text(const struct netlink_socket *socket, int error);

/* Whether the kernel has answered the last request. If it has not and the exchange failed, the kernel may
 * still have carried out the request: only the answer is lost. */
MUST_USE NONNULL bool netlink_socket_was_answered(const struct netlink_socket *socket);

/* Begins a request with a header of `header_size` bytes, all zeros, which are its payload. Attributes may
 * follow. It is the socket's, until netlink_exchange(). */
NONNULL struct nlmsghdr *netlink_begin(struct netlink_socket *socket, uint16_t type, uint16_t flags,
                                       size_t header_size);

/* The attribute of that type in a message with a header of `header_size` bytes; NULL: there is none. */
const struct nlattr *netlink_attribute(const struct nlmsghdr *message, size_t header_size, uint16_t type);
/* The same inside of an attribute; of NULL: NULL. */
const struct nlattr *netlink_nested(const struct nlattr *attribute, uint16_t type);
/* Its number of 32 bits, and its address; 0 and none also for NULL, and where it has another size. */
uint32_t netlink_number(const struct nlattr *attribute);
struct net_address netlink_address(const struct nlattr *attribute);

/* Sends the request and passes each message of the answer to `take`, which may be NULL if only an
 * acknowledgement is expected. Returns the first error of `take` after the whole answer has been read.
 * `ret_changed` may be NULL; true if the listed objects changed during the dump, so that some may be
 * missing. */
MUST_USE int netlink_exchange(struct netlink_socket *socket, struct nlmsghdr *request,
                              int (*take)(void *userdata, const struct nlmsghdr *message), void *userdata,
                              bool *ret_changed);
