/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "store/device_identity.h"

/* musl's sys/socket.h has no SO_NETNS_COOKIE. */
#include <asm/socket.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"

static char own_netns[DEVICE_IDENTITY_NETNS_SIZE]; /* empty until known */

/* Any socket will do; sandbox_filter_system_calls() permits this family. */
static int read_netns(void) {
        CLEANUP(cleanup_close) int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0);
        uint64_t cookie;
        socklen_t size = sizeof(cookie);

        if (fd < 0 || getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, &cookie, &size) < 0)
                return errno == ENOPROTOOPT ? 0 : -errno;
        text_put_number(own_netns, cookie);
        return 0;
}

int device_identity_netns(char ret[static DEVICE_IDENTITY_NETNS_SIZE]) {
        int r = *own_netns ? 0 : read_netns();

        strcpy(ret, own_netns);
        return r;
}

void device_identity_of(const struct link *link, struct device_identity *ret) {
        *ret = (struct device_identity){ .name = "" };
        strcpy(ret->name, link->name);
        strcpy(ret->kind, link->kind);
        strcpy(ret->mac, link->addresses.mac);
        strcpy(ret->permanent, link->addresses.permanent);
}

/* Both known, and equal. */
static bool agree(const char *a, const char *b) {
        return *a && strcmp(a, b) == 0;
}

bool device_identity_matches(const struct device_identity *identity, const struct device_identity *now) {
        /* An empty kind or permanent address counts, too, but not where the MAC address is not known. */
        if (*identity->mac &&
            (strcmp(identity->permanent, now->permanent) != 0 || strcmp(identity->kind, now->kind) != 0))
                return false;
        return agree(identity->permanent, now->permanent) || agree(identity->mac, now->mac) ||
               agree(identity->name, now->name);
}

bool device_identity_is(const struct device_identity *identity, const struct link *link) {
        struct device_identity now;

        device_identity_of(link, &now);
        return device_identity_matches(identity, &now);
}
