/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/text.h"
#include "sources/format/netplan.h"

/* Finds or adds a definition. NULL: out of memory, or too many. */
static struct netplan_definition *find(struct netplan *netplan, const char *section, const char *id) {
        struct netplan_definition new;
        struct pool *pool = source_pool(netplan->parser);

        for (size_t i = 0; i < netplan->n_items; i++)
                if (strcmp(netplan->items[i].section, section) == 0 && strcmp(netplan->items[i].id, id) == 0)
                        return &netplan->items[i];
        if (netplan->n_items == SOURCES_MAX) {
                if (!netplan->is_cut)
                        source_fail(netplan->parser, 0, "has more than %u devices" SOURCE_CUT, SOURCES_MAX);
                netplan->is_cut = true;
                return NULL;
        }
        new = (struct netplan_definition){ .made = pool_print(pool, "10-netplan-%s.network", id),
                                           .section = pool_copy(pool, section),
                                           .id = pool_copy(pool, id) };
        return pool->failed ? NULL : pool_put(pool, &netplan->items, &netplan->n_items, &new, sizeof(new));
}

static void put(const struct netplan *netplan, const char **field, struct walk_node node) {
        const char *text = walk_text(node);

        if (text)
                *field = pool_copy(source_pool(netplan->parser), text);
}

static void add_reference(struct netplan *netplan, const char *by, struct walk_node node, bool is_port) {
        struct pool *pool = source_pool(netplan->parser);
        struct netplan_reference new = { .by = by, .is_port = is_port };

        if (!walk_text(node) || netplan->n_references == SOURCES_MAX)
                return;
        new.id = pool_copy(pool, walk_text(node));
        new.file = pool_copy(pool, netplan->parser->file);
        new.line = walk_line(node);
        pool_put(pool, &netplan->references, &netplan->n_references, &new, sizeof(new));
}

static void read_references(struct netplan *netplan, const struct netplan_definition *definition,
                            struct walk_node node) {
        struct walk list = { walk_get(node, "interfaces") };
        bool is_port = text_is_among(definition->section, "bonds bridges");

        add_reference(netplan, definition->id, walk_get(node, "link"), false);
        while (walk_next(&list))
                add_reference(netplan, definition->id, list.value, is_port);
}

static void read_mtu(struct netplan *netplan, struct netplan_definition *definition, struct walk_node mtu) {
        const char *file = netplan->parser->file;
        struct pool *pool = source_pool(netplan->parser);

        /* netplan refuses null. */
        if (!walk_text(mtu) || text_is_among(walk_text(mtu), "null ~"))
                return;
        if (definition->mtu && strcmp(definition->file, file) != 0) {
                struct netplan_definition *earlier = pool_take(pool, sizeof(*earlier));

                if (earlier)
                        *earlier = *definition;
                definition->earlier = earlier;
        }
        put(netplan, &definition->mtu, mtu);
        definition->file = pool_copy(pool, file);
        definition->line = walk_line(mtu);
}

static bool is_yes(const char *text) {
        return text && text_is_among(text, "true yes on y");
}

static void read_definition(struct netplan *netplan, struct netplan_definition *definition,
                            struct walk_node node) {
        struct walk_node match = walk_get(node, "match"), driver = walk_get(match, "driver"),
                         link_local = walk_get(node, "link-local");
        struct walk passthrough = { walk_get(walk_get(node, "networkmanager"), "passthrough") },
                    local = { link_local }, addresses = { walk_get(node, "addresses") }, settings = { node };
        const char *mode = walk_get_text(node, "mode");

        definition->is_without_link_local |= link_local.yaml != NULL;
        while (walk_next(&local))
                if (walk_text(local.value) && strcmp(walk_text(local.value), "ipv6") == 0)
                        definition->is_without_link_local = false;
        /* As in networkd_files.c. */
        definition->is_ipv4_tunnel |= strcmp(definition->section, "tunnels") == 0 && mode &&
                                      text_is_among(mode, "wireguard gre sit ipip vti");
        if (mode)
                definition->is_without_ethernet =
                                strcmp(definition->section, "tunnels") == 0 && strcmp(mode, "vxlan") != 0;
        definition->has_ipv6 |= is_yes(walk_get_text(node, "dhcp6"));
        while (walk_next(&addresses))
                definition->has_ipv6 |=
                                walk_text(addresses.value) && strchr(walk_text(addresses.value), ':');
        put(netplan, &definition->renderer, walk_get(node, "renderer"));
        read_mtu(netplan, definition, walk_get(node, "mtu"));
        put(netplan, &definition->set_name, walk_get(node, "set-name"));
        definition->has_match |= match.yaml != NULL;
        definition->has_link |= is_yes(walk_get_text(node, "wakeonlan"));
        while (walk_next(&settings))
                definition->has_link |= text_ends_in(settings.key, "-offload");
        put(netplan, &definition->name, walk_get(match, "name"));
        put(netplan, &definition->mac, walk_get(match, "macaddress"));
        if (driver.yaml && !walk_text(driver) && !definition->driver)
                definition->driver = "(several)"; /* a list of them */
        put(netplan, &definition->driver, driver);
        /* Settings of NetworkManager's profile, which go before netplan's own. */
        while (walk_next(&passthrough))
                if (strcmp(passthrough.key, "connection.interface-name") == 0)
                        put(netplan, &definition->name, passthrough.value);
                else if (strcmp(passthrough.key, "connection.autoconnect") == 0 &&
                         walk_text(passthrough.value))
                        definition->is_manual = text_is_among(walk_text(passthrough.value), "false no 0");
                else if (text_ends_in(passthrough.key, ".mtu") && !text_after(passthrough.key, "ppp.")) {
                        read_mtu(netplan, definition, passthrough.value);
                        definition->is_passed = true;
                }
}

/* Whose YAML it is, by a key at its top, and by what its value is or begins with. */
static const struct {
        const char *key;
        const char *value; /* NULL: anything */
        const char *owner;
        yaml_node_type_t type; /* YAML_NO_NODE: any */
} others[] = {
        { "interfaces", NULL, "nmstate", YAML_SEQUENCE_NODE },
        { "desiredState", NULL, "nmstate" },
        { "apiVersion", "nmstate.io/", "nmstate" },
        { "apiVersion", "v1alpha1", "Talos" },
        { "machine", NULL, "Talos" },
        { "apiVersion", NULL, "Kubernetes" },
        { "variant", NULL, "Butane" },
        { "ignition", NULL, "Ignition" },
        { "services", NULL, "Docker Compose" },
        { "networks", NULL, "Docker Compose", YAML_MAPPING_NODE },
        { "network_config", NULL, "os-net-config" },
        { "managed", NULL, "LXD" },
        { "lxd", NULL, "LXD, by cloud-init" },
        { "autoinstall", NULL, "Ubuntu's installer" },
        { "networkd", NULL, "Container Linux" },
        { "coreos", NULL, "CoreOS" },
};

static void report_other(const struct source_parser *parser, struct walk_node root) {
        /* cloud-init's own files are about much more than the network. */
        if (text_after(parser->file, "/etc/cloud/") || walk_get(root, "bootcmd").yaml ||
            walk_get(root, "runcmd").yaml || walk_get(root, "write_files").yaml ||
            !source_mentions_mtu(parser->text, parser->size))
                return;
        for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
                struct walk_node node = walk_get(root, others[i].key);
                const char *value = walk_text(node);

                if (node.yaml && (!others[i].type || walk_is(node, others[i].type)) &&
                    (!others[i].value || (value && text_after(value, others[i].value)))) {
                        source_fail(parser, 0, "is for %s, which setmtu does not read", others[i].owner);
                        return;
                }
        }
        source_fail(parser, 0, "is YAML, but neither netplan's nor cloud-init's; it is not read");
}

/* That of an IPv4 subnet goes before the device's; that of an IPv6 subnet is for IPv6 alone. */
static void read_subnet(struct netplan *netplan, struct netplan_definition *definition,
                        struct walk_node node) {
        const char *address = walk_get_text(node, "address"), *type = walk_get_text(node, "type");

        if (!(address && strchr(address, ':')) && !(type && strchr(type, '6')))
                read_definition(netplan, definition, node);
}

/* cloud-init's version 1: a list of devices. */
static void read_version_1(struct netplan *netplan, struct walk_node list) {
        struct walk devices = { list };

        while (walk_next(&devices)) {
                struct walk subnets = { walk_get(devices.value, "subnets") };
                const char *name = walk_get_text(devices.value, "name");
                struct netplan_definition *definition = name ? find(netplan, "config", name) : NULL;

                if (!definition)
                        continue;
                read_definition(netplan, definition, devices.value);
                while (walk_next(&subnets))
                        read_subnet(netplan, definition, subnets.value);
                definition->kind = SOURCE_CLOUD_INIT;
        }
}

/* Whether it is a network of cloud-init without a version: parse_net_config_data() in its
 * net/network_state.py takes none of that. */
static bool lacks_version(const struct source_parser *parser, struct walk_node network) {
        struct walk sections = { network };

        if (walk_get(network, "version").yaml)
                return false;
        while (walk_next(&sections))
                if (text_is_among(sections.key, netplan_sections) ||
                    (strcmp(sections.key, "config") == 0 && walk_is(sections.value, YAML_SEQUENCE_NODE))) {
                        source_fail(parser, walk_line(network),
                                    "has no version, and cloud-init takes none of the network");
                        return true;
                }
        return false;
}

/* Below `network:`; or, in a file for cloud-init alone, at the top. */
static void read_document(struct netplan *netplan, struct walk_node root) {
        const struct source_parser *parser = netplan->parser;
        struct walk_node network = walk_get(root, "network"), list = walk_get(root, "config");
        bool is_cloud_init = !network.yaml || strstr(parser->file, "/cloud.cfg") ||
                             strstr(parser->file, "/cloud/");
        struct walk sections;

        if (!network.yaml && (walk_get(root, "ethernets").yaml || walk_is(list, YAML_SEQUENCE_NODE)))
                network = root;
        cloud_init_read(parser, root);
        put(netplan, &netplan->renderer, walk_get(network, "renderer"));
        if (!network.yaml) {
                report_other(parser, root);
                return;
        }
        list = walk_get(network, "config");
        is_cloud_init |= walk_is(list, YAML_SEQUENCE_NODE);
        if (is_cloud_init && lacks_version(parser, network))
                return;
        if (walk_is(list, YAML_SEQUENCE_NODE))
                read_version_1(netplan, list);
        /* Its ports are definitions as well. */
        netplan->is_whole &= !walk_get(network, "openvswitch").yaml;
        if (!is_cloud_init)
                netplan_check_network(netplan, network);
        sections = (struct walk){ network };
        while (walk_next(&sections)) {
                struct walk_node renderer = walk_get(sections.value, "renderer");
                struct walk walk = { sections.value };

                while (text_is_among(sections.key, netplan_sections) && walk_next(&walk)) {
                        size_t n_before = netplan->n_items;
                        bool is_one = *walk.key && strcmp(walk.key, "renderer") != 0;
                        struct netplan_definition *definition =
                                        is_one ? find(netplan, sections.key, walk.key) : NULL;

                        if (!definition)
                                continue;
                        definition->kind = is_cloud_init ? SOURCE_CLOUD_INIT : SOURCE_NETPLAN;
                        put(netplan, &definition->renderer, renderer);
                        read_definition(netplan, definition, walk.value);
                        if (is_cloud_init)
                                continue;
                        netplan_check_definition(netplan, walk.value, definition,
                                                 netplan->is_whole && netplan->n_items > n_before);
                        read_references(netplan, definition, walk.value);
                }
        }
}

void netplan_add(struct netplan *netplan, const struct source_parser *parser) {
        yaml_document_t document;
        unsigned line;

        netplan->parser = parser;
        if (walk_load(parser, &document, &line)) {
                read_document(netplan, walk_root(&document));
                yaml_document_delete(&document);
        } else if (line > 0)
                netplan_set_refused(netplan, parser->file, line);
}

/* The conditions of `match:` in one text. */
static const char *condition_of(struct pool *pool, const struct netplan_definition *definition) {
        const char *name = definition->name, *mac = definition->mac, *driver = definition->driver;

        return pool_print(pool, "match%s%s%s%s%s%s", name ? " name " : "", name ? name : "",
                          mac ? " macaddress " : "", mac ? mac : "", driver ? " driver " : "",
                          driver ? driver : "");
}

static bool is_physical(const struct netplan_definition *definition) {
        return text_is_among(definition->section, "ethernets wifis");
}

static bool is_networkds(const struct netplan *netplan, const struct netplan_definition *definition) {
        const char *renderer = definition->renderer ? definition->renderer : netplan->renderer;

        return !renderer || strcmp(renderer, "NetworkManager") != 0;
}

/* The one word by which the device is told; NULL: there are several, or none. */
static const char *word_of(const struct netplan_definition *definition) {
        if (definition->driver || (definition->name && definition->mac))
                return NULL;
        return definition->mac || definition->name ? (definition->mac ? definition->mac : definition->name)
               : definition->has_match             ? NULL
                                                   : definition->id;
}

static bool has_mtu(const struct netplan_definition *definition) {
        /* An empty text is 0, and that is as if there was none. */
        return definition->mtu && strspn(definition->mtu, "0") < strlen(definition->mtu);
}

/* The last one is in effect. */
static void add_mtus(const struct netplan *netplan, const struct netplan_definition *definition,
                     struct mtu_source source, bool is_last) {
        if (definition->earlier)
                add_mtus(netplan, definition->earlier, source, false);
        source.is_merged = !is_last;
        source.file = definition->file;
        source.line = definition->line;
        source.value = definition->mtu;
        if (has_mtu(definition))
                source_add(netplan->parser, VALUE_DECIMAL, &source);
}

/* Whether the manager gives the device IPv6, which a port does not get. Of NetworkManager, netplan asks that
 * only for an address or DHCP. */
static bool has_ipv6(const struct netplan *netplan, const struct netplan_definition *definition) {
        for (size_t i = 0; i < netplan->n_references; i++)
                if (netplan->references[i].is_port && strcmp(netplan->references[i].id, definition->id) == 0)
                        return false;
        return definition->has_ipv6 ||
               (!definition->is_without_link_local && !definition->is_ipv4_tunnel &&
                strcmp(definition->section, "vrfs") != 0 && is_networkds(netplan, definition));
}

static void add(const struct netplan *netplan, const struct netplan_definition *definition) {
        struct pool *pool = source_pool(netplan->parser);
        struct mtu_source source = {
                .kind = definition->kind,
                .match = MATCH_NAME,
                .device = definition->id, /* the device's name by default */
                .owner = definition->id,
                .condition = definition->kind == SOURCE_NETPLAN ? netplan->refused : NULL,
                .has_ipv6 = definition->kind == SOURCE_NETPLAN && has_ipv6(netplan, definition),
        };
        /* Of cards, netplan's own mtu is in a .link file, too. */
        if (definition->is_manual && !is_networkds(netplan, definition) &&
            (definition->is_passed || !is_physical(definition)))
                source.inactive = "autoconnect=false";
        /* write_nm_conf_access_point() in netplan's src/nm.c. */
        if (definition->is_without_ethernet && !definition->is_passed && !is_networkds(netplan, definition))
                source.inactive = "netplan writes it to [ethernet] of the profile, where NetworkManager "
                                  "does not look for that of a tunnel";
        /* A modem's name is that of its control port; its network device has another one. */
        if (strcmp(definition->section, "nm-devices") == 0 && definition->name)
                source.device = definition->name;
        else if (text_is_among(definition->section, "nm-devices modems"))
                match_set(&source, MATCH_OTHER,
                          pool_print(pool, "the definition of %s is %s", definition->section,
                                     definition->id));
        else if (is_physical(definition) && definition->set_name)
                source.device = definition->set_name;
        else if (is_physical(definition) && !word_of(definition))
                match_set(&source, MATCH_OTHER, condition_of(pool, definition));
        else if (is_physical(definition) && definition->mac)
                (void)match_set_mac(&source, pool, definition->mac);
        else if (is_physical(definition) && definition->name)
                match_set_word(&source, definition->name);
        add_mtus(netplan, definition, source, true);
}

/* Whether netplan makes a .link file for the definition, or one of networkd with an MTU: they may hide those
 * of others. */
static bool makes_files(const struct netplan *netplan, const struct netplan_definition *definition) {
        return definition->kind == SOURCE_NETPLAN && is_physical(definition) &&
               is_networkds(netplan, definition) &&
               (has_mtu(definition) || definition->set_name || definition->has_link);
}

/* Tells each source, from `first` on, of the files before that of its definition, of which the first that
 * matches counts. */
static void add_earlier(const struct netplan *netplan, struct mtu_sources *sources, size_t first) {
        size_t size = netplan->n_items * sizeof(*netplan->items), n = 0;
        struct netplan_definition *sorted = pool_take(&sources->pool, size);
        struct earlier_file *earlier = pool_take(&sources->pool, netplan->n_items * sizeof(*earlier));

        if (!sorted || !earlier || netplan->n_items == 0)
                return;
        memcpy(sorted, netplan->items, size);
        qsort(sorted, netplan->n_items, sizeof(*sorted), text_compare);
        for (size_t i = 0; i < netplan->n_items; i++) {
                if (!makes_files(netplan, &sorted[i]))
                        continue;
                for (size_t j = first; j < sources->n_items; j++)
                        if (strcmp(sources->items[j].owner, sorted[i].id) == 0) {
                                sources->items[j].earlier = earlier;
                                sources->items[j].n_earlier = n;
                        }
                if (word_of(&sorted[i]))
                        earlier[n++] = (struct earlier_file){ .file = sorted[i].made,
                                                              .devices = word_of(&sorted[i]) };
        }
}

void netplan_read(struct netplan *netplan, const struct source_parser *parser) {
        size_t first = parser->sources->n_items;

        netplan->parser = parser;
        netplan_check_references(netplan);
        for (size_t i = 0; i < netplan->n_items; i++)
                if (has_mtu(&netplan->items[i]))
                        add(netplan, &netplan->items[i]);
        add_earlier(netplan, parser->sources, first);
}

void source_netplan_read(const struct source_parser *parser) {
        struct source_parser network = *parser;
        struct netplan netplan = { 0 };

        netplan_add(&netplan, parser);
        if (!network.inactive && strcmp(text_base_name(parser->file), "user-data") == 0)
                network.inactive = "cloud-init takes no network from user data";
        netplan_read(&netplan, &network);
}
