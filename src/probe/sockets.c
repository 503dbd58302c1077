/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "probe/sockets.h"

#include <errno.h>
#include <linux/errqueue.h>
#include <net/if.h>
#include <netinet/icmp6.h>
#include <netinet/ip6.h>
#include <netinet/ip_icmp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "kernel/route.h"

/* Ports from traceroute's first one are likely to be closed. */
#define PORT_LEAST 33434
#define PORTS (65536 - PORT_LEAST - PROBE_COUNT_MAX)
#define BUFFERS_SIZE (4 << 20)
#define SEND_TRIES 10
#define IDENTIFIER_TRIES 20
/* The wait between two tries while the kernel is short of memory, or a device or a socket of room. */
#define SHORTAGE_MS 10
/* The largest header of a fragment: IPv6's and the fragment header. A multiple of 8, like fragment
 * offsets. */
#define HEADER_SIZE 48

/* The size of the IP header and, for PROBE_FORWARD, UDP's. */
static uint32_t header_size(const struct sockets *sockets, enum probe_kind kind) {
        return (sockets->is_v6 ? 40u : 20u) + (kind == PROBE_FORWARD ? 8u : 0u);
}

/* The port in an address of either family. */
static in_port_t *port_of(struct sockaddr_storage *address) {
        return address->ss_family == AF_INET6 ? &((struct sockaddr_in6 *)address)->sin6_port
                                              : &((struct sockaddr_in *)address)->sin_port;
}

static void set_option(int fd, int level, int option, int value) {
        (void)setsockopt(fd, level, option, &value, sizeof(value));
}

/* All optional: a kernel without one of them only reports less. */
static void ask_for_details(int fd, bool v6) {
        static const int details[][2] = {
                { IP_RECVERR, IPV6_RECVERR },
                { IP_RECVTTL, IPV6_RECVHOPLIMIT },
                { IP_RECVFRAGSIZE, IPV6_RECVFRAGSIZE },
                { IP_PKTINFO, IPV6_RECVPKTINFO },
        };
        /* Answers to many large packets come at once. SO_*BUFFORCE need CAP_NET_ADMIN. */
        static const int buffers[] = { SO_RCVBUF, SO_RCVBUFFORCE, SO_SNDBUF, SO_SNDBUFFORCE };

        for (size_t i = 0; i < sizeof(details) / sizeof(details[0]); i++)
                set_option(fd, v6 ? IPPROTO_IPV6 : IPPROTO_IP, details[i][v6], 1);
        for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++)
                set_option(fd, SOL_SOCKET, buffers[i], BUFFERS_SIZE);
        if (v6)
                set_option(fd, IPPROTO_IPV6, IPV6_DONTFRAG, 1);
}

/* Opens a socket with the options that probing needs. Returns a descriptor or a negative errno. */
static int open_prepared(const struct sockets *sockets, int type, int protocol) {
        bool v6 = sockets->is_v6;
        int level = v6 ? IPPROTO_IPV6 : IPPROTO_IP, probe = v6 ? IPV6_PMTUDISC_PROBE : IP_PMTUDISC_PROBE;
        uint32_t index = htonl(sockets->ifindex);
        int fd = socket(v6 ? AF_INET6 : AF_INET, type | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);

        if (fd < 0)
                return -errno;
        /* Not SO_BINDTODEVICE: answers may come by another interface. */
        if (setsockopt(fd, level, v6 ? IPV6_MTU_DISCOVER : IP_MTU_DISCOVER, &probe, sizeof(probe)) < 0 ||
            (index > 0 &&
             setsockopt(fd, level, v6 ? IPV6_UNICAST_IF : IP_UNICAST_IF, &index, sizeof(index)) < 0) ||
            /* A ping socket takes it with its identifier. */
            (!(type == SOCK_DGRAM && protocol != IPPROTO_UDP) &&
             bind(fd, (const struct sockaddr *)&sockets->source, sizeof(sockets->source)) < 0)) {
                int error = -errno;

                close(fd);
                return error;
        }
        ask_for_details(fd, v6);
        return fd;
}

/* Gives a ping socket a random identifier, which is like a port. The kernel's own choice counts up. */
static int take_identifier(struct sockets *sockets) {
        struct sockaddr_storage own = sockets->source;
        int r = -EADDRINUSE;

        for (int i = 0; i < IDENTIFIER_TRIES && r == -EADDRINUSE; i++) {
                if (getrandom(&sockets->identifier, sizeof(sockets->identifier), 0) < 0)
                        return -errno;
                if (sockets->identifier == 0)
                        continue;
                *port_of(&own) = htons(sockets->identifier);
                r = bind(sockets->fds[PROBE_ECHO], (struct sockaddr *)&own, sizeof(own)) < 0 ? -errno : 0;
        }
        return r;
}

/* Whether the error is temporary, and not a lack of permission or support. */
static bool is_shortage(int error) {
        return error == -ENOBUFS || error == -ENOMEM || error == -EMFILE || error == -ENFILE;
}

/* 0 also without permission or support: the descriptor is negative then. */
static int open_echo(struct sockets *sockets) {
        int protocol = sockets->is_v6 ? IPPROTO_ICMPV6 : IPPROTO_ICMP, *fd = &sockets->fds[PROBE_ECHO], r;

        *fd = open_prepared(sockets, SOCK_DGRAM, protocol);
        r = *fd < 0 ? *fd : take_identifier(sockets);
        if (r == 0)
                return 0;
        cleanup_close(fd);
        *fd = -1;
        if (is_shortage(r))
                return r;
        *fd = open_prepared(sockets, SOCK_RAW, protocol);
        sockets->is_raw = *fd >= 0;
        return is_shortage(*fd) ? *fd : 0;
}

int sockets_open(const struct sockaddr_storage *source, unsigned ifindex, struct sockets *sockets) {
        int r, *udp = &sockets->fds[PROBE_FORWARD], *fragmented = &sockets->fds[PROBE_FRAGMENTED];

        memset(sockets, 0, offsetof(struct sockets, buffer));
        sockets->is_v6 = source->ss_family == AF_INET6;
        sockets->source = *source;
        sockets->ifindex = ifindex;
        if (getrandom(&sockets->identifier, sizeof(sockets->identifier), 0) < 0)
                return -errno;
        *udp = *fragmented = -1;
        r = open_echo(sockets);
        if (r == 0) {
                *udp = open_prepared(sockets, SOCK_DGRAM, IPPROTO_UDP);
                /* It takes whole packets, see raw(7), and receives none. */
                *fragmented = open_prepared(sockets, SOCK_RAW, IPPROTO_RAW);
                /* Connection tracking must not reassemble the fragments. */
                set_option(*fragmented, IPPROTO_IP, IP_NODEFRAG, 1);
                r = is_shortage(*fragmented) ? *fragmented : 0;
                if (is_shortage(*udp) || (*udp < 0 && sockets->fds[PROBE_ECHO] < 0))
                        r = *udp;
        }
        if (r < 0)
                sockets_close(sockets);
        return r;
}

int sockets_add_host(const struct sockets *sockets, const struct sockaddr_storage *address,
                     const char *interface, unsigned flow, struct sockets_host *ret) {
        uint16_t port;

        memset(ret, 0, sizeof(*ret));
        ret->mark.is_v6 = sockets->is_v6;
        ret->mark.identifier = sockets->identifier;
        if (getrandom(&ret->mark.cookie, sizeof(ret->mark.cookie), 0) < 0 ||
            getrandom(&ret->mark.first, sizeof(ret->mark.first), 0) < 0 ||
            getrandom(&port, sizeof(port), 0) < 0)
                return -errno;
        ret->address = *address;
        ret->port = (uint16_t)(PORT_LEAST + port % PORTS);
        ret->has_one_port = flow > 0;
        snprintf(ret->interface, sizeof(ret->interface), "%s", interface);
        return 0;
}

void sockets_close(struct sockets *sockets) {
        for (enum probe_kind kind = 0; kind < PROBE_KINDS; kind++)
                cleanup_close(&sockets->fds[kind]);
}

/* The current MTU of the interface by which packets to the host go out; 0: not known. */
static uint32_t read_mtu(int fd, const struct sockets_host *host) {
        struct ifreq request = { 0 };

        memcpy(request.ifr_name, host->interface, sizeof(host->interface));
        return ioctl(fd, SIOCGIFMTU, &request) < 0 ? 0 : (uint32_t)request.ifr_mtu;
}

/* Writes the header of the fragment that begins at `done`: RFC 791, section 3.1; RFC 8200, sections 3 and
 * 4.5. The kernel fills in the zero fields of IPv4. Returns the size of the header. */
static size_t write_header(const struct sockets_host *host, const struct probe *probe, size_t done,
                           size_t part, bool has_more, uint8_t data[static HEADER_SIZE]) {
        uint16_t id = (uint16_t)(host->mark.identifier + probe->id) | 1;
        struct iphdr header = { .version = 4,
                                .ihl = 5,
                                .id = htons(id),
                                .frag_off = htons((uint16_t)(done / 8 | (has_more ? IP_MF : 0))),
                                .ttl = IPDEFTTL,
                                .protocol = IPPROTO_ICMP,
                                .daddr = ((const struct sockaddr_in *)&host->address)->sin_addr.s_addr };
        struct {
                struct ip6_hdr ip;
                struct ip6_frag fragment;
        } v6_header = { .ip = { .ip6_flow = htonl(6u << 28),
                                .ip6_plen = htons((uint16_t)(sizeof(struct ip6_frag) + part)),
                                .ip6_nxt = IPPROTO_FRAGMENT,
                                .ip6_hlim = IPDEFTTL,
                                .ip6_src = host->source,
                                .ip6_dst = ((const struct sockaddr_in6 *)&host->address)->sin6_addr },
                        .fragment = { .ip6f_nxt = IPPROTO_ICMPV6,
                                      .ip6f_offlg = htons((uint16_t)(done | has_more)),
                                      .ip6f_ident = htonl(id) } };
        const void *written = host->mark.is_v6 ? (const void *)&v6_header : &header;
        size_t size = host->mark.is_v6 ? sizeof(v6_header) : sizeof(header);

        memcpy(data, written, size);
        return size;
}

/* Sends the buffer's contents. 0 or an errno. */
static int send_fragments(struct sockets *sockets, struct sockets_host *host, const struct probe *probe,
                          size_t size) {
        const size_t most = PROBE_FRAGMENT_SIZE - HEADER_SIZE;
        uint8_t header[HEADER_SIZE];

        for (size_t done = 0; done < size; done += most) {
                size_t part = size - done < most ? size - done : most;
                struct iovec parts[] = { { header, 0 }, { sockets->buffer + done, part } };
                struct msghdr message = { .msg_name = &host->address,
                                          .msg_namelen = sizeof(host->address),
                                          .msg_iov = parts,
                                          .msg_iovlen = 2 };

                parts[0].iov_len = write_header(host, probe, done, part, done + part < size, header);
                if (sendmsg(sockets->fds[PROBE_FRAGMENTED], &message, 0) < 0)
                        return errno;
        }
        return 0;
}

/* 0 or an errno. */
static int try_to_send(struct sockets *sockets, struct sockets_host *host, const struct probe *probe,
                       size_t size) {
        struct sockaddr_storage to = host->address;

        if (probe->kind == PROBE_FORWARD)
                *port_of(&to) = htons((uint16_t)(host->port + (host->has_one_port ? 0 : probe->id)));
        if (probe->kind == PROBE_FRAGMENTED)
                return send_fragments(sockets, host, probe, size);
        return sendto(sockets->fds[probe->kind], sockets->buffer, size, 0, (struct sockaddr *)&to,
                      sizeof(to)) < 0
                               ? errno
                               : 0;
}

bool sockets_send(struct sockets *sockets, struct sockets_host *host, const struct probe *probe,
                  struct probe_event *ret) {
        size_t size = probe->size - header_size(sockets, probe->kind);
        int fd = sockets->fds[probe->kind], error = 0;

        *ret = (struct probe_event){ .kind = PROBE_EVENT_REFUSED, .id = probe->id };
        if (fd < 0)
                return false;
        packet_echo_write(&host->mark, probe->id, sockets->buffer, size);
        if (probe->kind == PROBE_FRAGMENTED && sockets->is_v6)
                packet_checksum_write_v6(&host->source,
                                         &((const struct sockaddr_in6 *)&host->address)->sin6_addr,
                                         sockets->buffer, size);
        set_option(fd, sockets->is_v6 ? IPPROTO_IPV6 : IPPROTO_IP,
                   sockets->is_v6 ? IPV6_UNICAST_HOPS : IP_TTL, probe->ttl > 0 ? probe->ttl : -1);
        /* The first error may be about an earlier probe. */
        for (int i = 0; i < SEND_TRIES; i++) {
                error = try_to_send(sockets, host, probe, size);
                if (error == 0)
                        return true;
                if (error == EAGAIN || error == ENOBUFS)
                        (void)clock_sleep_ms(SHORTAGE_MS);
        }
        if (error == EAGAIN || error == ENOBUFS)
                return true; /* counts as lost on the way */
        host->send_error = error;
        ret->mtu = error == EMSGSIZE ? read_mtu(fd, host) : 0;
        if (ret->mtu > 0 && ret->mtu < probe->size)
                ret->kind = PROBE_EVENT_LOCAL;
        return false;
}

/* An error of the error queue, as ancillary data has it. */
struct queued_error {
        struct sock_extended_err error;
        struct sockaddr_storage offender;
};

/* Reads the ancillary data of a message. `error` and `own`, to which address it came, stay as they are if
 * there is none. */
static void read_details(struct msghdr *message, struct probe_event *event, struct queued_error *error,
                         struct in6_pktinfo *own) {
        for (struct cmsghdr *control = CMSG_FIRSTHDR(message); control;
             control = CMSG_NXTHDR(message, control)) {
                bool v4 = control->cmsg_level == IPPROTO_IP, v6 = control->cmsg_level == IPPROTO_IPV6;
                size_t size = control->cmsg_len - CMSG_LEN(0);
                int type = control->cmsg_type, value = 0;

                if (size >= sizeof(value))
                        memcpy(&value, CMSG_DATA(control), sizeof(value));
                if ((v4 && type == IP_TTL) || (v6 && type == IPV6_HOPLIMIT))
                        event->ttl = (uint8_t)value;
                else if ((v4 && type == IP_RECVFRAGSIZE) || (v6 && type == IPV6_RECVFRAGSIZE))
                        event->fragment = (uint32_t)value;
                else if (v6 && type == IPV6_PKTINFO && size >= sizeof(*own))
                        memcpy(own, CMSG_DATA(control), sizeof(*own));
                else if (((v4 && type == IP_RECVERR) || (v6 && type == IPV6_RECVERR)) &&
                         size >= sizeof(error->error)) {
                        memcpy(error, CMSG_DATA(control), size < sizeof(*error) ? size : sizeof(*error));
                        event->from = route_address((const struct sockaddr *)&error->offender);
                }
        }
}

bool sockets_host_has(const struct sockets_host *host, const struct net_address *address) {
        const struct net_address own = route_address((const struct sockaddr *)&host->address);

        return net_address_equals(&own, address);
}

/* Reads an ICMP error, which `event->from` has sent. False if it does not matter here. */
static bool read_error(const struct sockets_host *host, const struct sock_extended_err *error,
                       enum probe_kind kind, struct probe_event *event) {
        bool v6 = error->ee_origin == SO_EE_ORIGIN_ICMP6;
        uint8_t type = error->ee_type, code = error->ee_code;

        if (error->ee_origin != SO_EE_ORIGIN_ICMP && !v6)
                return false;
        event->mtu = error->ee_info;
        if (v6 ? type == ICMP6_PACKET_TOO_BIG : type == ICMP_DEST_UNREACH && code == ICMP_FRAG_NEEDED)
                event->kind = PROBE_EVENT_TOO_BIG;
        else if (type == (v6 ? ICMP6_TIME_EXCEEDED : ICMP_TIME_EXCEEDED) && code == 0)
                event->kind = PROBE_EVENT_EXCEEDED; /* in transit; 1 is about reassembly */
        else if (type != (v6 ? ICMP6_DST_UNREACH : ICMP_DEST_UNREACH))
                return false;
        else if (!sockets_host_has(host, &event->from))
                event->kind = PROBE_EVENT_REFUSED;
        else
                /* The probe arrived, whatever the error; or the host refuses echo. */
                return kind == PROBE_FORWARD;
        return true;
}

/* What proves that a message of `size` bytes is about a probe of the host, and about which one. */
static enum packet_proof read_id(const struct sockets *sockets, const struct sockets_host *host,
                                 enum probe_kind kind, bool is_error, in_port_t port, size_t size,
                                 struct probe_event *event) {
        uint16_t distance = (uint16_t)(ntohs(port) - host->port);
        bool has_ip_header = sockets->is_raw && !sockets->is_v6;

        if (kind != PROBE_FORWARD && !is_error) {
                if (!packet_reply_read(&host->mark, has_ip_header, sockets->buffer, size, &event->id, &size))
                        return PACKET_FOREIGN;
                event->size = (uint32_t)size + header_size(sockets, PROBE_ECHO);
                return PACKET_PROVEN;
        }
        if (kind == PROBE_FORWARD && (host->has_one_port ? distance > 0 : distance >= PROBE_COUNT_MAX))
                return PACKET_FOREIGN;
        if (kind != PROBE_FORWARD || (is_error && size > 0))
                return packet_quote_read(&host->mark, sockets->buffer, size, &event->id);
        /* Only the header was quoted, or a program listens at the port, and answers. */
        event->id = host->has_one_port ? PROBE_ID_UNKNOWN : distance;
        return PACKET_SHORT;
}

/* Reads a message of a host itself, or of the error queue. -1: there is none; 0: it does not matter; 1: it
 * is an event. */
static int receive_event(struct sockets *sockets, enum probe_kind kind, bool is_error,
                         struct sockets_host *const *hosts, size_t n_hosts, size_t *ret_i,
                         struct probe_event *ret) {
        _Alignas(struct cmsghdr) char control[512];
        struct sockaddr_storage from = { 0 };
        struct iovec data = { .iov_base = sockets->buffer, .iov_len = sizeof(sockets->buffer) };
        struct msghdr message = { .msg_name = &from,
                                  .msg_namelen = sizeof(from),
                                  .msg_iov = &data,
                                  .msg_iovlen = 1,
                                  .msg_control = control,
                                  .msg_controllen = sizeof(control) };
        struct queued_error error = { .error.ee_origin = SO_EE_ORIGIN_NONE };
        struct probe_event event = { .kind = PROBE_EVENT_ANSWER };
        struct in6_pktinfo own = { 0 };
        struct sockets_host *host;
        struct net_address host_address;
        enum packet_proof proof;
        size_t i = 0;
        ssize_t size = recvmsg(sockets->fds[kind], &message, MSG_DONTWAIT | (is_error ? MSG_ERRQUEUE : 0));

        if (size < 0 && is_shortage(-errno)) {
                (void)clock_sleep_ms(SHORTAGE_MS); /* there may be more memory later */
                return -1;
        }
        if (size < 0)
                return is_error || errno == EAGAIN || errno == EBADF ? -1 : 0;
        /* Of an error, it is the original destination. */
        event.from = host_address = route_address((const struct sockaddr *)&from);
        read_details(&message, &event, &error, &own);
        while (i < n_hosts && !sockets_host_has(hosts[i], &host_address))
                i++;
        if (i == n_hosts)
                return 0;
        host = hosts[i];
        proof = read_id(sockets, host, kind, is_error, *port_of(&from), (size_t)size, &event);
        if (proof == PACKET_FOREIGN || (is_error && !read_error(host, &error.error, kind, &event)))
                return 0;
        if (proof == PACKET_PROVEN && !is_error)
                host->source = own.ipi6_addr;
        event.is_short = proof == PACKET_SHORT;
        *ret_i = i;
        *ret = event;
        return 1;
}

int sockets_receive(struct sockets *sockets, struct sockets_host *const *hosts, size_t n_hosts,
                    size_t *ret_i, struct probe_event *ret) {
        int most = -1;

        /* Errors first: a router's comes before the answers to probes that it forwarded. */
        for (int i = 0; i < 2 * PROBE_KINDS && most < 1; i++) {
                enum probe_kind kind = (enum probe_kind)(i % PROBE_KINDS);
                int r = receive_event(sockets, kind, i < PROBE_KINDS, hosts, n_hosts, ret_i, ret);

                most = r > most ? r : most;
        }
        return most;
}
