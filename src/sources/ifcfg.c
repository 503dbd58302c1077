/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/ifcfg.h"

#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "sources/match.h"
#include "sources/variables.h"

#define PREFIX "ifcfg-"

static const char *name_in_path(const char *path) {
        const char *slash = strrchr(path, '/');

        path = slash ? slash + 1 : path;
        return strncmp(path, PREFIX, strlen(PREFIX)) == 0 ? path + strlen(PREFIX) : NULL;
}

static bool is_one_of(const char *value, const char *a, const char *b, const char *c) {
        return value &&
               (strcasecmp(value, a) == 0 || strcasecmp(value, b) == 0 || strcasecmp(value, c) == 0);
}

int source_ifcfg_read(const struct reading *reading) {
        CLEANUP(variables_free) struct variables variables = { 0 };
        char mac[MATCH_MAC_SIZE];
        const struct variable *mtu;
        const char *device, *hwaddr;
        struct draft draft = { .source = SOURCE_IFCFG };
        int r = variables_read(reading, &variables);

        if (r < 0)
                return r;
        mtu = variables_find(&variables, "MTU");
        if (!mtu || !*mtu->value)
                return 0;
        device = variables_value(&variables, "DEVICE");
        hwaddr = variables_value(&variables, "HWADDR");
        if (!device || !*device)
                /* SUSE names the device nowhere else. */
                device = hwaddr ? NULL : name_in_path(reading->file);
        if (device) {
                draft.match = FINDING_NAME;
                draft.device = device;
        } else if (hwaddr && match_read_mac(hwaddr, mac)) {
                draft.match = FINDING_MAC;
                draft.device = mac;
        } else {
                draft.match = FINDING_OTHER;
                draft.device = hwaddr ? hwaddr : "no DEVICE=";
        }
        draft.line = mtu->line;
        draft.value = mtu->value;
        draft.unclear = mtu->is_dynamic ? "it is told only when the script runs" : NULL;
        draft.inactive = is_one_of(variables_value(&variables, "ONBOOT"), "no", "false", "n") ||
                         is_one_of(variables_value(&variables, "STARTMODE"), "off", "manual", "none");
        draft.owner = variables_value(&variables, "NAME");
        return reading_add(reading, VALUE_DECIMAL, &draft);
}
