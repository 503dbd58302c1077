/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernel/netlink.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* A dump comes in parts of at most 32 KiB. The answer about one device may be longer: its alternative names
 * are one attribute, of at most 64 KiB. */
#define ANSWER_SIZE (96 * 1024)

struct netlink_socket {
        struct mnl_socket *mnl;
        uint32_t sequence;
        char error_text[256];
        bool was_answered;
        /* For requests and answers; last, so that netlink_socket_open() need not clear it. */
        _Alignas(struct nlmsghdr) char buffer[ANSWER_SIZE];
};

int netlink_socket_open(int protocol, struct netlink_socket **ret) {
        struct netlink_socket *socket = malloc(sizeof(*socket));
        int on = 1;

        if (!socket)
                return -ENOMEM;
        memset(socket, 0, offsetof(struct netlink_socket, buffer));
        socket->mnl = mnl_socket_open2(protocol, SOCK_CLOEXEC);
        if (!socket->mnl || mnl_socket_bind(socket->mnl, 0, MNL_SOCKET_AUTOPID) < 0) {
                int error = -errno;
                netlink_socket_cleanup(&socket);
                return error;
        }
        /* Asks for the kernel's error texts, without a copy of the request. Otherwise there is only an
         * errno. */
        (void)mnl_socket_setsockopt(socket->mnl, NETLINK_EXT_ACK, &on, sizeof(on));
        (void)mnl_socket_setsockopt(socket->mnl, NETLINK_CAP_ACK, &on, sizeof(on));
        *ret = socket;
        return 0;
}

void netlink_socket_forget(struct netlink_socket *socket) {
        explicit_bzero(socket->buffer, sizeof(socket->buffer));
}

void netlink_socket_cleanup(struct netlink_socket **socket) {
        if (*socket && (*socket)->mnl)
                mnl_socket_close((*socket)->mnl);
        free(*socket);
}

int netlink_socket_fd(const struct netlink_socket *socket) {
        return mnl_socket_get_fd(socket->mnl);
}

const char *netlink_socket_error_text(const struct netlink_socket *socket, int error) {
        return socket->error_text[0] ? socket->error_text : strerror(-error);
}

bool netlink_socket_was_answered(const struct netlink_socket *socket) {
        return socket->was_answered;
}

struct nlmsghdr *netlink_begin(struct netlink_socket *socket, uint16_t type, uint16_t flags,
                               size_t header_size) {
        struct nlmsghdr *message = mnl_nlmsg_put_header(socket->buffer);

        message->nlmsg_type = type;
        message->nlmsg_flags = NLM_F_REQUEST | flags;
        message->nlmsg_seq = ++socket->sequence;
        mnl_nlmsg_put_extra_header(message, header_size);
        return message;
}

struct attribute_search {
        uint16_t type;
        const struct nlattr *found;
};

static int match_type(const struct nlattr *attribute, void *userdata) {
        struct attribute_search *search = userdata;

        if (mnl_attr_get_type(attribute) != search->type)
                return MNL_CB_OK;
        search->found = attribute;
        return MNL_CB_STOP;
}

const struct nlattr *netlink_attribute(const struct nlmsghdr *message, size_t header_size, uint16_t type) {
        struct attribute_search search = { .type = type };

        (void)mnl_attr_parse(message, (unsigned)header_size, match_type, &search);
        return search.found;
}

const struct nlattr *netlink_nested(const struct nlattr *attribute, uint16_t type) {
        struct attribute_search search = { .type = type };

        if (attribute)
                (void)mnl_attr_parse_nested(attribute, match_type, &search);
        return search.found;
}

uint32_t netlink_number(const struct nlattr *attribute) {
        return attribute && mnl_attr_get_payload_len(attribute) == sizeof(uint32_t)
                               ? mnl_attr_get_u32(attribute)
                               : 0;
}

struct net_address netlink_address(const struct nlattr *attribute) {
        struct net_address address = { .size = 0 };

        if (attribute)
                net_address_set(&address, mnl_attr_get_payload(attribute),
                                mnl_attr_get_payload_len(attribute));
        return address;
}

/* Reads an acknowledgement with its extended attributes (NLMSGERR in netlink(7)). Returns -errno. */
static int read_error(struct netlink_socket *socket, const struct nlmsghdr *message) {
        const struct nlmsgerr *error = (const void *)(message + 1);
        const struct nlattr *text = NULL;

        if (NLMSG_PAYLOAD(message, 0) < sizeof(*error))
                return -EBADMSG;
        /* Without NETLINK_CAP_ACK, a copy of the request would come first. */
        if (message->nlmsg_flags & NLM_F_ACK_TLVS && message->nlmsg_flags & NLM_F_CAPPED)
                text = netlink_attribute(message, sizeof(*error), NLMSGERR_ATTR_MSG);
        if (text && mnl_attr_validate(text, MNL_TYPE_NUL_STRING) >= 0)
                snprintf(socket->error_text, sizeof(socket->error_text), "%s", mnl_attr_get_str(text));
        return error->error;
}

/* A dump that fails in the middle ends with the error: netlink_dump_done() in the kernel's af_netlink.c. */
static int dump_error(const struct nlmsghdr *message) {
        const int *result = (const void *)(message + 1);

        return NLMSG_PAYLOAD(message, 0) >= sizeof(*result) && *result < 0 ? *result : 0;
}

int netlink_exchange(struct netlink_socket *socket, struct nlmsghdr *request,
                     int (*take)(void *userdata, const struct nlmsghdr *message), void *userdata,
                     bool *ret_changed) {
        int error = 0;

        socket->error_text[0] = '\0';
        socket->was_answered = false;
        if (mnl_socket_sendto(socket->mnl, request, request->nlmsg_len) < 0)
                return -errno;
        for (;;) {
                /* Not ssize_t: NLMSG_OK() compares it with an unsigned number of 32 bits. */
                int64_t received = mnl_socket_recvfrom(socket->mnl, socket->buffer, sizeof(socket->buffer));
                const struct nlmsghdr *message = (const void *)socket->buffer;

                if (received < 0 && errno == EINTR)
                        continue;
                if (received < 0)
                        return -errno;
                for (unsigned step; NLMSG_OK(message, received);
                     received -= step, message = (const void *)((const char *)message + step)) {
                        step = NLMSG_ALIGN(message->nlmsg_len);
                        if (message->nlmsg_seq != socket->sequence)
                                continue; /* left over from an earlier answer */
                        socket->was_answered = true;
                        if (ret_changed)
                                *ret_changed |= message->nlmsg_flags & NLM_F_DUMP_INTR;
                        if (message->nlmsg_type == NLMSG_ERROR)
                                return read_error(socket, message);
                        if (message->nlmsg_type == NLMSG_DONE)
                                return error < 0 ? error : dump_error(message);
                        /* Reads to the end even after an error: the rest would be the next answer. */
                        if (error == 0 && take)
                                error = take(userdata, message);
                        if (!(message->nlmsg_flags & NLM_F_MULTI))
                                return error;
                }
        }
}
