/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* An address of IP or of hardware, as the kernel has it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct net_address {
        unsigned char bytes[20]; /* InfiniBand's are the longest */
        uint8_t size;            /* of IPv4 4, of IPv6 16; 0: none, or it is not known */
};

static inline void net_address_set(struct net_address *address, const void *bytes, size_t size) {
        if (size > sizeof(address->bytes))
                return;
        memcpy(address->bytes, bytes, size);
        address->size = (uint8_t)size;
}

static inline bool net_address_equals(const struct net_address *a, const struct net_address *b) {
        return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}
