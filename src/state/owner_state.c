/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "state/owner_state.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/directory.h"
#include "base/text.h"
#include "base/unit_name.h"
#include "base/whole_file.h"
#include "state/unit_state.h"

#define STATE_MAX (1024 * 1024)

/* The text of a file: 1; 0 if there is none; or a negative errno. The caller frees it. */
static int text_of(const char *path, char **ret_text) {
        int r = whole_file_read(path, STATE_MAX, ret_text, &(size_t){ 0 });

        return r == -ENOENT ? 0 : r < 0 ? r : 1;
}

/* Finds the first file of a directory that is_it() accepts: 1, with its path; 0 if there is none; or a
 * negative errno if it may be one that cannot be read. */
static int find_file(const char *directory, int (*is_it)(const char *path, const char *interface),
                     const char *interface, char ret_path[static PATH_MAX]) {
        CLEANUP(directory_free) struct directory files = { 0 };
        int r = directory_list(directory, "", false, &files), error = 0;

        *ret_path = '\0';
        if (r < 0)
                return r == -ENOENT ? 0 : r;
        for (size_t i = 0; i < files.n_names; i++) {
                snprintf(ret_path, PATH_MAX, "%s/%s", directory, files.names[i]);
                r = is_it(ret_path, interface);
                if (r > 0)
                        return r;
                /* Directories, sockets and very large files are not profiles. */
                if (r < 0 && r != -EINVAL && r != -EFBIG && error == 0)
                        error = r;
        }
        *ret_path = '\0';
        return error;
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

static int uses_ifupdown2(void) {
        int r = whole_file_exists("/run/network/ifstatenew");

        return r == 0 ? whole_file_exists("/var/tmp/network/ifstatenew") : r;
}

int owner_is_ifupdown(const char *interface) {
        CLEANUP(cleanup_free) char *text = NULL;
        char key[INTERFACE_NAME_SIZE + 2], stanza[256];
        int r = uses_ifupdown2();

        if (r != 0)
                return r < 0 ? r : 0;
        r = text_of("/run/network/ifstate", &text);
        snprintf(key, sizeof(key), "%s=", interface);
        return r > 0 ? text_find_value(text, key, stanza, sizeof(stanza)) != NULL : r;
}

int owner_is_ifupdown2(const char *interface) {
        char path[PATH_MAX];
        int r = uses_ifupdown2();

        if (r <= 0)
                return r;
        r = has_stanza("/etc/network/interfaces", interface);
        return r == 0 ? find_file("/etc/network/interfaces.d", has_stanza, interface, path) : r;
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

int owner_is_netctl(const char *interface, char ret_profile[static PATH_MAX]) {
        int r = find_file("/etc/netctl", is_active_profile, interface, ret_profile);

        /* These two select a profile and do not report which. */
        if (r == 0)
                r = is_active_instance("netctl-auto", interface);
        return r == 0 ? is_active_instance("netctl-ifplugd", interface) : r;
}
