/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/mtu_change.h"

#include <errno.h>
#include <string.h>

#include "plan/device_status.h"

/* Whether the device may have such a record: not if a scan of all records found none. */
static bool may_have(const struct link *link, enum mtu_record_kind kind) {
        return !(link->lacks_records & 1u << kind);
}

/* Finds the MTU to restore one day, and whether the present MTU is setmtu's already: the udev rule may have
 * set it. A device that the kernel lowered with the device below had more before. */
static int find_original(const struct link *link, struct mtu_change *change) {
        struct lowered_mtu lowered;
        uint32_t set;
        int r = may_have(link, MTU_RECORD_ORIGINAL) ? original_mtu_read(link, &change->former) : -ENOENT;

        change->has_former = r == 0;
        if (r == 0) {
                change->original = change->former.original;
                change->was_ours = change->former.set == link->mtu || change->former.before == link->mtu;
        }
        if (r == -ENOENT && change->wanted > link->mtu && may_have(link, MTU_RECORD_LOWERED)) {
                r = lowered_mtu_read(link, &lowered);
                if (r == 0)
                        change->original = lowered.before;
        }
        if (r == -ENOENT) {
                r = original_mtu_from_udev(link, &change->original, &set);
                change->was_ours = r == 0 && set == link->mtu;
                if ((r == 0 && set != link->mtu) || r == -ENODATA)
                        r = -ENOENT;
        }
        if (r != -ENOENT)
                return r;
        change->original = link->mtu;
        return 0;
}

static int keep_original(const struct link *link, uint32_t original, uint32_t set, uint32_t before) {
        const struct original_mtu record = { .original = original, .set = set, .before = before };

        return original_mtu_write(link, &record);
}

/* Makes the record describe the last change that is still in effect. */
static int put_back_record(const struct link *link, const struct original_mtu *former) {
        return former ? original_mtu_write(link, former) : mtu_record_remove(MTU_RECORD_ORIGINAL, link);
}

/* Whether the record is as it would be written: with this MTU and the device's present name and address. */
static bool is_kept(const struct link *link, const struct mtu_change *change, uint32_t before) {
        const struct original_mtu *former = &change->former;

        return change->has_former && former->set == change->wanted && former->before == before &&
               strcmp(former->device.name, link->name) == 0 &&
               strcmp(former->device.mac, link->addresses.mac) == 0;
}

/* Runs before the change: a superfluous record is harmless, a change without a record cannot be undone. */
static void keep_record(const struct link *link, struct mtu_change *change) {
        uint32_t before;

        change->record_error = find_original(link, change);
        change->is_unread = change->record_error < 0;
        /* The udev rule's MTU is setmtu's; an MTU from others, or from before a lowering, is not. */
        before = change->was_ours && link->mtu != change->wanted ? link->mtu : 0;
        if (!change->is_unread && (change->has_former || change->original != change->wanted) &&
            !is_kept(link, change, before))
                change->record_error = keep_original(link, change->original, change->wanted, before);
        if (link->mtu == change->wanted)
                change->result = MTU_CHANGE_EQUAL;
        else if (change->record_error < 0)
                change->result = MTU_CHANGE_UNRECORDED;
}

bool mtu_change_release(const struct link *link, uint32_t mtu, struct kept_mtu *ret) {
        return kept_mtu_read(link, ret) == 0 && ret->mtu != mtu &&
               mtu_record_remove(MTU_RECORD_KEPT, link) == 0;
}

/* Whether a trial is making this change: that does not release the kept MTU. Any later change does. */
static bool is_trial(const struct link *link) {
        struct trial_record trial;
        int r = may_have(link, MTU_RECORD_TRIAL) ? trial_record_read(link->ifindex, &trial) : -ENOENT;

        return r == 0 ? trial.phase == TRIAL_CHANGING : r != -ENOENT;
}

static void apply(struct netlink_socket *socket, const struct link *link, const struct config_line *line,
                  struct mtu_change *ret) {
        const struct device_status status = device_status_of(link, line);
        bool is_lost;

        *ret = (struct mtu_change){ .wanted = status.wanted, .before = link->mtu, .link = *link };
        /* The kernel compares with the same limits but returns only EINVAL (dev_validate_mtu() in
         * net/core/dev.c). */
        if (status.state == DEVICE_STATE_IMPOSSIBLE) {
                ret->result = MTU_CHANGE_IMPOSSIBLE;
                return;
        }
        keep_record(link, ret);
        if (ret->result != MTU_CHANGE_UNRECORDED && may_have(link, MTU_RECORD_KEPT) && !is_trial(link))
                ret->had_kept = mtu_change_release(link, ret->wanted, &ret->kept);
        if (ret->result != MTU_CHANGE_DONE)
                return;
        ret->error = link_set_mtu(socket, link, ret->wanted, &ret->link, &is_lost);
        if (ret->error < 0 && is_lost)
                ret->result = MTU_CHANGE_LOST; /* the record matches both */
        else if (ret->error < 0) {
                ret->result = MTU_CHANGE_REFUSED;
                if (ret->had_kept)
                        (void)kept_mtu_write(link, &ret->kept);
                /* Not fatal: the present record matches the device's MTU, too. */
                (void)put_back_record(link, ret->has_former ? &ret->former : NULL);
        } else if (ret->link.mtu != ret->wanted) {
                ret->result = MTU_CHANGE_ROUNDED;
                ret->record_error = keep_original(link, ret->original, ret->link.mtu,
                                                  ret->was_ours ? link->mtu : 0);
        }
}

bool mtu_change_is_done(const struct mtu_change *change) {
        return change->result == MTU_CHANGE_DONE || change->result == MTU_CHANGE_EQUAL;
}

void mtu_change_apply(struct netlink_socket *socket, const struct link *link, const struct config_line *line,
                      struct mtu_change *ret) {
        apply(socket, link, line, ret);
        /* The new MTU replaces the MTU from before the device was lowered. */
        if ((mtu_change_is_done(ret) || ret->result == MTU_CHANGE_ROUNDED) &&
            may_have(link, MTU_RECORD_LOWERED))
                ret->fall_error = mtu_record_remove(MTU_RECORD_LOWERED, link);
}

int mtu_change_undo(struct netlink_socket *socket, unsigned ifindex, uint32_t before, uint32_t set,
                    const struct original_mtu *former, struct mtu_undone *ret) {
        struct original_mtu record;
        struct link link, now = { .mtu = before };
        bool is_lost;
        int r = link_get_by_ifindex(socket, ifindex, &link);

        if (r < 0)
                return r;
        if (link.mtu != set) {
                /* The record of a later change by setmtu takes precedence. */
                if (original_mtu_read(&link, &record) == 0 && record.set == set)
                        (void)put_back_record(&link, former);
                return -ESTALE;
        }
        if (set != before)
                r = link_set_mtu(socket, &link, before, &now, &is_lost);
        if (r < 0)
                return r;
        if (former) {
                record = *former;
                record.set = now.mtu == before ? record.set : now.mtu;
        }
        ret->mtu = now.mtu;
        ret->record_error = put_back_record(&link, former ? &record : NULL);
        return 0;
}

/* Removes the record of a device that is gone; keeps it if that is not known. The record of an earlier
 * device with the ifindex does no harm. A trial's record goes with the trial. */
static int forget(void *userdata, enum mtu_record_kind kind, const struct link *of) {
        struct netlink_socket *socket = userdata;
        struct link link;
        int r;

        r = of->ifindex > 0 ? link_get_by_ifindex(socket, of->ifindex, &link)
                            : link_get_by_name(socket, of->name, &link);
        return r == -ENODEV ? mtu_record_remove(kind, of) : r;
}

int mtu_change_forget_gone(struct netlink_socket *socket) {
        return mtu_record_each(~(1u << MTU_RECORD_TRIAL), forget, socket);
}
