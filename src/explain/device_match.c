/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "explain/device_match.h"

#include <fnmatch.h>
#include <string.h>
#include <strings.h>

const char *device_match_base(const char *path) {
        const char *slash = strrchr(path, '/');

        return slash ? slash + 1 : path;
}

bool device_match_is_part(const char *file, const char *in_effect) {
        const char *base = device_match_base(in_effect), *own = device_match_base(file);
        size_t length = strlen(base);

        if (strcmp(own, base) == 0)
                return true;
        /* …/BASE.d/own */
        return (size_t)(own - file) >= length + 4 && strncmp(own - 3, ".d/", 3) == 0 &&
               strncmp(own - 3 - length, base, length) == 0 && own[-4 - (ptrdiff_t)length] == '/';
}

static bool is_it(const struct finding *finding, const char *name) {
        if (finding->match == FINDING_GLOB)
                return fnmatch(finding->device, name, 0) == 0;
        return strcmp(finding->device, name) == 0;
}

/* By the device's own name or, in a .network file, an alternative one: a .link file does not go by those
 * (link_config_get() in systemd's src/udev/net/link-config.c). */
static bool is_named(const struct finding *finding, const struct explain_device *device,
                     const struct link_table *links) {
        const struct link_altname *altnames;
        size_t n;

        if (is_it(finding, device->name))
                return true;
        if (!device->link || finding->source != SOURCE_NETWORK)
                return false;
        altnames = link_table_altnames(links, device->link, &n);
        for (size_t i = 0; i < n; i++)
                if (is_it(finding, altnames[i].name))
                        return true;
        return false;
}

enum device_match device_match_finding(const struct finding *finding, const struct explain_device *device,
                                       const struct link_table *links) {
        switch (finding->match) {
        case FINDING_NAME:
        case FINDING_GLOB:
                return is_named(finding, device, links) ? DEVICE_MATCH_YES : DEVICE_MATCH_NO;
        case FINDING_MAC:
                if (!device->link)
                        return DEVICE_MATCH_PERHAPS;
                return strcasecmp(finding->device, device->addresses.mac) == 0 ||
                                                       strcasecmp(finding->device,
                                                                  device->addresses.permanent) == 0
                                       ? DEVICE_MATCH_YES
                                       : DEVICE_MATCH_NO;
        case FINDING_OTHER:
                return DEVICE_MATCH_PERHAPS;
        case FINDING_ANY:
                break;
        }
        return DEVICE_MATCH_YES;
}
