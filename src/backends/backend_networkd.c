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

/* By path, and in the order of their lines. */
static int in_order(const void *a, const void *b) {
        const struct link_copy *x = a, *y = b;
        int order = strcmp(x->path, y->path);

        return order != 0 ? order : (x->device > y->device) - (x->device < y->device);
}

static int render_links(const struct rendering *rendering, struct network_choice *choice) {
        const struct link_copy *copies = choice->copies;
        int r = 0;

        if (choice->n_copies > 0)
                qsort(choice->copies, choice->n_copies, sizeof(*copies), in_order);
        for (size_t i = 0, n; i < choice->n_copies && r == 0; i += n) {
                FILE *stream = generated_files_begin(rendering->files, &backend_networkd.files,
                                                     copies[i].path, NULL);

                if (!stream)
                        return -ENOMEM;
                n = 1;
                while (i + n < choice->n_copies && strcmp(copies[i].path, copies[i + n].path) == 0)
                        n++;
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
                /* All copies or none: with one missing, the device could get another file's settings. */
                for (size_t j = n_before; j < choice.n_copies && r == 0; j++) {
                        int is_free = backend_is_free(rendering, device, choice.copies[j].path);

                        if (is_free == 0)
                                choice.n_copies = n_before;
                        r = is_free < 0 ? is_free : 0;
                }
        }
        if (r == 0)
                r = render_links(rendering, &choice);
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
