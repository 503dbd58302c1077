/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/text.h"
#include "sources/format/netplan.h"

/* Finds or adds a definition. NULL: out of memory, or too many. */
static struct netplan_definition *find(const struct source_parser *parser, struct netplan *netplan,
                                       const char *section, const char *id) {
        struct netplan_definition new;
        struct pool *pool = source_pool(parser);

        for (size_t i = 0; i < netplan->n_items; i++)
                if (strcmp(netplan->items[i].section, section) == 0 && strcmp(netplan->items[i].id, id) == 0)
                        return &netplan->items[i];
        if (netplan->n_items == SOURCES_MAX) {
                if (!netplan->is_cut)
                        source_fail(parser, 0, "has more than %u devices" SOURCE_CUT, SOURCES_MAX);
                netplan->is_cut = true;
                return NULL;
        }
        new = (struct netplan_definition){ .made = pool_print(pool, "10-netplan-%s.network", id),
                                           .section = pool_copy(pool, section),
                                           .id = pool_copy(pool, id) };
        return pool->failed ? NULL : pool_put(pool, &netplan->items, &netplan->n_items, &new, sizeof(new));
}

static void put(struct pool *pool, const char **field, const yaml_node_t *node) {
        const char *text = walk_text(node);

        if (text)
                *field = pool_copy(pool, text);
}

static void add_reference(struct netplan *netplan, const struct source_parser *parser, const char *by,
                          const yaml_node_t *node, bool is_port) {
        struct pool *pool = source_pool(parser);
        struct netplan_reference new = { .by = by, .is_port = is_port };

        if (!walk_text(node) || netplan->n_references == SOURCES_MAX)
                return;
        new.id = pool_copy(pool, walk_text(node));
        new.file = pool_copy(pool, parser->file);
        new.line = (unsigned)node->start_mark.line + 1;
        pool_put(pool, &netplan->references, &netplan->n_references, &new, sizeof(new));
}

static void read_references(struct netplan *netplan, const struct source_parser *parser,
                            yaml_document_t *document, const struct netplan_definition *definition,
                            const yaml_node_t *node) {
        struct walk list = walk_of(document, walk_get(document, node, "interfaces"));
        bool is_port = text_is_among(definition->section, "bonds bridges");

        add_reference(netplan, parser, definition->id, walk_get(document, node, "link"), false);
        while (walk_next(&list))
                add_reference(netplan, parser, definition->id, list.value, is_port);
}

static void read_mtu(struct netplan_definition *definition, const struct source_parser *parser,
                     const yaml_node_t *mtu) {
        struct pool *pool = source_pool(parser);

        /* netplan refuses null. */
        if (!walk_text(mtu) || text_is_among(walk_text(mtu), "null ~"))
                return;
        if (definition->mtu && strcmp(definition->file, parser->file) != 0) {
                struct netplan_definition *earlier = pool_take(pool, sizeof(*earlier));

                if (earlier)
                        *earlier = *definition;
                definition->earlier = earlier;
        }
        put(pool, &definition->mtu, mtu);
        definition->file = pool_copy(pool, parser->file);
        definition->line = (unsigned)mtu->start_mark.line + 1;
}

static void read_definition(struct netplan_definition *definition, const struct source_parser *parser,
                            yaml_document_t *document, const yaml_node_t *node) {
        struct pool *pool = source_pool(parser);
        const yaml_node_t *match = walk_get(document, node, "match"),
                          *driver = walk_get(document, match, "driver"),
                          *manager = walk_get(document, node, "networkmanager");
        struct walk passthrough = walk_of(document, walk_get(document, manager, "passthrough")),
                    local = walk_of(document, walk_get(document, node, "link-local")),
                    addresses = walk_of(document, walk_get(document, node, "addresses")),
                    settings = walk_of(document, node);
        const char *dhcp6 = walk_text(walk_get(document, node, "dhcp6")),
                   *wakeonlan = walk_text(walk_get(document, node, "wakeonlan")),
                   *mode = walk_text(walk_get(document, node, "mode"));

        definition->is_without_link_local |= walk_get(document, node, "link-local") != NULL;
        while (walk_next(&local))
                if (walk_text(local.value) && strcmp(walk_text(local.value), "ipv6") == 0)
                        definition->is_without_link_local = false;
        /* As in networkd_files.c. */
        definition->is_ipv4_tunnel |= strcmp(definition->section, "tunnels") == 0 && mode &&
                                      text_is_among(mode, "wireguard gre sit ipip vti");
        if (mode)
                definition->is_without_ethernet =
                                strcmp(definition->section, "tunnels") == 0 && strcmp(mode, "vxlan") != 0;
        definition->has_ipv6 |= dhcp6 && text_is_among(dhcp6, "true yes on y");
        while (walk_next(&addresses))
                definition->has_ipv6 |=
                                walk_text(addresses.value) && strchr(walk_text(addresses.value), ':');
        put(pool, &definition->renderer, walk_get(document, node, "renderer"));
        read_mtu(definition, parser, walk_get(document, node, "mtu"));
        put(pool, &definition->set_name, walk_get(document, node, "set-name"));
        definition->has_match |= match != NULL;
        definition->has_link |= wakeonlan && text_is_among(wakeonlan, "true yes on y");
        while (walk_next(&settings))
                definition->has_link |= text_ends_in(settings.key, "-offload");
        put(pool, &definition->name, walk_get(document, match, "name"));
        put(pool, &definition->mac, walk_get(document, match, "macaddress"));
        if (driver && !walk_text(driver) && !definition->driver)
                definition->driver = "(several)"; /* a list of them */
        put(pool, &definition->driver, driver);
        /* Settings of NetworkManager's profile, which go before netplan's own. */
        while (walk_next(&passthrough))
                if (strcmp(passthrough.key, "connection.interface-name") == 0)
                        put(pool, &definition->name, passthrough.value);
                else if (strcmp(passthrough.key, "connection.autoconnect") == 0 &&
                         walk_text(passthrough.value))
                        definition->is_manual = text_is_among(walk_text(passthrough.value), "false no 0");
                else if (text_ends_in(passthrough.key, ".mtu") && !text_after(passthrough.key, "ppp.")) {
                        read_mtu(definition, parser, passthrough.value);
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

static void report_other(const struct source_parser *parser, yaml_document_t *document) {
        const yaml_node_t *root = yaml_document_get_root_node(document);

        /* cloud-init's own files are about much more than the network. */
        if (text_after(parser->file, "/etc/cloud/") || walk_get(document, root, "bootcmd") ||
            walk_get(document, root, "runcmd") || walk_get(document, root, "write_files") ||
            !source_mentions_mtu(parser->text, parser->size))
                return;
        for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
                const yaml_node_t *node = walk_get(document, root, others[i].key);
                const char *value = walk_text(node);

                if (node && (!others[i].type || others[i].type == node->type) &&
                    (!others[i].value || (value && text_after(value, others[i].value)))) {
                        source_fail(parser, 0, "is for %s, which setmtu does not read", others[i].owner);
                        return;
                }
        }
        source_fail(parser, 0, "is YAML, but neither netplan's nor cloud-init's; it is not read");
}

/* That of an IPv4 subnet goes before the device's; that of an IPv6 subnet is for IPv6 alone. */
static void read_subnet(struct netplan_definition *definition, const struct source_parser *parser,
                        yaml_document_t *document, const yaml_node_t *node) {
        const char *address = walk_text(walk_get(document, node, "address")),
                   *type = walk_text(walk_get(document, node, "type"));

        if (!(address && strchr(address, ':')) && !(type && strchr(type, '6')))
                read_definition(definition, parser, document, node);
}

/* cloud-init's version 1: a list of devices. */
static void read_version_1(struct netplan *netplan, const struct source_parser *parser,
                           yaml_document_t *document, const yaml_node_t *list) {
        struct walk devices = walk_of(document, list);

        while (walk_next(&devices)) {
                struct walk subnets = walk_of(document, walk_get(document, devices.value, "subnets"));
                const char *name = walk_text(walk_get(document, devices.value, "name"));
                struct netplan_definition *definition = name ? find(parser, netplan, "config", name) : NULL;

                if (!definition)
                        continue;
                read_definition(definition, parser, document, devices.value);
                while (walk_next(&subnets))
                        read_subnet(definition, parser, document, subnets.value);
                definition->kind = SOURCE_CLOUD_INIT;
        }
}

/* Whether it is a network of cloud-init without a version: parse_net_config_data() in its
 * net/network_state.py takes none of that. */
static bool lacks_version(const struct source_parser *parser, yaml_document_t *document,
                          const yaml_node_t *network) {
        struct walk sections = walk_of(document, network);

        if (walk_get(document, network, "version"))
                return false;
        while (walk_next(&sections))
                if (text_is_among(sections.key, netplan_sections) ||
                    (strcmp(sections.key, "config") == 0 && sections.value->type == YAML_SEQUENCE_NODE)) {
                        source_fail(parser, (unsigned)network->start_mark.line + 1,
                                    "has no version, and cloud-init takes none of the network");
                        return true;
                }
        return false;
}

/* Below `network:`; or, in a file for cloud-init alone, at the top. */
static void read_document(struct netplan *netplan, const struct source_parser *parser,
                          yaml_document_t *document) {
        const yaml_node_t *root = yaml_document_get_root_node(document),
                          *network = walk_get(document, root, "network"), *list;
        bool is_cloud_init =
                        !network || strstr(parser->file, "/cloud.cfg") || strstr(parser->file, "/cloud/");
        struct walk sections;

        list = walk_get(document, root, "config");
        if (!network &&
            (walk_get(document, root, "ethernets") || (list && list->type == YAML_SEQUENCE_NODE)))
                network = root;
        cloud_init_read(parser, document);
        put(source_pool(parser), &netplan->renderer, walk_get(document, network, "renderer"));
        if (!network) {
                report_other(parser, document);
                return;
        }
        list = walk_get(document, network, "config");
        is_cloud_init |= list && list->type == YAML_SEQUENCE_NODE;
        if (is_cloud_init && lacks_version(parser, document, network))
                return;
        if (list && list->type == YAML_SEQUENCE_NODE)
                read_version_1(netplan, parser, document, list);
        /* Its ports are definitions as well. */
        netplan->is_whole &= !walk_get(document, network, "openvswitch");
        if (!is_cloud_init)
                netplan_check_network(netplan, parser, document, network);
        sections = walk_of(document, network);
        while (walk_next(&sections)) {
                const yaml_node_t *renderer = walk_get(document, sections.value, "renderer");
                struct walk walk = walk_of(document, sections.value);

                while (text_is_among(sections.key, netplan_sections) && walk_next(&walk)) {
                        size_t n_before = netplan->n_items;
                        bool is_one = *walk.key && strcmp(walk.key, "renderer") != 0;
                        struct netplan_definition *definition =
                                        is_one ? find(parser, netplan, sections.key, walk.key) : NULL;

                        if (!definition)
                                continue;
                        definition->kind = is_cloud_init ? SOURCE_CLOUD_INIT : SOURCE_NETPLAN;
                        put(source_pool(parser), &definition->renderer, renderer);
                        read_definition(definition, parser, document, walk.value);
                        if (is_cloud_init)
                                continue;
                        netplan_check_definition(netplan, parser, document, walk.value, definition,
                                                 netplan->is_whole && netplan->n_items > n_before);
                        read_references(netplan, parser, document, definition, walk.value);
                }
        }
}

void netplan_add(struct netplan *netplan, const struct source_parser *parser) {
        yaml_document_t document;
        unsigned line;

        if (walk_load(parser, &document, &line)) {
                read_document(netplan, parser, &document);
                yaml_document_delete(&document);
        } else if (line > 0)
                netplan_set_refused(netplan, parser, parser->file, line);
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
static void add_mtus(const struct netplan_definition *definition, const struct source_parser *parser,
                     struct mtu_source source, bool is_last) {
        if (definition->earlier)
                add_mtus(definition->earlier, parser, source, false);
        source.is_merged = !is_last;
        source.file = definition->file;
        source.line = definition->line;
        source.value = definition->mtu;
        if (has_mtu(definition))
                source_add(parser, VALUE_DECIMAL, &source);
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

static void add(const struct netplan *netplan, const struct netplan_definition *definition,
                const struct source_parser *parser) {
        struct pool *pool = source_pool(parser);
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
        add_mtus(definition, parser, source, true);
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

        netplan_check_references(netplan, parser);
        for (size_t i = 0; i < netplan->n_items; i++)
                if (has_mtu(&netplan->items[i]))
                        add(netplan, &netplan->items[i], parser);
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
