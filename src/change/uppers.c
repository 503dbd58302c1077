/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/uppers.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "change/device_change.h"
#include "plan/device_status.h"
#include "plan/stack.h"
#include "store/lowered_mtu.h"
#include "store/original_mtu.h"
#include "store/trial_record.h"

/* What is being settled. */
struct settling {
        const struct uppers *uppers;
        struct link_table now; /* before anything of it was raised again */
        bool *is_seen;         /* of its links */
};

const struct config_line *uppers_line_of(const struct plan *plan, const struct link_table *table,
                                         const struct link *link) {
        const struct device_plan *device = plan_find(plan, link->name);
        const struct link_altname *altnames;
        size_t n = 0;

        altnames = device || !table ? NULL : link_table_altnames(table, link, &n);
        for (size_t i = 0; i < n && !device; i++)
                device = plan_find(plan, altnames[i].name);
        return device ? device->line : NULL;
}

static void note_one(void *userdata, unsigned ifindex) {
        bool *is_any = userdata;

        (void)ifindex;
        *is_any = true;
}

bool uppers_may_wait(const struct plan *plan, const char *name) {
        bool is_any = plan->n_devices > (plan_find(plan, name) ? 1 : 0);

        if (!is_any)
                lowered_mtu_each(note_one, &is_any);
        return is_any;
}

void uppers_watch(struct link_socket *socket, const struct plan *plan, const struct link *link, uint32_t mtu,
                  struct uppers *ret) {
        *ret = (struct uppers){ .socket = socket, .plan = plan };
        ret->has_before = mtu > 0 && mtu < link->mtu && link_get_all(socket, &ret->before) == 0;
}

void uppers_watch_all(struct link_socket *socket, const struct plan *plan, struct uppers *ret) {
        *ret = (struct uppers){ .socket = socket, .plan = plan };
        ret->has_before = link_get_all(socket, &ret->before) == 0;
}

/* Keeps what the device had, if it has less now. Where it has fallen before, what it had at first counts. */
static void note_fall(const struct uppers *uppers, const struct link *now) {
        const struct link *before =
                        uppers->has_before ? link_table_by_ifindex(&uppers->before, now->ifindex) : NULL;
        struct lowered_mtu record;

        if (!before || before->mtu <= now->mtu || strcmp(before->name, now->name) != 0)
                return;
        if (lowered_mtu_read(now->ifindex, &record) < 0 || record.fallen != before->mtu)
                record.before = before->mtu;
        strcpy(record.name, now->name);
        record.fallen = now->mtu;
        /* Without it, the device stays as low as the kernel has made it. */
        (void)lowered_mtu_write(now->ifindex, &record);
}

/* Whether the device has fallen and not been given another MTU since. Forgets a record that is void. */
static bool has_fallen(const struct link *upper, struct lowered_mtu *ret) {
        int r = lowered_mtu_read(upper->ifindex, ret);

        if (r == 0 && ret->fallen == upper->mtu && strcmp(ret->name, upper->name) == 0)
                return true;
        if (r != -ENOENT)
                (void)lowered_mtu_remove(upper->ifindex);
        return false;
}

/* Gives a device without a line what it had, or as much of that as there is room for. */
static void raise_fallen(struct link_socket *socket, const struct link *upper, uint32_t capacity,
                         struct lowered_mtu *record) {
        uint32_t mtu = record->before < capacity ? record->before : capacity;
        int r;

        if (mtu <= upper->mtu)
                return;
        r = link_set_mtu(socket, upper->ifindex, mtu);
        if (r < 0) {
                log_error("%s: fell with the device below it, and could not be put back to %" PRIu32 ": %s",
                          upper->name, mtu, device_change_reason(socket, r));
                return;
        }
        log_info("%s: MTU put back to %" PRIu32 ", was %" PRIu32 " since it fell with the device below it",
                 upper->name, mtu, upper->mtu);
        record->fallen = mtu;
        (void)(mtu == record->before ? lowered_mtu_remove(upper->ifindex)
                                     : lowered_mtu_write(upper->ifindex, record));
}

/* Gives a device what its line wants. What a restore puts back is not what it had fallen to. */
static void apply_line(struct link_socket *socket, const struct config_line *line, const struct link *upper,
                       const struct lowered_mtu *fallen) {
        struct original_mtu record;
        bool had_record = original_mtu_read(upper->ifindex, &record) == 0;
        struct mtu_change change;

        /* A failure is the device's own: its unit will tell of it, too. */
        if (!device_change_apply(socket, line, upper, &change) || !fallen || had_record)
                return;
        if (fallen->before == change.wanted) {
                (void)original_mtu_remove(upper->ifindex);
                return;
        }
        record.original = fallen->before;
        record.set = change.wanted;
        strcpy(record.name, upper->name);
        (void)original_mtu_write(upper->ifindex, &record);
}

static void settle_one(const struct settling *settling, const struct link *seen, const struct link *lower) {
        const struct uppers *uppers = settling->uppers;
        struct link upper;
        struct trial_record trial;
        struct lowered_mtu fallen;
        const struct config_line *line;
        uint32_t capacity, wanted;
        bool is_fallen;

        if (link_get_by_ifindex(uppers->socket, seen->ifindex, &upper) < 0 ||
            trial_record_read(upper.ifindex, &trial) != -ENOENT)
                return;
        is_fallen = has_fallen(&upper, &fallen);
        line = uppers_line_of(uppers->plan, &settling->now, seen);
        capacity = stack_capacity(&upper, lower, lower->mtu);
        if (!line) {
                if (is_fallen && stack_is_limited(&upper))
                        raise_fallen(uppers->socket, &upper, capacity, &fallen);
                return;
        }
        wanted = device_status_of(&upper, line).wanted;
        if (stack_is_follower(&upper) ? upper.mtu != wanted
                                      : stack_is_limited(&upper) && upper.mtu < wanted && wanted <= capacity)
                apply_line(uppers->socket, line, &upper, is_fallen ? &fallen : NULL);
}

/* A bridge carries on what its ports take, and is in nobody's way by itself. */
static bool is_bridge_of(const struct link *bridge, const struct link *port) {
        return port->controller_ifindex == bridge->ifindex && strcmp(bridge->kind, "bridge") == 0;
}

static void settle(const struct settling *settling, unsigned ifindex, unsigned depth) {
        const struct link_table *now = &settling->now;
        const struct link *seen = link_table_by_ifindex(now, ifindex);
        struct link lower;

        if (depth > STACK_DEPTH_MAX || !seen || settling->is_seen[seen - now->links] ||
            link_get_by_ifindex(settling->uppers->socket, ifindex, &lower) < 0)
                return;
        settling->is_seen[seen - now->links] = true;
        for (size_t i = 0; i < now->n_links; i++) {
                const struct link *upper = &now->links[i];

                if (upper->lower_ifindex == ifindex) {
                        if (stack_is_limited(upper))
                                note_fall(settling->uppers, upper);
                        settle_one(settling, upper, &lower);
                } else if (!is_bridge_of(upper, &lower))
                        continue;
                settle(settling, upper->ifindex, depth + 1);
        }
}

void uppers_settle(struct uppers *uppers, const unsigned *ifindexes, size_t n) {
        struct settling settling = { .uppers = uppers };

        if (n > 0 && link_get_all(uppers->socket, &settling.now) == 0) {
                settling.is_seen = calloc(settling.now.n_links + 1, sizeof(*settling.is_seen));
                for (size_t i = 0; i < n && settling.is_seen; i++)
                        settle(&settling, ifindexes[i], 0);
                free(settling.is_seen);
                link_table_free(&settling.now);
        }
        if (uppers->has_before)
                link_table_free(&uppers->before);
        uppers->has_before = false;
}
