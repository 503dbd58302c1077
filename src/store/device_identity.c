/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "store/device_identity.h"

/* musl's sys/socket.h has no SO_NETNS_COOKIE. */
#include <asm/socket.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/root.h"
#include "base/text.h"
#include "base/whole_file.h"

#define BOOT_DIRECTORY "/proc/sys/kernel/random"
#define BOOT_ID BOOT_DIRECTORY "/boot_id"

/* Returns a temporary error; 0 for others, such as -ENOENT and -EACCES, which may be permanent. */
static int passing(int error) {
        bool is_passing = error == -ENOMEM || error == -ENOBUFS || error == -EMFILE || error == -ENFILE ||
                          error == -EINTR || error == -EIO;

        return is_passing ? error : 0;
}

/* The same for all devices; 0 or empty until known. */
static struct {
        char netns[DEVICE_IDENTITY_NETNS_SIZE];
        char boot[37];
        bool has_boot; /* `boot` has been looked up */
} here;

#ifdef SO_NETNS_COOKIE
/* Any socket will do; sandbox_filter_system_calls() permits this family. */
static int read_netns(void) {
        CLEANUP(cleanup_close) int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0);
        uint64_t cookie;
        socklen_t size = sizeof(cookie);

        if (fd < 0 || getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, &cookie, &size) < 0)
                return errno == ENOPROTOOPT ? 0 : -errno;
        text_put_number(here.netns, cookie);
        return 0;
}
#endif

int device_identity_netns(char ret[static DEVICE_IDENTITY_NETNS_SIZE]) {
        int r = 0;
#ifdef SO_NETNS_COOKIE
        if (!*here.netns)
                r = read_netns();
#endif
        strcpy(ret, here.netns);
        return r;
}

/* A container may have another file mounted there. It is not used: setmtu-keep.service, which has a /proc of
 * its own, does not see it. */
static int read_boot(void) {
        CLEANUP(cleanup_free) char *text = NULL;
        char buffer[PATH_MAX];
        struct stat directory, file;
        int r;

        if (stat(root_path(buffer, BOOT_DIRECTORY), &directory) < 0 ||
            stat(root_path(buffer, BOOT_ID), &file) < 0)
                return passing(-errno);
        if (directory.st_dev != file.st_dev)
                return 0;
        r = whole_file_read(BOOT_ID, 4096, &text, &(size_t){ 0 });
        /* Too long for one, it is not used. */
        if (r == 0)
                (void)text_find_value(text, "", here.boot, sizeof(here.boot));
        return passing(r);
}

int device_identity_of(const struct link *link, struct device_identity *ret) {
        struct device_identity identity = { .name = "" };
        int r = 0;

        strcpy(identity.name, link->name);
        strcpy(identity.kind, link->kind);
        strcpy(identity.mac, link->addresses.mac);
        strcpy(identity.permanent, link->addresses.permanent);
        if (!here.has_boot) {
                r = read_boot();
                here.has_boot = r == 0;
        }
        strcpy(identity.boot, here.boot);
        *ret = identity;
        return r;
}

/* Both known, and different. */
static bool differ(const char *a, const char *b) {
        return *a && *b && strcmp(a, b) != 0;
}

/* Both known, and equal. */
static bool agree(const char *a, const char *b) {
        return *a && strcmp(a, b) == 0;
}

bool device_identity_matches(const struct device_identity *identity, const struct device_identity *now) {
        if (differ(identity->boot, now->boot))
                return false;
        /* An empty kind or permanent address counts, too, but not where the MAC address is not known. */
        if (*identity->mac &&
            (strcmp(identity->permanent, now->permanent) != 0 || strcmp(identity->kind, now->kind) != 0))
                return false;
        return agree(identity->permanent, now->permanent) || agree(identity->mac, now->mac) ||
               agree(identity->name, now->name);
}

int device_identity_is(const struct device_identity *identity, const struct link *link) {
        struct device_identity now;
        int r = device_identity_of(link, &now);

        return r < 0 ? r : device_identity_matches(identity, &now);
}
