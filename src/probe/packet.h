/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* ICMP echo messages: RFC 792, RFC 4443; and the contents of UDP. What is read here came from the network.
 */

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Distinguishes our messages from those of other programs. */
struct packet_mark {
        bool is_v6;
        uint16_t identifier; /* in host order */
        uint8_t cookie[8];   /* random, behind the header: proves that a reply is for us */
};

#define PACKET_ECHO_HEADER_SIZE 8
#define PACKET_ECHO_SIZE_LEAST (PACKET_ECHO_HEADER_SIZE + 8)

/* Fills `size` bytes with an echo request, header included; at least PACKET_ECHO_SIZE_LEAST. The checksum of
 * an ICMPv6 message is left to the kernel. Where there is room, it is the same whatever the sequence number
 * and the size: some routers choose one of several equal links by it. */
void packet_echo_write(const struct packet_mark *mark, uint16_t sequence, uint8_t *data, size_t size);

/* The checksum of an ICMPv6 message that the kernel does not fill in: RFC 8200, section 8.1. */
void packet_checksum_write_v6(const struct in6_addr *source, const struct in6_addr *destination,
                              uint8_t *data, size_t size);

/* An echo reply of ours, with the IPv4 header before it where `has_ip_header`. `ret_size` is the ICMP
 * message's. */
bool packet_reply_read(const struct packet_mark *mark, bool has_ip_header, const uint8_t *data, size_t size,
                       uint16_t *ret_sequence, size_t *ret_size);

/* The beginning of an echo request of ours, as an ICMP error quotes it: at least its header (RFC 792),
 * perhaps more. */
bool packet_quote_read(const struct packet_mark *mark, const uint8_t *data, size_t size,
                       uint16_t *ret_sequence);

/* Fills a UDP datagram whose contents differ from those of others to the same port. */
void packet_udp_write(uint16_t id, uint8_t *data, size_t size);

/* The beginning of such a datagram, as an ICMP error quotes it. False if it is too short: RFC 792 demands no
 * more than the UDP header. */
bool packet_udp_quote_read(const uint8_t *data, size_t size, uint16_t *ret_id);
