/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "system/owner_state.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/folder.h"
#include "base/text.h"
#include "base/unit_name.h"
#include "base/whole_file.h"
#include "system/active_unit.h"

#define STATE_MAX (1024 * 1024)

static const struct {
        const char *name;
        const char *title;
} words[OWNER_COUNT] = {
        [OWNER_NETWORKD] = { "networkd", "systemd-networkd" },
        [OWNER_NETWORKMANAGER] = { "networkmanager", "NetworkManager" },
        [OWNER_IFUPDOWN] = { "ifupdown", "ifupdown" },
        [OWNER_IFUPDOWN2] = { "ifupdown2", "ifupdown2" },
        [OWNER_NETCTL] = { "netctl", "netctl" },
};

const char *owner_name(enum owner owner) {
        return words[owner].name;
}

const char *owner_title(enum owner owner) {
        return words[owner].title;
}

void owners_free(struct owners *owners) {
        for (unsigned i = 0; i < OWNER_COUNT; i++)
                free(owners->profile[i]);
        free(owners->link_file);
        free(owners->lease_file);
        *owners = (struct owners){ 0 };
}

/* The text of a file, or NULL. The caller frees it. */
static char *text_of(const char *path) {
        char *text;
        size_t size;

        return whole_file_read(path, STATE_MAX, &text, &size) == 0 ? text : NULL;
}

/* The first file of a folder that is the one for `value`, or NULL. The caller frees it. */
static char *find_file(const char *folder, bool (*is_it)(const char *path, const char *value),
                       const char *value) {
        CLEANUP(folder_free) struct folder files = { 0 };

        if (folder_list(folder, "", &files) < 0)
                return NULL;
        for (size_t i = 0; i < files.n_names; i++) {
                char path[PATH_MAX];

                if (snprintf(path, sizeof(path), "%s/%s", folder, files.names[i]) < (int)sizeof(path) &&
                    is_it(path, value))
                        return strdup(path);
        }
        return NULL;
}

static int own(struct owners *owners, enum owner owner, const char *profile) {
        free(owners->profile[owner]);
        owners->has[owner] = true;
        owners->profile[owner] = profile ? strdup(profile) : NULL;
        return profile && !owners->profile[owner] ? -ENOMEM : 0;
}

static int read_networkd(const struct link *link, struct owners *owners) {
        CLEANUP(cleanup_free) char *text = NULL;
        char path[64], state[32], file[PATH_MAX];

        snprintf(path, sizeof(path), "/run/systemd/netif/links/%u", link->ifindex);
        text = text_of(path);
        if (!text || !text_find_value(text, "ADMIN_STATE=", state, sizeof(state)) ||
            strcmp(state, "unmanaged") == 0 || !text_find_value(text, "NETWORK_FILE=", file, sizeof(file)) ||
            !active_unit_is("systemd-networkd.service"))
                return 0;
        return own(owners, OWNER_NETWORKD, file);
}

/* Whether the text assigns the value; in shell syntax it may be in quotes. */
static bool has_value(const char *text, const char *key, const char *value) {
        char found[64];
        const char *begin = found;
        size_t size;

        if (!text || !text_find_value(text, key, found, sizeof(found)))
                return false;
        begin += strspn(begin, "\"'");
        size = strcspn(begin, "\"' \t\r");
        return size == strlen(value) && memcmp(begin, value, size) == 0;
}

/* A NetworkManager profile, a keyfile or an ifcfg file, by its UUID. */
static bool is_profile(const char *path, const char *uuid) {
        CLEANUP(cleanup_free) char *text = text_of(path);

        return has_value(text, "uuid=", uuid) || has_value(text, "UUID=", uuid);
}

/* dhcp4.interface_mtu= in [dhcp4] (1.42: the option's name as dhclient has it, behind "dhcp4."). */
static int read_lease(const char *path, const char *text, struct owners *owners) {
        static const char key[] = "dhcp4.interface_mtu=";
        unsigned line = 1;

        if (!text_find_number(text, key, &owners->lease_mtu))
                return 0;
        for (const char *rest = text; rest && strncmp(rest, key, strlen(key)) != 0; line++) {
                rest = strchr(rest, '\n');
                rest = rest ? rest + 1 : NULL;
        }
        owners->lease_line = line;
        owners->lease_file = strdup(path);
        return owners->lease_file ? 0 : -ENOMEM;
}

static int read_networkmanager(const struct link *link, struct owners *owners) {
        static const char *const folders[] = {
                "/run/NetworkManager/system-connections",
                "/etc/NetworkManager/system-connections",
                "/usr/lib/NetworkManager/system-connections",
                "/etc/sysconfig/network-scripts",
        };
        CLEANUP(cleanup_free) char *text = NULL, *profile = NULL;
        char path[64], managed[8], uuid[64];

        snprintf(path, sizeof(path), "/run/NetworkManager/devices/%u", link->ifindex);
        text = text_of(path);
        if (!text || !text_find_value(text, "managed=", managed, sizeof(managed)) ||
            strcmp(managed, "true") != 0 || !active_unit_is("NetworkManager.service"))
                return 0;
        if (text_find_value(text, "connection-uuid=", uuid, sizeof(uuid)))
                for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]) && !profile; i++)
                        profile = find_file(folders[i], is_profile, uuid);
        if (read_lease(path, text, owners) < 0)
                return -ENOMEM;
        return own(owners, OWNER_NETWORKMANAGER, profile);
}

/* Whether a line of interfaces(5) begins a stanza for the device. */
static bool has_stanza(const char *path, const char *device) {
        CLEANUP(cleanup_free) char *text = text_of(path);
        size_t length = strlen(device);

        for (const char *line = text; line; line = strchr(line, '\n')) {
                line += strspn(line, " \t\n");
                if (strncmp(line, "iface", 5) != 0 || !strchr(" \t", line[5]))
                        continue;
                line += 5;
                line += strspn(line, " \t");
                if (strncmp(line, device, length) == 0 && strchr(" \t\n", line[length]))
                        return true;
        }
        return false;
}

static int read_ifupdown(const struct link *link, struct owners *owners) {
        static const char interfaces[] = "/etc/network/interfaces";
        CLEANUP(cleanup_free) char *text = NULL, *file = NULL;
        char key[INTERFACE_NAME_SIZE + 2], stanza[256];

        if (whole_file_exists("/run/network/ifstatenew") ||
            whole_file_exists("/var/tmp/network/ifstatenew")) {
                if (!has_stanza(interfaces, link->name)) {
                        file = find_file("/etc/network/interfaces.d", has_stanza, link->name);
                        if (!file)
                                return 0;
                }
                return own(owners, OWNER_IFUPDOWN2, NULL);
        }
        text = text_of("/run/network/ifstate");
        snprintf(key, sizeof(key), "%s=", link->name);
        if (!text || !text_find_value(text, key, stanza, sizeof(stanza)))
                return 0;
        return own(owners, OWNER_IFUPDOWN, NULL);
}

static bool is_active_instance(const char *template, const char *name) {
        char escaped[UNIT_NAME_ESCAPED_SIZE(NAME_MAX)], unit[sizeof(escaped) + 32];

        unit_name_escape(name, escaped);
        snprintf(unit, sizeof(unit), "%s@%s.service", template, escaped);
        return active_unit_is(unit);
}

/* An active profile of netctl, by its interface. */
static bool is_active_profile(const char *path, const char *interface) {
        CLEANUP(cleanup_free) char *text = NULL;

        if (!is_active_instance("netctl", text_base_name(path)))
                return false;
        text = text_of(path);
        return has_value(text, "Interface=", interface);
}

static int read_netctl(const struct link *link, struct owners *owners) {
        CLEANUP(cleanup_free) char *profile = find_file("/etc/netctl", is_active_profile, link->name);

        /* These two choose a profile by themselves, and do not say which. */
        if (!profile && !is_active_instance("netctl-auto", link->name) &&
            !is_active_instance("netctl-ifplugd", link->name))
                return 0;
        return own(owners, OWNER_NETCTL, profile);
}

static int read_udev(const struct link *link, struct owners *owners) {
        CLEANUP(cleanup_free) char *text = NULL;
        char path[64], file[PATH_MAX];

        snprintf(path, sizeof(path), "/run/udev/data/n%u", link->ifindex);
        text = text_of(path);
        if (!text || !text_find_value(text, "E:ID_NET_LINK_FILE=", file, sizeof(file)))
                return 0;
        owners->link_file = strdup(file);
        return owners->link_file ? 0 : -ENOMEM;
}

int owner_state_read(const struct link *link, struct owners *ret) {
        static int (*const readers[])(const struct link *link, struct owners *owners) = {
                read_networkd, read_networkmanager, read_ifupdown, read_netctl, read_udev,
        };
        struct owners owners = { 0 };

        for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
                int r = readers[i](link, &owners);

                if (r < 0) {
                        owners_free(&owners);
                        return r;
                }
        }
        *ret = owners;
        return 0;
}
