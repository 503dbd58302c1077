/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "programs/keep_state.h"

#include <errno.h>

#include "base/array.h"
#include "base/clock.h"

struct kept_device *keeper_find(const struct keeper *keeper, unsigned ifindex) {
        for (size_t i = 0; i < keeper->n_devices; i++)
                if (keeper->devices[i].ifindex == ifindex)
                        return &keeper->devices[i];
        return NULL;
}

void keeper_look_at_all_at(struct keeper *keeper, double at) {
        if (at < keeper->all_rest)
                at = keeper->all_rest;
        if (at < keeper->all_due)
                keeper->all_due = at;
}

struct kept_device *keeper_add(struct keeper *keeper, unsigned ifindex) {
        struct kept_device *device = array_add(&keeper->devices, &keeper->n_devices, sizeof(*device));

        if (device)
                *device = (struct kept_device){ .ifindex = ifindex, .due = KEEPER_NEVER };
        else
                keeper_look_at_all_at(keeper, clock_monotonic_s() + KEEPER_BLOCKED_S);
        return device;
}

void keeper_forget(struct keeper *keeper, struct kept_device *device) {
        if (device)
                *device = keeper->devices[--keeper->n_devices];
}

bool keeper_has_changed(struct keeper *keeper, const struct link *link, struct device_record *ret) {
        int r = device_record_read(link, ret);

        if (r < 0)
                *ret = (struct device_record){ .device.name = "" };
        if (r < 0 && r != -ENOENT && r != -EBADMSG)
                keeper_look_at_all_at(keeper, clock_monotonic_s() + KEEPER_BLOCKED_S);
        return ret->kept.mtu > 0 && ret->kept.mtu != link->mtu;
}
