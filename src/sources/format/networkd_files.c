/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "sources/format/readers.h"
#include "system/systemd_ini.h"

/* The types of network cards. Those with the address of another device have types, or kinds, of their own:
 * DEVTYPE= of udev, or IFLA_INFO_KIND. */
static const char types_of_cards[] = "ether wlan infiniband",
                  other_types[] = "vlan bridge bond macvlan ipvlan vxlan";

/* Whether one of the words of a list is, or is not, among these. */
static bool has_word(struct pool *pool, const char *list, const char *among, bool is_wanted) {
        char *rest = pool_copy(pool, list), *word;

        while ((word = lines_word(&rest)))
                if (text_is_among(word, among) == is_wanted)
                        return true;
        return false;
}

/* Whether Type= or Kind= says no more than what the device is: of what kind, beside its name; that it is a
 * network card, and no VLAN or bridge with the address of the card, beside its address. */
static bool is_told(struct pool *pool, const struct network_file *file, const char *keys, const char *key) {
        const char *value = network_file_get(file, "Match", key),
                   *name = network_file_get(file, "Match", "Name");

        if (!value)
                return false;
        if (!strstr(keys, "MACAddress"))
                return *value != '!' && !(name && *name == '*');
        if (*value == '!')
                return !has_word(pool, value + 1, types_of_cards, true);
        return strcmp(key, "Type") == 0 && !has_word(pool, value, types_of_cards, false);
}

/* The kinds of devices that Type= or Kind= leaves out where they have the address; "*" is all. NULL: none.
 */
static const char *kinds_left_out(const struct network_file *file) {
        const char *kind = network_file_get(file, "Match", "Kind"),
                   *type = network_file_get(file, "Match", "Type"), *value = kind ? kind : type;

        return value && *value == '!' ? value + 1 : type ? other_types : NULL;
}

/* Whether the keys are alone in [Match], but for those. */
static bool are_alone(struct pool *pool, const struct network_file *file, const char *keys) {
        char all[96];

        snprintf(all, sizeof(all), "%s%s%s", keys, is_told(pool, file, keys, "Type") ? " Type" : "",
                 is_told(pool, file, keys, "Kind") ? " Kind" : "");
        return !network_file_has_match_besides(file, all);
}

/* The name or address key that is the only one in [Match]. NULL: none, or several. Assignments that a later
 * empty one clears do not count. */
static const char *only_key(struct pool *pool, const struct network_file *file) {
        static const char *const keys[] = { "Name", "OriginalName", "MACAddress", "PermanentMACAddress" };

        for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
                if (network_file_find(file, "Match", keys[i]) && are_alone(pool, file, keys[i]))
                        return keys[i];
        return NULL;
}

/* Whether the name is one of several conditions, and is without a pattern, or all others are of the machine
 * and not of a device: systemd.network(5). */
static bool is_by_name(const struct network_file *file, const char *key) {
        const char *name = network_file_get(file, "Match", key);
        char all[128];

        snprintf(all, sizeof(all),
                 "%s Host Virtualization KernelCommandLine KernelVersion Credential Architecture Firmware",
                 key);
        return name && *name && (!strpbrk(name, "*?[!") || !network_file_has_match_besides(file, all));
}

/* The address that the device has to have beside its name. False if there are other conditions as well. */
static bool read_address(struct pool *pool, const struct network_file *file, const char *name_key,
                         char ret[MAC_TEXT_SIZE]) {
        static const char *const keys[] = { "MACAddress", "PermanentMACAddress" };

        for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
                const char *address = network_file_get(file, "Match", keys[i]);
                char both[64];

                snprintf(both, sizeof(both), "%s %s", name_key, keys[i]);
                if (address && match_read_mac(address, ret) && are_alone(pool, file, both))
                        return true;
        }
        return false;
}

/* All of [Match] in one text. */
static const char *match_text(struct pool *pool, const struct network_file *file) {
        const struct network_setting *setting = NULL;
        struct pool_text text = { .pool = pool };

        while ((setting = network_file_next(file, setting, "Match", NULL)))
                if (*setting->value && !setting->is_reset)
                        pool_text_put(&text, pool_print(pool, "%s%s=%s", text.size > 0 ? " " : "",
                                                        setting->key, setting->value));
        return text.text ? text.text : "";
}

/* [Match] as a whole is the condition. */
static void set_text(const struct source_parser *parser, const struct network_file *file,
                     struct mtu_source *source) {
        const char *text = match_text(source_pool(parser), file);

        match_set(source, MATCH_OTHER, text);
        if (strcmp(text, "Type=ether") == 0 || strcmp(text, "Type=ether Kind=!*") == 0)
                source->type = "ethernet";
        else if (strcmp(text, "Type=wlan") == 0)
                source->type = "wifi";
}

/* The kinds of devices that have no link-local address of IPv6 (link_ipv6ll_enabled() in systemd's
 * src/network/networkd-ipv6ll.c), and the types that they have in [Match]. */
static const char kinds_without_link_local[] = "vrf wireguard ipip gre sit vti nlmon",
                  types_without_link_local[] = "wireguard sit ipgre tunnel netlink";

/* Whether a .netdev file makes a device of such a kind that has this name, or matches this pattern, which
 * differs from it by the number alone: "*" is for other devices as well. */
static bool is_without_link_local(const struct mtu_sources *sources, const char *name) {
        for (size_t i = 0; i < sources->without_link_local.n_items; i++) {
                const char *made = sources->without_link_local.items[i];

                if (fnmatch(name, made, 0) == 0 && strcspn(name, "*?[") >= strcspn(made, "0123456789"))
                        return true;
        }
        return false;
}

/* Whether [Match] has such a list, and all words of it are among these. */
static bool matches_only(const struct source_parser *parser, const struct network_file *file,
                         const char *key, const char *among) {
        const char *words = network_file_match_words(source_pool(parser), file, key, NULL);

        return words && !has_word(source_pool(parser), words, among, false);
}

static bool has_static_ipv6(const struct network_file *file) {
        for (size_t i = 0; i < file->n_settings; i++) {
                const struct network_setting *setting = &file->settings[i];

                if (text_is_among(setting->header, "Network Address Route Neighbor BridgeFDB") &&
                    text_is_among(setting->key, "Address Gateway Destination") &&
                    strchr(setting->value, ':'))
                        return true;
        }
        return false;
}

/* Whether a device of [Match], of whatever name, has IPv6: link_ipv6_enabled() in systemd's
 * src/network/networkd-link.c. A port has no link-local address, and that of a bond no other one. */
static bool has_ipv6(const struct source_parser *parser, const struct network_file *file) {
        const char *local = network_file_get(file, "Network", "LinkLocalAddressing");

        if (network_file_get(file, "Network", "Bond") || matches_only(parser, file, "Type", "can"))
                return false;
        return has_static_ipv6(file) || (!network_file_get(file, "Network", "Bridge") &&
                                         (!local || text_is_among(local, "ipv6 yes true on 1")) &&
                                         !matches_only(parser, file, "Type", types_without_link_local) &&
                                         !matches_only(parser, file, "Kind", kinds_without_link_local));
}

/* Adds one source for each word of the list `key`. False, with none added, if a word is not plain. */
static bool add_words(const struct source_parser *parser, const struct network_file *file, const char *key,
                      struct mtu_source source) {
        bool is_mac = strstr(key, "MACAddress") != NULL, may_have_ipv6 = source.has_ipv6;
        size_t before = parser->sources->n_items;
        const char *words = network_file_match_words(source_pool(parser), file, key, NULL);
        char *rest = words ? pool_copy(source_pool(parser), words) : NULL, *word;

        while (rest && (word = lines_word(&rest))) {
                if (*word == '#') {
                        diagnostic_report(parser->sink, DIAGNOSTIC_WARNING, source.file, source.line, NULL,
                                          "in %s= of [Match], # begins no comment: systemd takes what "
                                          "follows for names; put it on a line of its own",
                                          key);
                        break;
                }
                if (strchr(word, '\\') || (is_mac && !match_set_mac(&source, source_pool(parser), word))) {
                        parser->sources->n_items = before;
                        return false;
                }
                if (!is_mac)
                        match_set_word(&source, word);
                /* CAN devices, as the kernel calls them, have none. */
                source.has_ipv6 = may_have_ipv6 && fnmatch("?(v|vx|sl)can[0-9]*", word, FNM_EXTMATCH) != 0 &&
                                  (is_mac || has_static_ipv6(file) ||
                                   !is_without_link_local(parser->sources, word));
                source_add(parser, VALUE_SIZE, &source);
        }
        return words != NULL;
}

/* The MTU of the section. systemd keeps the one before a value that it cannot read: config_parse_mtu() in
 * its src/shared/conf-parser.c. NULL: there is none. */
static const struct network_setting *find_mtu(const struct network_file *file, const char *section) {
        const struct network_setting *setting = NULL, *last = NULL, *valid = NULL;
        const char *unclear;

        while ((setting = network_file_next(file, setting, section, "MTUBytes"))) {
                last = *setting->value ? setting : NULL;
                if (!last || source_value_read(setting->value, VALUE_SIZE, &unclear) > 0)
                        valid = last;
        }
        return valid ? valid : last;
}

static void read_netdev(const struct source_parser *parser, const struct network_file *file) {
        const struct network_setting *name = network_file_find(file, "NetDev", "Name"),
                                     *mtu = find_mtu(file, "NetDev"),
                                     *kind = network_file_find(file, "NetDev", "Kind");
        const char *key_file = network_file_get(file, "WireGuard", "PrivateKeyFile");
        struct mtu_source source = { .kind = SOURCE_NETDEV };

        if (kind && text_is_among(kind->value, "tun tap"))
                source.inactive = "systemd-networkd sets none for tun and tap";
        /* netdev_vlan_verify() in systemd's src/network/netdev/vlan.c. */
        else if (kind && strcmp(kind->value, "vlan") == 0 && !network_file_get(file, "VLAN", "Id"))
                source.inactive = "systemd-networkd makes no VLAN without Id= in [VLAN]";
        else if (key_file && strstr(key_file, " #"))
                source.inactive = "systemd-networkd takes the text behind # for a part of PrivateKeyFile=";
        if (name && kind && text_is_among(kind->value, kinds_without_link_local))
                (void)pool_list_add(source_pool(parser), &parser->sources->without_link_local, name->value);
        if (!name || !mtu || !*name->value)
                return;
        match_set(&source, MATCH_NAME, name->value);
        source.file = mtu->path;
        source.line = mtu->line;
        source.value = mtu->value;
        source_add(parser, VALUE_SIZE, &source);
}

/* The setting of a .network file that has networkd make a device of the kind, on that of the file; NULL: it
 * makes it by itself (NETDEV_CREATE_STACKED in systemd's src/network/netdev). */
static const char *asking_key(const char *kind) {
        static const struct {
                const char *kinds, *key;
        } rows[] = {
                { "vlan", "VLAN" },
                { "macvlan", "MACVLAN" },
                { "macvtap", "MACVTAP" },
                { "ipvlan", "IPVLAN" },
                { "ipvtap", "IPVTAP" },
                { "vxlan", "VXLAN" },
                { "macsec", "MACsec" },
                { "ipoib", "IPoIB" },
                { "xfrm", "Xfrm" },
                { "erspan gre gretap ip6gre ip6gretap ip6tnl ipip sit vti vti6", "Tunnel" },
        };

        for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
                if (text_is_among(kind, rows[i].kinds))
                        return rows[i].key;
        return NULL;
}

const char *source_netdev_why_not_made(const struct source_parser *parser, const struct network_file *file,
                                       const struct network_files *networks) {
        const struct network_setting *name = network_file_find(file, "NetDev", "Name"),
                                     *kind = network_file_find(file, "NetDev", "Kind");
        const char *key = kind ? asking_key(kind->value) : NULL;

        /* The section has the name of the key. */
        if (!name || !key || network_file_is_true(file, key, "Independent"))
                return NULL;
        for (size_t i = 0; i < networks->n_items; i++) {
                const struct network_setting *setting = NULL;

                while ((setting = network_file_next(&networks->items[i], setting, "Network", key)))
                        if (strcmp(setting->value, name->value) == 0)
                                return NULL;
        }
        return pool_print(source_pool(parser), "no .network file has %s=%s", key, name->value);
}

/* The setting by which DHCP may give the MTU; NULL: none. */
static const struct network_setting *find_dhcp(const struct network_file *file) {
        static const char *const sections[] = { "DHCPv4", "DHCP" };
        const char *client = network_file_get(file, "Network", "DHCP");
        bool has_client = network_file_is_true(file, "Network", "DHCP") ||
                          (client && text_is_among(client, "ipv4 both v4"));

        for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]) && has_client; i++)
                if (network_file_is_true(file, sections[i], "UseMTU"))
                        return network_file_find(file, sections[i], "UseMTU");
        return NULL;
}

/* Adds the source of this setting for the devices of [Match]. */
static void add_setting(const struct source_parser *parser, const struct network_file *file,
                        const struct network_setting *setting, struct mtu_source source) {
        const struct network_setting *name = network_file_find(file, "Link", "Name");
        bool is_link = source.kind == SOURCE_LINK;
        const char *key, *name_key = is_link ? "OriginalName" : "Name";
        char address[MAC_TEXT_SIZE];

        source.file = setting->path;
        source.line = setting->line;
        source.left_out = kinds_left_out(file);
        if (!network_file_has_match(file)) {
                diagnostic_report(parser->sink, DIAGNOSTIC_WARNING, source.file, source.line, NULL,
                                  "[Match] names no device, and systemd leaves such a file out");
                return;
        }
        key = only_key(source_pool(parser), file);
        /* Of several conditions, the name says which device is meant. */
        if (!key && is_by_name(file, name_key)) {
                key = name_key;
                source.condition = "only where the other conditions in [Match] hold";
                source.address = read_address(source_pool(parser), file, name_key, address) ? address : NULL;
        }
        /* A name that the file gives overrides [Match]. */
        if (is_link && name && *name->value && !network_file_find(file, "Link", "NamePolicy"))
                match_set(&source, MATCH_NAME, name->value);
        else if (key && add_words(parser, file, key, source))
                return;
        else
                set_text(parser, file, &source);
        source_add(parser, VALUE_SIZE, &source);
}

/* An MTU in another section than [Link], or by another key; both occur. NULL: none. Elsewhere, MTUBytes=
 * means something else. */
static const struct network_setting *find_misplaced(const struct network_file *file) {
        for (size_t i = 0; i < file->n_settings; i++) {
                const struct network_setting *setting = &file->settings[i];
                const char *keys = strcmp(setting->header, "Link") == 0 ? "MTU" : "MTU MTUBytes";

                if (*setting->value && text_is_among(setting->key, keys) &&
                    text_is_among(setting->header, "Link LINK link Match Network DHCP DHCPv4 IPv6AcceptRA"))
                        return setting;
        }
        return NULL;
}

void source_network_read(const struct source_parser *parser, const struct network_file *file) {
        bool is_link = text_ends_in(file->name, NETWORK_FILE_LINK);
        struct mtu_source source = { .kind = is_link ? SOURCE_LINK : SOURCE_NETWORK };
        const struct network_setting *mtu = find_mtu(file, "Link"), *dhcp = is_link ? NULL : find_dhcp(file),
                                     *misplaced;

        if (text_ends_in(file->name, ".netdev")) {
                read_netdev(parser, file);
                return;
        }
        if (mtu) {
                if (!is_link && network_file_is_true(file, "Link", "Unmanaged"))
                        source.inactive = "systemd-networkd leaves the device alone, by Unmanaged=";
                source.value = mtu->value;
                source.has_ipv6 = !is_link && has_ipv6(parser, file);
                add_setting(parser, file, mtu, source);
                return;
        }
        if (dhcp)
                add_setting(parser, file, dhcp, source);
        misplaced = find_misplaced(file);
        if (!misplaced || !network_file_has_match(file))
                return;
        source.value = misplaced->value;
        source.inactive = pool_print(source_pool(parser),
                                     "systemd ignores %s= in [%s]; it is MTUBytes= in [Link]",
                                     misplaced->key, TEXT_SHOW(misplaced->header));
        add_setting(parser, file, misplaced, source);
}

static void read_text(const struct source_parser *parser, const char *suffix) {
        const char *name = text_base_name(parser->file);
        bool tells = text_ends_in(name, NETWORK_FILE_LINK) || text_ends_in(name, NETWORK_FILE_NETWORK) ||
                     text_ends_in(name, ".netdev");
        CLEANUP(network_file_free)
        struct network_file file = network_file_open(
                        pool_print(source_pool(parser), "%s%s", name, tells ? "" : suffix), parser->file);
        int r = network_file_parse(&file, parser->text, parser->size);

        if (r == 0)
                source_network_read(parser, &file);
        else if (r == -EBADMSG)
                source_warn(parser, 0,
                            "has a line that is not UTF-8, or a section header that is none; left out, as "
                            "systemd leaves it out");
        else
                source_pool(parser)->failed = true;
}

void source_network_read_text(const struct source_parser *parser) {
        read_text(parser, NETWORK_FILE_NETWORK);
}

void source_link_read_text(const struct source_parser *parser) {
        read_text(parser, NETWORK_FILE_LINK);
}
