/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "probe/packet.h"

#include <netinet/icmp6.h>
#include <netinet/ip_icmp.h>
#include <string.h>

/* Offsets in the message. */
enum {
        TYPE = 0,
        CODE = 1,
        CHECKSUM = 2,
        IDENTIFIER = 4,
        SEQUENCE = 6,
        COOKIE = PACKET_ECHO_HEADER_SIZE,
        BALANCE = PACKET_ECHO_SIZE_LEAST
};

static void put16(uint8_t *data, uint16_t value) {
        data[0] = (uint8_t)(value >> 8);
        data[1] = (uint8_t)value;
}

static uint16_t get16(const uint8_t *data) {
        return (uint16_t)(data[0] << 8 | data[1]);
}

/* RFC 1071; `sum` is the sum of the data before. */
static uint32_t add_up(uint32_t sum, const uint8_t *data, size_t size) {
        for (size_t i = 0; i + 1 < size; i += 2)
                sum += get16(data + i);
        if (size % 2 > 0)
                sum += (uint32_t)data[size - 1] << 8;
        return sum;
}

static uint16_t checksum(uint32_t sum) {
        while (sum > 0xffff)
                sum = (sum & 0xffff) + (sum >> 16);
        return (uint16_t)~sum;
}

void packet_echo_write(const struct packet_mark *mark, unsigned id, uint8_t *data, size_t size) {
        uint16_t sequence = (uint16_t)(mark->first + id);

        memset(data, 0, size);
        data[TYPE] = mark->is_v6 ? ICMP6_ECHO_REQUEST : ICMP_ECHO;
        put16(data + IDENTIFIER, mark->identifier);
        put16(data + SEQUENCE, sequence);
        memcpy(data + COOKIE, mark->cookie, sizeof(mark->cookie));
        /* The pseudo-header of ICMPv6 has the size. */
        if (size >= BALANCE + sizeof(uint16_t))
                put16(data + BALANCE, checksum(sequence + (mark->is_v6 ? (uint32_t)size : 0)));
        if (!mark->is_v6)
                put16(data + CHECKSUM, checksum(add_up(0, data, size)));
}

void packet_checksum_write_v6(const struct in6_addr *source, const struct in6_addr *destination,
                              uint8_t *data, size_t size) {
        uint32_t sum = add_up(add_up((uint32_t)size + IPPROTO_ICMPV6, source->s6_addr, sizeof(*source)),
                              destination->s6_addr, sizeof(*destination));

        put16(data + CHECKSUM, checksum(add_up(sum, data, size)));
}

static enum packet_proof read_message(const struct packet_mark *mark, uint8_t type, const uint8_t *data,
                                      size_t size, unsigned *ret_id) {
        size_t known = size < PACKET_ECHO_SIZE_LEAST ? size - COOKIE : sizeof(mark->cookie);

        if (size < PACKET_ECHO_HEADER_SIZE || data[TYPE] != type || data[CODE] != 0 ||
            get16(data + IDENTIFIER) != mark->identifier || memcmp(data + COOKIE, mark->cookie, known) != 0)
                return PACKET_FOREIGN;
        *ret_id = (uint16_t)(get16(data + SEQUENCE) - mark->first);
        return known == sizeof(mark->cookie) ? PACKET_PROVEN : PACKET_SHORT;
}

bool packet_reply_read(const struct packet_mark *mark, bool has_ip_header, const uint8_t *data, size_t size,
                       unsigned *ret_id, size_t *ret_size) {
        size_t header = has_ip_header && size >= 20 ? (size_t)(data[0] & 0xf) * 4 : 0;

        if (header > size || (has_ip_header && (header < 20 || data[0] >> 4 != 4)))
                return false;
        *ret_size = size - header;
        return read_message(mark, mark->is_v6 ? ICMP6_ECHO_REPLY : ICMP_ECHOREPLY, data + header, *ret_size,
                            ret_id) == PACKET_PROVEN;
}

enum packet_proof packet_quote_read(const struct packet_mark *mark, const uint8_t *data, size_t size,
                                    unsigned *ret_id) {
        return read_message(mark, mark->is_v6 ? ICMP6_ECHO_REQUEST : ICMP_ECHO, data, size, ret_id);
}
