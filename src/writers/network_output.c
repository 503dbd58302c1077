/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "writers/network_output.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "files/name_policy.h"
#include "files/network_files.h"
#include "files/whole_file.h"
#include "plan/comparison.h"
#include "plan/network_choice.h"
#include "writers/link_files.h"
#include "writers/network_drop_in.h"

struct making {
        const struct diagnostic_sink *sink;
        struct network_surroundings surroundings;
        struct network_outputs outputs;
};

void network_outputs_free(struct network_outputs *outputs) {
        for (size_t i = 0; i < outputs->n_items; i++) {
                free(outputs->items[i].path);
                free(outputs->items[i].text);
        }
        free(outputs->items);
        *outputs = (struct network_outputs){ 0 };
}

const struct network_output *network_outputs_find(const struct network_outputs *outputs, const char *path) {
        for (size_t i = 0; i < outputs->n_items; i++)
                if (strcmp(outputs->items[i].path, path) == 0)
                        return &outputs->items[i];
        return NULL;
}

static int add(struct network_outputs *outputs, struct network_output output) {
        struct network_output *items = outputs->items;

        if (!(outputs->n_items & (outputs->n_items - 1)))
                items = reallocarray(items, outputs->n_items ? 2 * outputs->n_items : 1, sizeof(*items));
        if (items)
                outputs->items = items;
        if (!items || !output.path || !output.text) {
                free(output.path);
                free(output.text);
                return -ENOMEM;
        }
        items[outputs->n_items++] = output;
        return 0;
}

/* One file; a drop-in where `copy` is NULL. */
static int render(struct network_outputs *outputs, const char *path, const struct plan_device *device,
                  const struct link_copy *copy) {
        struct network_output output = { .path = strdup(path), .line = device->line };
        FILE *stream = open_memstream(&output.text, &output.size);

        if (stream && copy)
                link_file_write(device, copy, stream);
        else if (stream)
                network_drop_in_write(device, stream);
        if (stream && (ferror(stream) | fclose(stream))) {
                free(output.text);
                output.text = NULL;
        }
        return add(outputs, output);
}

/* Whether the place is free for a file of ours: told where somebody else's is there, or would hide it. */
static bool is_free(const char *path, const struct config_line *line, const struct diagnostic_sink *sink) {
        CLEANUP(cleanup_free) char *text = NULL;
        const char *below = path + strlen(NETWORK_FILE_FOLDER "/"), *hiding = network_files_hiding(below);
        size_t size;
        int r;

        if (hiding) {
                diagnostic_report(sink, DIAGNOSTIC_ERROR, line->file, line->line, line->name,
                                  "%s: %s/%s hides %s; remove it or rename it", line->name, hiding, below,
                                  path);
                return false;
        }
        r = whole_file_read(path, 1024 * 1024, &text, &size);
        if (r == -ENOENT || (r == 0 && network_file_is_ours(path, text)))
                return true;
        diagnostic_report(sink, DIAGNOSTIC_ERROR, line->file, line->line, line->name,
                          "%s: %s was not written by setmtu and is left alone; remove it or rename it",
                          line->name, path);
        return false;
}

static int make_drop_in(struct making *making, const struct plan_device *device,
                        const struct network_file *network) {
        char path[PATH_MAX];

        snprintf(path, sizeof(path), NETWORK_FILE_FOLDER "/%s.d/" NETWORK_DROP_IN_NAME, network->name);
        return is_free(path, device->line, making->sink) ? render(&making->outputs, path, device, NULL) : 0;
}

/* All of them or none: with one missing, a device could get another file's settings. */
static int make_links(struct making *making, const struct plan_device *device,
                      const struct network_choice *choice) {
        char path[sizeof(NETWORK_FILE_FOLDER) + LINK_FILE_NAME_SIZE], name[LINK_FILE_NAME_SIZE];
        int r = 0;

        for (size_t i = 0; i < choice->n_copies; i++) {
                snprintf(path, sizeof(path), NETWORK_FILE_FOLDER "/%s",
                         link_file_name(name, device->line->name, i, choice->n_copies));
                if (!is_free(path, device->line, making->sink))
                        return 0;
        }
        for (size_t i = 0; i < choice->n_copies && r == 0; i++) {
                snprintf(path, sizeof(path), NETWORK_FILE_FOLDER "/%s",
                         link_file_name(name, device->line->name, i, choice->n_copies));
                r = render(&making->outputs, path, device, &choice->copies[i]);
        }
        return r;
}

/* udev would drop other settings together with an MTU that the device refuses. */
static bool is_possible(const struct plan_device *device, const struct link_table *links,
                        const struct diagnostic_sink *sink) {
        const struct config_line *line = device->line;
        const struct link *link = links ? link_table_by_name(links, line->name) : NULL;

        if (!link || strcmp(link->name, line->name) != 0 ||
            comparison_of(link, line).state != COMPARISON_IMPOSSIBLE)
                return true;
        if (link->mtu_max > 0)
                diagnostic_report(sink, DIAGNOSTIC_ERROR, line->file, line->line, line->name,
                                  "%s: %u is not what this device takes (%u to %u)", line->name,
                                  line->request.mtu, link->mtu_min, link->mtu_max);
        else
                diagnostic_report(sink, DIAGNOSTIC_ERROR, line->file, line->line, line->name,
                                  "%s: %u is less than this device takes (%u at least)", line->name,
                                  line->request.mtu, link->mtu_min);
        return false;
}

static int make_device(struct making *making, const struct plan_device *device) {
        struct network_choice choice;
        int r = network_choice_make(device, &making->surroundings, making->sink, &choice);

        if (r < 0)
                return r;
        r = choice.network ? make_drop_in(making, device, choice.network)
                           : make_links(making, device, &choice);
        network_choice_free(&choice);
        return r;
}

static int look(const struct diagnostic_sink *sink, struct network_surroundings *ret) {
        int r = network_files_read(NETWORK_FILE_LINK, sink, &ret->links);

        if (r == 0)
                r = network_files_read(NETWORK_FILE_NETWORK, sink, &ret->networks);
        ret->has_name_policies = name_policy_is_enabled();
        return r;
}

int network_outputs_make(const struct plan *plan, const struct link_table *links,
                         const struct diagnostic_sink *sink, struct network_outputs *ret) {
        struct making making = { .sink = sink };
        int r = 0;

        if (plan->n_units < plan->n_devices)
                r = look(sink, &making.surroundings);
        for (size_t i = 0; i < plan->n_devices && r == 0; i++)
                if (plan->devices[i].backend != BACKEND_UNIT && is_possible(&plan->devices[i], links, sink))
                        r = make_device(&making, &plan->devices[i]);
        network_files_free(&making.surroundings.links);
        network_files_free(&making.surroundings.networks);
        if (r < 0)
                network_outputs_free(&making.outputs);
        else
                *ret = making.outputs;
        return r;
}
