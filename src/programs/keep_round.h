/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What setmtu-keep knows of the devices, and a round, which sets MTUs again. keeper.c notices changes, and
 * waits. */

#include "base/attributes.h"
#include "kernel/link.h"
#include "plan/keep_pace.h"
#include "store/device_record.h"

/* The pause until what cannot be read or set now is tried again, if no event comes before. */
#define KEEPER_AGAIN_S 1.0
#define KEEPER_NEVER 1e300

/* A device that has had another MTU than it is to keep, or whose line says auto. */
struct kept_device {
        unsigned ifindex;
        struct keep_pace pace;
        uint32_t fitted; /* what last was to fit it; 0: its line has not said auto */
        bool is_blocked; /* by the device below, which has been logged */
};

struct keeper {
        int monitor; /* link_monitor_open() */
        struct kept_device *devices;
        size_t n_devices;
        double due;               /* when all devices are looked at; or KEEPER_NEVER */
        double rest;              /* not before */
        bool follows;             /* a device's line says auto: routes are listened to as well */
        bool has_blocked;         /* a device waits for one below */
        bool has_said_unrecorded; /* that nothing records who changes an MTU */
};

NONNULL struct kept_device *keeper_find(const struct keeper *keeper, unsigned ifindex); /* NULL: none */
void keeper_forget(struct keeper *keeper, struct kept_device *device);
/* At the latest. */
NONNULL void keeper_look_at(struct keeper *keeper, double at);

/* Reads its record. Whether it has another MTU than it is to keep; where that cannot be read now, it is
 * looked at again. */
NONNULL bool keeper_has_changed(struct keeper *keeper, const struct link *link, struct device_record *ret);

/* Sets again the MTU of devices that are kept, or, if there are none, of those whose lines say auto, and
 * logs it. Others are changed with them only where they stand on them. 0 or a negative errno. */
MUST_USE NONNULL int keep_round_run(struct keeper *keeper, double now);
