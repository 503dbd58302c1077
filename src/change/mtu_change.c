/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/mtu_change.h"

#include <errno.h>
#include <string.h>

/* Within what the device states; the kernel compares with the same numbers and says no more than EINVAL
 * (dev_validate_mtu() in net/core/dev.c). */
static enum mtu_change_result check_limits(const struct link *link, uint32_t mtu) {
        if (link->mtu_max > 0 && mtu > link->mtu_max)
                return MTU_CHANGE_TOO_LARGE;
        if (mtu < link->mtu_min)
                return MTU_CHANGE_TOO_SMALL;
        return MTU_CHANGE_DONE;
}

/* What is to be put back one day. The udev rule may have been here before us. What the kernel has lowered
 * with the device below had more before. */
static uint32_t original_of(const struct link *link, uint32_t wanted, const struct original_mtu *record) {
        struct lowered_mtu lowered;
        uint32_t original, set;

        if (record)
                return record->original;
        if (wanted > link->mtu && lowered_mtu_holds(link, &lowered))
                return lowered.before;
        if (original_mtu_from_udev(link->ifindex, &original, &set) == 0 && set == link->mtu)
                return original;
        return link->mtu;
}

static int keep_original(const struct link *link, uint32_t original, uint32_t set) {
        struct original_mtu record = { .original = original, .set = set };

        strcpy(record.name, link->name);
        return original_mtu_write(link->ifindex, &record);
}

/* The record tells again of the last change that stands. */
static void put_back_record(unsigned ifindex, const struct original_mtu *former) {
        if (former)
                original_mtu_write(ifindex, former);
        else
                original_mtu_remove(ifindex);
}

/* Whoever gives a device another MTU on setmtu's behalf is not somebody whom setmtu-keep.service is to
 * overrule. A trial has a record of its own. True where there was such a record, for it to be put back. */
static bool release(unsigned ifindex, uint32_t mtu, struct kept_mtu *ret) {
        struct trial_record trial;

        return kept_mtu_read(ifindex, ret) == 0 && ret->mtu != mtu &&
               trial_record_read(ifindex, &trial) == -ENOENT && kept_mtu_remove(ifindex) == 0;
}

static void apply(struct netlink_socket *socket, const struct link *link, const struct mtu_spec *spec,
                  struct mtu_change *ret) {
        *ret = (struct mtu_change){
                .wanted = spec->mtu == MTU_MAX ? link->mtu_max : spec->mtu,
                .before = link->mtu,
                .link = *link,
        };
        if (ret->wanted == 0) {
                ret->result = MTU_CHANGE_NO_LARGEST;
                return;
        }
        ret->result = check_limits(link, ret->wanted);
        if (ret->result != MTU_CHANGE_DONE)
                return;

        /* Before the change: a record too many is harmless, a change without one cannot be taken back. */
        ret->has_former = original_mtu_read(link->ifindex, &ret->former) == 0;
        ret->original = original_of(link, ret->wanted, ret->has_former ? &ret->former : NULL);
        /* The rule's work is ours; what others have set, or the device had before it fell, is not. */
        if (ret->has_former || ret->original != ret->wanted)
                ret->record_error = keep_original(link, ret->original, ret->wanted);
        if (link->mtu == ret->wanted) {
                ret->result = MTU_CHANGE_EQUAL;
                return;
        }
        if (ret->record_error < 0 && ret->has_former) {
                /* The former record would not fit the change, and the original be lost with it. */
                ret->result = MTU_CHANGE_UNRECORDED;
                return;
        }
        ret->had_kept = release(link->ifindex, ret->wanted, &ret->kept);
        ret->error = link_set_mtu(socket, link->ifindex, ret->wanted);
        if (ret->error < 0) {
                ret->result = MTU_CHANGE_REFUSED;
                if (ret->had_kept)
                        (void)kept_mtu_write(link->ifindex, &ret->kept);
                put_back_record(link->ifindex, ret->has_former ? &ret->former : NULL);
                return;
        }
        ret->error = link_get_by_ifindex(socket, link->ifindex, &ret->link);
        if (ret->error < 0) {
                ret->result = MTU_CHANGE_LOST;
                return;
        }
        if (ret->link.mtu != ret->wanted) {
                ret->result = MTU_CHANGE_ROUNDED;
                ret->record_error = keep_original(link, ret->original, ret->link.mtu);
        }
}

bool mtu_change_is_done(const struct mtu_change *change) {
        return change->result == MTU_CHANGE_DONE || change->result == MTU_CHANGE_EQUAL;
}

void mtu_change_apply(struct netlink_socket *socket, const struct link *link, const struct mtu_spec *spec,
                      struct mtu_change *ret) {
        apply(socket, link, spec, ret);
        /* What is wanted now counts, and no longer what the device had before it fell. */
        if (mtu_change_is_done(ret) || ret->result == MTU_CHANGE_ROUNDED)
                (void)lowered_mtu_remove(link->ifindex);
}

int mtu_change_undo(struct netlink_socket *socket, unsigned ifindex, uint32_t before, uint32_t set,
                    const struct original_mtu *former) {
        struct original_mtu record;
        struct link link;
        int r = link_get_by_ifindex(socket, ifindex, &link);

        if (r < 0)
                return r;
        if (link.mtu != set) {
                /* What another change by setmtu has kept meanwhile is worth more. */
                if (original_mtu_read(ifindex, &record) == 0 && record.set == set)
                        put_back_record(ifindex, former);
                return -ESTALE;
        }
        r = set != before ? link_set_mtu(socket, ifindex, before) : 0;
        if (r == 0)
                put_back_record(ifindex, former);
        return r;
}

void mtu_change_restore(struct netlink_socket *socket, const struct link *link, struct mtu_restore *ret) {
        struct original_mtu record;

        /* Before the change, or setmtu-keep.service would take that back. */
        (void)kept_mtu_remove(link->ifindex);
        *ret = (struct mtu_restore){ .error = original_mtu_read(link->ifindex, &record) };
        if (ret->error < 0) {
                ret->result = ret->error == -ENOENT ? MTU_RESTORE_NOTHING : MTU_RESTORE_UNREADABLE;
                return;
        }
        ret->original = record.original;
        ret->set = record.set;
        if (link->mtu != record.set)
                ret->result = MTU_RESTORE_FOREIGN;
        else if (link->mtu == record.original)
                ret->result = MTU_RESTORE_EQUAL;
        else {
                ret->error = link_set_mtu(socket, link->ifindex, record.original);
                if (ret->error < 0) {
                        ret->result = MTU_RESTORE_REFUSED;
                        return; /* the record stays for another try */
                }
                ret->result = MTU_RESTORE_DONE;
        }
        original_mtu_remove(link->ifindex);
        (void)lowered_mtu_remove(link->ifindex);
}

/* Where it cannot be told, the record stays. */
static bool may_exist(struct netlink_socket *socket, unsigned ifindex) {
        struct link link;

        return link_get_by_ifindex(socket, ifindex, &link) != -ENODEV;
}

static void forget_original(void *userdata, unsigned ifindex) {
        if (!may_exist(userdata, ifindex))
                (void)original_mtu_remove(ifindex);
}

static void forget_fall(void *userdata, unsigned ifindex) {
        if (!may_exist(userdata, ifindex))
                (void)lowered_mtu_remove(ifindex);
}

static void forget_kept(void *userdata, unsigned ifindex) {
        if (!may_exist(userdata, ifindex))
                (void)kept_mtu_remove(ifindex);
}

static void forget_put_back(void *userdata, unsigned ifindex) {
        if (!may_exist(userdata, ifindex))
                (void)put_back_record_remove(ifindex);
}

void mtu_change_forget_gone(struct netlink_socket *socket) {
        original_mtu_each(forget_original, socket);
        lowered_mtu_each(forget_fall, socket);
        kept_mtu_each(forget_kept, socket);
        put_back_record_each(forget_put_back, socket);
}
