/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/mtu_change.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "plan/device_status.h"

static int write_original(const struct link *link, uint32_t original, uint32_t set, uint32_t before) {
        const struct device_record record = {
                .original = { .original = original, .set = set, .before = before },
        };

        return device_record_write(link, DEVICE_RECORD_ORIGINAL, &record);
}

void mtu_change_release(const struct link *link, uint32_t mtu) {
        struct device_record record;

        if (device_record_read(link, &record) == 0 && record.kept.mtu != mtu)
                (void)device_record_remove(link->ifindex, DEVICE_RECORD_KEPT);
}

void mtu_change_keep(const struct link *link, const struct kept_mtu *kept) {
        const struct device_record record = { .kept = *kept };

        if (kept->mtu > 0)
                (void)device_record_write(link, DEVICE_RECORD_KEPT, &record);
}

void mtu_change_note_error(struct mtu_change *change, const struct netlink_socket *socket, int error) {
        change->error = error;
        snprintf(change->reason, sizeof(change->reason), "%s", netlink_socket_error_text(socket, error));
}

void mtu_change_request(struct netlink_socket *socket, const struct link *link, struct mtu_change *change) {
        bool is_lost;
        int r = link_set_mtu(socket, link, change->wanted, &change->link, &is_lost);

        change->has_changed = r == 0;
        change->is_done = r == 0 && change->link.mtu == change->wanted;
        if (r < 0) {
                mtu_change_note_error(change, socket, r);
                change->result = is_lost ? MTU_CHANGE_LOST : MTU_CHANGE_REFUSED;
        } else
                change->result = change->is_done ? MTU_CHANGE_DONE : MTU_CHANGE_ROUNDED;
}

void mtu_change_set(struct netlink_socket *socket, const struct link *link, const struct config_line *line,
                    bool is_trial, struct mtu_change *ret) {
        const struct device_status status = device_status_of(link, line);
        bool is_kept = line->file && (line->spec.keep || line->spec.is_auto);
        struct record_change record;

        *ret = (struct mtu_change){ .wanted = status.wanted, .before = link->mtu, .link = *link };
        /* The kernel compares with the same limits but returns only EINVAL (dev_validate_mtu() in
         * net/core/dev.c). */
        if (status.state == DEVICE_STATE_IMPOSSIBLE) {
                ret->result = MTU_CHANGE_IMPOSSIBLE;
                return;
        }
        ret->record_error = record_change_begin(link, status.wanted, is_trial, is_kept, &record);
        ret->original = record.own.original.original;
        ret->former = record.former.original;
        ret->is_unread = record.is_unread;
        ret->is_pinned = record.is_pinned;
        ret->is_on_trial = record.is_unread || record.former.trial.id > 0;
        if (record.parts & DEVICE_RECORD_KEPT)
                ret->kept = record.former.kept;
        if (link->mtu == status.wanted && !ret->is_pinned) {
                ret->result = MTU_CHANGE_EQUAL;
                ret->is_done = true;
        } else if (ret->record_error < 0) {
                ret->result = MTU_CHANGE_UNRECORDED;
                return;
        }
        if (ret->is_pinned) {
                /* Upwards: devices on top of it would fall with it, and not rise again. */
                ret->wanted += link->mtu != link->mtu_max ? 1u : -1u;
                mtu_change_request(socket, link, ret);
                ret->wanted = status.wanted;
        }
        if (ret->result != MTU_CHANGE_EQUAL)
                mtu_change_request(socket, link, ret);
        if (ret->result == MTU_CHANGE_LOST)
                return; /* the record matches both */
        if (ret->result == MTU_CHANGE_REFUSED) {
                /* Not fatal: the present record matches the device's MTU, too. */
                (void)device_record_write(link, record.parts, &record.former);
                return;
        }
        /* The driver has chosen another MTU, which no line wants to be kept. */
        if (ret->result == MTU_CHANGE_ROUNDED) {
                record.own.original.set = ret->link.mtu;
                record.own.kept = (struct kept_mtu){ .mtu = 0 };
                ret->record_error = device_record_write(
                                link, DEVICE_RECORD_ORIGINAL | (record.parts & DEVICE_RECORD_KEPT),
                                &record.own);
        }
        /* Should it get its MTU from before again, that is another program's. */
        if (ret->result == MTU_CHANGE_DONE && record.own.original.before > 0)
                ret->record_error = write_original(link, ret->original, ret->wanted, 0);
        /* The new MTU replaces the MTU from before the device was lowered. */
        if (record.former.lowered.before > 0 && ret->record_error == 0)
                ret->record_error = device_record_remove(link->ifindex, DEVICE_RECORD_LOWERED);
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

/* Of a revert, which may be interrupted: before it with the present MTU as `before`. The record of a later
 * change by setmtu takes precedence. */
static int restore_record(const struct link *link, const struct earlier_mtu *earlier, uint32_t before,
                          const struct mtu_change *change) {
        struct original_mtu record;

        if (!is_ours(earlier, link) &&
            (original_mtu_read(link, &record) < 0 || record.set != earlier->set[0]))
                return 0;
        record = earlier->former;
        if (change->result == MTU_CHANGE_ROUNDED && record.set > 0)
                record.set = change->link.mtu;
        return write_original(link, record.original, record.set, before > 0 ? before : record.before);
}

void mtu_change_set_back(struct netlink_socket *socket, const struct link *link,
                         const struct earlier_mtu *earlier, struct mtu_change *ret) {
        int r;

        *ret = (struct mtu_change){ .wanted = earlier->mtu, .before = link->mtu, .link = *link };
        /* Before the change, or setmtu-keep.service would undo it. */
        if (earlier->is_original)
                ret->record_error = device_record_remove(link->ifindex, DEVICE_RECORD_KEPT);
        if (link->mtu == earlier->mtu) {
                ret->result = MTU_CHANGE_EQUAL;
                ret->is_done = true;
        } else if (is_ours(earlier, link)) {
                if (earlier->former.set > 0)
                        (void)restore_record(link, earlier, link->mtu, ret);
                mtu_change_request(socket, link, ret);
        } else {
                if (earlier->mtu > 0)
                        ret->result = MTU_CHANGE_STALE;
                ret->is_done = earlier->is_original;
        }
        if (ret->result == MTU_CHANGE_REFUSED || ret->result == MTU_CHANGE_LOST)
                return;
        /* The original MTU and the one from before a fall count no longer. */
        r = earlier->is_original ? device_record_remove(link->ifindex,
                                                        DEVICE_RECORD_ORIGINAL | DEVICE_RECORD_LOWERED)
                                 : restore_record(link, earlier, 0, ret);
        ret->record_error = r < 0 ? r : ret->record_error;
}

/* Removes the record of a device that is gone; keeps it if that is not known. The record of an earlier
 * device with the ifindex does no harm. A trial's record goes with the trial. */
static int forget_gone(void *userdata, unsigned ifindex) {
        struct link link;
        int r = link_get_by_ifindex(userdata, ifindex, &link);

        if (r != -ENODEV)
                return r;
        r = device_record_remove(ifindex, DEVICE_RECORD_ALL & ~DEVICE_RECORD_TRIAL);
        return r == -EBADMSG ? device_record_remove(ifindex, DEVICE_RECORD_ALL) : r;
}

int mtu_change_forget_gone(struct netlink_socket *socket) {
        return device_record_each(forget_gone, socket);
}
