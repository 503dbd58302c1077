/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Files that set the MTU of a device through systemd: a drop-in to the .network file in effect, or .link
 * files: systemd.network(5), systemd.link(5). Backends link, network and networkd. */

#include <stdio.h>

#include "network_files/network_file.h"
#include "plan/device_plan.h"

/* Prefix of the .link files' names; the MTU follows. */
#define LINK_PREFIX "05-setmtu-"
#define NAMES_KEY "\nOriginalName="
#define MTU_KEY "\nMTUBytes="

/* A .link file is first-match-wins, so ours must do all that the one which would apply without it does.
 * Which one that is depends on the device; so there is a copy of each that can be the one, in the same order
 * and with the same conditions besides the name, and systemd finds the right one by itself. */
struct link_copy {
        /* Copies with the same one are one file, for devices with one MTU or for one pattern. Those of a
         * device sort by name as the files that they are copies of, and that of none comes last. */
        const char *path;
        const struct device_plan *device;
        const struct network_file *file; /* NULL: what applies where no file does, which is nothing */
};

/* A zeroed struct is empty. */
struct network_choice {
        const struct network_file *network; /* the .network file that gets a drop-in; NULL: .link files */
        struct link_copy *copies;           /* of all devices */
        size_t n_copies;
        struct pool pool;
};

/* What is there without setmtu, both by name. */
struct network_surroundings {
        struct network_files links;
        struct network_files networks;
        const struct config *config; /* whose lines override those of patterns */
};

/* Decides for a device of backend link, network, networkd or auto, which may have neither: sets `network`,
 * or adds copies, or reports an error. The choice points into the surroundings. No I/O. -ENOMEM is the only
 * error. */
int network_choice_make(const struct device_plan *device, const struct network_surroundings *surroundings,
                        const struct diagnostic_sink *sink, struct network_choice *choice);
void network_choice_free(struct network_choice *choice);

/* Writes one copy for several devices, or for one pattern, whose `copies` differ in the name only: the
 * file's own settings, the names as a further condition, and the MTU. Errors are the stream's. */
void link_copies_write(const struct config *config, const struct link_copy *copies, size_t n, FILE *stream);
