/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "backends/configure_network.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "backends/network_mark.h"
#include "base/log.h"
#include "base/whole_file.h"
#include "system/systemd_ini.h"

void network_changes_free(struct network_changes *changes) {
        free(changes->interfaces);
        *changes = (struct network_changes){ 0 };
}

/* Otherwise it is a hook of netctl's. */
static bool is_systemds(const char *path) {
        return strncmp(path, NETWORK_FILE_FOLDER "/", strlen(NETWORK_FILE_FOLDER "/")) == 0;
}

/* There is room for it. */
static void note(struct network_changes *changes, const char *path, const char *interface) {
        size_t length = strlen(path), suffix_length = strlen(NETWORK_FILE_LINK);

        strcpy(changes->interfaces[changes->n_interfaces++], interface);
        if (!is_systemds(path))
                return;
        if (strcmp(path + length - suffix_length, NETWORK_FILE_LINK) == 0)
                changes->links = true;
        else
                changes->networks = true;
}

static bool write_one(const struct network_output *output, struct network_changes *changes) {
        int r = output->is_program ? whole_file_replace_program(output->path, output->text, output->size)
                                   : whole_file_replace(output->path, output->text, output->size);

        if (r == -EROFS) {
                log_error("%s: %s cannot be written, its file system is read-only; once it is not, setmtu "
                          "reload",
                          output->line->name, output->path);
                return false;
        }
        if (r < 0) {
                log_error("%s: %s: %s", output->line->name, output->path, strerror(-r));
                return false;
        }
        if (r > 0) {
                note(changes, output->path, output->line->name);
                if (is_systemds(output->path))
                        changes->n_written++;
                else
                        log_info("%s: %s written", output->line->name, output->path);
        }
        return true;
}

static bool remove_one(const struct network_own_file *file, struct network_changes *changes) {
        char interface[INTERFACE_NAME_SIZE];
        int r = network_own_remove(file->path);

        if (r < 0) {
                log_error("%s: cannot be removed: %s", file->path, strerror(-r));
                return false;
        }
        if (is_systemds(file->path))
                changes->n_removed++;
        else
                log_info("%s removed", file->path);
        if (network_mark_read(file->text, interface))
                note(changes, file->path, interface);
        return true;
}

bool configure_network_save(const struct network_outputs *outputs, const struct network_own *own,
                            bool may_remove, struct network_changes *ret) {
        struct network_changes changes = {
                .interfaces = calloc(outputs->n_items + own->n_items + 1, sizeof(*changes.interfaces)),
        };
        bool is_done = true;

        if (!changes.interfaces) {
                log_out_of_memory();
                *ret = changes;
                return false;
        }
        for (size_t i = 0; i < outputs->n_items; i++)
                is_done &= write_one(&outputs->items[i], &changes);
        for (size_t i = 0; i < own->n_items && may_remove; i++)
                if (!network_outputs_find(outputs, own->items[i].path))
                        is_done &= remove_one(&own->items[i], &changes);
        if (changes.n_written + changes.n_removed > 0)
                log_info(NETWORK_FILE_FOLDER ": %u %s written, %u removed", changes.n_written,
                         changes.n_written == 1 ? "file" : "files", changes.n_removed);
        *ret = changes;
        return is_done;
}
