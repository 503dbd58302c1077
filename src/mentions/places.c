/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Where other programs have MTUs, and what of it is read. */

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/directory.h"
#include "base/root.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "mentions/reader.h"
#include "store/generated_files.h"

/* Of a larger file, the beginning. */
#define FILE_SIZE_MAX (64 * 1024)
/* Of all places. */
#define FILES_MAX 1000

#define NETWORK_FILES(names)                                         \
        "/etc/systemd/network/" names " /run/systemd/network/" names \
        " /usr/local/lib/systemd/network/" names " /usr/lib/systemd/network/" names " "
#define NETWORKMANAGER "NetworkManager.service"
#define DHCLIENT "/usr/sbin/dhclient /sbin/dhclient"
#define IFUPDOWN "networking.service ifup@*.service"

static const struct mention_place places[] = {
        { NETWORK_FILES("*.link") NETWORK_FILES("*.link.d/*.conf"), MENTION_INI, "systemd-udevd" },
        { NETWORK_FILES("*.net*") NETWORK_FILES("*.net*.d/*.conf"), MENTION_INI, "systemd-networkd",
          "systemd-networkd.service" },
        { "/etc/udev/rules.d/*.rules", MENTION_COMMANDS, "udev" },
        { "/etc/systemd/system/*.service /etc/systemd/system/*.service.d/*.conf "
          "/usr/local/lib/systemd/system/*.service",
          MENTION_INI, "systemd", "%.service" },
        { "/etc/NetworkManager/system-connections/* /run/NetworkManager/system-connections/* "
          "/etc/NetworkManager/NetworkManager.conf /etc/NetworkManager/conf.d/*.conf",
          MENTION_INI, "NetworkManager", NETWORKMANAGER },
        { "/etc/NetworkManager/dispatcher.d/* /etc/NetworkManager/dispatcher.d/pre-up.d/* "
          "/etc/NetworkManager/dispatcher.d/no-wait.d/*",
          MENTION_COMMANDS, "NetworkManager", NETWORKMANAGER, .needs_executable = true },
        { "/etc/networkd-dispatcher/[!o]*.d/*", MENTION_COMMANDS, "networkd-dispatcher",
          "networkd-dispatcher.service", .needs_executable = true },
        { "/etc/netplan/*.yaml /etc/netplan/*.yml", MENTION_TREE, "netplan",
          "/usr/sbin/netplan /usr/libexec/netplan/generate" },
        { "/etc/cloud/cloud.cfg /etc/cloud/cloud.cfg.d/*.cfg /var/lib/cloud/seed/nocloud*/network-config "
          "/var/lib/cloud/seed/nocloud*/user-data",
          MENTION_TREE, "cloud-init", "cloud-init.service cloud-init-local.service" },
        { "/etc/network/interfaces /etc/network/interfaces.d/*", MENTION_STANZAS, "ifupdown", IFUPDOWN },
        { "/etc/network/if-pre-up.d/* /etc/network/if-up.d/*", MENTION_COMMANDS, "ifupdown", IFUPDOWN,
          .needs_executable = true },
        { "/etc/network/ifupdown2/policy.d/*.json /var/lib/ifupdown2/policy.d/*.json", MENTION_TREE,
          "ifupdown2", "/usr/share/ifupdown2" },
        { "/etc/sysconfig/network-scripts/ifcfg-* /etc/sysconfig/network/ifcfg-*", MENTION_ASSIGNMENTS,
          "ifcfg", "network.service wicked.service " NETWORKMANAGER },
        { "/etc/netctl/* /etc/netctl/hooks/*", MENTION_ASSIGNMENTS, "netctl",
          "netctl@%.service netctl-auto@*.service netctl-ifplugd@*.service netctl.service" },
        { "/etc/netctl/interfaces/*", MENTION_ASSIGNMENTS, "netctl",
          "netctl@*.service netctl-auto@*.service netctl-ifplugd@*.service netctl.service",
          .needs_executable = true, .device = "%" },
        { "/etc/wireguard/*.conf", MENTION_INI, "wg-quick", "wg-quick@%.service", .device = "%" },
        { "/etc/dhcp/dhclient.conf /etc/dhcp/dhclient-*.conf /etc/dhclient.conf /etc/dhclient-*.conf",
          MENTION_STANZAS, "dhclient", DHCLIENT },
        { "/var/lib/dhcp/*.lease* /var/lib/dhclient/*.lease*", MENTION_STANZAS, "dhclient", DHCLIENT,
          .is_lease = true },
        { "/etc/dhcp/dhclient-enter-hooks.d/* /etc/dhcp/dhclient-exit-hooks.d/*", MENTION_COMMANDS,
          "dhclient", DHCLIENT },
        { "/etc/dhcpcd.conf", MENTION_STANZAS, "dhcpcd", "dhcpcd.service" },
        { "/etc/dhcpcd.enter-hook /etc/dhcpcd.exit-hook", MENTION_COMMANDS, "dhcpcd", "dhcpcd.service" },
        { "/etc/ppp/options* /etc/ppp/*-options /etc/ppp/peers/*", MENTION_STANZAS, "pppd",
          "/usr/sbin/pppd" },
        { "/etc/ppp/ip-up /etc/ppp/ip-up.local /etc/ppp/ip-up.d/*", MENTION_COMMANDS, "pppd",
          "/usr/sbin/pppd", .needs_executable = true },
        { "/etc/rc.local /etc/rc.d/rc.local /etc/rc3.d/S*", MENTION_COMMANDS, "boot",
          .needs_executable = true },
        { "/etc/local.d/*.start", MENTION_COMMANDS, "OpenRC", "-", .needs_executable = true },
        { "/etc/crontab /etc/cron.d/* /var/spool/cron/crontabs/root /var/spool/cron/tabs/root "
          "/var/spool/cron/root",
          MENTION_COMMANDS, "cron", "cron.service crond.service cronie.service" },
        { "/etc/wsl.conf", MENTION_INI, "WSL" },
        { "/etc/conf.d/net", MENTION_ASSIGNMENTS, "netifrc", "-" },
        { "/etc/tuned/*/tuned.conf /etc/tuned/profiles/*/tuned.conf", MENTION_INI, "tuned",
          "tuned.service" },
        { "/etc/docker/daemon.json", MENTION_TREE, "Docker", "docker.service docker.socket",
          .device = "docker0" },
        { "/etc/default/docker /etc/sysconfig/docker", MENTION_ASSIGNMENTS, "Docker",
          "docker.service docker.socket", .device = "docker0" },
        /* Read for each new container, and nothing acts on them before. */
        { "/etc/containers/networks/*.json", MENTION_TREE, "Podman", "-" },
        { "/etc/cni/net.d/*.conf /etc/cni/net.d/*.conflist", MENTION_TREE, "CNI", "-" },
};

static void (*const readers[])(struct reader *reader) = {
        [MENTION_INI] = reader_read_ini,           [MENTION_TREE] = reader_read_tree,
        [MENTION_STANZAS] = reader_read_stanzas,   [MENTION_ASSIGNMENTS] = reader_read_assignments,
        [MENTION_COMMANDS] = reader_read_commands,
};

/* Reading ----------------------------------------------------------------------------------------------- */

/* "%" is the file's name without its last ending, and for ifcfg files without its beginning. */
static const char *stem_of(struct pool *pool, const char *file) {
        const char *name = text_base_name(file), *end = strrchr(name, '.');

        return pool_copy_part(pool, name, end && end > name ? (size_t)(end - name) : strlen(name));
}

static const char *own_device_of(struct reader *reader) {
        const char *name = text_base_name(reader->file),
                   *device = reader->place ? reader->place->device : NULL;

        if (text_after(name, "ifcfg-"))
                return text_after(name, "ifcfg-");
        /* dhclient-eth0.conf; and of a named file of wg-quick. */
        if (text_after(name, "dhclient-") && text_ends_in(name, ".conf"))
                return text_after(stem_of(reader_pool(reader), reader->file), "dhclient-");
        if (!reader->place && strstr(reader->text, "[Interface]") && text_ends_in(name, ".conf"))
                device = "%";
        return device && strcmp(device, "%") == 0 ? stem_of(reader_pool(reader), reader->file) : device;
}

void mentions_read(const struct mention_place *place, const char *file, enum mention_syntax syntax,
                   const char *text, struct mentions *mentions) {
        struct reader reader = { .mentions = mentions,
                                 .place = place,
                                 .file = pool_copy(&mentions->pool, file),
                                 .text = text,
                                 .line = 1,
                                 .next_number = 1,
                                 .at = text,
                                 .first = mentions->n_items };

        if (strcasestr(text, "mtu")) {
                reader.own_device = own_device_of(&reader);
                readers[syntax](&reader);
        }
}

bool mention_is_of(const struct mention *mention, const char *name) {
        return mention->device && fnmatch(mention->device, name, 0) == 0;
}

const struct mention *mentions_find(const struct mentions *mentions, const char *name, uint32_t mtu,
                                    bool is_active) {
        for (size_t i = 0; i < mentions->n_items; i++) {
                const struct mention *mention = &mentions->items[i];

                if ((mtu == 0 || mention->mtu == mtu) && (!is_active || mention->is_active) &&
                    mention_is_of(mention, name))
                        return mention;
        }
        return NULL;
}

void mentions_free(struct mentions *mentions) {
        pool_free(&mentions->pool);
}

bool mentions_recognize(const char *path, const char *text, enum mention_syntax *ret) {
        static const struct {
                enum mention_syntax syntax;
                const char *name; /* a pattern of the path */
                const char *sign; /* at the beginning of a line */
        } signs[] = {
                { MENTION_TREE, "*network-config", "#cloud-config" },
                { MENTION_COMMANDS, "*.rules", "ACTION==" },
                { MENTION_COMMANDS, "*.sh", "#!" },
                { MENTION_COMMANDS, "*cron*", "ip link " },
                { MENTION_COMMANDS, "*rc.local", "ifconfig " },
                { MENTION_TREE, "*.y*ml", "network:" },
                { MENTION_INI, "*.nmconnection", "[" },
                { MENTION_TREE, "*.json", "{" },
                { MENTION_STANZAS, "*interfaces*", "iface " },
                { MENTION_STANZAS, "*dhc*.conf", "lease {" },
                { MENTION_ASSIGNMENTS, "*ifcfg-*", "DEVICE=" },
                { MENTION_ASSIGNMENTS, "*netctl/*", "Interface=" },
                { MENTION_ASSIGNMENTS, "*conf.d/net", "INTERFACE=" },
        };

        for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
                if (fnmatch(signs[i].name, path, 0) == 0) {
                        *ret = signs[i].syntax;
                        return true;
                }
        for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
                const char *at = text;

                *ret = signs[i].syntax;
                do
                        if (text_after(at += strspn(at, "\n \t"), signs[i].sign))
                                return true;
                while ((at = strchr(at, '\n')));
        }
        return false;
}

/* This machine ------------------------------------------------------------------------------------------ */

struct scan {
        struct mentions *mentions;
        const struct mention_place *place;
        size_t n_files;
        struct pool_list enabled; /* units; empty: not looked for yet */
};

/* Calls `take` for each file; `directory` has no pattern, and no slash at its end. */
static void scan_matches(struct scan *scan, const char *directory, const char *glob,
                         void (*take)(struct scan *scan, const char *path)) {
        struct pool *pool = &scan->mentions->pool;
        size_t size = strcspn(glob, "/");
        const char *part = pool_copy_part(pool, glob, size), *rest = glob[size] ? glob + size + 1 : NULL;
        CLEANUP(directory_free) struct directory names = { 0 };
        bool is_pattern = strpbrk(part, "*?[");
        int r = is_pattern ? directory_list(directory, "", &names) : 0;

        if (r < 0 && r != -ENOTDIR)
                pool_list_add(pool, &scan->mentions->unread, directory);
        for (size_t i = 0; i < (is_pattern ? names.n_names : 1); i++) {
                const char *name = is_pattern ? names.names[i] : part,
                           *path = pool_print(pool, "%s/%s", directory, name);

                if (is_pattern && (fnmatch(part, name, 0) != 0 || !text_is_plain(path)))
                        continue;
                if (rest)
                        scan_matches(scan, path, rest, take);
                else
                        take(scan, path);
        }
}

static void note_enabled(struct scan *scan, const char *path) {
        pool_list_add(&scan->mentions->pool, &scan->enabled, text_base_name(path));
}

/* Whether a unit of that pattern of names is enabled. */
static bool is_enabled(struct scan *scan, const char *pattern) {
        if (scan->enabled.n_items == 0) {
                scan_matches(scan, "/etc/systemd/system", "*.wants/*", note_enabled);
                scan_matches(scan, "/run/systemd/system", "*.wants/*", note_enabled);
                scan_matches(scan, "/usr/lib/systemd/system", "*.wants/*", note_enabled);
                note_enabled(scan, "");
        }
        for (size_t i = 0; i < scan->enabled.n_items; i++)
                if (fnmatch(pattern, scan->enabled.items[i], FNM_NOESCAPE) == 0)
                        return true;
        return false;
}

static bool is_active(struct scan *scan, const char *file) {
        struct pool *pool = &scan->mentions->pool;
        const char *directory = strstr(file, ".service.d/"), *stem;
        char *rest, *word;

        if (!scan->place->enabled_by)
                return true;
        /* A drop-in is its unit's. */
        stem = stem_of(pool, directory ? pool_copy_part(pool, file,
                                                        (size_t)(directory - file) + strlen(".service"))
                                       : file);
        rest = pool_copy(pool, scan->place->enabled_by);
        while ((word = strtok_r(rest, TEXT_SPACE, &rest))) {
                char *percent = strchr(word, '%');

                /* A template is enabled by its instances. */
                if (percent)
                        word = pool_print(pool, "%.*s%s%s%s", (int)(percent - word), word, stem,
                                          text_ends_in(stem, "@") ? "*" : "", percent + 1);
                if (*word == '/' ? whole_file_exists(word) > 0 : is_enabled(scan, word))
                        return true;
        }
        return false;
}

/* Vendors' units are enabled by links to them; these are not configuration. What netplan has generated is
 * that of its own files. */
static bool is_others(const char *path) {
        char target[PATH_MAX];

        if (text_after(path, "/run/systemd/network/10-netplan-") ||
            text_after(path, "/run/NetworkManager/system-connections/netplan-"))
                return true;
        return whole_file_read_link(path, target, sizeof(target)) == 0 &&
               (text_after(target, "/usr/lib/") || text_after(target, "/lib/"));
}

/* Reads the beginning of an open file, with a NUL behind it. A negative errno, or 0 where it is not read. */
static int read_open(struct scan *scan, int fd, const char *path, char text[static FILE_SIZE_MAX + 1],
                     bool *ret_runs) {
        struct stat status;
        size_t size = 0;
        ssize_t n;

        if (fstat(fd, &status) < 0)
                return -errno;
        if (!S_ISREG(status.st_mode))
                return 0;
        *ret_runs = !scan->place->needs_executable || status.st_mode & 0111;
        /* What another user can write decides nothing for root. */
        if (geteuid() == 0 && (status.st_uid != 0 || (status.st_mode & S_IWOTH) ||
                               ((status.st_mode & S_IWGRP) && status.st_gid != 0))) {
                pool_list_add(&scan->mentions->pool, &scan->mentions->left, path);
                return 0;
        }
        while ((n = read(fd, text + size, FILE_SIZE_MAX - size)) != 0)
                if (n > 0)
                        size += (size_t)n;
                else if (errno != EINTR)
                        return -errno;
        text[size] = '\0';
        return !generated_file_text_is_ours(text);
}

static void read_file(struct scan *scan, const char *path) {
        CLEANUP(cleanup_close) int fd = -1;
        struct mentions *mentions = scan->mentions;
        char buffer[PATH_MAX], text[FILE_SIZE_MAX + 1];
        size_t first = mentions->n_items;
        bool runs = true;
        int r;

        if (scan->n_files++ >= FILES_MAX || is_others(path))
                return;
        fd = open(root_path(buffer, path), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        r = fd < 0 ? -errno : read_open(scan, fd, path, text, &runs);
        if (r < 0 && r != -ENOENT && r != -ENOTDIR && r != -ENXIO)
                pool_list_add(&mentions->pool, &mentions->unread, path);
        if (r <= 0)
                return;
        mentions_read(scan->place, path, scan->place->syntax, text, mentions);
        for (size_t i = first; i < mentions->n_items; i++)
                mentions->items[i].is_active =
                                i > first ? mentions->items[first].is_active : runs && is_active(scan, path);
}

void mentions_scan(struct mentions *ret) {
        struct scan scan = { .mentions = ret };

        for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
                char *rest = pool_copy(&ret->pool, places[i].globs), *glob;

                scan.place = &places[i];
                while ((glob = strtok_r(rest, TEXT_SPACE, &rest)))
                        scan_matches(&scan, "", glob + 1, read_file);
        }
}
