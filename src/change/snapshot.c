/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/snapshot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/directory.h"
#include "base/text.h"
#include "change/mtu_change.h"
#include "kernel/underlay.h"
#include "plan/fit.h"
#include "plan/stack.h"
#include "state/unit_state.h"
#include "store/device_record.h"
#include "store/load_plan.h"

#define DEVICES "/sys/class/net/"

void mistakes_count(void *userdata, const struct diagnostic *diagnostic) {
        struct mistakes *mistakes = userdata;

        if (mistakes->n_errors + mistakes->n_warnings == 0)
                diagnostic_format(mistakes->first, diagnostic);
        *(diagnostic->severity == DIAGNOSTIC_ERROR ? &mistakes->n_errors : &mistakes->n_warnings) += 1;
}

struct diagnostic_sink mistakes_counter(struct mistakes *mistakes) {
        return (struct diagnostic_sink){ .report = mistakes_count, .userdata = mistakes };
}

/* Adds what has been recorded of a device on top of another one. */
static int add_records(struct snapshot *snapshot, struct device_status *status) {
        struct device_record record;
        const struct lowered_mtu *lowered = &record.lowered;
        bool counts;
        int r = device_record_read(status->link, &record);

        status->is_fixed = r == -EBADMSG || (r == 0 && record.trial.id > 0);
        if (r < 0)
                return r == -ENOENT || r == -EBADMSG ? 0 : r;
        status->is_pinned = record.original.set == status->link->mtu;
        counts = lowered_mtu_counts(lowered, status->link->mtu);
        if (counts)
                status->mtu_before_fall = lowered->before;
        snapshot->has_void_falls |= lowered->before > 0 && (!counts || lowered->last > 0);
        return 0;
}

static bool is_auto(const struct device_status *status) {
        return status->link && status->line && status->line->spec.is_auto;
}

/* Only those devices get their `fit` whose lines say auto here. */
static int fit(struct netlink_socket *socket, struct link_table *links, struct device_status *statuses) {
        struct fit *fits = calloc(links->n_links + 1, sizeof(*fits));
        int r = fits ? 0 : -ENOMEM;

        for (size_t i = 0; r == 0 && i < links->n_links; i++)
                if (is_auto(&statuses[i]) && fit_needs_underlay(links, &links->links[i]))
                        r = underlay_add(socket, &links->links[i], links);
        if (r == 0)
                r = fit_compute(links, statuses, fits);
        for (size_t i = 0; r == 0 && i < links->n_links; i++)
                if (is_auto(&statuses[i]))
                        links->links[i].fit = fits[i];
        free(fits);
        return r;
}

int snapshot_fit(struct snapshot *snapshot) {
        return fit(snapshot->socket, &snapshot->links, snapshot->statuses.items);
}

int snapshot_fit_line(struct snapshot *snapshot, const struct link *link, const struct config_line *line) {
        const struct device_statuses *statuses = &snapshot->statuses;
        struct device_status *items = calloc(statuses->n_items, sizeof(*items));
        int r;

        if (!items)
                return -ENOMEM;
        memcpy(items, statuses->items, statuses->n_items * sizeof(*items));
        items[link - snapshot->links.links].line = line;
        r = fit(snapshot->socket, &snapshot->links, items);
        free(items);
        return r;
}

/* Takes the table, which is empty then, unless it fails. */
static int use_links(struct snapshot *snapshot, struct link_table *links) {
        struct device_statuses statuses;
        int r = device_statuses_make(&snapshot->plan.config, links, &statuses);

        if (r < 0)
                return r;
        snapshot->has_void_falls = false;
        for (size_t i = 0; i < links->n_links && r == 0; i++)
                if (links->links[i].lower_ifindex > 0 || stack_is_bridge(&links->links[i]))
                        r = add_records(snapshot, &statuses.items[i]);
        if (r == 0 && snapshot->plan.has_fits)
                r = fit(snapshot->socket, links, statuses.items);
        if (r < 0) {
                device_statuses_free(&statuses);
                return r;
        }
        device_statuses_free(&snapshot->statuses);
        link_table_free(&snapshot->links);
        snapshot->links = *links;
        *links = (struct link_table){ 0 };
        snapshot->statuses = statuses;
        return 0;
}

void snapshot_add_restored(struct snapshot *snapshot) {
        for (size_t i = 0; i < snapshot->links.n_links; i++) {
                struct device_status *status = &snapshot->statuses.items[i];
                const struct link *link = status->link;
                struct earlier_mtu original;
                uint32_t mtu;

                if (status->line || unit_is_active(UNIT_OF_DEVICE(link->name)) <= 0 ||
                    earlier_mtu_original(link, &original) < 0)
                        continue;
                mtu = earlier_mtu_to_come(&original, link);
                status->restored = mtu != link->mtu ? mtu : 0;
        }
}

void snapshot_forget_void_falls(struct snapshot *snapshot) {
        bool is_done = true;

        for (size_t i = 0; i < snapshot->links.n_links; i++) {
                const struct link *link = &snapshot->links.links[i];
                struct device_record record;

                if (link->lower_ifindex == 0 || device_record_read(link, &record) < 0 ||
                    record.lowered.before == 0)
                        continue;
                /* The change is over and its result visible. */
                if (!lowered_mtu_counts(&record.lowered, link->mtu))
                        record.lowered.before = 0;
                else if (record.lowered.last > 0)
                        record.lowered.lowered = link->mtu;
                record.lowered.last = 0;
                is_done &= device_record_write(link, DEVICE_RECORD_LOWERED, &record) == 0;
        }
        /* A record that stays is void the next time, too, unless its device gets the same MTU again. */
        snapshot->has_void_falls = !is_done;
}

int snapshot_look(struct snapshot *snapshot) {
        CLEANUP(link_table_free) struct link_table links = { 0 };
        int r = link_get_all(snapshot->socket, &links);

        return r < 0 ? r : use_links(snapshot, &links);
}

/* Sysfs has a link to each device on top of another one. Not to tunnels, which that one does not limit. True
 * if it cannot be read. */
static bool may_have_uppers(const struct link *link) {
        CLEANUP(directory_free) struct directory directory = { 0 };
        char path[sizeof(DEVICES) + INTERFACE_NAME_SIZE];

        strcpy(stpcpy(path, DEVICES), link->name);
        if (directory_list(path, "", &directory) < 0 || directory.n_names == 0)
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

/* Clears the ifindex in `userdata` if there is a record of another device. */
static int find_other_state(void *userdata, unsigned ifindex) {
        unsigned *own = userdata;

        if (ifindex != *own)
                *own = 0;
        return 0;
}

/* Whether other devices may matter for giving `link` that MTU; or a negative errno. */
static int may_need_others(const struct snapshot *snapshot, const struct link *link, uint32_t mtu) {
        unsigned ifindex = link->ifindex;
        int r;

        if (mtu < link->mtu || link->lower_ifindex > 0 || link->controller_ifindex > 0 ||
            snapshot->plan.config.n_patterns > 0 ||
            snapshot->plan.n_devices > (plan_find(&snapshot->plan, link->name) ? 1 : 0))
                return !is_done_with(link, mtu);
        /* Another device may have fallen with this one. */
        r = device_record_each(find_other_state, &ifindex);
        return r < 0 ? r : ifindex == 0;
}

int snapshot_look_at(struct snapshot *snapshot, const struct link *link, uint32_t mtu,
                     const struct link **ret) {
        CLEANUP(link_table_free) struct link_table links = { 0 };
        int r = may_need_others(snapshot, link, mtu);

        if (r > 0)
                r = snapshot_look(snapshot);
        else if (r == 0) {
                r = link_table_add(&links, link);
                if (r == 0) {
                        link_table_sort(&links);
                        r = use_links(snapshot, &links);
                }
        }
        *ret = r == 0 ? link_table_by_ifindex(&snapshot->links, link->ifindex) : NULL;
        return *ret || r < 0 ? r : -ENODEV;
}

int snapshot_open(const struct diagnostic_sink *sink, struct snapshot *ret) {
        int r;

        *ret = (struct snapshot){ .socket = NULL };
        r = load_plan(sink, &ret->plan);
        return r < 0 ? r : netlink_socket_open(NETLINK_ROUTE, &ret->socket);
}

int snapshot_take(const struct diagnostic_sink *sink, struct snapshot *ret) {
        int r = snapshot_open(sink, ret);

        return r < 0 ? r : snapshot_look(ret);
}

int snapshot_take_with(struct config *config, const struct diagnostic_sink *sink, struct snapshot *ret) {
        int r;

        *ret = (struct snapshot){ .plan = { .config = *config } };
        r = plan_build(&ret->plan, sink);
        if (r == 0)
                r = netlink_socket_open(NETLINK_ROUTE, &ret->socket);
        return r < 0 ? r : snapshot_look(ret);
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
        return NULL;
}
