/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Backends link, network and networkd (link or network, whichever fits): files in /run/systemd/network. */

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "backends/backend.h"
#include "backends/network_choice.h"
#include "base/cleanup.h"
#include "state/unit_state.h"

/* Reads only what the plan's devices need: the boot waits. Errors other than -ENOMEM are reported. */
static int look_around(const struct rendering *rendering, struct network_surroundings *ret) {
        unsigned backends = 0; /* a bit for each */
        int r = 0;

        for (size_t i = 0; i < rendering->plan->n_devices; i++)
                backends |= 1u << rendering->plan->devices[i].backend;
        if (backends & (1u << BACKEND_NETWORKD | 1u << BACKEND_LINK))
                r = network_files_read(NETWORK_FILE_LINK, rendering->sink, &ret->links);
        if (r == 0 && backends & (1u << BACKEND_NETWORKD | 1u << BACKEND_NETWORK | 1u << BACKEND_AUTO))
                r = network_files_read(NETWORK_FILE_NETWORK, rendering->sink, &ret->networks);
        return r;
}

static int render_drop_in(const struct rendering *rendering, const struct device_plan *device,
                          const struct network_file *network) {
        char path[PATH_MAX];
        FILE *stream;

        snprintf(path, sizeof(path), NETWORK_DROP_IN, network->name);
        if (backend_is_free(rendering, device, path) <= 0)
                return 0;
        stream = generated_files_begin(rendering->files, &backend_networkd.files, path, device->line);
        if (!stream)
                return -ENOMEM;
        fprintf(stream, "\n\n[Link]" MTU_KEY "%u\n", device->line->spec.mtu);
        return generated_files_end(rendering->files, stream);
}

static uint32_t mtu_of(const struct link_copy *copy) {
        return copy->device->line->spec.mtu;
}

/* Orders copies by file. 0 if they belong in one. What they are copies of is in one array. */
static int compare_files(const struct link_copy *a, const struct link_copy *b) {
        /* A pattern has files of its own, which leave out the devices of lines that override it. */
        const struct device_plan *x = a->device->line->is_pattern ? a->device : NULL;
        const struct device_plan *y = b->device->line->is_pattern ? b->device : NULL;

        if (mtu_of(a) != mtu_of(b))
                return mtu_of(a) < mtu_of(b) ? -1 : 1;
        if (x != y)
                return x < y ? -1 : 1;
        return (a->file > b->file) - (a->file < b->file);
}

static int in_order(const void *a, const void *b) {
        const struct link_copy *x = a, *y = b;
        int order = compare_files(x, y);

        return order != 0 ? order : (x->device > y->device) - (x->device < y->device);
}

/* The file of a copy. Those of a device sort by name as the files that they are copies of, and that of none
 * comes last. */
static void link_path(const struct link_copy *copy, char path[static PATH_MAX]) {
        const struct config_line *line = copy->device->line;

        snprintf(path, PATH_MAX, NETWORK_FILE_DIRECTORY "/" LINK_PREFIX "%u%s%s%s%s", line->spec.mtu,
                 line->is_pattern ? ":" : "", line->is_pattern ? copy->device->instance : "",
                 copy->file ? "-" : "", copy->file ? copy->file->name : NETWORK_FILE_LINK);
}

/* Whether all copies for a device can be written: 1, 0, which is reported, or a negative errno. */
static int are_free(const struct rendering *rendering, const struct link_copy *copies, size_t n_copies) {
        char path[PATH_MAX];
        int r = 1;

        for (size_t i = 0; i < n_copies && r > 0; i++) {
                link_path(&copies[i], path);
                r = backend_is_free(rendering, copies[i].device, path);
        }
        return r;
}

static int render_links(const struct rendering *rendering, struct link_copy *copies, size_t n_copies) {
        char path[PATH_MAX];
        int r = 0;

        if (n_copies > 0)
                qsort(copies, n_copies, sizeof(*copies), in_order);
        for (size_t i = 0, n; i < n_copies && r == 0; i += n) {
                FILE *stream;

                link_path(&copies[i], path);
                stream = generated_files_begin(rendering->files, &backend_networkd.files, path, NULL);
                if (!stream)
                        return -ENOMEM;
                for (n = 0; i + n < n_copies && compare_files(&copies[i], &copies[i + n]) == 0; n++)
                        generated_files_add_line(rendering->files, copies[i + n].device->line);
                link_copies_write(&rendering->plan->config, &copies[i], n, stream);
                r = generated_files_end(rendering->files, stream);
        }
        return r;
}

static bool is_for(const struct device_plan *device) {
        return device->backend == BACKEND_LINK || device->backend == BACKEND_NETWORK ||
               device->backend == BACKEND_NETWORKD || device->backend == BACKEND_AUTO;
}

static int render(const struct rendering *rendering) {
        struct network_surroundings surroundings = { .config = &rendering->plan->config };
        CLEANUP(network_choice_free) struct network_choice choice = { 0 };
        int r = look_around(rendering, &surroundings);

        /* Writes nothing if a file cannot be read: a device could get another file's settings, or none. */
        for (size_t i = 0; i < rendering->plan->n_devices && r == 0; i++) {
                const struct device_plan *device = &rendering->plan->devices[i];
                size_t n_before = choice.n_copies;

                /* If the device refuses the MTU, udev drops the file's other settings too. */
                if (!is_for(device) || !backend_can_write(rendering, device))
                        continue;
                r = network_choice_make(device, &surroundings, rendering->sink, &choice);
                if (r == 0 && choice.network)
                        r = render_drop_in(rendering, device, choice.network);
                if (r < 0)
                        break;
                /* All copies or none: with one missing, the device could get another file's settings. */
                r = are_free(rendering, choice.copies + n_before, choice.n_copies - n_before);
                if (r == 0)
                        choice.n_copies = n_before;
                r = r < 0 ? r : 0;
        }
        if (r == 0)
                r = render_links(rendering, choice.copies, choice.n_copies);
        network_files_free(&surroundings.links);
        network_files_free(&surroundings.networks);
        return r == -ENOMEM ? r : 0;
}

const struct backend_type backend_networkd = {
        .files = { .directory = NETWORK_FILE_DIRECTORY,
                   .places = { { .directory = NETWORK_FILE_DIRECTORY, .suffix = NETWORK_FILE_LINK },
                               { .directory = NETWORK_FILE_DIRECTORY,
                                 .suffix = NETWORK_FILE_NETWORK ".d",
                                 .below = NETWORK_DROP_IN_NAME } } },
        .render = render,
};
