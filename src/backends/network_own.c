/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "backends/network_own.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/root.h"
#include "base/whole_file.h"
#include "system/systemd_ini.h"

/* Longer than any: a copy has what one file of at most 1 MiB and its drop-ins say. */
#define OWN_MAX (64 * 1024 * 1024)

void network_own_free(struct network_own *own) {
        for (size_t i = 0; i < own->n_items; i++) {
                free(own->items[i].path);
                free(own->items[i].text);
        }
        free(own->items);
        *own = (struct network_own){ 0 };
}

bool network_own_has_runtime(const struct network_own *own) {
        for (size_t i = 0; i < own->n_items; i++)
                if (strncmp(own->items[i].path, "/run/", strlen("/run/")) == 0)
                        return true;
        return false;
}

/* Takes it in where it is ours. A link is not, wherever it leads. */
static int add(struct network_own *own, const char *path) {
        struct network_own_file file = { 0 }, *items = own->items;
        size_t size;
        int r = whole_file_is_link(path) ? -ELOOP : whole_file_read(path, OWN_MAX, &file.text, &size);

        if (r == -ENOMEM)
                return r;
        if (r < 0)
                return 0;
        if (!network_file_is_ours(path, file.text)) {
                free(file.text);
                return 0;
        }
        file.path = strdup(path);
        if (!(own->n_items & (own->n_items - 1)))
                items = reallocarray(items, own->n_items ? 2 * own->n_items : 1, sizeof(*items));
        if (items)
                own->items = items;
        if (!items || !file.path) {
                free(file.path);
                free(file.text);
                return -ENOMEM;
        }
        items[own->n_items++] = file;
        return 0;
}

static bool ends_in(const char *text, const char *suffix) {
        size_t length = strlen(text), suffix_length = strlen(suffix);

        return length > suffix_length && strcmp(text + length - suffix_length, suffix) == 0;
}

/* Those of the hooks in the folder that are ours. */
static int read_hooks(struct network_own *own, const char *hooks) {
        char buffer[PATH_MAX], path[PATH_MAX];
        const char *folder = root_path(buffer, hooks);
        DIR *directory = folder ? opendir(folder) : NULL;
        struct dirent *entry;
        int r = 0;

        while (directory && r == 0 && (entry = readdir(directory)))
                if (entry->d_type != DT_DIR) {
                        snprintf(path, sizeof(path), "%s/%s", hooks, entry->d_name);
                        r = add(own, path);
                }
        if (directory)
                closedir(directory);
        return r;
}

int network_own_read(struct network_own *ret) {
        char buffer[PATH_MAX],
                        path[sizeof(NETWORK_FILE_FOLDER) + NAME_MAX + sizeof("/" NETWORK_DROP_IN_NAME) + 1];
        const char *folder = root_path(buffer, NETWORK_FILE_FOLDER);
        DIR *directory = folder ? opendir(folder) : NULL;
        struct network_own own = { 0 };
        struct dirent *entry;
        int r = 0;

        while (directory && r == 0 && (entry = readdir(directory))) {
                bool is_folder = ends_in(entry->d_name, NETWORK_FILE_NETWORK ".d");

                if (!is_folder && !ends_in(entry->d_name, NETWORK_FILE_LINK))
                        continue;
                snprintf(path, sizeof(path), NETWORK_FILE_FOLDER "/%s%s", entry->d_name,
                         is_folder ? "/" NETWORK_DROP_IN_NAME : "");
                r = add(&own, path);
        }
        if (directory)
                closedir(directory);
        if (r == 0)
                r = read_hooks(&own, NETWORK_HOOK_NETCTL NETWORK_HOOK_BELOW);
        if (r == 0)
                r = read_hooks(&own, NETWORK_HOOK_NETCFG NETWORK_HOOK_BELOW);
        if (r < 0)
                network_own_free(&own);
        else
                *ret = own;
        return r;
}

int network_own_remove(const char *path) {
        int r = whole_file_remove(path);
        char buffer[PATH_MAX], folder[PATH_MAX];
        const char *in_root = root_path(buffer, path);

        if (r == 0 && in_root && ends_in(path, "/" NETWORK_DROP_IN_NAME)) {
                snprintf(folder, sizeof(folder), "%.*s",
                         (int)(strlen(in_root) - strlen("/" NETWORK_DROP_IN_NAME)), in_root);
                rmdir(folder); /* unless somebody else has something there */
        }
        return r;
}
