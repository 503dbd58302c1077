/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/directory.h"
#include "base/log.h"
#include "base/text.h"
#include "store/load_plan.h"
#include "store/mtu_record.h"

#define DEVICES "/sys/class/net/"

static void count_mistake(void *userdata, const struct diagnostic *diagnostic) {
        struct mistakes *mistakes = userdata;

        if (mistakes->n_errors + mistakes->n_warnings == 0)
                diagnostic_format(mistakes->first, diagnostic);
        *(diagnostic->severity == DIAGNOSTIC_ERROR ? &mistakes->n_errors : &mistakes->n_warnings) += 1;
}

static void print_mistake(void *userdata, const struct diagnostic *diagnostic) {
        count_mistake(userdata, diagnostic);
        log_line(DIAGNOSTIC_FORMAT(diagnostic));
}

struct diagnostic_sink mistakes_counter(struct mistakes *mistakes) {
        return (struct diagnostic_sink){ .report = count_mistake, .userdata = mistakes };
}

struct diagnostic_sink mistakes_sink(struct mistakes *mistakes) {
        return (struct diagnostic_sink){ .report = print_mistake, .userdata = mistakes };
}

/* Such as "2 errors"; empty if `n` is 0. */
static void format_count(char *buffer, size_t size, const char *before, unsigned n, const char *what) {
        *buffer = '\0';
        if (n > 0)
                snprintf(buffer, size, "%s%u %s%s", before, n, what, n == 1 ? "" : "s");
}

void mistakes_report(const struct mistakes *mistakes) {
        char errors[32], warnings[32];

        if (mistakes->n_errors + mistakes->n_warnings == 1)
                log_line(mistakes->first);
        if (mistakes->n_errors + mistakes->n_warnings < 2)
                return;
        format_count(errors, sizeof(errors), "", mistakes->n_errors, "error");
        format_count(warnings, sizeof(warnings), *errors ? " and " : "", mistakes->n_warnings, "warning");
        log_message(*errors ? LOG_PRIORITY_ERROR : LOG_PRIORITY_WARNING,
                    "the configuration has %s%s; setmtu check lists them", errors, warnings);
}

/* A snapshot that is being taken. */
struct taking {
        const struct link_table *links;
        struct device_statuses statuses;
        bool has_falls, has_kept; /* any device has such a record */
        bool has_void_falls;
};

static int take_fall(struct taking *taking, struct device_status *status) {
        struct lowered_mtu record;
        int r = lowered_mtu_read(status->link, &record);

        if (r == 0)
                status->records.mtu_before_fall = record.before;
        taking->has_void_falls |= r == -ENOENT || (r == 0 && record.last > 0);
        return r == -ENOENT ? 0 : r;
}

/* A trial with an unreadable record counts; a trial that is overdue or of another device does not. */
static void take_trial(struct device_status *status) {
        struct trial_record record;
        int r = trial_record_read(status->link->ifindex, &record);

        status->records.is_on_trial =
                        r == 0 ? !trial_record_is_overdue(&record) &&
                                                        device_identity_is(&record.device, status->link)
                               : r != -ENOENT;
}

static int take_record(void *userdata, enum mtu_record_kind kind, const struct link *of) {
        struct taking *taking = userdata;
        const struct link *found = link_table_by_ifindex(taking->links, of->ifindex);
        struct device_status *status = found ? &taking->statuses.items[found - taking->links->links] : NULL;

        taking->has_falls |= kind == MTU_RECORD_LOWERED;
        taking->has_kept |= kind == MTU_RECORD_KEPT;
        if (!status)
                return 0;
        status->records.lacking &= (uint8_t) ~(1u << kind);
        if (kind == MTU_RECORD_TRIAL)
                take_trial(status);
        return kind == MTU_RECORD_LOWERED ? take_fall(taking, status) : 0;
}

/* Takes the table, which is empty then, unless it fails. `is_part`: the table lacks some devices. */
static int use_links(struct snapshot *snapshot, struct link_table *links, bool is_part) {
        struct taking taking = { .links = links };
        int r = device_statuses_make(&snapshot->plan.config, links, &taking.statuses);

        if (r < 0)
                return r;
        for (size_t i = 0; i < links->n_links; i++) {
                struct device_status *status = &taking.statuses.items[i];
                int fall = is_part ? take_fall(&taking, status) : 0;

                if (is_part)
                        take_trial(status);
                else
                        status->records.lacking = UINT8_MAX;
                r = r < 0 ? r : fall;
        }
        if (!is_part)
                r = mtu_record_each(~0u, take_record, &taking);
        /* Kept records belong to names. */
        for (size_t i = 0; i < links->n_links && taking.has_kept; i++)
                taking.statuses.items[i].records.lacking &= (uint8_t) ~(1u << MTU_RECORD_KEPT);
        if (r < 0) {
                device_statuses_free(&taking.statuses);
                return r;
        }
        device_statuses_free(&snapshot->statuses);
        link_table_free(&snapshot->links);
        snapshot->links = *links;
        *links = (struct link_table){ 0 };
        snapshot->statuses = taking.statuses;
        snapshot->has_falls = taking.has_falls;
        snapshot->has_void_falls = taking.has_void_falls;
        return 0;
}

void snapshot_forget_void_falls(struct snapshot *snapshot) {
        bool is_done = true;

        for (size_t i = 0; snapshot->has_void_falls && i < snapshot->links.n_links; i++) {
                const struct link *link = &snapshot->links.links[i];
                struct lowered_mtu record;
                int r;

                if (snapshot->statuses.items[i].records.lacking & 1u << MTU_RECORD_LOWERED)
                        continue;
                r = lowered_mtu_read(link, &record);
                if (r == -ENOENT)
                        is_done &= mtu_record_remove(MTU_RECORD_LOWERED, link) == 0;
                if (r < 0 || record.last == 0)
                        continue;
                /* The change is over and its result visible. */
                record.last = 0;
                record.lowered = link->mtu;
                is_done &= lowered_mtu_write(link, &record) == 0;
        }
        /* A record that stays is void the next time, too, unless its device gets the same MTU again. */
        snapshot->has_void_falls &= !is_done;
}

int snapshot_look(struct snapshot *snapshot) {
        CLEANUP(link_table_free) struct link_table links = { 0 };
        int r = link_get_all(snapshot->socket, &links);

        return r < 0 ? r : use_links(snapshot, &links, false);
}

int snapshot_look_at_some(struct snapshot *snapshot, const unsigned *ifindexes, size_t n) {
        CLEANUP(link_table_free) struct link_table links = { 0 };

        for (size_t i = 0; i < n; i++) {
                int r = link_get_into(snapshot->socket, ifindexes[i], &links);

                if (r < 0 && r != -ENODEV)
                        return r;
        }
        link_table_sort(&links);
        return use_links(snapshot, &links, true);
}

/* Sysfs has a link to each device on top of another one. Not to tunnels, which that one does not limit. True
 * if it cannot be read. */
static bool may_have_uppers(const struct link *link) {
        CLEANUP(directory_free) struct directory directory = { 0 };
        char path[sizeof(DEVICES) + INTERFACE_NAME_SIZE];

        strcpy(stpcpy(path, DEVICES), link->name);
        if (directory_list(path, "", 0, &directory) < 0)
                return true;
        for (size_t i = 0; i < directory.n_names; i++)
                if (text_after(directory.names[i], "upper_"))
                        return true;
        return false;
}

/* Whether the udev rule has set the MTU when the device was added, and nothing depends on it. Where many
 * devices appear at once, the unit of each would list them all. */
static bool is_done_with(const struct link *link, uint32_t mtu) {
        return mtu == link->mtu && link->lower_ifindex == 0 && link->controller_ifindex == 0 &&
               original_mtu_is_from_addition(link) && !may_have_uppers(link);
}

int snapshot_look_at(struct snapshot *snapshot, const struct link *link, uint32_t mtu,
                     const struct link **ret) {
        bool may_matter = mtu < link->mtu || link->lower_ifindex > 0 || link->controller_ifindex > 0 ||
                          snapshot->plan.n_devices > (plan_find(&snapshot->plan, link->name) ? 1 : 0);
        CLEANUP(link_table_free) struct link_table links = { 0 };
        int r;

        may_matter = may_matter && !is_done_with(link, mtu);
        r = may_matter ? 0 : link_table_add(&links, link);
        if (r == 0 && !may_matter) {
                link_table_sort(&links);
                r = use_links(snapshot, &links, false);
        }
        if (r == 0 && (may_matter || snapshot->has_falls))
                r = snapshot_look(snapshot);
        *ret = r == 0 ? link_table_by_ifindex(&snapshot->links, link->ifindex) : NULL;
        return *ret || r < 0 ? r : -ENODEV;
}

/* Unless `r` is 0, frees the snapshot, logs the error, and returns false. */
static bool check_snapshot(struct snapshot *snapshot, int r) {
        if (r == 0)
                return true;
        snapshot_cleanup(snapshot);
        return log_fail(false, "cannot look at the network devices over rtnetlink: %s", strerror(-r));
}

bool snapshot_open(const struct diagnostic_sink *sink, struct snapshot *ret) {
        *ret = (struct snapshot){ .socket = NULL };
        if (load_plan(sink, &ret->plan) < 0)
                return log_fail(false, LOG_OUT_OF_MEMORY);
        return check_snapshot(ret, netlink_socket_open(&ret->socket));
}

bool snapshot_take_to(const struct diagnostic_sink *sink, struct snapshot *ret) {
        return snapshot_open(sink, ret) && check_snapshot(ret, snapshot_look(ret));
}

bool snapshot_take(struct snapshot *ret) {
        const struct diagnostic_sink sink = mistakes_counter(&ret->mistakes);

        if (!snapshot_take_to(&sink, ret))
                return false;
        mistakes_report(&ret->mistakes);
        return true;
}

bool snapshot_take_with(struct config *config, const struct diagnostic_sink *sink, struct snapshot *ret) {
        *ret = (struct snapshot){ .plan = { .config = *config } };
        return check_snapshot(ret, plan_build(&ret->plan, sink)) &&
               check_snapshot(ret, netlink_socket_open(&ret->socket)) &&
               check_snapshot(ret, snapshot_look(ret));
}

void snapshot_cleanup(struct snapshot *snapshot) {
        device_statuses_free(&snapshot->statuses);
        link_table_free(&snapshot->links);
        netlink_socket_cleanup(&snapshot->socket);
        plan_free(&snapshot->plan);
        *snapshot = (struct snapshot){ .socket = NULL };
}

const struct device_status *snapshot_find(const struct snapshot *snapshot, const char *word) {
        const struct link *link = link_table_by_name(&snapshot->links, word);

        for (size_t i = 0; i < snapshot->statuses.n_items; i++) {
                const struct device_status *status = &snapshot->statuses.items[i];

                if (link ? status->link == link : !status->link && strcmp(status->line->name, word) == 0)
                        return status;
        }
        return log_fail(NULL, "%s: there is no such network device, and no line for it%s", TEXT_SHOW(word),
                        TEXT_HINT(link_table_alike(&snapshot->links, word)));
}

const struct config_line *snapshot_line(const struct snapshot *snapshot, const struct link *link,
                                        const char *name) {
        /* The first statuses are in the order of the devices. */
        return link ? snapshot->statuses.items[link - snapshot->links.links].line
                    : config_find(&snapshot->plan.config, name);
}
