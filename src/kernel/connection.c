/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernel/connection.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/inet_diag.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <string.h>

/* Of the enum in net/tcp_states.h, which is not exported: ESTABLISHED, FIN_WAIT1, CLOSE_WAIT and LAST_ACK,
 * in which data may be under way. */
#define STATES (1 << 1 | 1 << 4 | 1 << 8 | 1 << 9)
#define STATE_TIME_WAIT 6
/* TCP_TIMEWAIT_LEN in net/tcp.h. */
#define TIME_WAIT_MS 60000U

/* Up to the last field that is read; newer kernels have more. */
#define INFO_SIZE (offsetof(struct tcp_info, tcpi_snd_wnd) + sizeof(uint32_t))

#define HEADER_TCP 20U
#define HEADER_TIMESTAMPS 12U

struct connection_visit {
        void (*take)(void *userdata, const struct connection *connection);
        void *userdata;
};

/* An address, of IPv4 also if it is mapped (RFC 4291, section 2.5.5.2). */
static void set_address(struct net_address *address, unsigned family, const __be32 words[4]) {
        const struct in6_addr *v6 = (const void *)words;

        if (family == AF_INET)
                net_address_set(address, words, 4);
        else if (IN6_IS_ADDR_V4MAPPED(v6))
                net_address_set(address, words + 3, 4);
        else
                net_address_set(address, words, sizeof(*v6));
}

static bool is_loopback(const struct net_address *address) {
        return address->size == 4 ? address->bytes[0] == IN_LOOPBACKNET
                                  : memcmp(address->bytes, &in6addr_loopback, sizeof(in6addr_loopback)) == 0;
}

static int take_connection(void *userdata, const struct nlmsghdr *message) {
        const struct connection_visit *visit = userdata;
        const struct inet_diag_msg *socket = mnl_nlmsg_get_payload(message);
        const struct nlattr *attribute;
        struct tcp_info info = { 0 };
        struct connection connection = { 0 };

        if (message->nlmsg_type != SOCK_DIAG_BY_FAMILY ||
            mnl_nlmsg_get_payload_len(message) < sizeof(*socket))
                return -EBADMSG;
        attribute = netlink_attribute(message, sizeof(*socket), INET_DIAG_INFO);
        connection.is_closed = socket->idiag_state == STATE_TIME_WAIT;
        if (attribute && mnl_attr_get_payload_len(attribute) >= INFO_SIZE)
                memcpy(&info, mnl_attr_get_payload(attribute), INFO_SIZE);
        else if (!connection.is_closed)
                return 0;
        set_address(&connection.peer, socket->idiag_family, socket->id.idiag_dst);
        set_address(&connection.own, socket->idiag_family, socket->id.idiag_src);
        memcpy(&connection.cookie, socket->id.idiag_cookie, sizeof(connection.cookie));
        connection.ifindex = socket->id.idiag_if;
        if (is_loopback(&connection.peer) || net_address_equals(&connection.peer, &connection.own))
                return 0;
        connection.headers = (connection.peer.size == 4 ? 20U : 40U) + HEADER_TCP +
                             (info.tcpi_options & TCPI_OPT_TIMESTAMPS ? HEADER_TIMESTAMPS : 0U);
        connection.mss = info.tcpi_snd_mss;
        connection.own_mss = info.tcpi_advmss;
        connection.received_mss = info.tcpi_rcv_mss;
        connection.path_mtu = info.tcpi_pmtu;
        connection.peer_window = info.tcpi_snd_wnd;
        connection.own_window = info.tcpi_rcv_ssthresh;
        connection.unacked = info.tcpi_unacked;
        connection.sacked = info.tcpi_sacked;
        connection.backoff = info.tcpi_backoff;
        connection.idle_ms = info.tcpi_last_ack_recv;
        if (connection.is_closed)
                connection.idle_ms = socket->idiag_expires < TIME_WAIT_MS
                                                     ? TIME_WAIT_MS - socket->idiag_expires
                                                     : 0;
        connection.segments = info.tcpi_data_segs_out;
        connection.segments_again = info.tcpi_total_retrans;
        connection.segments_received = info.tcpi_data_segs_in;
        connection.disordered = info.tcpi_rcv_ooopack;
        connection.sent = info.tcpi_bytes_sent;
        connection.sent_again = info.tcpi_bytes_retrans;
        connection.acked = info.tcpi_bytes_acked;
        connection.received = info.tcpi_bytes_received;
        visit->take(visit->userdata, &connection);
        return 0;
}

int connection_each(struct netlink_socket *diag, bool is_closed,
                    void (*take)(void *userdata, const struct connection *connection), void *userdata,
                    bool *ret_changed) {
        static const uint8_t families[] = { AF_INET, AF_INET6 };
        struct connection_visit visit = { take, userdata };

        for (size_t i = 0; i < sizeof(families); i++) {
                struct nlmsghdr *request = netlink_begin(diag, SOCK_DIAG_BY_FAMILY, NLM_F_DUMP,
                                                         sizeof(struct inet_diag_req_v2));
                struct inet_diag_req_v2 *wanted = mnl_nlmsg_get_payload(request);
                int r;

                wanted->sdiag_family = families[i];
                wanted->sdiag_protocol = IPPROTO_TCP;
                wanted->idiag_ext = 1 << (INET_DIAG_INFO - 1);
                wanted->idiag_states = is_closed ? 1 << STATE_TIME_WAIT : STATES;
                r = netlink_exchange(diag, request, take_connection, &visit, ret_changed);
                if (r < 0)
                        return r;
        }
        return 0;
}
