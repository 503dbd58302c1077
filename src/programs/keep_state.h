/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What setmtu-keep knows of the devices: keeper.c notices changes and waits, keep_round.c sets MTUs again.
 */

#include "kernel/link.h"
#include "kernel/link_monitor.h"
#include "plan/keep_pace.h"
#include "store/device_record.h"

/* The pause while a setmtu command holds its lock. */
#define KEEPER_LOCKED_S 0.02
/* The pause between two full scans if the device below is what everything waits for. */
#define KEEPER_BLOCKED_S 1.0
#define KEEPER_NEVER 1e300

/* A device that has had another MTU than it is to keep. */
struct kept_device {
        unsigned ifindex;
        double due; /* or KEEPER_NEVER */
        struct keep_pace pace;
        uint32_t rounded; /* what the last attempt has left it with instead; 0: the MTU that was asked for */
        uint32_t fitted;  /* what last was to fit it; 0: its line has not said auto */
        bool is_taken;
        bool is_blocked; /* by the device below, which has been logged */
};

struct keeper {
        struct netlink_socket *socket;
        int monitor; /* link_monitor_open() */
        struct kept_device *devices;
        size_t n_devices;
        double all_due; /* or KEEPER_NEVER */
        double all_rest;
        bool follows;      /* a device's line says auto: routes are listened to as well */
        double follow_due; /* or KEEPER_NEVER */
        double follow_rest;
        bool has_said_unrecorded; /* that nothing records who changes an MTU */
};

NONNULL struct kept_device *keeper_find(const struct keeper *keeper, unsigned ifindex); /* NULL: none */
/* Adds it. NULL if out of memory: then all devices are scanned again. */
NONNULL struct kept_device *keeper_add(struct keeper *keeper, unsigned ifindex);
void keeper_forget(struct keeper *keeper, struct kept_device *device);
NONNULL void keeper_look_at_all_at(struct keeper *keeper, double at);
/* At the latest. */
NONNULL void keeper_follow_at(struct keeper *keeper, double at);

/* Counts in the device's record that it was set again; or notes the MTU that it has refused, not 0. */
NONNULL void keeper_note_set_again(const struct link *link, uint32_t refused);

/* Reads its record. Whether it has another MTU than it is to keep; where that cannot be read now, it is
 * looked at again. */
NONNULL bool keeper_has_changed(struct keeper *keeper, const struct link *link, struct device_record *ret);
