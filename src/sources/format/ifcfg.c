/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "base/text.h"
#include "sources/format/readers.h"
#include "sources/shell/script.h"
#include "sources/shell/shell.h"

static bool is_one_of(const struct shell_variables *variables, const char *name, const char *words) {
        const char *value = shell_variables_value(variables, name);

        return value && text_is_among_any_case(value, words);
}

bool source_ifcfg_is_unmanaged(const struct source_parser *parser) {
        const struct shell_variables variables = shell_file_read(parser);

        return is_one_of(&variables, "NM_CONTROLLED", "no false n");
}

/* That of a port. */
static const char *master_of(const struct shell_variables *variables) {
        const char *master = shell_variables_value(variables, "MASTER");

        return master ? master : shell_variables_value(variables, "TEAM_MASTER");
}

/* NULL: the file does not name it. On SUSE, only the file name has it; the profiles of NetworkManager have a
 * UUID. */
static const char *device_of(const struct source_parser *parser, const struct shell_variables *variables) {
        const char *device = shell_variables_value(variables, "DEVICE");
        bool is_profile = strstr(parser->file, "/network-scripts/") &&
                          shell_variables_value(variables, "UUID");

        if (device && *device)
                return device;
        return is_profile || shell_variables_value(variables, "HWADDR")
                               ? NULL
                               : text_after(text_base_name(parser->file), "ifcfg-");
}

bool source_ifcfg_is_left(const struct source_parser *parser, const char **ret_device,
                          const char **ret_master) {
        const struct shell_variables variables = shell_file_read(parser);

        *ret_device = device_of(parser, &variables);
        *ret_master = master_of(&variables);
        return is_one_of(&variables, "ONBOOT", "no false n");
}

/* Why nothing brings the device up at boot. The script of a bond or team brings up its ports: ifup-eth and
 * ifup-Team of initscripts. */
static const char *why_not_started(const struct source_parser *parser,
                                   const struct shell_variables *variables) {
        if (is_one_of(variables, "STARTMODE", "off manual none"))
                return "STARTMODE does not start it at boot";
        if (!shell_variables_value(variables, "STARTMODE") &&
            text_after(parser->file, "/etc/sysconfig/network/"))
                return "STARTMODE is not set, which means manual";
        return is_one_of(variables, "ONBOOT", "no false n") && !master_of(variables) ? "ONBOOT=no" : NULL;
}

static bool is_for_ovs(const struct shell_variables *variables) {
        const char *by = shell_variables_value(variables, "DEVICETYPE");

        return by && strcmp(by, "ovs") == 0;
}

/* What ifup-ovs adds to its call of ovs-vsctl. */
static void read_ovs_extra(const struct source_parser *parser, const struct shell_variables *variables,
                           const char *inactive) {
        const struct shell_variable *extra = shell_variables_find(variables, "OVS_EXTRA");
        struct mtu_source source = { .kind = SOURCE_IFCFG, .inactive = inactive };
        const char *text;

        if (!extra || !is_for_ovs(variables))
                return;
        source.line = extra->line;
        text = pool_print(source_pool(parser), "ovs-vsctl -- %s", extra->value);
        script_read(parser, source, text, strlen(text), variables);
}

/* Open vSwitch's ifup-ovs hands these types to ifup-eth, and has ovs-vsctl alone make the others. */
static const char *why_not_by_ovs(const struct source_parser *parser,
                                  const struct shell_variables *variables) {
        const char *type = shell_variables_value(variables, "TYPE");

        if (!is_for_ovs(variables) ||
            (type && text_is_among(type, "OVSBridge OVSUserBridge OVSPort OVSIntPort")))
                return NULL;
        return pool_print(source_pool(parser), "ifup-ovs sets no MTU with TYPE=%s", type ? type : "");
}

/* The device that ifup-ib makes, whatever DEVICE= says. NULL: it makes none. */
static const char *partition_of(struct pool *pool, const struct shell_variables *variables) {
        return is_one_of(variables, "PKEY", "yes true y")
                               ? match_partition_name(pool, shell_variables_value(variables, "PHYSDEV"),
                                                      shell_variables_value(variables, "PKEY_ID"))
                               : NULL;
}

void source_ifcfg_read(const struct source_parser *parser) {
        struct shell_variables variables = shell_file_read(parser);
        const struct shell_variable *mtu = shell_variables_find(&variables, "MTU");
        const char *device = device_of(parser, &variables);
        const char *address = shell_variables_value(&variables, "HWADDR"),
                   *partition = partition_of(source_pool(parser), &variables);
        const char *type = shell_variables_value(&variables, "TYPE");
        const char *off = why_not_started(parser, &variables);
        struct mtu_source source = { .kind = SOURCE_IFCFG,
                                     .inactive = off ? off : why_not_by_ovs(parser, &variables) };

        read_ovs_extra(parser, &variables, off);
        /* YaST writes 0 for none, and NetworkManager takes it for that. */
        if (!mtu || strspn(mtu->value, "0") == strlen(mtu->value))
                return;
        if (partition)
                device = partition;
        /* ifup-aliases gives an alias an address and nothing else. */
        if (device && strchr(device, ':'))
                return;
        /* ifup-eth compares before it sets MACADDR. */
        if (device)
                match_set_name_and_mac(&source, source_pool(parser), device, address);
        else if (address)
                (void)match_set_mac(&source, source_pool(parser), address);
        /* For any card, one at a time. The network service takes it for none. */
        else if (!type || strcasecmp(type, "Ethernet") == 0) {
                source.type = "ethernet";
                source.is_single = true;
        } else
                match_set(&source, MATCH_OTHER, "no DEVICE=");
        source.line = mtu->line;
        source.value = mtu->value;
        source.unclear = mtu->is_dynamic ? "only the running script knows it" : NULL;
        source.owner = shell_variables_value(&variables, "NAME");
        source_add(parser, VALUE_DECIMAL, &source);
}
