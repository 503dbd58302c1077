/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "probe/probe.h"

#include <arpa/inet.h>
#include <string.h>

bool probe_address_equals(const struct probe_address *a, const struct probe_address *b) {
        if (a->family != b->family)
                return false;
        if (a->family == AF_INET)
                return a->v4.s_addr == b->v4.s_addr;
        return a->family != AF_INET6 || memcmp(&a->v6, &b->v6, sizeof(a->v6)) == 0;
}

const char *probe_address_text(char buffer[static INET6_ADDRSTRLEN], const struct probe_address *address) {
        if (address->family == AF_UNSPEC ||
            !inet_ntop(address->family, &address->v4, buffer, INET6_ADDRSTRLEN))
                strcpy(buffer, "?");
        return buffer;
}
