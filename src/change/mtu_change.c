/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/mtu_change.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "plan/device_status.h"

/* Whether the device may have such a record: not if a scan of all records found none. */
static bool may_have(uint8_t lacking, enum mtu_record_kind kind) {
        return !(lacking & 1u << kind);
}

/* Finds the MTU to restore one day, and whether the present MTU is setmtu's already: the udev rule may have
 * set it. A device that the kernel lowered with the device below had more before. */
static int find_original(const struct link *link, uint8_t lacking, struct mtu_change *change) {
        struct lowered_mtu lowered;
        uint32_t set;
        int r = may_have(lacking, MTU_RECORD_ORIGINAL) ? original_mtu_read(link, &change->former) : -ENOENT;

        change->has_former = r == 0;
        if (r == 0) {
                change->original = change->former.original;
                change->was_ours = change->former.set == link->mtu || change->former.before == link->mtu;
        }
        if (r == -ENOENT && change->wanted > link->mtu && may_have(lacking, MTU_RECORD_LOWERED)) {
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
static int write_former(const struct link *link, const struct original_mtu *former) {
        return former->original > 0 ? original_mtu_write(link, former)
                                    : mtu_record_remove(MTU_RECORD_ORIGINAL, link);
}

/* Whether the record is as it would be written: with this MTU and the device's present name and address. */
static bool is_kept(const struct link *link, const struct mtu_change *change, uint32_t before) {
        const struct original_mtu *former = &change->former;

        return change->has_former && former->set == change->wanted && former->before == before &&
               strcmp(former->device.name, link->name) == 0 &&
               strcmp(former->device.mac, link->addresses.mac) == 0;
}

/* Runs before the change: a superfluous record is harmless, a change without a record cannot be undone. */
static void keep_record(const struct link *link, uint8_t lacking, struct mtu_change *change) {
        uint32_t before;

        change->record_error = find_original(link, lacking, change);
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
static bool is_trial(const struct link *link, uint8_t lacking) {
        struct trial_record trial;
        int r = may_have(lacking, MTU_RECORD_TRIAL) ? trial_record_read(link->ifindex, &trial) : -ENOENT;

        return r == 0 ? trial.phase == TRIAL_CHANGING : r != -ENOENT;
}

void mtu_change_note_error(struct mtu_change *change, const struct netlink_socket *socket, int error) {
        const char *words = netlink_socket_error_text(socket);

        change->error = error;
        snprintf(change->reason, sizeof(change->reason), "%s", words ? words : strerror(-error));
}

bool mtu_change_is_done(const struct mtu_change *change) {
        return change->result == MTU_CHANGE_DONE || change->result == MTU_CHANGE_EQUAL;
}

bool mtu_change_has_changed(const struct mtu_change *change) {
        return change->result == MTU_CHANGE_DONE || change->result == MTU_CHANGE_ROUNDED;
}

void mtu_change_request(struct netlink_socket *socket, const struct link *link, struct mtu_change *change) {
        bool is_lost;
        int r = link_set_mtu(socket, link, change->wanted, &change->link, &is_lost);

        if (r < 0) {
                mtu_change_note_error(change, socket, r);
                change->result = is_lost ? MTU_CHANGE_LOST : MTU_CHANGE_REFUSED;
        } else
                change->result = change->link.mtu == change->wanted ? MTU_CHANGE_DONE : MTU_CHANGE_ROUNDED;
}

void mtu_change_set(struct netlink_socket *socket, const struct link *link, uint8_t lacking,
                    const struct config_line *line, struct mtu_change *ret) {
        const struct device_status status = device_status_of(link, line);

        *ret = (struct mtu_change){ .wanted = status.wanted, .before = link->mtu, .link = *link };
        /* The kernel compares with the same limits but returns only EINVAL (dev_validate_mtu() in
         * net/core/dev.c). */
        if (status.state == DEVICE_STATE_IMPOSSIBLE) {
                ret->result = MTU_CHANGE_IMPOSSIBLE;
                return;
        }
        keep_record(link, lacking, ret);
        if (ret->result == MTU_CHANGE_UNRECORDED)
                return;
        if (may_have(lacking, MTU_RECORD_KEPT) && !is_trial(link, lacking))
                ret->had_kept = mtu_change_release(link, ret->wanted, &ret->kept);
        if (ret->result != MTU_CHANGE_EQUAL)
                mtu_change_request(socket, link, ret);
        if (ret->result == MTU_CHANGE_LOST)
                return; /* the record matches both */
        if (ret->result == MTU_CHANGE_REFUSED) {
                if (ret->had_kept)
                        (void)kept_mtu_write(link, &ret->kept);
                /* Not fatal: the present record matches the device's MTU, too. */
                (void)write_former(link, &ret->former);
                return;
        }
        if (ret->result == MTU_CHANGE_ROUNDED)
                ret->record_error = keep_original(link, ret->original, ret->link.mtu,
                                                  ret->was_ours ? link->mtu : 0);
        /* The new MTU replaces the MTU from before the device was lowered. */
        if (may_have(lacking, MTU_RECORD_LOWERED))
                ret->fall_error = mtu_record_remove(MTU_RECORD_LOWERED, link);
}

void mtu_change_settle(struct mtu_change *change) {
        /* Without `before`, at which setmtu would have the MTU for its own still. */
        if (change->was_ours && change->result == MTU_CHANGE_DONE)
                change->settle_error = keep_original(&change->link, change->original, change->wanted, 0);
}

void earlier_mtu_of_change(const struct mtu_change *change, struct earlier_mtu *ret) {
        *ret = (struct earlier_mtu){
                .mtu = change->before,
                .set = { change->link.mtu },
                .former = change->former,
        };
}

int earlier_mtu_original(const struct link *link, struct earlier_mtu *ret) {
        struct original_mtu record = { .original = 0 };
        int r = original_mtu_find(link, &record);

        *ret = (struct earlier_mtu){
                .is_original = true,
                .mtu = record.original,
                .set = { record.set, record.before },
        };
        return r == -ENOENT ? 0 : r;
}

static bool is_ours(const struct earlier_mtu *earlier, const struct link *link) {
        return earlier->mtu > 0 && (link->mtu == earlier->set[0] || link->mtu == earlier->set[1]);
}

uint32_t earlier_mtu_to_come(const struct earlier_mtu *earlier, const struct link *link) {
        return is_ours(earlier, link) ? earlier->mtu : link->mtu;
}

/* The original MTU and the one from before a fall count no longer. */
static int forget_original(const struct link *link) {
        int lowered = mtu_record_remove(MTU_RECORD_LOWERED, link);
        int original = mtu_record_remove(MTU_RECORD_ORIGINAL, link);

        return original < 0 ? original : lowered;
}

/* After a revert. The record of a later change by setmtu takes precedence. */
static int restore_record(const struct link *link, const struct earlier_mtu *earlier,
                          const struct mtu_change *change) {
        struct original_mtu record;

        if (!is_ours(earlier, link) &&
            (original_mtu_read(link, &record) < 0 || record.set != earlier->set[0]))
                return 0;
        record = earlier->former;
        if (change->result == MTU_CHANGE_ROUNDED)
                record.set = change->link.mtu;
        return write_former(link, &record);
}

void mtu_change_set_back(struct netlink_socket *socket, const struct link *link,
                         const struct earlier_mtu *earlier, struct mtu_change *ret) {
        int r;

        *ret = (struct mtu_change){ .wanted = earlier->mtu, .before = link->mtu, .link = *link };
        /* Before the change, or setmtu-keep.service would undo it. */
        if (earlier->is_original)
                ret->record_error = mtu_record_remove(MTU_RECORD_KEPT, link);
        if (link->mtu == earlier->mtu)
                ret->result = MTU_CHANGE_EQUAL;
        else if (is_ours(earlier, link))
                mtu_change_request(socket, link, ret);
        else if (earlier->mtu > 0)
                ret->result = MTU_CHANGE_STALE;
        if (ret->result == MTU_CHANGE_REFUSED || ret->result == MTU_CHANGE_LOST)
                return;
        r = earlier->is_original ? forget_original(link) : restore_record(link, earlier, ret);
        ret->record_error = r < 0 ? r : ret->record_error;
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
