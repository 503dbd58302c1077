/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "programs/keep_state.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/log.h"

struct kept_device *keeper_find(const struct keeper *keeper, unsigned ifindex) {
        for (size_t i = 0; i < keeper->n_devices; i++)
                if (keeper->devices[i].ifindex == ifindex)
                        return &keeper->devices[i];
        return NULL;
}

void keeper_look_at(struct keeper *keeper, double at) {
        if (at < keeper->due)
                keeper->due = at;
}

void keeper_note_set_again(const struct link *link, uint32_t refused) {
        struct device_record record;
        int r = device_record_read(link, &record);

        /* A failed read must not reset the count. */
        if (r == 0) {
                record.tally.refused = refused;
                if (!refused) {
                        record.tally.count++;
                        record.tally.last_s = (uint32_t)time(NULL);
                }
                r = device_record_write(link, DEVICE_RECORD_TALLY, &record);
        }
        if (r < 0 && r != -ENOENT)
                log_warning("%s: cannot be noted in /run/setmtu: %s", link->name, strerror(-r));
}

struct kept_device *keeper_get(struct keeper *keeper, unsigned ifindex) {
        struct kept_device *device = keeper_find(keeper, ifindex);

        if (device)
                return device;
        device = array_add(&keeper->devices, &keeper->n_devices, sizeof(*device));
        if (device)
                *device = (struct kept_device){ .ifindex = ifindex };
        else
                keeper_look_at(keeper, clock_monotonic_s() + KEEPER_AGAIN_S);
        return device;
}

void keeper_forget(struct keeper *keeper, struct kept_device *device) {
        if (device)
                *device = keeper->devices[--keeper->n_devices];
}

bool keeper_has_changed(struct keeper *keeper, const struct link *link, struct device_record *ret) {
        int r = device_record_read(link, ret);

        if (r < 0 && r != -ENOENT && r != -EBADMSG)
                keeper_look_at(keeper, clock_monotonic_s() + KEEPER_AGAIN_S);
        return ret->kept.mtu > 0 && !ret->kept.is_auto && ret->kept.mtu != link->mtu;
}
