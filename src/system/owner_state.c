/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "system/owner_state.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/folder.h"
#include "base/unit_name.h"
#include "base/whole_file.h"
#include "store/device_record.h"
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

/* Calls `take` with each file of a folder, until it says that it has found what it was after. */
static bool any_file(const char *path, bool (*take)(void *userdata, const char *path, const char *name),
                     void *userdata) {
        CLEANUP(folder_free) struct folder folder = { 0 };
        bool is_found = false;

        if (folder_list(path, "", &folder) < 0)
                return false;
        for (size_t i = 0; i < folder.n_names && !is_found; i++) {
                char file[PATH_MAX];

                if (snprintf(file, sizeof(file), "%s/%s", path, folder.names[i]) < (int)sizeof(file))
                        is_found = take(userdata, file, folder.names[i]);
        }
        return is_found;
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
        if (!text || !device_record_find_text(text, "ADMIN_STATE=", state, sizeof(state)) ||
            strcmp(state, "unmanaged") == 0 ||
            !device_record_find_text(text, "NETWORK_FILE=", file, sizeof(file)) ||
            !active_unit_is("systemd-networkd.service"))
                return 0;
        return own(owners, OWNER_NETWORKD, file);
}

/* Looks for the file of a profile with this value. */
struct search {
        const char *value;
        char *found;
};

/* Whether the text assigns the value; in shell syntax it may be in quotes. */
static bool has_value(const char *text, const char *key, const char *value) {
        char found[64];
        const char *begin = found;
        size_t size;

        if (!text || !device_record_find_text(text, key, found, sizeof(found)))
                return false;
        begin += strspn(begin, "\"'");
        size = strcspn(begin, "\"' \t\r");
        return size == strlen(value) && memcmp(begin, value, size) == 0;
}

/* A NetworkManager profile, a keyfile or an ifcfg file, by its UUID. */
static bool is_profile(void *userdata, const char *path, const char *name) {
        CLEANUP(cleanup_free) char *text = text_of(path);
        struct search *search = userdata;

        (void)name;
        if (has_value(text, "uuid=", search->value) || has_value(text, "UUID=", search->value))
                search->found = strdup(path);
        return search->found;
}

/* dhcp4.interface_mtu= in [dhcp4] (1.42: the option's name as dhclient has it, behind "dhcp4."). */
static int read_lease(const char *path, const char *text, struct owners *owners) {
        static const char key[] = "dhcp4.interface_mtu=";
        unsigned line = 1;

        if (!device_record_find_number(text, key, &owners->lease_mtu))
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
        struct search search = { .value = uuid };

        snprintf(path, sizeof(path), "/run/NetworkManager/devices/%u", link->ifindex);
        text = text_of(path);
        if (!text || !device_record_find_text(text, "managed=", managed, sizeof(managed)) ||
            strcmp(managed, "true") != 0 || !active_unit_is("NetworkManager.service"))
                return 0;
        if (device_record_find_text(text, "connection-uuid=", uuid, sizeof(uuid)))
                for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]) && !search.found; i++)
                        any_file(folders[i], is_profile, &search);
        profile = search.found;
        if (read_lease(path, text, owners) < 0)
                return -ENOMEM;
        return own(owners, OWNER_NETWORKMANAGER, profile);
}

/* Whether a line of interfaces(5) begins a stanza for the device. */
static bool has_stanza(void *userdata, const char *path, const char *name) {
        CLEANUP(cleanup_free) char *text = text_of(path);
        const char *device = userdata;
        size_t length = strlen(device);

        (void)name;
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
        CLEANUP(cleanup_free) char *text = NULL;
        char key[INTERFACE_NAME_SIZE + 2], stanza[256], name[INTERFACE_NAME_SIZE];

        memcpy(name, link->name, sizeof(name));
        if (whole_file_exists("/run/network/ifstatenew") ||
            whole_file_exists("/var/tmp/network/ifstatenew")) {
                if (has_stanza(name, interfaces, NULL) ||
                    any_file("/etc/network/interfaces.d", has_stanza, name))
                        return own(owners, OWNER_IFUPDOWN2, NULL);
                return 0;
        }
        text = text_of("/run/network/ifstate");
        snprintf(key, sizeof(key), "%s=", name);
        if (!text || !device_record_find_text(text, key, stanza, sizeof(stanza)))
                return 0;
        return own(owners, OWNER_IFUPDOWN, NULL);
}

/* An active profile of netctl, by its interface. */
static bool is_active_profile(void *userdata, const char *path, const char *name) {
        struct search *search = userdata;
        char escaped[UNIT_NAME_ESCAPED_SIZE(NAME_MAX)];
        char unit[sizeof(escaped) + sizeof("netctl@.service")];
        CLEANUP(cleanup_free) char *text = NULL;

        unit_name_escape(name, escaped);
        snprintf(unit, sizeof(unit), "netctl@%s.service", escaped);
        if (!active_unit_is(unit))
                return false;
        text = text_of(path);
        if (has_value(text, "Interface=", search->value))
                search->found = strdup(path);
        return search->found;
}

/* These two choose a profile by themselves, and do not say which. */
static bool is_automatic(const char *interface) {
        static const char *const templates[] = { "netctl-auto", "netctl-ifplugd" };
        char escaped[UNIT_NAME_ESCAPED_SIZE(INTERFACE_NAME_SIZE)], unit[sizeof(escaped) + 32];

        unit_name_escape(interface, escaped);
        for (size_t i = 0; i < sizeof(templates) / sizeof(templates[0]); i++) {
                snprintf(unit, sizeof(unit), "%s@%s.service", templates[i], escaped);
                if (active_unit_is(unit))
                        return true;
        }
        return false;
}

static int read_netctl(const struct link *link, struct owners *owners) {
        struct search search = { .value = link->name };
        CLEANUP(cleanup_free) char *profile = NULL;

        if (!any_file("/etc/netctl", is_active_profile, &search) && !is_automatic(link->name))
                return 0;
        profile = search.found;
        return own(owners, OWNER_NETCTL, profile);
}

static int read_udev(const struct link *link, struct owners *owners) {
        CLEANUP(cleanup_free) char *text = NULL;
        char path[64], file[PATH_MAX];

        snprintf(path, sizeof(path), "/run/udev/data/n%u", link->ifindex);
        text = text_of(path);
        if (!text || !device_record_find_text(text, "E:ID_NET_LINK_FILE=", file, sizeof(file)))
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
