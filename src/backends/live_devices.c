/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "backends/live_devices.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/process.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "change/carry_out.h"
#include "change/change_log.h"
#include "state/unit_state.h"
#include "store/device_record.h"

int live_devices_is_boot(void) {
        int r = unit_is_udevd_active();

        /* A container has no udev, but a message bus. */
        if (r == 0)
                r = unit_is_active("dbus.service");
        if (r == 0)
                r = unit_is_active("dbus-broker.service");
        return r < 0 ? r : r == 0;
}

bool live_devices_are_old(bool *ret) {
        int r = live_devices_is_boot();

        if (r > 0)
                r = whole_file_exists(DEVICE_RECORD_DIRECTORY);
        if (r < 0)
                log_error("whether setmtu has run since the kernel booted is not known "
                          "(/run/systemd/units, " DEVICE_RECORD_DIRECTORY "): %s",
                          strerror(-r));
        *ret = r > 0;
        return r >= 0;
}

/* 1, 0, or a negative errno, which is logged. */
static int has_systemd(void) {
        int r = whole_file_exists(UNIT_SYSTEMD_DIRECTORY);

        if (r < 0)
                log_error(UNIT_SYSTEMD_DIRECTORY ": %s", strerror(-r));
        return r;
}

bool live_devices_leave_mark(void) {
        int r = has_systemd();

        if (r <= 0)
                return r == 0;
        r = whole_file_make_directories(DEVICE_RECORD_DIRECTORY "/");
        if (r < 0)
                log_error(DEVICE_RECORD_DIRECTORY ": %s", strerror(-r));
        return r == 0;
}

static bool follow_lines(struct snapshot *snapshot) {
        CLEANUP(cleanup_free)
        struct step_target *targets = calloc(snapshot->links.n_links + 1, sizeof(*targets));
        CLEANUP(change_free) struct change change = { 0 };
        size_t n = 0;
        int r;

        if (!targets)
                return log_fail(false, LOG_OUT_OF_MEMORY);
        for (size_t i = 0; i < snapshot->links.n_links; i++) {
                const struct link *link = &snapshot->links.links[i];
                const struct config_line *line = snapshot_line(snapshot, link, link->name);

                if (line && strcmp(link->name, line->name) == 0 && plan_find(&snapshot->plan, link->name) &&
                    unit_is_device_masked(link->name) == 0)
                        targets[n++] = (struct step_target){ .link = link, .line = line };
        }
        if (n == 0)
                return true;
        r = change_set_targets(snapshot, targets, n, &change);
        return change_log(snapshot->socket, "", r, &change);
}

/* Queues `verb` for the units that should be in the state `wanted` and are not. By systemctl, because
 * setmtu-configure does not load libsystemd. It does not wait for the jobs, because systemd is starting this
 * program. */
static bool call_systemctl(const struct plan *plan, const struct link_table *devices, const char *verb,
                           bool wanted) {
        CLEANUP(process_words_cleanup) struct process_words words = { 0 };
        bool is_known = true;
        size_t n_words;
        int r;

        process_words_add(&words, "systemctl");
        process_words_add(&words, "--no-block");
        process_words_add(&words, verb);
        n_words = words.n_items;
        for (size_t i = 0; i < devices->n_links; i++) {
                const char *name = devices->links[i].name;
                const struct device_plan *device = plan_find(plan, name);
                const char *unit = UNIT_OF_DEVICE(name);

                if ((device && backend_has_unit(device->backend)) != wanted)
                        continue;
                r = unit_is_active(unit);
                if (r == wanted)
                        continue;
                if (r >= 0)
                        r = unit_is_device_masked(name);
                if (r < 0) {
                        log_error("%s: cannot find out whether to %s it: %s", unit, verb, strerror(-r));
                        is_known = false;
                } else if (r == 0)
                        process_words_add(&words, pool_copy(&words.pool, unit));
        }
        if (words.n_items == n_words && !words.pool.failed)
                return is_known;
        process_words_add(&words, NULL);
        r = words.pool.failed ? -ENOMEM : process_run(words.items);
        if (r != 0)
                log_error("systemctl %s: %s", verb, r < 0 ? strerror(-r) : "it failed");
        return r == 0 && is_known;
}

/* Device units are active already and start nothing by themselves. */
static bool follow_units(const struct plan *plan, const struct link_table *devices) {
        int r = has_systemd();
        bool is_done;

        if (r <= 0)
                return r == 0;
        is_done = call_systemctl(plan, devices, "start", true);
        return (plan->config.is_partial || call_systemctl(plan, devices, "stop", false)) && is_done;
}

bool live_devices_follow(struct snapshot *snapshot) {
        /* Each change reads again the devices that matter to it. */
        CLEANUP(link_table_free) struct link_table devices = { 0 };
        bool is_done;

        for (size_t i = 0; i < snapshot->links.n_links; i++)
                if (link_table_add(&devices, &snapshot->links.links[i]) < 0)
                        return log_fail(false, LOG_OUT_OF_MEMORY);
        is_done = follow_lines(snapshot);
        for (size_t i = 0; i < devices.n_links && !snapshot->plan.config.is_partial; i++) {
                const struct link *old = &devices.links[i];
                struct original_mtu record;
                struct link link;

                if (config_match(&snapshot->plan.config, old->name) ||
                    original_mtu_read(old, &record) == -ENOENT ||
                    link_get_by_name(snapshot->socket, old->name, &link) < 0)
                        continue;
                is_done &= change_restore_and_log(snapshot, link.name, &link);
        }
        return follow_units(&snapshot->plan, &devices) && is_done;
}

/* The MTUs that changed files give devices, by interface. */
struct device_mtus {
        struct device_mtu {
                const char *interface;
                uint32_t mtu;
        } * items; /* in a pool, as their texts */
        size_t n_items;
};

static int compare_mtus(const void *a, const void *b) {
        const struct device_mtu *one = a, *other = b;
        int order = strcmp(one->interface, other->interface);

        return order ? order : (one->mtu > other->mtu) - (one->mtu < other->mtu);
}

static void add_mtu(struct pool *pool, struct device_mtus *mtus, const char *interface, uint32_t mtu) {
        struct device_mtu *item = pool_add(pool, &mtus->items, &mtus->n_items, sizeof(*item));

        if (item)
                *item = (struct device_mtu){ pool_copy(pool, interface), mtu };
}

/* Lists what the files give devices. One that `others` has, too, was not removed but may have changed. False
 * if out of memory. */
static bool list_changed(const struct generated_files *files, const struct generated_files *others,
                         const struct link_table *links, struct pool *pool, struct device_mtus *ret) {
        for (size_t i = 0; i < files->n_items; i++) {
                const struct generated_file *file = &files->items[i];
                const struct generated_file *other = generated_files_find(others, file->path);
                uint32_t mtu = generated_file_mtu(file);
                char interface[INTERFACE_NAME_SIZE];
                const char *rest = NULL;

                if (mtu == 0 || (!file->is_changed && !(other && other->is_changed)))
                        continue;
                while (generated_file_next_device(file, &rest, interface)) {
                        bool is_pattern = interface_name_is_pattern(interface);

                        if (!is_pattern)
                                add_mtu(pool, ret, interface, mtu);
                        for (size_t j = 0; j < links->n_links && is_pattern; j++)
                                if (fnmatch(interface, links->links[j].name, 0) == 0)
                                        add_mtu(pool, ret, links->links[j].name, mtu);
                }
        }
        if (ret->n_items > 0)
                qsort(ret->items, ret->n_items, sizeof(*ret->items), compare_mtus);
        return !pool->failed || log_fail(false, LOG_OUT_OF_MEMORY);
}

static bool give(const struct device_mtus *mtus, const char *interface, uint32_t mtu) {
        const struct device_mtu wanted = { interface, mtu };

        return mtus->n_items > 0 &&
               bsearch(&wanted, mtus->items, mtus->n_items, sizeof(wanted), compare_mtus);
}

/* Finds the device by name only, as systemd does, not by an alternative name: 1; 0 if absent; or a negative
 * errno, which is logged. */
static int find_device(struct snapshot *snapshot, const char *interface, struct link *ret) {
        int r = link_get_by_name(snapshot->socket, interface, ret);

        if (r == 0)
                return strcmp(ret->name, interface) == 0;
        if (r == -ENODEV)
                return 0;
        change_log_unreadable(snapshot->socket, interface, r);
        return r;
}

/* Sets the configured MTUs that are new in the files, in the order of the steps, each as the device's unit
 * would. */
static bool set_lines(const struct device_mtus *before, const struct device_mtus *wanted,
                      struct snapshot *snapshot) {
        CLEANUP(steps_free) struct steps steps = { .n_items = 0 };
        CLEANUP(cleanup_free) struct config_line *lines = NULL;
        bool is_done = true;

        if (steps_make(&snapshot->statuses, &snapshot->links, NULL, 0, &steps) < 0 ||
            !(lines = calloc(steps.n_items + 1, sizeof(*lines))))
                return log_fail(false, LOG_OUT_OF_MEMORY);
        /* Each change looks at the devices again, to which the lines of patterns belong. */
        for (size_t i = 0; i < steps.n_items; i++)
                if (steps.items[i].line)
                        lines[i] = *steps.items[i].line;
        for (size_t i = 0; i < steps.n_items; i++) {
                const struct config_line *line = steps.items[i].line ? &lines[i] : NULL;
                uint32_t given = 0;
                struct link link;
                int r;

                if (!line || steps.items[i].action == STEP_FALL ||
                    !give(wanted, line->name, line->spec.mtu) || give(before, line->name, line->spec.mtu))
                        continue;
                r = find_device(snapshot, line->name, &link);
                if (r > 0)
                        given = give(before, link.name, link.mtu) ? link.mtu : 0;
                is_done &= r > 0 ? change_set_and_log(snapshot, line, &link, &given) : r == 0;
        }
        return is_done;
}

/* Restores devices without a line. A device whose line is in error or for another backend stays as it is. */
static bool restore_all(const struct device_mtus *before, struct snapshot *snapshot) {
        bool is_done = true;

        for (size_t i = 0; i < before->n_items; i++) {
                const char *interface = before->items[i].interface;
                struct original_mtu record;
                struct link link;
                int r;

                if ((i > 0 && strcmp(before->items[i - 1].interface, interface) == 0) ||
                    config_match(&snapshot->plan.config, interface))
                        continue;
                r = find_device(snapshot, interface, &link);
                if (r > 0 && original_mtu_read(&link, &record) == -ENOENT)
                        log_info("%s: its MTU stays %u until it appears again or the machine boots: it has "
                                 "had it since then",
                                 interface, link.mtu);
                is_done &= r > 0 ? change_restore_and_log(snapshot, interface, &link) : r == 0;
        }
        return is_done;
}

bool live_devices_set(const struct generated_files *before, const struct generated_files *wanted,
                      struct snapshot *snapshot) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        struct device_mtus given = { 0 }, to_give = { 0 };
        bool is_done;

        if (!list_changed(before, wanted, &snapshot->links, &pool, &given) ||
            !list_changed(wanted, before, &snapshot->links, &pool, &to_give))
                return false;
        if (given.n_items + to_give.n_items == 0)
                return true;
        is_done = set_lines(&given, &to_give, snapshot);
        return restore_all(&given, snapshot) && is_done;
}
