/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/enabled.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/whole_file.h"

const char *const enabled_units_folders[] = {
        "/etc/systemd/system",     "/run/systemd/system", "/usr/local/lib/systemd/system",
        "/usr/lib/systemd/system", "/lib/systemd/system", NULL,
};

/* Takes the names out of `from`. */
static int move(struct folder *to, struct folder *from) {
        char **names;

        if (from->n_names == 0)
                return 0;
        names = reallocarray(to->names, to->n_names + from->n_names, sizeof(*names));
        if (!names)
                return -ENOMEM;
        memcpy(names + to->n_names, from->names, from->n_names * sizeof(*names));
        to->names = names;
        to->n_names += from->n_names;
        from->n_names = 0;
        return 0;
}

static int read_folder(const char *folder, const char *suffix, struct enabled_units *enabled) {
        CLEANUP(folder_free) struct folder above = { 0 };
        int r = folder_list(folder, suffix, &above);

        enabled->has_systemd |= r == 0;
        for (size_t i = 0; i < above.n_names && r == 0; i++) {
                CLEANUP(folder_free) struct folder wanted = { 0 };
                char path[PATH_MAX];

                if (snprintf(path, sizeof(path), "%s/%s", folder, above.names[i]) >= (int)sizeof(path))
                        continue;
                r = folder_list(path, "", &wanted);
                if (r == 0)
                        r = move(&enabled->units, &wanted);
                if (r != -ENOMEM)
                        r = 0;
        }
        return r == -ENOMEM ? r : 0;
}

int enabled_units_read(struct enabled_units *ret) {
        struct enabled_units enabled = { 0 };
        int r = 0;

        for (size_t i = 0; enabled_units_folders[i] && r == 0; i++) {
                r = read_folder(enabled_units_folders[i], ".wants", &enabled);
                if (r == 0)
                        r = read_folder(enabled_units_folders[i], ".requires", &enabled);
        }
        if (r < 0) {
                enabled_units_free(&enabled);
                return r;
        }
        *ret = enabled;
        return 0;
}

void enabled_units_free(struct enabled_units *enabled) {
        folder_free(&enabled->units);
}

bool enabled_units_has(const struct enabled_units *enabled, const char *unit) {
        for (size_t i = 0; i < enabled->units.n_names; i++)
                if (strcmp(enabled->units.names[i], unit) == 0)
                        return true;
        return false;
}

bool enabled_units_is_off(const struct enabled_units *enabled, const char *unit) {
        if (enabled_units_has(enabled, unit))
                return false;
        for (size_t i = 0; enabled_units_folders[i]; i++) {
                char path[PATH_MAX];

                snprintf(path, sizeof(path), "%s/%s", enabled_units_folders[i], unit);
                if (whole_file_exists(path))
                        return true;
        }
        return false;
}
