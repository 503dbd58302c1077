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

/* The text of a file: 1; 0 if there is none; or a negative errno. The caller frees it. */
static int text_of(const char *path, char **ret_text) {
        size_t size;
        int r = whole_file_read(path, STATE_MAX, ret_text, &size);

        return r == -ENOENT ? 0 : r < 0 ? r : 1;
}

/* Finds the first file of a folder that is_it() accepts: 1; 0 if there is none; or a negative errno if it
 * may be one that cannot be read. The caller frees `ret_path`. */
static int find_file(const char *folder, int (*is_it)(const char *path, const char *value),
                     const char *value, char **ret_path) {
        CLEANUP(folder_free) struct folder files = { 0 };
        int r = folder_list(folder, "", 0, &files), error = 0;

        if (r < 0)
                return r == -ENOENT ? 0 : r;
        for (size_t i = 0; i < files.n_names; i++) {
                char path[PATH_MAX];

                if (snprintf(path, sizeof(path), "%s/%s", folder, files.names[i]) >= (int)sizeof(path))
                        continue;
                r = is_it(path, value);
                if (r > 0) {
                        *ret_path = strdup(path);
                        return *ret_path ? 1 : -ENOMEM;
                }
                /* Folders, sockets and very large files are not profiles. */
                if (r < 0 && r != -EINVAL && r != -EFBIG && error == 0)
                        error = r;
        }
        return error;
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
        int r;

        snprintf(path, sizeof(path), "/run/systemd/netif/links/%u", link->ifindex);
        r = text_of(path, &text);
        if (r <= 0 || !text_find_value(text, "ADMIN_STATE=", state, sizeof(state)) ||
            strcmp(state, "unmanaged") == 0 || !text_find_value(text, "NETWORK_FILE=", file, sizeof(file)))
                return r < 0 ? r : 0;
        r = active_unit_is("systemd-networkd.service");
        return r > 0 ? own(owners, OWNER_NETWORKD, file) : r;
}

/* Whether the text assigns the value, with or without shell quotes. */
static bool has_value(const char *text, const char *key, const char *value) {
        char found[64];
        const char *begin = found;
        size_t size;

        if (!text_find_value(text, key, found, sizeof(found)))
                return false;
        begin += strspn(begin, "\"'");
        size = strcspn(begin, "\"' \t\r");
        return size == strlen(value) && memcmp(begin, value, size) == 0;
}

/* Whether a keyfile or ifcfg file is the NetworkManager profile with this UUID. */
static int is_profile(const char *path, const char *uuid) {
        CLEANUP(cleanup_free) char *text = NULL;
        int r = text_of(path, &text);

        return r > 0 ? has_value(text, "uuid=", uuid) || has_value(text, "UUID=", uuid) : r;
}

/* Reads dhcp4.interface_mtu= in [dhcp4]: "dhcp4." and dhclient's name of the option (1.42). */
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
        int r;

        snprintf(path, sizeof(path), "/run/NetworkManager/devices/%u", link->ifindex);
        r = text_of(path, &text);
        if (r <= 0 || !text_find_value(text, "managed=", managed, sizeof(managed)) ||
            strcmp(managed, "true") != 0)
                return r < 0 ? r : 0;
        r = active_unit_is("NetworkManager.service");
        if (r <= 0)
                return r;
        /* Only root may read profiles. */
        if (text_find_value(text, "connection-uuid=", uuid, sizeof(uuid)))
                for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]) && !profile; i++)
                        if (find_file(folders[i], is_profile, uuid, &profile) == -ENOMEM)
                                return -ENOMEM;
        if (read_lease(path, text, owners) < 0)
                return -ENOMEM;
        return own(owners, OWNER_NETWORKMANAGER, profile);
}

/* Whether a line of interfaces(5) begins a stanza for the device. */
static int has_stanza(const char *path, const char *device) {
        CLEANUP(cleanup_free) char *text = NULL;
        size_t length = strlen(device);
        int r = text_of(path, &text);

        for (const char *line = r > 0 ? text : NULL; line; line = strchr(line, '\n')) {
                line += strspn(line, " \t\n");
                if (strncmp(line, "iface", 5) != 0 || !strchr(" \t", line[5]))
                        continue;
                line += 5;
                line += strspn(line, " \t");
                if (strncmp(line, device, length) == 0 && strchr(" \t\n", line[length]))
                        return 1;
        }
        return r < 0 ? r : 0;
}

static int read_ifupdown(const struct link *link, struct owners *owners) {
        CLEANUP(cleanup_free) char *text = NULL, *file = NULL;
        char key[INTERFACE_NAME_SIZE + 2], stanza[256];
        int r = whole_file_exists("/run/network/ifstatenew");

        if (r == 0)
                r = whole_file_exists("/var/tmp/network/ifstatenew");
        if (r > 0) {
                r = has_stanza("/etc/network/interfaces", link->name);
                if (r == 0)
                        r = find_file("/etc/network/interfaces.d", has_stanza, link->name, &file);
                return r > 0 ? own(owners, OWNER_IFUPDOWN2, NULL) : r;
        }
        if (r == 0)
                r = text_of("/run/network/ifstate", &text);
        snprintf(key, sizeof(key), "%s=", link->name);
        if (r <= 0 || !text_find_value(text, key, stanza, sizeof(stanza)))
                return r < 0 ? r : 0;
        return own(owners, OWNER_IFUPDOWN, NULL);
}

static int is_active_instance(const char *template, const char *name) {
        char escaped[UNIT_NAME_ESCAPED_SIZE(NAME_MAX)], unit[sizeof(escaped) + 32];

        unit_name_escape(name, escaped);
        snprintf(unit, sizeof(unit), "%s@%s.service", template, escaped);
        return active_unit_is(unit);
}

/* Whether a netctl profile is active and for this interface. */
static int is_active_profile(const char *path, const char *interface) {
        CLEANUP(cleanup_free) char *text = NULL;
        int r = is_active_instance("netctl", text_base_name(path));

        if (r > 0)
                r = text_of(path, &text);
        return r > 0 ? has_value(text, "Interface=", interface) : r;
}

static int read_netctl(const struct link *link, struct owners *owners) {
        CLEANUP(cleanup_free) char *profile = NULL;
        int r = find_file("/etc/netctl", is_active_profile, link->name, &profile);

        /* These two select a profile and do not report which. */
        if (r == 0)
                r = is_active_instance("netctl-auto", link->name);
        if (r == 0)
                r = is_active_instance("netctl-ifplugd", link->name);
        return r > 0 ? own(owners, OWNER_NETCTL, profile) : r;
}

static int read_udev(const struct link *link, struct owners *owners) {
        CLEANUP(cleanup_free) char *text = NULL;
        char path[64], file[PATH_MAX];
        int r;

        snprintf(path, sizeof(path), "/run/udev/data/n%u", link->ifindex);
        r = text_of(path, &text);
        if (r <= 0 || !text_find_value(text, "E:ID_NET_LINK_FILE=", file, sizeof(file)))
                return r < 0 ? r : 0;
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
