/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "system/owner_state.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/directory.h"
#include "base/text.h"
#include "base/unit_name.h"
#include "base/whole_file.h"
#include "system/unit_state.h"

#define STATE_MAX (1024 * 1024)

void owners_free(struct owners *owners) {
        pool_free(&owners->pool);
        *owners = (struct owners){ 0 };
}

/* The text of a file: 1; 0 if there is none; or a negative errno. The caller frees it. */
static int text_of(const char *path, char **ret_text) {
        int r = whole_file_read(path, STATE_MAX, ret_text, &(size_t){ 0 });

        return r == -ENOENT ? 0 : r < 0 ? r : 1;
}

/* Finds the first file of a directory that is_it() accepts: 1; 0 if there is none; or a negative errno if it
 * may be one that cannot be read. The path is put into the pool. */
static int find_file(struct pool *pool, const char *directory,
                     int (*is_it)(const char *path, const char *value), const char *value,
                     const char **ret_path) {
        CLEANUP(directory_free) struct directory files = { 0 };
        int r = directory_list(directory, "", 0, &files), error = 0;

        if (r < 0)
                return r == -ENOENT ? 0 : r;
        for (size_t i = 0; i < files.n_names; i++) {
                char path[PATH_MAX];

                snprintf(path, sizeof(path), "%s/%s", directory, files.names[i]);
                r = is_it(path, value);
                if (r > 0) {
                        *ret_path = pool_copy(pool, path);
                        return 1;
                }
                /* Directories, sockets and very large files are not profiles. */
                if (r < 0 && r != -EINVAL && r != -EFBIG && error == 0)
                        error = r;
        }
        return error;
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
        r = unit_is_active("systemd-networkd.service");
        owners->has[OWNER_NETWORKD] = r > 0;
        if (r > 0)
                owners->profile[OWNER_NETWORKD] = pool_copy(&owners->pool, file);
        return r;
}

/* Whether the text assigns the value, with or without shell quotes. */
static bool has_value(const char *text, const char *key, const char *value) {
        char found[64];
        const char *begin = found;

        if (!text_find_value(text, key, found, sizeof(found)))
                return false;
        begin += strspn(begin, "\"'");
        return text_part_is(begin, strcspn(begin, "\"' \t\r"), value);
}

static int read_networkmanager(const struct link *link, struct owners *owners) {
        CLEANUP(cleanup_free) char *text = NULL;
        char path[64], managed[8];
        int r;

        snprintf(path, sizeof(path), "/run/NetworkManager/devices/%u", link->ifindex);
        r = text_of(path, &text);
        if (r <= 0 || !text_find_value(text, "managed=", managed, sizeof(managed)) ||
            strcmp(managed, "true") != 0)
                return r < 0 ? r : 0;
        r = unit_is_active("NetworkManager.service");
        owners->has[OWNER_NETWORKMANAGER] = r > 0;
        return r < 0 ? r : 0;
}

/* Whether a line of interfaces(5) begins a stanza for the device. */
static int has_stanza(const char *path, const char *device) {
        CLEANUP(cleanup_free) char *text = NULL;
        int r = text_of(path, &text);

        for (const char *line = r > 0 ? text : NULL; line; line = strchr(line, '\n')) {
                const char *name = text_after(line += strspn(line, " \t\n"), "iface"), *end = NULL;

                if (name && strchr(" \t", *name))
                        end = text_after(name + strspn(name, " \t"), device);
                if (end && strchr(" \t\n", *end))
                        return 1;
        }
        return r < 0 ? r : 0;
}

static int read_ifupdown(const struct link *link, struct owners *owners) {
        CLEANUP(cleanup_free) char *text = NULL;
        char key[INTERFACE_NAME_SIZE + 2], stanza[256];
        int r = whole_file_exists("/run/network/ifstatenew");

        if (r == 0)
                r = whole_file_exists("/var/tmp/network/ifstatenew");
        if (r > 0) {
                r = has_stanza("/etc/network/interfaces", link->name);
                if (r == 0)
                        r = find_file(&owners->pool, "/etc/network/interfaces.d", has_stanza, link->name,
                                      &(const char *){ NULL });
                owners->has[OWNER_IFUPDOWN2] = r > 0;
                return r;
        }
        if (r == 0)
                r = text_of("/run/network/ifstate", &text);
        snprintf(key, sizeof(key), "%s=", link->name);
        owners->has[OWNER_IFUPDOWN] = r > 0 && text_find_value(text, key, stanza, sizeof(stanza));
        return r;
}

static int is_active_instance(const char *template, const char *name) {
        char escaped[UNIT_NAME_ESCAPED_SIZE(NAME_MAX)], unit[sizeof(escaped) + 32];

        unit_name_escape(name, escaped);
        snprintf(unit, sizeof(unit), "%s@%s.service", template, escaped);
        return unit_is_active(unit);
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
        int r = find_file(&owners->pool, "/etc/netctl", is_active_profile, link->name,
                          &owners->profile[OWNER_NETCTL]);

        /* These two select a profile and do not report which. */
        if (r == 0)
                r = is_active_instance("netctl-auto", link->name);
        if (r == 0)
                r = is_active_instance("netctl-ifplugd", link->name);
        owners->has[OWNER_NETCTL] = r > 0;
        return r;
}

int owner_state_read(const struct link *link, struct owners *ret) {
        static int (*const readers[])(const struct link *link, struct owners *owners) = {
                read_networkd,
                read_networkmanager,
                read_ifupdown,
                read_netctl,
        };
        struct owners owners = { 0 };

        for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
                int r = readers[i](link, &owners);

                if (owners.pool.failed)
                        r = -ENOMEM;
                if (r < 0) {
                        owners_free(&owners);
                        return r;
                }
        }
        *ret = owners;
        return 0;
}
