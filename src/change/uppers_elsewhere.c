/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/uppers_elsewhere.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/text.h"
#include "change/change_log.h"
#include "kernel/other_namespaces.h"
#include "plan/stack.h"
#include "store/mtu_record.h"

struct visit {
        const struct link_table *own; /* the devices of this namespace */
        const struct link *lower;     /* of `own` */
        bool is_raise;                /* raise the devices on top of it; otherwise note their MTUs */
        uint32_t mtu;                 /* the requested MTU of `lower` */
        uint32_t had;                 /* the MTU that `lower` really got; only with `is_raise` */
        int error;                    /* of the first namespace that could not be read */
};

static bool stands_on(const struct link_table *links, const struct link *link, const struct link *lower) {
        for (unsigned depth = 0; link && depth <= STACK_DEPTH_MAX; depth++) {
                if (link == lower)
                        return true;
                link = link_table_by_ifindex(links, link->lower_ifindex);
        }
        return false;
}

/* Whether the device of the other namespace stands on `lower`, at any height. */
static bool stands_on_own(const struct visit *visit, const struct other_namespace *there,
                          const struct link_table *links, const struct link *link) {
        for (unsigned depth = 0; link && depth <= STACK_DEPTH_MAX; depth++) {
                if (link->is_lower_elsewhere)
                        return there->own_id >= 0 && link->lower_namespace == (uint32_t)there->own_id &&
                               stands_on(visit->own,
                                         link_table_by_ifindex(visit->own, link->lower_elsewhere),
                                         visit->lower);
                link = link_table_by_ifindex(links, link->lower_ifindex);
        }
        return false;
}

static void note(const struct visit *visit, const struct other_namespace *there, const struct link *link) {
        struct lowered_mtu record;
        int r;

        if (link->mtu <= visit->mtu)
                return;
        if (lowered_mtu_read(link, &record) < 0)
                record = (struct lowered_mtu){ .before = link->mtu };
        record.lowered = visit->mtu;
        r = lowered_mtu_write(link, &record);
        if (r < 0)
                log_warning("%s in %s: its MTU, %u, cannot be kept in /run/setmtu: %s; it stays low once %s "
                            "is lowered",
                            TEXT_SHOW(link->name), there->label, link->mtu, strerror(-r),
                            visit->lower->name);
}

/* True if the device was raised. */
static bool raise(const struct visit *visit, const struct other_namespace *there, const struct link *link,
                  bool is_last) {
        struct lowered_mtu record;
        bool is_lost = false;
        struct link now = *link, expected = *link;
        int r = lowered_mtu_read(link, &record);

        /* The driver of the device below may have set another MTU than was noted. */
        expected.mtu = visit->mtu;
        if (r == -ENOENT && link->mtu == visit->had)
                r = lowered_mtu_read(&expected, &record);
        if (r == -ENOENT) {
                /* No record, or another program has changed the device since. */
                (void)mtu_record_remove(MTU_RECORD_LOWERED, link);
                return false;
        }
        if (r == 0)
                r = link_set_mtu(there->socket, link, record.before, &now, &is_lost);
        if (r < 0) {
                if (is_last)
                        log_error("%s in %s: may have fallen with %s, and could not be put back from %u: %s",
                                  TEXT_SHOW(link->name), there->label, visit->lower->name, link->mtu,
                                  change_reason(there->socket, r));
                return false;
        }
        log_info("%s in %s: MTU put back to %u, was %u since it was lowered with %s", TEXT_SHOW(link->name),
                 there->label, now.mtu, link->mtu, visit->lower->name);
        (void)mtu_record_remove(MTU_RECORD_LOWERED, link);
        return true;
}

/* Raises from the bottom up. The table is not in that order, so this repeats until nothing is raised; then
 * once more, to log what could not be. */
static void raise_all(const struct visit *visit, const struct other_namespace *there,
                      struct link_table *links) {
        bool has_raised = true, is_last = false;

        for (unsigned i = 0; !is_last; i++) {
                is_last = !has_raised || i > STACK_DEPTH_MAX;
                has_raised = false;
                for (size_t j = 0; j < links->n_links; j++)
                        if (stands_on_own(visit, there, links, &links->links[j]))
                                has_raised |= raise(visit, there, &links->links[j], is_last);
        }
}

static void visit_one(void *userdata, const struct other_namespace *there) {
        struct visit *visit = userdata;
        CLEANUP(link_table_free) struct link_table links = { 0 };
        int r;

        /* The other namespace has no ID for this one: no device there stands on a device here. */
        if (there->own_id < 0)
                return;
        device_identity_forget_here();
        r = link_get_all(there->socket, &links);
        if (r < 0) {
                if (visit->error == 0)
                        visit->error = r;
                return;
        }
        if (visit->is_raise)
                raise_all(visit, there, &links);
        for (size_t i = 0; !visit->is_raise && i < links.n_links; i++)
                if (stands_on_own(visit, there, &links, &links.links[i]))
                        note(visit, there, &links.links[i]);
}

/* Returns 0, or the error of the first namespace that could not be read. */
static int visit_all(struct netlink_socket *socket, unsigned ifindex, struct visit visit) {
        CLEANUP(link_table_free) struct link_table own = { 0 };
        int r = link_get_all(socket, &own);

        if (r < 0)
                return r;
        visit.own = &own;
        visit.lower = link_table_by_ifindex(&own, ifindex);
        if (visit.lower)
                r = other_namespaces_visit(visit_one, &visit);
        device_identity_forget_here();
        return r < 0 ? r : visit.error;
}

void uppers_elsewhere_note(struct netlink_socket *socket, const struct link *link, uint32_t mtu) {
        int r = visit_all(socket, link->ifindex, (struct visit){ .mtu = mtu });

        if (r < 0)
                log_warning("%s: not all network namespaces can be looked at: %s; a device of another one "
                            "that stands on it may stay low",
                            link->name, strerror(-r));
}

void uppers_elsewhere_raise(struct netlink_socket *socket, unsigned ifindex, uint32_t mtu, uint32_t had) {
        int r = visit_all(socket, ifindex, (struct visit){ .is_raise = true, .mtu = mtu, .had = had });

        if (r < 0)
                log_warning("not all network namespaces can be looked at: %s; a device of another one that "
                            "fell may have stayed low",
                            strerror(-r));
}
