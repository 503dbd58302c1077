/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "backends/network_output.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/link_files.h"
#include "backends/netctl_hooks.h"
#include "backends/network_choice.h"
#include "backends/network_drop_in.h"
#include "base/cleanup.h"
#include "base/whole_file.h"
#include "plan/device_status.h"
#include "system/name_policy.h"
#include "system/network_files.h"
#include "system/owner_state.h"

struct making {
        const struct diagnostic_sink *sink;
        const struct link_table *links; /* may be NULL */
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

enum kind { KIND_LINK, KIND_DROP_IN, KIND_NETCTL, KIND_NETCFG };

/* One file; `copy` is for a .link file. */
static int render(struct network_outputs *outputs, const char *path, const struct device_plan *device,
                  enum kind kind, const struct link_copy *copy) {
        struct network_output output = {
                .path = strdup(path),
                .line = device->line,
                .is_program = kind == KIND_NETCTL || kind == KIND_NETCFG,
        };
        FILE *stream = open_memstream(&output.text, &output.size);

        if (stream && kind == KIND_LINK)
                link_file_write(device, copy, stream);
        else if (stream && kind == KIND_DROP_IN)
                network_drop_in_write(device, stream);
        else if (stream && kind == KIND_NETCTL)
                netctl_hook_write(device->line, stream);
        else if (stream)
                netcfg_hook_write(device->line, stream);
        if (stream && (ferror(stream) | fclose(stream))) {
                free(output.text);
                output.text = NULL;
        }
        return add(outputs, output);
}

/* Without the file the line has no effect, but for auto. */
static enum diagnostic_severity severity_of(const struct device_plan *device) {
        return device_plan_has_unit(device) ? DIAGNOSTIC_WARNING : DIAGNOSTIC_ERROR;
}

/* Whether there is nobody else's file in the place of ours: told otherwise. */
static bool is_free(const char *path, const struct device_plan *device, const struct diagnostic_sink *sink) {
        CLEANUP(cleanup_free) char *text = NULL;
        const struct config_line *line = device->line;
        size_t size;
        int r = whole_file_read(path, 1024 * 1024, &text, &size);

        /* A link is not ours, wherever it leads: the file system of its target may be mounted later. */
        if (!whole_file_is_link(path) && (r == -ENOENT || (r == 0 && network_file_is_ours(path, text))))
                return true;
        diagnostic_report(sink, severity_of(device), line->file, line->line, line->name,
                          "%s: %s was not written by setmtu and is left alone; remove it or rename it",
                          line->name, path);
        return false;
}

/* The same for a file that systemd reads from several folders: another one's may hide ours. */
static bool is_free_and_seen(const char *path, const struct device_plan *device,
                             const struct diagnostic_sink *sink) {
        const struct config_line *line = device->line;
        const char *below = path + strlen(NETWORK_FILE_FOLDER "/"), *hiding = network_files_hiding(below);

        if (!hiding)
                return is_free(path, device, sink);
        diagnostic_report(sink, severity_of(device), line->file, line->line, line->name,
                          "%s: %s/%s hides %s; remove it or rename it", line->name, hiding, below, path);
        return false;
}

static bool is_own_hook(const char *path) {
        CLEANUP(cleanup_free) char *text = NULL;
        size_t size;

        return !whole_file_is_link(path) && whole_file_read(path, 1024 * 1024, &text, &size) == 0 &&
               network_file_is_ours(path, text);
}

static bool is_netctls(const struct link *link) {
        CLEANUP(owners_free) struct owners owners = { 0 };

        return owner_state_read(link, &owners) == 0 && owners.has[OWNER_NETCTL];
}

/* Whether a device of backend auto has a hook: where netctl has it, or had it once and has got one. */
static bool wants_hook(const struct making *making, const struct device_plan *device, const char *path) {
        const struct link *link =
                        making->links ? link_table_by_name(making->links, device->line->name) : NULL;

        return device->backend != BACKEND_AUTO || is_own_hook(path) || (link && is_netctls(link));
}

static int make_hooks(struct making *making, const struct device_plan *device) {
        static const struct {
                const char *folder;
                enum kind kind;
        } hooks[] = { { NETWORK_HOOK_NETCTL, KIND_NETCTL }, { NETWORK_HOOK_NETCFG, KIND_NETCFG } };
        const struct config_line *line = device->line;
        char path[sizeof(NETWORK_HOOK_NETCFG NETWORK_HOOK_BELOW "/") + INTERFACE_NAME_SIZE];
        bool is_there = false;
        int r = 0;

        for (size_t i = 0; i < sizeof(hooks) / sizeof(hooks[0]) && r == 0; i++) {
                if (!whole_file_exists(hooks[i].folder))
                        continue;
                is_there = true;
                snprintf(path, sizeof(path), "%s" NETWORK_HOOK_BELOW "/%s", hooks[i].folder, line->name);
                if (wants_hook(making, device, path) && is_free(path, device, making->sink))
                        r = render(&making->outputs, path, device, hooks[i].kind, NULL);
        }
        if (!is_there && device->backend == BACKEND_NETCTL)
                diagnostic_report(making->sink, DIAGNOSTIC_ERROR, line->file, line->line, line->name,
                                  "%s: there is neither " NETWORK_HOOK_NETCTL " nor " NETWORK_HOOK_NETCFG
                                  ", where netctl or netcfg would find it; use backend=unit",
                                  line->name);
        return r;
}

static int make_drop_in(struct making *making, const struct device_plan *device,
                        const struct network_file *network) {
        char path[PATH_MAX];

        snprintf(path, sizeof(path), NETWORK_FILE_FOLDER "/%s.d/" NETWORK_DROP_IN_NAME, network->name);
        return is_free_and_seen(path, device, making->sink)
                               ? render(&making->outputs, path, device, KIND_DROP_IN, NULL)
                               : 0;
}

/* All of them or none: with one missing, a device could get another file's settings. */
static int make_links(struct making *making, const struct device_plan *device,
                      const struct network_choice *choice) {
        char path[sizeof(NETWORK_FILE_FOLDER) + LINK_FILE_NAME_SIZE], name[LINK_FILE_NAME_SIZE];
        int r = 0;

        for (size_t i = 0; i < choice->n_copies; i++) {
                snprintf(path, sizeof(path), NETWORK_FILE_FOLDER "/%s",
                         link_file_name(name, device->line->name, i, choice->n_copies));
                if (!is_free_and_seen(path, device, making->sink))
                        return 0;
        }
        for (size_t i = 0; i < choice->n_copies && r == 0; i++) {
                snprintf(path, sizeof(path), NETWORK_FILE_FOLDER "/%s",
                         link_file_name(name, device->line->name, i, choice->n_copies));
                r = render(&making->outputs, path, device, KIND_LINK, &choice->copies[i]);
        }
        return r;
}

static int make_device(struct making *making, const struct device_plan *device) {
        struct network_choice choice;
        int r;

        if (device->backend == BACKEND_NETCTL)
                return make_hooks(making, device);
        r = network_choice_make(device, &making->surroundings, making->sink, &choice);
        if (r < 0)
                return r;
        r = choice.network ? make_drop_in(making, device, choice.network)
                           : make_links(making, device, &choice);
        network_choice_free(&choice);
        if (r == 0 && device->backend == BACKEND_AUTO)
                r = make_hooks(making, device);
        return r;
}

static int look(const struct diagnostic_sink *sink, struct network_surroundings *ret) {
        int r = network_files_read(NETWORK_FILE_LINK, sink, &ret->links);

        if (r == 0)
                r = network_files_read(NETWORK_FILE_NETWORK, sink, &ret->networks);
        ret->has_name_policies = name_policy_is_enabled();
        return r;
}

/* NetworkManager's file is one for all devices: networkmanager_conf.h. */
static bool has_files(const struct device_plan *device) {
        return device->backend != BACKEND_UNIT && device->backend != BACKEND_NETWORKMANAGER &&
               device->line->spec.mtu != MTU_MAX;
}

int network_outputs_make(const struct plan *plan, const struct link_table *links,
                         const struct diagnostic_sink *sink, struct network_outputs *ret) {
        struct making making = { .sink = sink, .links = links };
        int r = 0;

        if (plan->has_others)
                r = look(sink, &making.surroundings);
        for (size_t i = 0; i < plan->n_devices && r == 0; i++) {
                const struct device_plan *device = &plan->devices[i];

                /* udev would drop other settings together with an MTU that the device refuses. Of one that
                 * has a unit, that tells. */
                if (has_files(device) &&
                    device_status_is_possible(device->line, links,
                                              device_plan_has_unit(device) ? NULL : sink))
                        r = make_device(&making, device);
        }
        network_files_free(&making.surroundings.links);
        network_files_free(&making.surroundings.networks);
        if (r < 0)
                network_outputs_free(&making.outputs);
        else
                *ret = making.outputs;
        return r;
}
