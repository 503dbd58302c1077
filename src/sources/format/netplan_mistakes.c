/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <arpa/inet.h>
#include <string.h>

#include "base/text.h"
#include "sources/format/netplan.h"

/* Since 1.1, at boot, it takes the definitions without a mistake. */
#define REFUSED "netplan takes none of its files, or since 1.1, at boot, only what is not concerned"

void netplan_set_refused(struct netplan *netplan, const char *file, unsigned line) {
        if (!netplan->refused)
                netplan->refused = pool_print(source_pool(netplan->parser),
                                              "netplan refuses %s:%u and may take none of its files",
                                              TEXT_SHOW(file), line);
}

/* Reports a mistake for which netplan refuses its files. A file that it does not read has none. */
static void refuse(struct netplan *netplan, struct walk_node node, const char *name, const char *mistake) {
        unsigned line = walk_line(node);

        if (netplan->parser->inactive)
                return;
        source_fail(netplan->parser, line, "%s %s: " REFUSED, TEXT_SHOW(name), mistake);
        netplan_set_refused(netplan, netplan->parser->file, line);
}

const char netplan_sections[] = "ethernets vlans bonds bridges wifis modems tunnels vrfs nm-devices "
                                "dummy-devices virtual-ethernets";

#define NOT_A_MAPPING "has no settings below it"

/* The settings of all kinds of devices: the tables of handlers in src/parse.c of netplan 1.1. */
static const char device_settings[] =
                "accept-ra access-points activation-mode addresses ageing aging apn arp-proxy "
                "auth auto-config checksums critical delay-virtual-functions-rebind device-id "
                "dhcp-identifier dhcp4 dhcp4-overrides dhcp6 dhcp6-overrides do-not-fragment "
                "embedded-switch-mode emit-lldp extensions flow-label gateway4 gateway6 "
                "generic-receive-offload generic-segmentation-offload hairpin id "
                "ignore-carrier infiniband-mode interfaces ipv6-address-generation "
                "ipv6-address-token ipv6-mtu ipv6-privacy key keys large-receive-offload "
                "limit link link-local local mac-learning macaddress mark match mode mtu "
                "nameservers neigh-suppress network-id networkmanager notifications number "
                "openvswitch optional optional-addresses parameters password peer peers pin "
                "port port-mac-learning port-range ra-overrides receive-checksum-offload "
                "regulatory-domain remote renderer routes routing-policy set-name "
                "short-circuit sim-id sim-operator-id table tcp-segmentation-offload "
                "tcp6-segmentation-offload transmit-checksum-offload ttl type-of-service "
                "username virtual-function-count wakeonlan wakeonwlan";

/* What settings are followed by, of those that people get wrong. */
static const struct {
        yaml_node_type_t type;
        const char *mistake;
        const char *keys;
} known_settings[] = {
        { YAML_SCALAR_NODE, "does not have a single value",
          "mtu ipv6-mtu macaddress set-name version renderer dhcp4 dhcp6 gateway4 gateway6 optional id link "
          "mode local remote" },
        { YAML_SEQUENCE_NODE, "has no list below it", "addresses routes routing-policy interfaces peers" },
        { YAML_MAPPING_NODE, NOT_A_MAPPING,
          "match nameservers parameters access-points dhcp4-overrides dhcp6-overrides" },
};

static bool is_number(const char *text) {
        return !text[strspn(text, " +0123456789")];
}

static bool is_vlan_id(const char *text) {
        uint64_t id;

        return text_parse_number(text, 0, 4094, &id);
}

static bool is_boolean(const char *text) {
        return text_is_among_any_case(text, "true false yes no on off y n");
}

static bool is_address(const char *text) {
        unsigned char address[sizeof(struct in6_addr)];

        return inet_pton(strchr(text, ':') ? AF_INET6 : AF_INET, text, address) == 1;
}

static bool is_prefix(const char *text) {
        char address[INET6_ADDRSTRLEN] = "";
        size_t size = strcspn(text, "/");
        uint64_t length;

        if (size < sizeof(address))
                memcpy(address, text, size);
        return is_address(address) && text[size] &&
               text_parse_number(text + size + 1, 1, strchr(address, ':') ? 128 : 32, &length);
}

/* What a value has to be, or each one of a list. The first row for a setting counts. */
static const struct {
        const char *inside; /* the section or setting that it is in; NULL: any */
        const char *keys;
        const char *mistake;
        bool (*is_right)(const char *text);
        const char *words; /* instead of a function: it is one of these */
} known_values[] = {
        { "nameservers", "addresses", "is no IP address", is_address },
        { "parameters", "mode", "is no mode of a bond",
          .words = "balance-rr active-backup balance-xor broadcast 802.3ad balance-tlb balance-alb "
                   "balance-tcp balance-slb" },
        { "vlans", "id", "is no number up to 4094", is_vlan_id },
        { NULL, "addresses", "is no IP address with its prefix length, as in 192.0.2.1/24", is_prefix },
        { NULL, "gateway4 gateway6", "is no IP address", is_address },
        { "network", "version", "is not 2", .words = "2" },
        { "vlans", "renderer", "is none for a VLAN", .words = "networkd NetworkManager sriov" },
        { NULL, "renderer", "is neither networkd nor NetworkManager", .words = "networkd NetworkManager" },
        { "routes", "via", "is no IP address", is_address },
        { NULL, "mtu ipv6-mtu metric table", "is not a number", is_number },
        { NULL, "dhcp4 dhcp6 optional accept-ra wakeonlan use-mtu stp", "is neither true nor false",
          is_boolean },
};

static void check_value(struct netplan *netplan, const char *inside, const char *key,
                        struct walk_node node) {
        const char *text = walk_text(node);
        size_t i = 0, n = sizeof(known_values) / sizeof(known_values[0]);

        while (i < n && (!text_is_among(key, known_values[i].keys) ||
                         (known_values[i].inside && strcmp(known_values[i].inside, inside) != 0)))
                i++;
        if (i < n && text && *text &&
            !(known_values[i].words ? text_is_among(text, known_values[i].words)
                                    : known_values[i].is_right(text)))
                refuse(netplan, node, pool_print(source_pool(netplan->parser), "%s %s", key, text),
                       known_values[i].mistake);
}

static void check_setting(struct netplan *netplan, const char *inside, const struct walk *setting) {
        static const char nested[] = "nameservers parameters dhcp4-overrides dhcp6-overrides routes "
                                     "routing-policy";
        bool is_nested = text_is_among(setting->key, nested) && !text_is_among(inside, nested);
        struct walk list = { setting->value };
        size_t i = 0, n = sizeof(known_settings) / sizeof(known_settings[0]);

        while (i < n && !text_is_among(setting->key, known_settings[i].keys))
                i++;
        if (i < n && !walk_is(setting->value, known_settings[i].type))
                refuse(netplan, setting->value, setting->key, known_settings[i].mistake);
        else if (strcmp(setting->key, "<<") == 0)
                refuse(netplan, setting->value, setting->key, "is no merge key in netplan");
        else
                check_value(netplan, inside, setting->key, setting->value);
        while (walk_next(&list)) {
                struct walk item = { list.value };

                if (!*list.key)
                        check_value(netplan, inside, setting->key, list.value);
                else if (is_nested)
                        check_setting(netplan, setting->key, &list);
                while (is_nested && !*list.key && walk_next(&item))
                        check_setting(netplan, setting->key, &item);
        }
}

void netplan_check_definition(struct netplan *netplan, struct walk_node node,
                              const struct netplan_definition *definition, bool is_new) {
        static const char *const needed[][3] = {
                { "vlans", "id", "has no id" },
                { "vlans", "link", "has no link" },
                { "tunnels", "mode", "has no mode" },
        };
        struct walk settings = { node };

        if (!walk_is(node, YAML_MAPPING_NODE)) {
                refuse(netplan, node, definition->id, NOT_A_MAPPING);
                return;
        }
        while (walk_next(&settings))
                if (text_is_among(settings.key, device_settings) || strcmp(settings.key, "<<") == 0)
                        check_setting(netplan, definition->section, &settings);
                else
                        refuse(netplan, settings.value, settings.key, "is no setting of netplan");
        for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]) && is_new; i++)
                if (strcmp(definition->section, needed[i][0]) == 0 && !walk_get(node, needed[i][1]).yaml)
                        refuse(netplan, node, definition->id, needed[i][2]);
        if (is_new && definition->set_name && !walk_get(node, "match").yaml)
                refuse(netplan, node, definition->id, "has set-name without match");
        if (is_new && definition->mac && strlen(definition->mac) < MAC_TEXT_SIZE &&
            !match_read_mac(definition->mac, (char[MAC_TEXT_SIZE]){ 0 }))
                refuse(netplan, node, definition->id, "has no address in macaddress");
        for (size_t i = 0; i < netplan->n_items && is_new; i++)
                if (strcmp(netplan->items[i].id, definition->id) == 0 && &netplan->items[i] != definition)
                        refuse(netplan, node, definition->id, "is in two sections");
}

void netplan_check_network(struct netplan *netplan, struct walk_node network) {
        struct walk sections = { network }, top = { walk_root(network.document) };

        while (netplan->is_whole && walk_next(&top))
                if (strcmp(top.key, "network") != 0)
                        refuse(netplan, top.value, top.key, "is not below network");
        if (!walk_is(network, YAML_MAPPING_NODE))
                refuse(netplan, network, "network", NOT_A_MAPPING);
        while (walk_next(&sections)) {
                const char *mistake = NULL;
                bool is_section = text_is_among(sections.key, netplan_sections) ||
                                  strcmp(sections.key, "openvswitch") == 0;

                if (is_section && !walk_is(sections.value, YAML_MAPPING_NODE))
                        mistake = NOT_A_MAPPING;
                else if (text_is_among(sections.key, "version renderer"))
                        check_setting(netplan, "network", &sections);
                else if (!is_section && (netplan->is_whole || strcmp(sections.key, "config") != 0))
                        mistake = "is no section of netplan"; /* config: disabled is cloud-init's */
                if (mistake)
                        refuse(netplan, sections.value, sections.key, mistake);
        }
}

static bool is_defined(const struct netplan *netplan, const char *id) {
        for (size_t i = 0; i < netplan->n_items; i++)
                if (strcmp(netplan->items[i].id, id) == 0)
                        return true;
        return false;
}

/* The other bond or bridge that has the port as well. NULL: none. */
static const char *find_other(const struct netplan *netplan, const struct netplan_reference *port) {
        for (const struct netplan_reference *other = netplan->references; other < port && port->is_port;
             other++)
                if (other->is_port && strcmp(other->id, port->id) == 0 && strcmp(other->by, port->by) != 0)
                        return other->by;
        return NULL;
}

void netplan_check_references(struct netplan *netplan) {
        for (size_t i = 0; netplan->is_whole && i < netplan->n_references; i++) {
                const struct netplan_reference *reference = &netplan->references[i];
                const char *other = find_other(netplan, reference), *id = TEXT_SHOW(reference->id);
                bool is_undefined = !is_defined(netplan, reference->id);

                if (!is_undefined && !other)
                        continue;
                netplan_set_refused(netplan, reference->file, reference->line);
                diagnostic_report(netplan->parser->sink, DIAGNOSTIC_ERROR, reference->file, reference->line,
                                  NULL,
                                  is_undefined ? "%s names %s, which no file defines: " REFUSED
                                                 "; define %s in them, as in ethernets: {%s: {}}"
                                               : "%s names %s, which is a port of %s: " REFUSED,
                                  TEXT_SHOW(reference->by), id, is_undefined ? id : TEXT_SHOW(other), id);
        }
}
