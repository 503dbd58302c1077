/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "explain/note.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "kernel/ethtool.h"

__attribute__((format(printf, 3, 4))) static void add_note(struct notes *notes, const char *name,
                                                           const char *format, ...) {
        struct note *note = &notes->items[notes->n_items++];

        note->name = name;
        TEXT_FORMAT(note->text, sizeof(note->text), format);
}

long network_sysctl_read(const char *path) {
        CLEANUP(cleanup_free) char *text = NULL;
        int r = whole_file_read(path, 4096, &text, &(size_t){ 0 });

        return r < 0 ? r : strtol(text, NULL, 10);
}

void notes_make(const struct device_status *status, struct notes *ret) {
        const struct link *link = status->link;
        uint32_t mtu = status->wanted ? status->wanted : link ? link->mtu : 0;
        bool is_jumbo = mtu > MTU_ETHERNET || (link && link->mtu > MTU_ETHERNET);
        char driver[ETHTOOL_DRIVER_SIZE] = "";

        ret->n_items = 0;
        if (link && strcmp(link->name, "lo") == 0)
                return;
        /* Also the maximum that ether_setup() sets unless the driver sets another. */
        if (is_jumbo && link && link->mtu_max == MTU_ETHERNET) {
                (void)ethtool_driver(link->name, driver);
                add_note(ret, "driver-max",
                         "the driver%s%s takes 1500 at most: this NIC, or its driver, has no jumbo frames.",
                         driver[0] ? " " : "", driver);
        }
        /* Documentation/networking/ip-sysctl.rst: 0 is off, and the default. Without it a path that drops
         * large packets and says nothing stalls a connection: RFC 4821, section 1. */
        if (mtu > MTU_ETHERNET && network_sysctl_read("/proc/sys/net/ipv4/tcp_mtu_probing") == 0)
                add_note(ret, "tcp-mtu-probing",
                         "net.ipv4.tcp_mtu_probing is 0: where the path drops jumbo frames silently, TCP "
                         "hangs. sysctl -w net.ipv4.tcp_mtu_probing=1 lets TCP find out by itself.");
        /* addrconf_notify() in net/ipv6/addrconf.c; RFC 8200, section 5. */
        if (mtu > 0 && mtu < MTU_SMALLEST_IPV6)
                add_note(ret, "ipv6",
                         "%" PRIu32 " is below 1280, the least for IPv6: the kernel disables IPv6 on this "
                         "interface. Use 1280 or more where it is wanted.",
                         mtu);
}
