/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/trial.h"

#include <errno.h>
#include <sys/random.h>

bool trial_is_waiting(unsigned ifindex, const struct trial_record *record) {
        struct trial_record now;
        int r = trial_record_read(ifindex, &now);

        return r == 0 ? now.id == record->id : r != -ENOENT;
}

int trial_prepare(const struct link *link, struct trial_record *record) {
        struct trial_record other;

        if (trial_record_read(link->ifindex, &other) != -ENOENT)
                return -EALREADY;
        if (getrandom(&record->id, sizeof(record->id), GRND_NONBLOCK) < 0)
                record->id = record->deadline_s; /* too early in the boot for two trials a second */
        record->before = link->mtu;
        record->has_former = original_mtu_read(link->ifindex, &record->former) == 0;
        return trial_record_write(link->ifindex, record);
}

int trial_drop(unsigned ifindex) {
        struct trial_record record;
        int r;

        if (trial_record_read(ifindex, &record) == -ENOENT)
                return 0;
        r = trial_record_remove(ifindex);
        return r < 0 ? r : 1;
}

enum trial_end trial_revert(struct link_socket *socket, unsigned ifindex, struct trial_record *ret_record,
                            int *ret_error) {
        int r = trial_record_read(ifindex, ret_record);

        *ret_error = r;
        if (r < 0)
                return r == -ENOENT ? TRIAL_NONE : TRIAL_REFUSED;
        r = mtu_change_undo(socket, ifindex, ret_record->before, ret_record->tried,
                            ret_record->has_former ? &ret_record->former : NULL);
        *ret_error = r;
        /* A device that is gone has nothing to be put back. */
        if (r < 0 && r != -ESTALE && r != -ENODEV)
                return TRIAL_REFUSED;
        trial_record_remove(ifindex);
        return r < 0 ? TRIAL_FOREIGN : TRIAL_ENDED;
}
