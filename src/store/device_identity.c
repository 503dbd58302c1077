/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "store/device_identity.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/root.h"
#include "base/whole_file.h"

#define BOOT_ID "/proc/sys/kernel/random/boot_id"
#define DEVICES "/sys/class/net/"
#define DEVICE_PATH_SIZE (sizeof(DEVICES) + INTERFACE_NAME_SIZE + sizeof("/ifindex"))

/* The first line of a file of the kernel's; empty where it is longer, or cannot be read. */
static void read_word(const char *path, char *ret, size_t size) {
        CLEANUP(cleanup_free) char *text = NULL;
        size_t length = 0;

        if (whole_file_read(path, 4096, &text, &length) == 0)
                length = strcspn(text, "\n");
        if (length >= size)
                length = 0;
        if (length > 0)
                memcpy(ret, text, length);
        ret[length] = '\0';
}

void device_identity_netns(char ret[static DEVICE_IDENTITY_NETNS_SIZE]) {
        ret[0] = '\0';
#ifdef SO_NETNS_COOKIE
        /* Any socket would do; the sandbox of setmtu@.service lets it have this one. */
        CLEANUP(cleanup_close) int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0);
        uint64_t cookie;
        socklen_t size = sizeof(cookie);

        if (fd >= 0 && getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, &cookie, &size) == 0)
                snprintf(ret, DEVICE_IDENTITY_NETNS_SIZE, "%" PRIu64, cookie);
#endif
}

/* Whether sysfs says the same of the device: it may show another network namespace than ours. */
static bool is_in_sysfs(const struct link *link) {
        char path[DEVICE_PATH_SIZE], ifindex[11], mac[LINK_MAC_SIZE];

        snprintf(path, sizeof(path), DEVICES "%s/ifindex", link->name);
        read_word(path, ifindex, sizeof(ifindex));
        if (strtoul(ifindex, NULL, 10) != link->ifindex)
                return false;
        snprintf(path, sizeof(path), DEVICES "%s/address", link->name);
        read_word(path, mac, sizeof(mac));
        return *mac && strcmp(mac, link->addresses.mac) == 0;
}

static void read_sysfs(const struct link *link, char ret[static 21]) {
        char path[DEVICE_PATH_SIZE], buffer[PATH_MAX];
        const char *in_root;
        struct stat status;

        snprintf(path, sizeof(path), DEVICES "%s/", link->name);
        in_root = root_path(buffer, path);
        if (stat(in_root, &status) == 0 && is_in_sysfs(link))
                snprintf(ret, 21, "%ju", (uintmax_t)status.st_ino);
}

void device_identity_of(const struct link *link, struct device_identity *ret) {
        struct device_identity identity = { .name = "" };

        strcpy(identity.name, link->name);
        strcpy(identity.kind, link->kind);
        strcpy(identity.mac, link->addresses.mac);
        strcpy(identity.permanent, link->addresses.permanent);
        device_identity_netns(identity.netns);
        read_word(BOOT_ID, identity.boot, sizeof(identity.boot));
        read_sysfs(link, identity.sysfs);
        *ret = identity;
}

/* Both known, and not the same. */
static bool differ(const char *a, const char *b) {
        return *a && *b && strcmp(a, b) != 0;
}

/* Both known. */
static bool agree(const char *a, const char *b) {
        return *a && strcmp(a, b) == 0;
}

bool device_identity_is(const struct device_identity *identity, const struct link *link) {
        struct device_identity now;

        device_identity_of(link, &now);
        if (differ(identity->boot, now.boot) || differ(identity->netns, now.netns) ||
            differ(identity->sysfs, now.sysfs))
                return false;
        /* No kind and no permanent address are facts, too, but in a record of an earlier version, which has
         * none. */
        if (*identity->mac &&
            (strcmp(identity->permanent, now.permanent) != 0 || strcmp(identity->kind, now.kind) != 0))
                return false;
        return agree(identity->sysfs, now.sysfs) || agree(identity->permanent, now.permanent) ||
               agree(identity->mac, now.mac) || agree(identity->name, now.name);
}
