/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <fnmatch.h>
#include <string.h>

#include "config/interface_name.h"
#include "sources/format/readers.h"

struct setting {
        const char *value;
        const char *group;
        unsigned line;
};

/* The device and the MTU of a profile. */
struct profile {
        const char *id;
        const char *uuid;
        const char *type;
        const char *interface_name;
        char *match; /* [match] interface-name */
        const char *mac;
        const char *vlan_id;
        const char *vlan_parent;
        const char *ppp_parent; /* with it, the interface name is that of the PPP device */
        struct setting mtu;
        struct setting ppp_mtu;
        bool is_off; /* autoconnect=false */
};

static void read_key(struct profile *profile, const struct keyfile *keyfile) {
        static const char groups[] = "ethernet 802-3-ethernet wifi 802-11-wireless infiniband ip-tunnel "
                                     "wireguard gsm vxlan hsr";
        const char *group = keyfile->group, *key = keyfile->key;
        char *value = keyfile->value;

        if (strcmp(group, "connection") == 0) {
                if (strcmp(key, "id") == 0)
                        profile->id = value;
                else if (strcmp(key, "uuid") == 0)
                        profile->uuid = value;
                else if (strcmp(key, "type") == 0)
                        profile->type = value;
                else if (strcmp(key, "interface-name") == 0)
                        profile->interface_name = value;
                else if (strcmp(key, "autoconnect") == 0)
                        profile->is_off = strcmp(value, "false") == 0 || strcmp(value, "0") == 0;
        } else if (strcmp(group, "match") == 0 && strcmp(key, "interface-name") == 0)
                profile->match = value;
        else if (strcmp(group, "vlan") == 0 && strcmp(key, "id") == 0)
                profile->vlan_id = value;
        else if (strcmp(group, "vlan") == 0 && strcmp(key, "parent") == 0)
                profile->vlan_parent = value;
        else if (strcmp(group, "pppoe") == 0 && strcmp(key, "parent") == 0)
                profile->ppp_parent = value;
        else if (strcmp(group, "vlan") == 0 && strcmp(key, "interface-name") == 0 &&
                 !profile->interface_name)
                profile->interface_name = value;
        else if (strcmp(group, "ppp") == 0 && strcmp(key, "mtu") == 0)
                profile->ppp_mtu = (struct setting){ value, group, keyfile->line };
        else if (text_is_among(group, groups) && strcmp(key, "mac-address") == 0)
                profile->mac = value;
        else if (text_is_among(group, groups) && strcmp(key, "mtu") == 0)
                profile->mtu = (struct setting){ value, group, keyfile->line };
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
static void set_vlan(const struct source_parser *parser, const struct profile *profile,
                     struct mtu_source *source) {
        const char *parent = profile->vlan_parent;
        int room = INTERFACE_NAME_SIZE - (int)sizeof(".") - (int)strlen(profile->vlan_id);

        if (parent && strlen(parent) >= INTERFACE_NAME_SIZE)
                parent = source_profile_device(parser, parent);
        match_set(source, parent && room > 0 ? MATCH_NAME : MATCH_OTHER,
                  pool_print(source_pool(parser), "%.*s.%s", room > 0 ? room : 0, parent ? parent : "vlan",
                             profile->vlan_id));
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

static struct profile read_profile(const struct source_parser *parser) {
        struct keyfile keyfile = keyfile_open(source_lines(parser, false));
        struct profile profile = { .type = "" };

        while (keyfile_next(&keyfile)) {
                keyfile_unescape(keyfile.value);
                read_key(&profile, &keyfile);
        }
        return profile;
}

void source_nm_profile_name(const struct source_parser *parser) {
        const struct profile profile = read_profile(parser);

        if (profile.id && profile.interface_name)
                source_add_profile(parser, profile.id, profile.interface_name);
        if (profile.uuid && profile.interface_name)
                source_add_profile(parser, profile.uuid, profile.interface_name);
}

/* Whether one word of a device list means the device of the profile: 1, 0, or -1 if the profile does not say
 * so. */
static int spec_matches(const char *spec, const struct profile *profile) {
        static const char *const types[][2] = { { "802-3-ethernet", "ethernet" },
                                                { "802-11-wireless", "wifi" } };
        const char *name = text_after(spec, "interface-name:"), *type = text_after(spec, "type:"),
                   *address = text_after(spec, "mac:"), *own = profile->type;

        if (strcmp(spec, "*") == 0)
                return 1;
        if (type) {
                for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
                        own = strcmp(own, types[i][0]) == 0 ? types[i][1] : own;
                return *own ? strcmp(type, own) == 0 : -1;
        }
        if (address || (!name && strchr(spec, ':')))
                return profile->mac ? strcasecmp(address ? address : spec, profile->mac) == 0 : -1;
        if (!profile->interface_name)
                return -1;
        if (name && *name != '=')
                return fnmatch(*name == '~' ? name + 1 : name, profile->interface_name, 0) == 0;
        return strcmp(name ? name + 1 : spec, profile->interface_name) == 0;
}

/* "Device List Format" in NetworkManager.conf(5), as nm_match_spec_device() in its nm-core-utils.c reads it.
 * False also if what the profile does not say may except its device. */
static bool list_matches(struct pool *pool, const char *list, const struct profile *profile) {
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
static const char *why_unmanaged(const struct source_parser *parser, const struct profile *profile) {
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
        struct mtu_source source = { .kind = SOURCE_NETWORKMANAGER };
        struct profile profile = read_profile(parser);
        const struct setting *mtu;
        bool is_ppp;

        source_nm_profile_name(parser);
        /* With PPPoE, the Ethernet device has no MTU of the profile. */
        is_ppp = strcmp(profile.type, "pppoe") == 0;
        mtu = is_ppp ? &profile.ppp_mtu : &profile.mtu;
        /* 0 is "automatic". */
        if (!mtu->value || text_is_among(mtu->value, "0 auto"))
                return;
        source.line = mtu->line;
        source.value = mtu->value;
        source.owner = profile.id;
        source.key = key_of(parser, mtu->group);
        if (text_is_among(profile.type, without_mtu))
                source.inactive = pool_print(source_pool(parser), "NetworkManager sets none for the type %s",
                                             profile.type);
        else if (profile.is_off)
                source.inactive = "autoconnect=false";
        else
                source.inactive = why_unmanaged(parser, &profile);
        if (is_ppp && !profile.ppp_parent)
                match_set(&source, MATCH_OTHER, "pppd makes the device");
        else if (profile.interface_name)
                match_set(&source, MATCH_NAME, profile.interface_name);
        else if (profile.mac)
                (void)match_set_mac(&source, source_pool(parser), profile.mac);
        else if (profile.vlan_id)
                set_vlan(parser, &profile, &source);
        else if (profile.match)
                set_match(profile.match, &source);
        source_add(parser, VALUE_DECIMAL, &source);
}

/* A section of NetworkManager.conf that sets an MTU, or says which devices are managed. */
struct section {
        char *match;
        const char *managed;
        unsigned managed_line;
        const char *mtu;
        unsigned line;
        bool has_several; /* for several kinds of devices */
};

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

static void add_section(const struct source_parser *parser, const struct section *section) {
        struct mtu_source source = { .kind = SOURCE_NETWORKMANAGER,
                                     .line = section->line,
                                     .value = section->mtu };
        char *spec, *rest = section->match;

        if (!section->mtu || strcmp(section->mtu, "0") == 0)
                return;
        if (section->has_several)
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
static void add_managed_section(const struct source_parser *parser, const struct section *section,
                                size_t n_before) {
        struct mtu_sources *sources = parser->sources;
        struct mtu_managed managed = { .devices = section->match ? section->match : "*",
                                       .is_section = true };
        size_t n_others = sources->n_managed;

        if (!section->managed)
                return;
        managed.is_managed = text_is_among(section->managed, "1 true yes on");
        add_managed(parser, &managed, "managed=false", section->managed_line);
        if (sources->n_managed == n_others)
                return;
        managed = sources->managed[n_others];
        memmove(sources->managed + n_before + 1, sources->managed + n_before,
                (n_others - n_before) * sizeof(managed));
        sources->managed[n_before] = managed;
}

/* [keyfile] unmanaged-devices= and +=; without "+", what was said before is void. */
static void add_unmanaged(const struct source_parser *parser, const struct keyfile *keyfile) {
        struct mtu_sources *sources = parser->sources;

        for (size_t i = 0; i < sources->n_managed && !text_ends_in(keyfile->key, "+"); i++)
                if (!sources->managed[i].is_section)
                        sources->managed[i].devices = NULL;
        add_managed(parser, &(struct mtu_managed){ .devices = keyfile->value },
                    "unmanaged-devices=", keyfile->line);
}

static void reverse(struct mtu_sources *sources, size_t first) {
        for (size_t a = first, b = sources->n_items; a + 1 < b; a++, b--) {
                struct mtu_source swapped = sources->items[a];

                sources->items[a] = sources->items[b - 1];
                sources->items[b - 1] = swapped;
        }
}

void source_nm_conf_read(const struct source_parser *parser) {
        struct keyfile keyfile = keyfile_open(source_lines(parser, false));
        struct section section = { 0 };
        size_t n_managed = parser->sources->n_managed;
        const char *group = "";

        while (keyfile_next(&keyfile)) {
                if (strcmp(group, keyfile.group) != 0) {
                        add_managed_section(parser, &section, n_managed);
                        add_section(parser, &section);
                        section = (struct section){ 0 };
                        group = keyfile.group;
                }
                if (strcmp(group, "keyfile") == 0 && text_after(keyfile.key, "unmanaged-devices"))
                        add_unmanaged(parser, &keyfile);
                if (strcmp(keyfile.key, "match-device") == 0)
                        section.match = keyfile.value;
                if (text_after(group, "device") && strcmp(keyfile.key, "managed") == 0) {
                        section.managed = keyfile.value;
                        section.managed_line = keyfile.line;
                }
                if (!text_after(group, "connection") || text_after(group, "connection-setmtu"))
                        continue;
                if (text_ends_in(keyfile.key, ".mtu")) {
                        section.has_several |= section.mtu && strcmp(section.mtu, keyfile.value) != 0;
                        section.mtu = keyfile.value;
                        section.line = keyfile.line;
                }
        }
        add_managed_section(parser, &section, n_managed);
        add_section(parser, &section);
        reverse(parser->sources, parser->first);
}
