/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernel/link_monitor.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>

#include "kernel/link.h"

/* Notifications contain no counters of virtual functions, and are short. */
#define MESSAGES_SIZE 16384
/* In a storm of messages, the caller must get to its other work. */
#define READS_MAX 256

struct link_monitor {
        struct mnl_socket *mnl;
        union {
                struct nlmsghdr header; /* for the alignment */
                char bytes[MESSAGES_SIZE];
        } buffer;
};

int link_monitor_open(struct link_monitor **ret) {
        struct link_monitor *monitor = malloc(sizeof(*monitor));

        if (!monitor)
                return -ENOMEM;
        monitor->mnl = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (!monitor->mnl || mnl_socket_bind(monitor->mnl, RTMGRP_LINK, MNL_SOCKET_AUTOPID) < 0) {
                int error = -errno;

                link_monitor_close(monitor);
                return error;
        }
        *ret = monitor;
        return 0;
}

void link_monitor_close(struct link_monitor *monitor) {
        if (monitor && monitor->mnl)
                mnl_socket_close(monitor->mnl);
        free(monitor);
}

int link_monitor_fd(const struct link_monitor *monitor) {
        return mnl_socket_get_fd(monitor->mnl);
}

int link_monitor_read(struct link_monitor *monitor,
                      void (*take)(void *userdata, const struct link *link, bool is_gone), void *userdata) {
        for (unsigned i = 0; i < READS_MAX; i++) {
                ssize_t received = mnl_socket_recvfrom(monitor->mnl, monitor->buffer.bytes,
                                                       sizeof(monitor->buffer.bytes));
                const struct nlmsghdr *message = &monitor->buffer.header;
                int left = (int)received;
                struct link link;

                if (received < 0 && errno == EINTR)
                        continue;
                if (received < 0)
                        /* A truncated message counts as lost. */
                        return errno == EAGAIN ? 0 : errno == ENOSPC ? -ENOBUFS : -errno;
                for (; mnl_nlmsg_ok(message, left); message = mnl_nlmsg_next(message, &left))
                        if (link_parse(message, &link) == 0)
                                take(userdata, &link, message->nlmsg_type == RTM_DELLINK);
        }
        return 0;
}
