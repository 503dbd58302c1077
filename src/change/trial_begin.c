/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/trial_begin.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "change/command_lock.h"
#include "change/device_change.h"
#include "change/revert_timer.h"
#include "change/trial_end.h"
#include "change/uppers.h"
#include "store/load_plan.h"

/* Left over where whoever watched was killed, too: the old MTU is still owed. */
static bool is_left_over(unsigned ifindex) {
        struct trial_record record;

        return trial_record_read(ifindex, &record) == 0 &&
               clock_boottime_s() > record.deadline_s + TRIAL_GRACE_S;
}

static bool prepare(struct link_socket *socket, unsigned ifindex, struct trial_record *record,
                    struct link *ret_link) {
        const char *name = record->name;
        struct trial_record other;
        int r;

        if (is_left_over(ifindex))
                (void)trial_end_undo(socket, ifindex, &other, &r);
        r = link_get_by_ifindex(socket, ifindex, ret_link);
        if (r < 0) {
                log_error("%s: the kernel does not tell of it any more: %s", name,
                          device_change_reason(socket, r));
                return false;
        }
        r = trial_prepare(ret_link, record);
        if (r == -EALREADY)
                log_error("%s: a trial of it is waiting; end that first: setmtu confirm %s, or setmtu "
                          "revert %s",
                          name, name, name);
        else if (r < 0)
                log_error("%s: what undoes the trial cannot be kept in /run/setmtu: %s", name, strerror(-r));
        return r == 0;
}

/* The device, and what stands on it. */
static bool change_device(struct link_socket *socket, const struct config_line *line,
                          const struct link *former, uint32_t mtu) {
        struct mtu_change change;
        struct uppers uppers;
        struct plan plan;
        bool is_done;

        if (load_plan(&load_plan_silent, &plan) < 0)
                return device_change_apply(socket, line, former, &change);
        uppers_watch(socket, &plan, former, mtu, &uppers);
        is_done = device_change_apply(socket, line, former, &change);
        uppers_settle(&uppers, &former->ifindex, 1);
        plan_free(&plan);
        return is_done;
}

/* The guard waits for the section to end. */
bool trial_begin(struct link_socket *socket, unsigned ifindex, const struct config_line *line,
                 unsigned timeout_s, struct trial_record *record, struct link *ret_former) {
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        struct trial_record ended;
        int error;

        strcpy(record->name, line->name);
        record->deadline_s = (uint32_t)(clock_boottime_s() + timeout_s + 1);
        if (!command_lock_take(&lock) || !prepare(socket, ifindex, record, ret_former))
                return false;
        if (record->tried < MTU_SMALLEST_IPV6 && ret_former->mtu >= MTU_SMALLEST_IPV6)
                log_warning("%s: below %u the kernel takes IPv6 off it; the MTU goes back, its IPv6 "
                            "addresses do "
                            "not",
                            line->name, MTU_SMALLEST_IPV6);
        if (!guard_start(ifindex, record, timeout_s)) {
                trial_drop(ifindex);
                return false;
        }
        if (change_device(socket, line, ret_former, record->tried))
                return true;
        /* What has been changed all the same goes back; where it does not, the guard tries again in time. */
        if (trial_end_undo(socket, ifindex, &ended, &error) == TRIAL_REFUSED) {
                log_error("%s: it could not be put back at once: %s; that is tried again in %u s",
                          line->name, device_change_reason(socket, error), timeout_s);
                return false;
        }
        guard_stop(record->name);
        return false;
}
