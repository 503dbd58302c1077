/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <fnmatch.h>
#include <string.h>

#include "config/interface_name.h"
#include "sources/format/keyfile.h"
#include "sources/format/readers.h"

/* The last setting of the key in the groups that have a MAC address and an MTU. NULL: none. */
static const struct keyfile_item *find_of_device(const struct keyfile *profile, const char *key) {
        static const char groups[] = "ethernet 802-3-ethernet wifi 802-11-wireless infiniband ip-tunnel "
                                     "wireguard gsm vxlan hsr";

        for (size_t i = profile->n_items; i > 0; i--)
                if (text_is_among(profile->items[i - 1].group, groups) &&
                    strcmp(profile->items[i - 1].key, key) == 0)
                        return &profile->items[i - 1];
        return NULL;
}

/* A group may have a short name, which nmcli's properties do not have. */
static const char *key_of(const struct source_parser *parser, const char *group) {
        if (strcmp(group, "ethernet") == 0)
                group = "802-3-ethernet";
        else if (strcmp(group, "wifi") == 0)
                group = "802-11-wireless";
        return pool_print(source_pool(parser), "%s.mtu", group);
}

/* A VLAN without a name of its own has PARENT.ID, of which the parent's name is cut to fit:
 * nmp_utils_new_vlan_name() in its nm-platform-utils.c. A longer parent is the UUID of its profile. */
static void set_vlan(const struct source_parser *parser, const char *parent, const char *id,
                     struct mtu_source *source) {
        int room = INTERFACE_NAME_SIZE - (int)sizeof(".") - (int)strlen(id);

        if (parent && strlen(parent) >= INTERFACE_NAME_SIZE)
                parent = source_profile_device(parser, parent);
        match_set(source, parent && room > 0 ? MATCH_NAME : MATCH_OTHER,
                  pool_print(source_pool(parser), "%.*s.%s", room > 0 ? room : 0, parent ? parent : "vlan",
                             id));
}

/* [match] interface-name: a list of names and patterns. */
static void set_match(char *match, struct mtu_source *source) {
        size_t length = strlen(match);

        if (length > 0 && match[length - 1] == ';')
                match[length - 1] = '\0';
        match_set(source,
                  strpbrk(match, ";!|&\\") ? MATCH_OTHER
                  : match_is_glob(match)   ? MATCH_GLOB
                                           : MATCH_NAME,
                  match);
}

static struct keyfile read_profile(const struct source_parser *parser) {
        struct keyfile profile = keyfile_read(parser);

        for (size_t i = 0; i < profile.n_items; i++)
                keyfile_unescape(profile.items[i].value);
        return profile;
}

static const char *interface_name_of(const struct keyfile *profile) {
        const char *name = keyfile_get(profile, "connection", "interface-name");

        return name ? name : keyfile_get(profile, "vlan", "interface-name");
}

/* Remembers for which device the profile is. */
static void add_profile(const struct source_parser *parser, const struct keyfile *profile) {
        static const char *const keys[] = { "id", "uuid" };
        const char *name = interface_name_of(profile), *called;

        for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]) && name; i++)
                if ((called = keyfile_get(profile, "connection", keys[i])))
                        source_add_profile(parser, called, name);
}

void source_nm_profile_name(const struct source_parser *parser) {
        const struct keyfile profile = read_profile(parser);

        add_profile(parser, &profile);
}

/* Whether one word of a device list means the device of the profile: 1, 0, or -1 if the profile does not say
 * so. */
static int spec_matches(const char *spec, const struct keyfile *profile) {
        static const char *const types[][2] = { { "802-3-ethernet", "ethernet" },
                                                { "802-11-wireless", "wifi" } };
        const char *name = text_after(spec, "interface-name:"), *type = text_after(spec, "type:"),
                   *address = text_after(spec, "mac:"), *own = keyfile_get(profile, "connection", "type"),
                   *own_name = interface_name_of(profile);
        const struct keyfile_item *mac = find_of_device(profile, "mac-address");

        if (strcmp(spec, "*") == 0)
                return 1;
        if (type) {
                for (size_t i = 0; own && i < sizeof(types) / sizeof(types[0]); i++)
                        own = strcmp(own, types[i][0]) == 0 ? types[i][1] : own;
                return own && *own ? strcmp(type, own) == 0 : -1;
        }
        if (address || (!name && strchr(spec, ':')))
                return mac ? strcasecmp(address ? address : spec, mac->value) == 0 : -1;
        if (!own_name)
                return -1;
        if (name && *name != '=')
                return fnmatch(*name == '~' ? name + 1 : name, own_name, 0) == 0;
        return strcmp(name ? name + 1 : spec, own_name) == 0;
}

/* "Device List Format" in NetworkManager.conf(5), as nm_match_spec_device() in its nm-core-utils.c reads it.
 * False also if what the profile does not say may except its device. */
static bool list_matches(struct pool *pool, const char *list, const struct keyfile *profile) {
        char *rest = pool_copy(pool, list), *spec;
        bool has_match = false, has_exception = false, has_other = false;

        while ((spec = strsep(&rest, ",;"))) {
                const char *excepted;

                spec = lines_trim(spec);
                if (!*spec)
                        continue;
                excepted = text_after(spec, "except:");
                if (excepted && spec_matches(excepted, profile) != 0)
                        return false;
                has_match |= !excepted && spec_matches(spec, profile) > 0;
                has_exception |= excepted != NULL;
                has_other |= excepted == NULL;
        }
        return has_match || (has_exception && !has_other);
}

/* Why NetworkManager leaves the profile's device alone; NULL: it does not. */
static const char *why_unmanaged(const struct source_parser *parser, const struct keyfile *profile) {
        const struct mtu_sources *sources = parser->sources;
        bool is_decided = false;

        for (size_t i = sources->n_managed; i > 0; i--) {
                const struct mtu_managed *item = &sources->managed[i - 1];

                if (!item->devices || (item->is_section && is_decided) ||
                    !list_matches(source_pool(parser), item->devices, profile))
                        continue;
                if (!item->is_managed)
                        return pool_print(source_pool(parser),
                                          "NetworkManager does not manage the device, by %s", item->place);
                is_decided |= item->is_section;
        }
        return NULL;
}

void source_nm_profile_read(const struct source_parser *parser) {
        /* Those without get_configured_mtu() in NetworkManager's src/core/devices. */
        static const char without_mtu[] = "ovs-bridge ovs-port vrf ipvlan hsr geneve wpan";
        const struct keyfile profile = read_profile(parser);
        const char *type = keyfile_get(&profile, "connection", "type"), *name = interface_name_of(&profile),
                   *off = keyfile_get(&profile, "connection", "autoconnect"),
                   *vlan = keyfile_get(&profile, "vlan", "id");
        char *match = keyfile_get(&profile, "match", "interface-name");
        /* With PPPoE, the Ethernet device has no MTU of the profile, and the name is that of the PPP device
         * if there is a parent. */
        bool is_ppp = type && strcmp(type, "pppoe") == 0;
        const struct keyfile_item *mac = find_of_device(&profile, "mac-address"),
                                  *mtu = is_ppp ? keyfile_find(&profile, "ppp", "mtu")
                                                : find_of_device(&profile, "mtu");
        struct mtu_source source = { .kind = SOURCE_NETWORKMANAGER };

        add_profile(parser, &profile);
        /* 0 is "automatic". */
        if (!mtu || text_is_among(mtu->value, "0 auto"))
                return;
        source.line = mtu->line;
        source.value = mtu->value;
        source.owner = keyfile_get(&profile, "connection", "id");
        source.key = key_of(parser, mtu->group);
        if (type && text_is_among(type, without_mtu))
                source.inactive = pool_print(source_pool(parser), "NetworkManager sets none for the type %s",
                                             type);
        else if (off && text_is_among(off, "false 0"))
                source.inactive = "autoconnect=false";
        else
                source.inactive = why_unmanaged(parser, &profile);
        if (is_ppp && !keyfile_get(&profile, "pppoe", "parent"))
                match_set(&source, MATCH_OTHER, "pppd makes the device");
        else if (name)
                match_set(&source, MATCH_NAME, name);
        else if (mac)
                (void)match_set_mac(&source, source_pool(parser), mac->value);
        else if (vlan)
                set_vlan(parser, keyfile_get(&profile, "vlan", "parent"), vlan, &source);
        else if (match)
                set_match(match, &source);
        source_add(parser, VALUE_DECIMAL, &source);
}

/* One word of a device list: "Device List Format" in NetworkManager.conf(5). */
static void read_spec(char *spec, struct mtu_source *source, struct pool *pool) {
        const char *name = text_after(spec, "interface-name:"), *address = text_after(spec, "mac:");

        if (strcmp(spec, "*") == 0)
                match_set(source, MATCH_ANY, NULL);
        else if (name) {
                bool is_literal = *name == '=';

                name += *name == '=' || *name == '~' ? 1 : 0;
                match_set(source, !is_literal && match_is_glob(name) ? MATCH_GLOB : MATCH_NAME, name);
        } else if (!match_set_mac(source, pool, address ? address : spec))
                match_set(source, strchr(spec, ':') ? MATCH_OTHER : MATCH_NAME, spec);
}

/* The section of NetworkManager.conf that sets the MTU. */
static void add_section(const struct source_parser *parser, const struct keyfile *keyfile,
                        const struct keyfile_item *mtu, bool has_several) {
        struct mtu_source source = { .kind = SOURCE_NETWORKMANAGER, .line = mtu->line, .value = mtu->value };
        char *spec, *rest = keyfile_get(keyfile, mtu->group, "match-device");

        if (strcmp(mtu->value, "0") == 0)
                return;
        if (has_several)
                source.unclear = "there is another one for another kind of device";
        if (!rest || strstr(rest, "except:")) {
                match_set(&source, rest ? MATCH_OTHER : MATCH_ANY, rest);
                source_add(parser, VALUE_DECIMAL, &source);
                return;
        }
        while ((spec = strsep(&rest, ",;"))) {
                spec = lines_trim(spec);
                if (!*spec)
                        continue;
                read_spec(spec, &source, source_pool(parser));
                source_add(parser, VALUE_DECIMAL, &source);
        }
}

static void add_managed(const struct source_parser *parser, const struct mtu_managed *managed,
                        const char *key, unsigned line) {
        struct mtu_sources *sources = parser->sources;
        struct mtu_managed *new = sources->n_managed < SOURCES_MAX
                                                  ? pool_add(&sources->pool, &sources->managed,
                                                             &sources->n_managed, sizeof(*new))
                                                  : NULL;

        if (!new)
                return;
        *new = *managed;
        new->devices = pool_copy(&sources->pool, managed->devices);
        new->place = pool_print(&sources->pool, "%s in %s:%u", key, parser->file, line);
}

/* [device*] managed=; the first section of a file comes first. `n_before`: those of other files. */
static void add_managed_section(const struct source_parser *parser, const struct keyfile_item *item,
                                const char *match, size_t n_before) {
        struct mtu_sources *sources = parser->sources;
        struct mtu_managed managed = { .devices = match ? match : "*", .is_section = true };
        size_t n_others = sources->n_managed;

        managed.is_managed = text_is_among(item->value, "1 true yes on");
        add_managed(parser, &managed, "managed=false", item->line);
        if (sources->n_managed == n_others)
                return;
        managed = sources->managed[n_others];
        memmove(sources->managed + n_before + 1, sources->managed + n_before,
                (n_others - n_before) * sizeof(managed));
        sources->managed[n_before] = managed;
}

/* [keyfile] unmanaged-devices= and +=; without "+", what was said before is void. */
static void add_unmanaged(const struct source_parser *parser, const struct keyfile_item *item) {
        struct mtu_sources *sources = parser->sources;

        for (size_t i = 0; i < sources->n_managed && !text_ends_in(item->key, "+"); i++)
                if (!sources->managed[i].is_section)
                        sources->managed[i].devices = NULL;
        add_managed(parser, &(struct mtu_managed){ .devices = item->value },
                    "unmanaged-devices=", item->line);
}

static void reverse(struct mtu_sources *sources, size_t first) {
        for (size_t a = first, b = sources->n_items; a + 1 < b; a++, b--) {
                struct mtu_source swapped = sources->items[a];

                sources->items[a] = sources->items[b - 1];
                sources->items[b - 1] = swapped;
        }
}

void source_nm_conf_read(const struct source_parser *parser) {
        const struct keyfile keyfile = keyfile_read(parser);
        size_t n_managed = parser->sources->n_managed;

        for (size_t i = 0; i < keyfile.n_items; i++) {
                const struct keyfile_item *item = &keyfile.items[i];
                bool is_last = text_after(item->group, "connection") &&
                               !text_after(item->group, "connection-setmtu") &&
                               text_ends_in(item->key, ".mtu");
                bool has_several = false;

                if (strcmp(item->group, "keyfile") == 0 && text_after(item->key, "unmanaged-devices"))
                        add_unmanaged(parser, item);
                if (text_after(item->group, "device") &&
                    keyfile_find(&keyfile, item->group, "managed") == item)
                        add_managed_section(parser, item, keyfile_get(&keyfile, item->group, "match-device"),
                                            n_managed);
                /* The same may be set for several kinds of devices. */
                for (size_t j = 0; is_last && j < keyfile.n_items; j++)
                        if (strcmp(keyfile.items[j].group, item->group) == 0 &&
                            text_ends_in(keyfile.items[j].key, ".mtu")) {
                                is_last = j <= i;
                                has_several |= strcmp(keyfile.items[j].value, item->value) != 0;
                        }
                if (is_last)
                        add_section(parser, &keyfile, item, has_several);
        }
        reverse(parser->sources, parser->first);
}
