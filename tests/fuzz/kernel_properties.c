/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What the kernel answers: over rtnetlink, and beside the packets of a probe. The linker puts the functions
 * __wrap_… here in place of those that receive (--wrap in ld(1)); the rest is the real one. */

#include <arpa/inet.h>
#include <errno.h>
#include <libmnl/libmnl.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "kernel/connection.h"
#include "kernel/link.h"
#include "kernel/route.h"
#include "probe/sockets.h"
#include "probe/traffic.h"
#include "properties.h"

#define REQUIRE(condition)                                                              \
        do                                                                              \
                if (!(condition)) {                                                     \
                        fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
                        abort();                                                        \
                }                                                                       \
        while (0)

/* The bytes of the input that are not received yet, and the request that they answer. */
static struct {
        const uint8_t *data;
        size_t size, used;
        uint32_t sequence;
} input;

ssize_t __wrap_mnl_socket_sendto(const struct mnl_socket *socket, const void *request, size_t size);
ssize_t __wrap_mnl_socket_recvfrom(const struct mnl_socket *socket, void *buffer, size_t size);
ssize_t __wrap_recv(int fd, void *buffer, size_t size, int flags);
ssize_t __wrap_recvmsg(int fd, struct msghdr *message, int flags);

/* The next part, whose length is in its first two bytes. NULL where there is none. */
static const uint8_t *next_part(size_t max, size_t *ret_size) {
        const uint8_t *part = input.data + input.used;
        size_t left = input.size - input.used, size;

        if (left < 2)
                return NULL;
        size = (size_t)part[0] | (size_t)part[1] << 8;
        size = size < left - 2 ? size : left - 2;
        input.used += 2 + size;
        *ret_size = size < max ? size : max;
        return part + 2;
}

ssize_t __wrap_mnl_socket_sendto(const struct mnl_socket *socket, const void *request, size_t size) {
        (void)socket;
        input.sequence = ((const struct nlmsghdr *)request)->nlmsg_seq;
        return (ssize_t)size;
}

/* The answers are to the request that was sent, but for some. */
ssize_t __wrap_mnl_socket_recvfrom(const struct mnl_socket *socket, void *buffer, size_t max) {
        struct nlmsghdr *message = buffer;
        const uint8_t *part;
        size_t size;
        int left;

        (void)socket;
        part = next_part(max, &size);
        if (!part) {
                errno = ENOBUFS;
                return -1;
        }
        memcpy(buffer, part, size);
        left = (int)size;
        while (left >= (int)sizeof(*message)) {
                /* libmnl takes a length for an int. */
                if (message->nlmsg_len > INT_MAX)
                        message->nlmsg_len = (uint32_t)left;
                if (message->nlmsg_seq % 8 != 7)
                        message->nlmsg_seq = input.sequence;
                if (!mnl_nlmsg_ok(message, left))
                        break;
                message = mnl_nlmsg_next(message, &left);
        }
        return (ssize_t)size;
}

/* How long the next answer is; nothing else is received by this. */
ssize_t __wrap_recv(int fd, void *buffer, size_t max, int flags) {
        size_t used = input.used, size = 0;

        (void)fd;
        (void)buffer;
        (void)max;
        REQUIRE(flags == (MSG_PEEK | MSG_TRUNC));
        (void)next_part(SIZE_MAX, &size);
        input.used = used;
        return (ssize_t)size;
}

static struct netlink_socket *begin(const uint8_t *data, size_t size) {
        static struct netlink_socket *socket;

        if (!socket)
                REQUIRE(netlink_socket_open(NETLINK_ROUTE, &socket) == 0);
        input.data = data;
        input.size = size;
        input.used = 0;
        return socket;
}

#define ENDS(text) (memchr(text, '\0', sizeof(text)) != NULL)

/* Any number of bytes with colons between them. */
static bool is_mac(const char *text) {
        size_t length = strlen(text);

        for (size_t i = 0; i < length; i++)
                if (i % 3 == 2 ? text[i] != ':' : !strchr("0123456789abcdef", text[i]))
                        return false;
        return length == 0 || length % 3 == 2;
}

static bool is_sound(const struct link *link) {
        return ENDS(link->name) && ENDS(link->kind) && is_mac(link->addresses.mac) &&
               is_mac(link->addresses.permanent) &&
               (link->lower_ifindex == 0 || link->lower_ifindex != link->ifindex);
}

static void check_all(struct netlink_socket *socket) {
        struct link_table links = { 0 };

        if (link_get_all(socket, &links) != 0)
                return;
        for (size_t i = 0; i < links.n_links; i++)
                REQUIRE(is_sound(&links.links[i]));
        link_table_free(&links);
}

void property_link_answer(const uint8_t *data, size_t size) {
        struct netlink_socket *socket = begin(data, size);
        struct link link = { .ifindex = 0 }, now;
        bool is_lost;
        const char *text;

        if (link_get_by_ifindex(socket, 7, &link) == 0)
                REQUIRE(link.ifindex > 0 && is_sound(&link));
        text = netlink_socket_error_text(socket, -EINVAL);
        REQUIRE(!text || strlen(text) < 256);
        input.used = 0;
        check_all(socket);
        input.used = 0;
        link.ifindex = 7;
        if (link_set_mtu(socket, &link, 9000, &now, &is_lost) == 0)
                REQUIRE(!is_lost && is_sound(&now));
}

void property_route_answer(const uint8_t *data, size_t size) {
        const struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
        struct netlink_socket *socket = begin(data, size);
        unsigned ifindex = 0;
        int r = route_get_interface(socket, (const struct sockaddr *)&to, 0, &ifindex);

        REQUIRE((r == 0) == (ifindex > 0));
}

static void take_connection(void *userdata, const struct connection *connection) {
        REQUIRE(connection->peer.size == 4 || connection->peer.size == 16);
        REQUIRE(connection->headers >= 40 && connection->headers <= 72);
        REQUIRE(!net_address_equals(&connection->peer, &connection->own));
        traffic_take(userdata, connection);
}

void property_connection_answer(const uint8_t *data, size_t size) {
        struct netlink_socket *socket = begin(data, size);
        struct traffic traffic = { 0 };
        bool has_changed = false;

        for (int round = 0; round < 4 && input.size - input.used >= 2; round++) {
                int r;

                traffic_begin(&traffic, round);
                r = connection_each(socket, round % 2, take_connection, &traffic, &has_changed);
                REQUIRE(traffic_end(&traffic, r == 0 && !has_changed));
                for (const struct traffic_peer *peer = traffic.peers; peer; peer = peer->next)
                        REQUIRE(peer->sent <= UINT16_MAX + 72 && peer->state < TRAFFIC_STATES);
        }
        traffic_free(&traffic);
        REQUIRE(!traffic.peers);
}

/* Probes ------------------------------------------------------------------------------------------------ */

/* A part is a message: the address that it is from, what comes beside it, and its data. */
ssize_t __wrap_recvmsg(int fd, struct msghdr *message, int flags) {
        const uint8_t *part;
        size_t size, control_size, name_size = sizeof(struct sockaddr_in6);

        (void)fd;
        (void)flags;
        part = next_part(SIZE_MAX, &size);
        if (!part) {
                errno = EAGAIN;
                return -1;
        }
        name_size = name_size < size ? name_size : size;
        memcpy(message->msg_name, part, name_size);
        part += name_size;
        size -= name_size;
        control_size = size > 0 ? *part : 0;
        part += size > 0;
        size -= size > 0;
        control_size = control_size * 2 < message->msg_controllen ? control_size * 2
                                                                  : message->msg_controllen;
        control_size = control_size < size ? control_size : size;
        memcpy(message->msg_control, part, control_size);
        message->msg_controllen = control_size;
        /* The kernel's are within what it has written. */
        for (struct cmsghdr *control = CMSG_FIRSTHDR(message); control;
             control = CMSG_NXTHDR(message, control)) {
                size_t room = control_size - (size_t)((char *)control - (char *)message->msg_control);

                if (control->cmsg_len < CMSG_LEN(0) || control->cmsg_len > room)
                        control->cmsg_len = room;
        }
        part += control_size;
        size -= control_size;
        size = size < message->msg_iov->iov_len ? size : message->msg_iov->iov_len;
        memcpy(message->msg_iov->iov_base, part, size);
        return (ssize_t)size;
}

void property_probe_answer(const uint8_t *data, size_t size) {
        static struct sockets sockets;
        static struct sockets_host host, *const hosts[] = { &host };
        const struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0xc0000202) };
        struct probe_event event;
        size_t which;
        int r;

        begin(data, size);
        for (int i = 0; i < 4; i++) {
                sockets = (struct sockets){
                        .fds = { -1, -1 },
                        .is_raw = i & 1,
                        .is_v6 = i & 2,
                };
                host = (struct sockets_host){
                        .mark = { .identifier = 0x6d74, .cookie = "setmtu!", .is_v6 = i & 2 },
                };
                memcpy(&host.address, &address, sizeof(address));
                input.used = 0;
                while ((r = sockets_receive(&sockets, hosts, 1, &which, &event)) >= 0)
                        REQUIRE(r == 0 || (event.kind <= PROBE_EVENT_REFUSED && event.id <= UINT16_MAX));
                REQUIRE(input.size - input.used < 2);
        }
}
