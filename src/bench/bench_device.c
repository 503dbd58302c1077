/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/bench_device.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/text.h"
#include "change/trial_log.h"

/* Some NICs need seconds for a link after a reset; a switch with spanning tree needs half a minute. */
#define CARRIER_S 45

bool bench_device_open(const struct link *link, struct bench_device *ret) {
        struct bench_device device = { .link = *link };

        if (pipe2(device.pipe, O_CLOEXEC) < 0)
                return log_fail(false, "pipe: %s", strerror(errno));
        if (!snapshot_open(&diagnostic_silent, &device.snapshot)) {
                bench_device_close(&device);
                return false;
        }
        *ret = device;
        return true;
}

static bool wait_for_carrier(const struct bench_device *device) {
        double begin = clock_boottime_s();
        struct link now;

        if (!device->link.has_carrier)
                return true;
        while (link_get_by_ifindex(device->snapshot.socket, device->link.ifindex, &now) == 0 &&
               !now.has_carrier) {
                if (interrupt_seen())
                        return false;
                if (clock_boottime_s() - begin > CARRIER_S)
                        return log_fail(false, "%s: no carrier for %u s after the change of its MTU",
                                        device->link.name, CARRIER_S);
                (void)clock_sleep_ms(100);
        }
        return true;
}

bool bench_device_set(struct bench_device *device, uint32_t mtu, unsigned timeout_s) {
        struct config_line line = { .spec = { .mtu = mtu } };
        const struct trial trial = { .ifindex = device->link.ifindex,
                                     .line = &line,
                                     .timeout_s = timeout_s + CARRIER_S,
                                     .owner = device->pipe[0] };
        struct trial_begin begin;

        if (!bench_device_put_back(device))
                return false;
        if (mtu == device->link.mtu)
                return wait_for_carrier(device);
        strcpy(line.name, device->link.name);
        log_hold_info(true);
        trial_begin(&device->snapshot, &trial, &begin);
        device->is_on_trial = trial_log_begin(device->snapshot.socket, &trial, &begin);
        device->record = begin.record;
        trial_begin_free(&begin);
        log_hold_info(false);
        return device->is_on_trial && wait_for_carrier(device);
}

bool bench_device_has(struct bench_device *device, uint32_t mtu) {
        struct link now;

        return link_get_by_ifindex(device->snapshot.socket, device->link.ifindex, &now) == 0 &&
               now.mtu == mtu;
}

bool bench_device_put_back(struct bench_device *device) {
        if (device->is_on_trial) {
                log_hold_info(true);
                (void)trial_revert_and_log(device->snapshot.socket, device->record.ifindex,
                                           &device->record.id, false);
                log_hold_info(false);
                device->is_on_trial = false;
        }
        if (bench_device_has(device, device->link.mtu))
                return true;
        return log_fail(false, "%s: its MTU is not %u any more, as it was at the beginning",
                        TEXT_SHOW(device->link.name), device->link.mtu);
}

void bench_device_close(struct bench_device *device) {
        if (device->pipe[0] < 0)
                return;
        if (device->is_on_trial)
                (void)bench_device_put_back(device);
        snapshot_cleanup(&device->snapshot);
        close(device->pipe[0]);
        close(device->pipe[1]);
        device->pipe[0] = -1;
}
