/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "backends/backends.h"

#include <string.h>

#include "backends/backend_unit.h"
#include "base/cleanup.h"
#include "base/log.h"
#include "base/process.h"
#include "base/text.h"
#include "change/snapshot.h"
#include "state/unit_state.h"

static const struct backend_type *const types[] = {
        &backend_networkd,
        &backend_networkmanager,
};

#define N_TYPES (sizeof(types) / sizeof(types[0]))

int backends_render(const struct rendering *rendering) {
        const struct plan *plan = rendering->plan;
        int r = 0;

        for (size_t i = 0; i < N_TYPES && r == 0 && (plan->has_others || plan->has_auto); i++)
                r = types[i]->render(rendering);
        return r;
}

int backends_read(struct generated_files *ret, const struct diagnostic_sink *sink) {
        int r = 0;

        for (size_t i = 0; i < N_TYPES && r == 0; i++)
                r = generated_files_read(ret, &types[i]->files, sink);
        return r;
}

static bool are_saved(const struct generated_files *wanted, const struct generated_files *saved) {
        for (size_t i = 0; i < wanted->n_items; i++) {
                const struct generated_file *file = generated_files_find(saved, wanted->items[i].path);

                if (!file || strcmp(file->text, wanted->items[i].text) != 0)
                        return false;
        }
        return wanted->n_items == saved->n_items;
}

bool backends_write_rules(const struct plan *plan, const struct link_table *links) {
        CLEANUP(generated_files_free) struct generated_files saved = { 0 }, wanted = { 0 }, rules = { 0 };
        struct mistakes mistakes = { 0 };
        const struct diagnostic_sink sink = mistakes_counter(&mistakes);

        return backends_read(&saved, &sink) == 0 &&
               backends_render(&(struct rendering){ plan, links, &sink, &wanted }) == 0 &&
               backend_unit_render(plan, &sink, &rules) == 0 &&
               mistakes.n_errors + mistakes.n_warnings == 0 && are_saved(&wanted, &saved) &&
               backend_unit_save(&rules) >= 0;
}

/* What reads files of a kind, and the command that makes it read them again. */
static const struct reader {
        const struct generated_kind *kind;
        const char *suffix; /* of the files' names */
        const char *service;
        const char *unit;
        const char *words[5];
        const char *note; /* or NULL */
} readers[] = {
        { &backend_networkd.files,
          NETWORK_FILE_LINK,
          "udevd",
          "systemd-udevd.service",
          { "udevadm", "control", "--reload", "--timeout=10" } },
        { &backend_networkd.files,
          NETWORK_DROP_IN_NAME,
          "networkd",
          "systemd-networkd.service",
          { "networkctl", "reload" } },
        { &backend_networkmanager.files,
          ".conf",
          "NetworkManager",
          "NetworkManager.service",
          { "nmcli", "general", "reload", "conf" },
          NETWORKMANAGER_CONF ": for active profiles it counts from their next activation or DHCP lease on, "
                              "or from nmcli device reapply IFACE" },
};

#define N_READERS (sizeof(readers) / sizeof(readers[0]))

static bool has_changed(const struct generated_files *files, const struct reader *reader) {
        for (size_t i = 0; i < files->n_items; i++)
                if (files->items[i].kind == reader->kind && files->items[i].is_changed &&
                    text_ends_in(files->items[i].path, reader->suffix))
                        return true;
        return false;
}

static bool make_reload(const struct reader *reader) {
        int r = process_run(reader->words);
        char command[64] = "";

        if (r == 0 && reader->note)
                log_info("%s", reader->note);
        if (r == 0)
                return true;
        for (size_t i = 0; reader->words[i]; i++)
                strcat(strcat(command, " "), reader->words[i]);
        log_warning("%s could not be made to read its files again: %s; to try again:%s", reader->service,
                    r < 0 ? strerror(-r) : "it refused", command);
        return false;
}

bool backends_reload(const struct generated_files *before, const struct generated_files *wanted) {
        bool is_done = true;

        if (unit_is_boot() > 0)
                return true;
        for (const struct reader *reader = readers; reader < readers + N_READERS; reader++)
                if ((has_changed(before, reader) || has_changed(wanted, reader)) &&
                    unit_is_active(reader->unit) != 0)
                        is_done &= make_reload(reader);
        return is_done;
}
