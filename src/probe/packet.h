/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* ICMP echo messages: RFC 792, RFC 4443. What is read here came from the network. */

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
 * an ICMPv6 message is left to the kernel. */
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
