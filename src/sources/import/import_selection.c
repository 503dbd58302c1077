/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/import/import_selection.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "config/config_edit.h"
#include "config/interface_name.h"
#include "config/mtu_spec.h"

void import_selection_free(struct import_selection *selection) {
        pool_free(&selection->pool);
        *selection = (struct import_selection){ 0 };
}

/* Whether the same command is told of once more: in a loop, and in a hook for several devices. */
static bool is_same_command(const struct mtu_source *a, const struct mtu_source *b) {
        return a->line == b->line && a->mtu == b->mtu && a->through_line == b->through_line &&
               !a->condition == !b->condition && !a->inactive == !b->inactive &&
               strcmp(a->file, b->file) == 0 &&
               (a->through == b->through ||
                (a->through && b->through && strcmp(a->through, b->through) == 0));
}

/* `why` must be in the pool. */
static void add_refusal(struct import_selection *selection, const struct mtu_source *source,
                        const char *why) {
        size_t n = selection->n_refusals;
        const struct import_refusal *last = n > 0 ? &selection->refusals[n - 1] : NULL;

        if (!last || !is_same_command(last->source, source) || strcmp(last->why, why) != 0)
                pool_put(&selection->pool, &selection->refusals, &selection->n_refusals,
                         &(struct import_refusal){ source, why }, sizeof(*last));
}

#define refuse(selection, source, ...) \
        add_refusal(selection, source, pool_print(&(selection)->pool, __VA_ARGS__))

/* Finds or adds the device. NULL: out of memory. */
static struct import_device *find_device(struct import_selection *selection, const char *name) {
        for (size_t i = 0; i < selection->n_devices; i++)
                if (strcmp(selection->devices[i].name, name) == 0)
                        return &selection->devices[i];
        return pool_put(&selection->pool, &selection->devices, &selection->n_devices,
                        &(struct import_device){ .name = pool_copy(&selection->pool, name) },
                        sizeof(struct import_device));
}

/* Whether `a` acts before `b`, which was read after it. */
static bool acts_before(const struct mtu_source *a, const struct mtu_source *b) {
        if (a->is_late != b->is_late)
                return b->is_late;
        if (a->kind != b->kind)
                return a->kind < b->kind;
        /* The first match wins, as if it acted last. */
        return !source_kind_is_first_match(a->kind);
}

static bool is_foreign(enum source_kind kind) {
        return kind == SOURCE_LEASE || kind == SOURCE_DOCKER;
}

static void add_candidate(struct import_selection *selection, const struct mtu_source *source,
                          const char *name) {
        struct import_device *device = find_device(selection, name);
        struct import_candidate *at = NULL;
        size_t i = 0;

        while (device && i < device->n_candidates && !is_same_command(device->candidates[i].source, source))
                i++;
        if (device && i < device->n_candidates) {
                /* The last time counts. */
                at = &device->candidates[device->n_candidates - 1];
                memmove(&device->candidates[i], &device->candidates[i + 1],
                        (device->n_candidates - 1 - i) * sizeof(*at));
        } else if (device)
                at = pool_add(&selection->pool, &device->candidates, &device->n_candidates, sizeof(*at));
        if (!at)
                return;
        for (; at > device->candidates && !acts_before(at[-1].source, source); at--)
                *at = at[-1];
        *at = (struct import_candidate){ .source = source };
}

/* Adds the source if a line can be written for it. */
static void add_checked(struct import_selection *selection, const struct mtu_source *source,
                        const char *name) {
        char value[16], fault[MTU_SPEC_FAULT_SIZE];
        const char *name_fault = interface_name_fault(name, strlen(name));
        struct mtu_spec spec;
        char *line;
        int r;

        snprintf(value, sizeof(value), "%" PRIu32, source->mtu);
        if (name_fault) {
                refuse(selection, source, "%s %s", TEXT_QUOTE(name), name_fault);
                return;
        }
        if (!mtu_spec_parse(value, strlen(value), &spec, fault)) {
                refuse(selection, source, "%s: %s", TEXT_SHOW(name), fault);
                return;
        }
        r = config_edit_set("", 0, name, &spec, &line, &(size_t){ 0 });
        if (r >= 0) {
                free(line);
                add_candidate(selection, source, name);
        } else if (r == -ENOMEM)
                selection->pool.failed = true;
        else
                refuse(selection, source, "%s: a line cannot begin with this name; see setmtu(5)",
                       TEXT_QUOTE(name));
}

/* Adds the source for each device here that its pattern, address or type matches. */
static void add_meant(struct import_selection *selection, const struct mtu_source *source,
                      const struct devices *devices) {
        const struct device *device;
        size_t position = 0, n = 0;

        for (; (device = devices_meant(devices, source, &position)); n++) {
                const char *why = devices_why_idle(devices, device, source);
                struct mtu_source *idle = why ? pool_take(&selection->pool, sizeof(*idle)) : NULL;

                if (idle) {
                        *idle = *source;
                        idle->inactive = why;
                }
                add_checked(selection, idle ? idle : source, device->name);
        }
        if (n > 0 || source->inactive)
                return;
        if (source->match == MATCH_MAC)
                refuse(selection, source,
                       "no device here has the address %s; write a line with its name and %" PRIu32,
                       TEXT_SHOW(source->device), source->mtu);
        else
                refuse(selection, source,
                       "no device here has a name like %s%s; write lines with their names and %" PRIu32,
                       TEXT_SHOW(source->device),
                       source->is_kernel_name ? ", unless udev has renamed it" : "", source->mtu);
}

/* The same without its condition, if that is an address, and the device here has it. */
static const struct mtu_source *settle(struct import_selection *selection, const struct mtu_source *source,
                                       const struct devices *devices) {
        bool is_met = source->address && source->match == MATCH_NAME &&
                      source_kind_is_first_match(source->kind) &&
                      devices_have(devices, source->device, source->address);
        struct mtu_source *settled = is_met ? pool_take(&selection->pool, sizeof(*settled)) : NULL;

        if (!settled)
                return source;
        *settled = *source;
        settled->condition = NULL;
        return settled;
}

static void add(struct import_selection *selection, const struct mtu_source *source,
                const struct devices *devices) {
        /* A condition is shown whole. */
        const char *device = !source->device ? "every device"
                             : source->match == MATCH_OTHER
                                             ? text_clean(pool_copy(&selection->pool, source->device))
                                             : TEXT_SHOW(source->device);

        size_t position = 0;
        bool has_devices = source->type && devices_meant(devices, source, &position);

        if (source->inactive && !has_devices &&
            (source->mtu == 0 || source->match == MATCH_ANY || source->match == MATCH_OTHER))
                return;
        if (source->mtu == 0) {
                if (source->value) /* otherwise DHCP may give one, or not */
                        refuse(selection, source, "%s: its MTU %s is not taken over: %s", device,
                               TEXT_SHOW(source->value),
                               source->unclear ? source->unclear : "it is not known");
                return;
        }
        /* The source of a generated file says which device that is. */
        if (source->match == MATCH_OTHER && source_is_generated(source))
                return;
        switch (has_devices ? MATCH_GLOB : source->match) {
        case MATCH_NAME:
                assert(source->device);
                add_checked(selection, source, source->device);
                break;
        case MATCH_GLOB:
        case MATCH_MAC:
                add_meant(selection, source, devices);
                break;
        case MATCH_ANY:
                if (source->type)
                        refuse(selection, source,
                               "no device here is of the type %s; write a line with its name and %" PRIu32,
                               source->type, source->mtu);
                else
                        refuse(selection, source,
                               "applies to every device; write a line with %" PRIu32
                               " for each that needs it",
                               source->mtu);
                break;
        case MATCH_OTHER:
                refuse(selection, source,
                       "where %s: setmtu cannot tell which device that is; write a line with its name and "
                       "%" PRIu32,
                       device, source->mtu);
                break;
        }
}

static bool has_netplan(const struct import_device *device) {
        for (size_t i = 0; i < device->n_candidates; i++)
                if (device->candidates[i].source->kind == SOURCE_NETPLAN)
                        return true;
        return false;
}

static bool acts(const struct import_device *device, const struct import_candidate *candidate) {
        const struct mtu_source *source = candidate->source;

        return !source->inactive && !is_foreign(source->kind) &&
               !(source_is_generated(source) && has_netplan(device));
}

/* If the source that would be taken has a condition: one with another value. */
static const struct mtu_source *find_rival(const struct import_device *device) {
        for (size_t i = device->n_candidates; device->taken->condition && i > 0; i--)
                if (acts(device, &device->candidates[i - 1]) &&
                    device->candidates[i - 1].source->mtu != device->taken->mtu)
                        return device->candidates[i - 1].source;
        return NULL;
}

/* Takes the last source that acts, unless a condition decides whether it does. */
static void decide(struct import_selection *selection, struct import_device *device) {
        const struct mtu_source *last, *rival;

        for (size_t i = 0; i < device->n_candidates; i++)
                if (acts(device, &device->candidates[i]))
                        device->taken = device->candidates[i].source;
        last = device->taken;
        rival = last ? find_rival(device) : NULL;
        /* All agree then: the condition of the last one matters only if all have one. */
        for (size_t i = 0; last && last->condition && i < device->n_candidates; i++)
                if (acts(device, &device->candidates[i]) && !device->candidates[i].source->condition)
                        device->taken = device->candidates[i].source;
        if (rival)
                device->taken = NULL;
        for (size_t i = 0; i < device->n_candidates; i++) {
                struct import_candidate *candidate = &device->candidates[i];

                if (candidate->source->inactive)
                        candidate->fate = IMPORT_INACTIVE;
                else if (is_foreign(candidate->source->kind))
                        candidate->fate = IMPORT_FOREIGN;
                else if (rival)
                        candidate->fate = IMPORT_UNDECIDED;
                else if (candidate->source == device->taken)
                        candidate->fate = IMPORT_TAKEN;
                else
                        candidate->fate = last && candidate->source->mtu == last->mtu ? IMPORT_SAME
                                                                                      : IMPORT_OVERRIDDEN;
        }
        if (rival)
                refuse(selection, last,
                       "%s: %" PRIu32 " here or %" PRIu32
                       " elsewhere, by a condition; write the line that is meant",
                       TEXT_SHOW(device->name), last->mtu, rival->mtu);
}

int import_selection_make(const struct devices *devices, struct import_selection *ret) {
        const struct mtu_sources *sources = devices->sources;
        struct import_selection selection = { 0 };

        for (size_t i = 0; i < sources->n_items; i++)
                add(&selection, settle(&selection, &sources->items[i], devices), devices);
        for (size_t i = 0; i < selection.n_devices; i++)
                decide(&selection, &selection.devices[i]);
        if (selection.pool.failed) {
                import_selection_free(&selection);
                return -ENOMEM;
        }
        *ret = selection;
        return 0;
}
