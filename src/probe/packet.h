/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Echo messages of ICMP (RFC 792, RFC 4443), which are also the contents of UDP probes, and what proves that
 * something is about one of them. What is read here came from the network. */

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Distinguishes the probes of one host from all other messages. The numbers are random. */
struct packet_mark {
        bool is_v6;
        uint16_t identifier; /* in host order */
        uint16_t first;      /* the sequence number of probe 0 */
        uint8_t cookie[8];   /* after the header */
};

enum packet_proof {
        PACKET_FOREIGN,
        /* The numbers of the probe's header: of echo 32 random bits, of UDP the two ports. RFC 792 demands
         * no more of a quote. A sender who sees no probe has some 2^30 possibilities. */
        PACKET_SHORT,
        /* The whole cookie, too, 64 random bits: the sender has seen the probe. */
        PACKET_PROVEN,
};

#define PACKET_ECHO_HEADER_SIZE 8
#define PACKET_ECHO_SIZE_LEAST (PACKET_ECHO_HEADER_SIZE + 8)

/* Fills `size` bytes with an echo request, header included; at least PACKET_ECHO_SIZE_LEAST. The checksum of
 * an ICMPv6 message is left to the kernel. Where there is room, it is the same whatever the sequence number
 * and the size: some routers choose one of several equal links by it. */
void packet_echo_write(const struct packet_mark *mark, unsigned id, uint8_t *data, size_t size);

/* The checksum of an ICMPv6 message that the kernel does not fill in: RFC 8200, section 8.1. */
void packet_checksum_write_v6(const struct in6_addr *source, const struct in6_addr *destination,
                              uint8_t *data, size_t size);

/* The id of the probe that an echo reply answers. With the IPv4 header before it where `has_ip_header`;
 * `ret_size` is the ICMP message's. False if it does not have the whole cookie. */
bool packet_reply_read(const struct packet_mark *mark, bool has_ip_header, const uint8_t *data, size_t size,
                       unsigned *ret_id, size_t *ret_size);

/* The id of the probe whose beginning an ICMP error quotes. All that is quoted has to be the probe's. */
enum packet_proof packet_quote_read(const struct packet_mark *mark, const uint8_t *data, size_t size,
                                    unsigned *ret_id);
