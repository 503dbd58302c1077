/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/ifupdown2.h"

#include <errno.h>

#include "base/cleanup.h"
#include "sources/json_text.h"

/* {"address": {"defaults": {"mtu": "9000"}, "iface_defaults": {"eth0": {"mtu": "4000"}}}}: a module, and
 * what it takes for devices that say nothing themselves. */
int source_ifupdown2_read(const struct reading *reading) {
        CLEANUP(json_text_free) json_t *root = json_text_read(reading);
        const char *module, *device;
        json_t *policy, *settings;
        int r = 0;

        json_object_foreach(root, module, policy) {
                const json_t *all = json_object_get(json_object_get(policy, "defaults"), "mtu");

                (void)module;
                if (all)
                        r = json_text_add(reading, all, &(struct draft){ .source = SOURCE_IFUPDOWN2 });
                json_object_foreach(json_object_get(policy, "iface_defaults"), device, settings) {
                        const json_t *mtu = json_object_get(settings, "mtu");

                        if (mtu && r == 0)
                                r = json_text_add(reading, mtu,
                                                  &(struct draft){ .source = SOURCE_IFUPDOWN2,
                                                                   .match = FINDING_NAME,
                                                                   .device = device });
                }
                if (r < 0)
                        return r;
        }
        return 0;
}
