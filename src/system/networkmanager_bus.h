/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* NetworkManager over D-Bus: nm-dbus-types(5) and the XML files of its introspection folder. It is never
 * started by a call from here. Functions return 0 or a negative errno; networkmanager_error_text() has the
 * other side's words. */

#include <stdbool.h>
#include <stdint.h>

#include "base/attributes.h"

struct networkmanager;

/* What NetworkManager says of one device. */
struct networkmanager_device {
        char path[128];    /* of its D-Bus object */
        bool is_managed;   /* it has the device, and did not only find it configured by somebody else */
        bool is_active;    /* a profile is active on it, or about to be */
        char profile[256]; /* that one's name, in UTF-8, as a user gave it; or empty */
        uint32_t mtu;      /* what that one gives itself; 0: it does not, or will not tell this user */
};

/* -ENXIO where it is not running, or no system bus is; also behind $SETMTU_ROOT, where the machine's own is
 * not meant. Other negative errnos where that cannot be told. */
MUST_USE int networkmanager_open(struct networkmanager **ret);
/* Closes and frees, for CLEANUP(), too; NULL is fine. */
void networkmanager_cleanup(struct networkmanager **networkmanager);

/* What the other side said about the last call that failed, or errno's words. Never NULL. One that does not
 * answer is waited for once, for 10 s: all later calls fail with -ETIMEDOUT. */
const char *networkmanager_error_text(const struct networkmanager *networkmanager);

/* Has it read NetworkManager.conf and conf.d again, and no profiles. Needs root. */
MUST_USE int networkmanager_reload(struct networkmanager *networkmanager);

/* -ENODEV where it knows of no such device. */
MUST_USE int networkmanager_get_device(struct networkmanager *networkmanager, const char *interface,
                                       struct networkmanager_device *ret);

/* Has it apply again the profile that is active on the device, as it was when it was activated: an edit of
 * the profile in the meantime is not taken up, and addresses that others have added stay. Needs root. */
MUST_USE int networkmanager_reapply(struct networkmanager *networkmanager,
                                    const struct networkmanager_device *device);
