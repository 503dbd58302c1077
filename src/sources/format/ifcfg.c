/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "sources/format/readers.h"
#include "sources/format/shell.h"

static bool is_one_of(const char *value, const char *a, const char *b, const char *c) {
        return value &&
               (strcasecmp(value, a) == 0 || strcasecmp(value, b) == 0 || strcasecmp(value, c) == 0);
}

void source_ifcfg_read(const struct source_parser *parser) {
        struct shell_variables variables = shell_variables_read(parser);
        const struct shell_variable *mtu = shell_variables_find(&variables, "MTU", strlen("MTU"));
        const char *device = shell_variables_value(&variables, "DEVICE");
        const char *address = shell_variables_value(&variables, "HWADDR");
        const char *name = text_base_name(parser->file);
        struct mtu_source source = { .kind = SOURCE_IFCFG };
        char mac[MAC_TEXT_SIZE];

        if (!mtu || !*mtu->value)
                return;
        if (!device || !*device)
                /* On SUSE, only the file name has the device. */
                device = address ? NULL : text_after(name, "ifcfg-");
        if (device) {
                source.match = MATCH_NAME;
                source.device = device;
        } else if (address && match_read_mac(address, mac)) {
                source.match = MATCH_MAC;
                source.device = mac;
        } else {
                source.match = MATCH_OTHER;
                source.device = address ? address : "no DEVICE=";
        }
        source.line = mtu->line;
        source.value = mtu->value;
        source.unclear = mtu->is_dynamic ? "only the running script knows it" : NULL;
        source.inactive = is_one_of(shell_variables_value(&variables, "ONBOOT"), "no", "false", "n") ||
                          is_one_of(shell_variables_value(&variables, "STARTMODE"), "off", "manual", "none");
        source.owner = shell_variables_value(&variables, "NAME");
        source_add(parser, VALUE_DECIMAL, &source);
}
