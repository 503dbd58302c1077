/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "store/device_identity.h"

/* musl's sys/socket.h has no SO_NETNS_COOKIE. */
#include <asm/socket.h>
#include <dirent.h>
#include <errno.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/root.h"
#include "base/text.h"
#include "base/whole_file.h"

#define BOOT_DIRECTORY "/proc/sys/kernel/random"
#define BOOT_ID BOOT_DIRECTORY "/boot_id"
#define DEVICES "/sys/class/net/"
#define DEVICE_PATH_SIZE (sizeof(DEVICES) + INTERFACE_NAME_SIZE + sizeof("/ifindex"))

/* Returns a temporary error; 0 for others, such as -ENOENT and -EACCES, which may be permanent. */
static int passing(int error) {
        bool is_passing = error == -ENOMEM || error == -ENOBUFS || error == -EMFILE || error == -ENFILE ||
                          error == -EINTR || error == -EIO;

        return is_passing ? error : 0;
}

/* The first line of a kernel file; empty if it is too long or cannot be read. */
static int read_word(const char *path, char *ret, size_t size) {
        CLEANUP(cleanup_free) char *text = NULL;
        int r = whole_file_read(path, 4096, &text, &(size_t){ 0 });

        if (r < 0 || !text_find_value(text, "", ret, size))
                *ret = '\0';
        return passing(r);
}

/* The link of a device in sysfs. */
struct sysfs_link {
        char name[INTERFACE_NAME_SIZE];
        uint64_t inode;
};

/* The same for all devices; 0 or empty until known. */
static struct {
        uint64_t inode;
        char netns[DEVICE_IDENTITY_NETNS_SIZE];
        char boot[37];
        bool has_boot;      /* `boot` has been looked up */
        bool has_own_sysfs; /* sysfs shows this network namespace */
        bool has_socket;
        int socket;
        struct sysfs_link *links; /* by name, between device_identity_read_all() and _forget_all() */
        size_t n_links;
} here;

void device_identity_forget_all(void) {
        free(here.links);
        here.links = NULL;
        here.n_links = 0;
}

void device_identity_forget_here(void) {
        device_identity_forget_all();
        if (here.has_socket)
                (void)close(here.socket);
        memset(&here, 0, sizeof(here));
}

/* Any socket will do; sandbox_filter_system_calls() permits this family. */
static int open_socket(void) {
        if (here.has_socket)
                return 0;
        here.socket = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0);
        here.has_socket = here.socket >= 0;
        return here.has_socket ? 0 : -errno;
}

int device_identity_netns_inode(uint64_t *ret) {
        struct stat status;

        if (here.inode == 0) {
                if (stat("/proc/self/ns/net", &status) < 0)
                        return -errno;
                here.inode = status.st_ino;
        }
        *ret = here.inode;
        return 0;
}

int device_identity_netns(char ret[static DEVICE_IDENTITY_NETNS_SIZE]) {
        int r = 0;
#ifdef SO_NETNS_COOKIE
        if (!*here.netns) {
                uint64_t cookie;
                socklen_t size = sizeof(cookie);

                r = open_socket();
                if (r == 0 && getsockopt(here.socket, SOL_SOCKET, SO_NETNS_COOKIE, &cookie, &size) < 0)
                        r = -errno;
                if (r == 0)
                        text_put_number(here.netns, cookie);
                r = passing(r);
        }
#endif
        strcpy(ret, here.netns);
        return r;
}

/* A container may have another file mounted there. It is not used: setmtu-keep.service, which has a /proc of
 * its own, does not see it. */
static int read_boot(void) {
        char buffer[PATH_MAX];
        struct stat directory, file;

        if (stat(root_path(buffer, BOOT_DIRECTORY), &directory) < 0 ||
            stat(root_path(buffer, BOOT_ID), &file) < 0)
                return passing(-errno);
        return directory.st_dev == file.st_dev ? read_word(BOOT_ID, here.boot, sizeof(here.boot)) : 0;
}

/* False also if the kernel does not say it. */
static bool has_its_name(const struct link *link) {
        struct ifreq request = { .ifr_ifindex = (int)link->ifindex };

        return open_socket() == 0 && ioctl(here.socket, SIOCGIFNAME, &request) == 0 &&
               strcmp(request.ifr_name, link->name) == 0;
}

static int by_name(const void *a, const void *b) {
        return strcmp(((const struct sysfs_link *)a)->name, ((const struct sysfs_link *)b)->name);
}

void device_identity_read_all(void) {
        char buffer[PATH_MAX];
        DIR *directory = opendir(root_path(buffer, DEVICES));
        const struct dirent *entry;

        device_identity_forget_all();
        while (directory && (entry = readdir(directory))) {
                struct sysfs_link *link = NULL;

                if (strlen(entry->d_name) < sizeof(link->name))
                        link = array_add(&here.links, &here.n_links, sizeof(*link));
                if (link) {
                        strcpy(link->name, entry->d_name);
                        link->inode = entry->d_ino;
                }
        }
        if (directory)
                closedir(directory);
        if (here.n_links > 1)
                qsort(here.links, here.n_links, sizeof(*here.links), by_name);
}

/* 0: not read. */
static uint64_t inode_read(const struct link *link) {
        struct sysfs_link wanted, *found;

        if (here.n_links == 0)
                return 0;
        strcpy(wanted.name, link->name);
        found = bsearch(&wanted, here.links, here.n_links, sizeof(wanted), by_name);
        return found ? found->inode : 0;
}

/* The inode of the device's link in sysfs, which stays when it is renamed, if sysfs agrees with the kernel:
 * sysfs may show another network namespace. Where it has agreed on the ifindex and the MAC address of one
 * device, it shows this one, and only the name may be out of date. */
static int read_sysfs(const struct link *link, char ret[static 21]) {
        char path[DEVICE_PATH_SIZE], buffer[PATH_MAX], ifindex[11], mac[LINK_MAC_SIZE] = "";
        char *end = stpcpy(stpcpy(path, DEVICES), link->name);
        uint64_t inode = inode_read(link);
        struct stat status;
        bool is_known;
        int r = 0;

        if (inode > 0 && here.has_own_sysfs && has_its_name(link)) {
                text_put_number(ret, inode);
                return 0;
        }
        if (lstat(root_path(buffer, path), &status) < 0)
                return passing(-errno);
        is_known = here.has_own_sysfs && has_its_name(link);
        if (!is_known) {
                strcpy(end, "/ifindex");
                r = read_word(path, ifindex, sizeof(ifindex));
                strcpy(end, "/address");
                if (r == 0)
                        r = read_word(path, mac, sizeof(mac));
                is_known = r == 0 && strtoul(ifindex, NULL, 10) == link->ifindex && *mac &&
                           strcmp(mac, link->addresses.mac) == 0;
                /* The loopback device has the same in each namespace. */
                here.has_own_sysfs |= is_known && strspn(mac, "0:") < strlen(mac);
        }
        if (is_known)
                text_put_number(ret, status.st_ino);
        return r;
}

int device_identity_of(const struct link *link, struct device_identity *ret) {
        struct device_identity identity = { .name = "" };
        int r;

        strcpy(identity.name, link->name);
        strcpy(identity.kind, link->kind);
        strcpy(identity.mac, link->addresses.mac);
        strcpy(identity.permanent, link->addresses.permanent);
        r = device_identity_netns(identity.netns);
        if (r == 0 && !here.has_boot) {
                r = read_boot();
                here.has_boot = r == 0;
        }
        strcpy(identity.boot, here.boot);
        if (r == 0)
                r = read_sysfs(link, identity.sysfs);
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
        if (differ(identity->boot, now->boot) || differ(identity->netns, now->netns) ||
            differ(identity->sysfs, now->sysfs))
                return false;
        /* An empty kind or permanent address counts, too, but not where the MAC address is not known. */
        if (*identity->mac &&
            (strcmp(identity->permanent, now->permanent) != 0 || strcmp(identity->kind, now->kind) != 0))
                return false;
        return agree(identity->sysfs, now->sysfs) || agree(identity->permanent, now->permanent) ||
               agree(identity->mac, now->mac) || agree(identity->name, now->name);
}

int device_identity_is(const struct device_identity *identity, const struct link *link) {
        struct device_identity now;
        int r = device_identity_of(link, &now);

        return r < 0 ? r : device_identity_matches(identity, &now);
}
