/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* /etc/network/interfaces with all that it takes in, of ifupdown or ifupdown2. */

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/root.h"
#include "base/whole_file.h"
#include "sources/ifupdown.h"
#include "sources/ifupdown2.h"
#include "sources/tour.h"

#define INTERFACES "/etc/network/interfaces"

/* Files that take in each other are read once, and no more than this many. */
#define N_FILES_MAX 256

struct texts {
        struct {
                char *path;
                char *text;
                size_t size;
        } items[N_FILES_MAX];
        size_t n_items;
};

static void texts_free(struct texts **texts) {
        for (size_t i = 0; *texts && i < (*texts)->n_items; i++) {
                free((*texts)->items[i].path);
                free((*texts)->items[i].text);
        }
        free(*texts);
}

static int read_text(struct tour *tour, const char *path, struct texts *texts);

/* Files whose names are letters, digits, "_" and "-": interfaces(5). */
static int read_folder(struct tour *tour, const char *folder, struct texts *texts) {
        CLEANUP(folder_free) struct folder names = { 0 };
        int r = tour_list_folder(tour, folder, "", &names);

        for (size_t i = 0; i < names.n_names && r == 0; i++) {
                const char *c = names.names[i];
                char path[PATH_MAX];

                while (isalnum((unsigned char)*c) || *c == '_' || *c == '-')
                        c++;
                if (!*c && snprintf(path, sizeof(path), "%s/%s", folder, names.names[i]) < (int)sizeof(path))
                        r = read_text(tour, path, texts);
        }
        return r;
}

/* `pattern` is as for a shell, and relative to /etc/network where it does not begin with "/". */
static int read_pattern(struct tour *tour, const char *pattern, bool is_folder, struct texts *texts) {
        char path[PATH_MAX], buffer[PATH_MAX];
        const char *root = getenv("SETMTU_ROOT"), *in_root;
        glob_t found = { 0 };
        int r;

        if (snprintf(path, sizeof(path), "%s%s", *pattern == '/' ? "" : "/etc/network/", pattern) >=
            (int)sizeof(path))
                return 0;
        in_root = root_path(buffer, path);
        if (!in_root)
                return 0;
        r = glob(in_root, 0, NULL, &found);
        if (r != 0)
                return r == GLOB_NOSPACE ? -ENOMEM : 0;
        for (size_t i = 0; i < found.gl_pathc && r == 0; i++) {
                const char *one = found.gl_pathv[i] + (root ? strlen(root) : 0);

                r = is_folder ? read_folder(tour, one, texts) : read_text(tour, one, texts);
        }
        globfree(&found);
        return r;
}

/* With what it takes in, which comes behind it. */
static int read_text(struct tour *tour, const char *path, struct texts *texts) {
        char included[PATH_MAX];
        size_t position = 0, index = texts->n_items;
        bool is_folder;
        int r;

        for (size_t i = 0; i < texts->n_items; i++)
                if (strcmp(texts->items[i].path, path) == 0)
                        return 0;
        if (index == N_FILES_MAX)
                return 0;
        r = tour_read_text(tour, path, &texts->items[index].text, &texts->items[index].size);
        if (r <= 0)
                return r;
        texts->items[index].path = strdup(path);
        if (!texts->items[index].path) {
                free(texts->items[index].text);
                return -ENOMEM;
        }
        texts->n_items++;
        r = 0;
        while (r == 0 && source_ifupdown_included(texts->items[index].text, texts->items[index].size,
                                                  &position, &is_folder, included, sizeof(included)))
                r = read_pattern(tour, included, is_folder, texts);
        return r;
}

static bool brings_up(const struct texts *texts, const char *device) {
        for (size_t i = 0; i < texts->n_items; i++)
                if (source_ifupdown_brings_up(texts->items[i].text, texts->items[i].size, device))
                        return true;
        return false;
}

int survey_ifupdown(struct tour *tour) {
        bool is_ifupdown2 = whole_file_exists("/etc/network/ifupdown2") ||
                            whole_file_exists("/usr/share/ifupdown2");
        bool is_off = enabled_units_is_off(&tour->enabled, "networking.service");
        CLEANUP(texts_free) struct texts *texts = calloc(1, sizeof(*texts));
        size_t first = tour->findings->n_items;
        int r = texts ? read_text(tour, INTERFACES, texts) : -ENOMEM;

        for (size_t i = 0; r == 0 && i < texts->n_items; i++) {
                const struct reading reading = { .file = texts->items[i].path,
                                                 .text = texts->items[i].text,
                                                 .size = texts->items[i].size,
                                                 .sink = tour->sink,
                                                 .findings = tour->findings,
                                                 .inactive = is_off };

                r = is_ifupdown2 ? source_ifupdown2_interfaces_read(&reading)
                                 : source_ifupdown_read(&reading);
        }
        for (size_t i = first; i < tour->findings->n_items && r == 0; i++) {
                struct finding *finding = &tour->findings->items[i];

                if (finding->match == FINDING_NAME && !brings_up(texts, finding->device))
                        finding->inactive = true;
        }
        if (r == 0)
                r = tour_read_folder(tour, "/var/lib/ifupdown2/policy.d", ".json", source_ifupdown2_read,
                                     is_off);
        if (r == 0)
                r = tour_read_folder(tour, "/etc/network/ifupdown2/policy.d", ".json", source_ifupdown2_read,
                                     is_off);
        return r;
}
