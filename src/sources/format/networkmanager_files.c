/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>

#include "config/interface_name.h"
#include "sources/format/networkmanager_conf.h"
#include "sources/format/readers.h"
#include "sources/parser/keyfile.h"

/* The groups that have a MAC address or an MTU. */
static const char device_groups[] = "ethernet 802-3-ethernet wifi 802-11-wireless infiniband ip-tunnel "
                                    "wireguard loopback gsm cdma vxlan hsr";

/* The types whose MAC address is that of the device; of others, it is the address of the device below. */
static const char types_with_address[] = "ethernet 802-3-ethernet wifi 802-11-wireless";

/* The last setting of the key in the groups. NULL: none. */
static const struct keyfile_item *find_in(const struct keyfile *profile, const char *groups,
                                          const char *key) {
        for (size_t i = profile->n_items; i > 0; i--)
                if (text_is_among(profile->items[i - 1].group, groups) &&
                    strcmp(profile->items[i - 1].key, key) == 0)
                        return &profile->items[i - 1];
        return NULL;
}

/* The groups whose MTU NetworkManager gives a device of the type: get_configured_mtu() in its
 * src/core/devices. */
static const char *groups_of(const char *type) {
        if (!type)
                return device_groups;
        if (text_is_among(type, "infiniband ip-tunnel wireguard loopback gsm cdma"))
                return type;
        if (text_is_among(type, "wifi 802-11-wireless"))
                return "wifi 802-11-wireless";
        return strcmp(type, "bluetooth") == 0 ? "gsm cdma" : "ethernet 802-3-ethernet";
}

/* Whether the device has IPv6, which a port has not. */
static bool has_ipv6(const struct keyfile *profile) {
        const char *method = keyfile_get(profile, "ipv6", "method");

        return !keyfile_get(profile, "connection", "master") &&
               !keyfile_get(profile, "connection", "controller") &&
               !(method && text_is_among(method, "ignore disabled"));
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

/* Whether the profile is not for each device of its type, whatever its name and address are. */
static bool has_conditions(const struct keyfile *profile) {
        static const char keys[] = "mac-address-blacklist mac-address-denylist s390-subchannels";

        for (size_t i = 0; i < profile->n_items; i++)
                if (*profile->items[i].value && (strcmp(profile->items[i].group, "match") == 0 ||
                                                 text_is_among(profile->items[i].key, keys)))
                        return true;
        return false;
}

/* Both may be NULL. */
static bool is_same(const char *a, const char *b) {
        return a && b ? strcasecmp(a, b) == 0 : a == b;
}

/* The profile that NetworkManager loads for that of this text: of several with one UUID, the first one that
 * was remembered. NULL: none was. */
static const struct mtu_profile *find_loaded(const struct source_parser *parser, const char *uuid) {
        const struct mtu_sources *sources = parser->sources;

        for (size_t i = 0; i < sources->n_profiles; i++) {
                const struct mtu_profile *profile = &sources->profiles[i];

                if (profile->file &&
                    (strcmp(profile->file, parser->file) == 0 || (uuid && is_same(profile->uuid, uuid))))
                        return profile;
        }
        return NULL;
}

/* One without an ID is known by its file. */
static struct mtu_profile make_profile(const struct source_parser *parser, const struct keyfile *keyfile) {
        const char *id = keyfile_get(keyfile, "connection", "id"),
                   *type = keyfile_get(keyfile, "connection", "type"),
                   *users = keyfile_get(keyfile, "connection", "permissions"),
                   *automatic = keyfile_get(keyfile, "connection", "autoconnect"),
                   *priority = keyfile_get(keyfile, "connection", "autoconnect-priority");
        const struct keyfile_item *mac = find_in(keyfile, device_groups, "mac-address"),
                                  *ssid = find_in(keyfile, "wifi 802-11-wireless", "ssid");
        bool has_type = type && text_is_among(type, types_with_address) && !has_conditions(keyfile);
        return (struct mtu_profile){
                .id = id ? id : text_base_name(parser->file),
                .uuid = keyfile_get(keyfile, "connection", "uuid"),
                .device = interface_name_of(keyfile),
                .type = has_type ? groups_of(type) : NULL,
                .mac = mac ? mac->value : NULL,
                .ssid = ssid ? ssid->value : NULL,
                .is_of_user = users && *users,
                .priority = priority ? (int)strtol(priority, NULL, 10) : 0,
                .is_manual = automatic && text_is_among(automatic, "false 0"),
        };
}

void source_nm_profile_name(const struct source_parser *parser) {
        const struct keyfile keyfile = read_profile(parser);
        struct mtu_profile profile = make_profile(parser, &keyfile);

        profile.file = parser->file;
        if (!find_loaded(parser, profile.uuid))
                source_add_profile(parser, &profile);
}

/* Whether the other profile may be activated on a device of this one, as far as their texts tell. */
static bool is_rival(const struct mtu_profile *other, const struct mtu_profile *own) {
        bool is_of_type = own->type && is_same(other->type, own->type),
             is_of_any = is_of_type && !other->device && !other->mac;

        if (own->device)
                return is_of_any || is_same(other->device, own->device);
        return own->mac ? is_of_any || (is_of_type && is_same(other->mac, own->mac)) : is_of_type;
}

/* Whether another profile of the device is activated instead: NetworkManager takes the one with the highest
 * priority, and of several the one that was used last (nm_settings_connection_cmp_autoconnect_priority()).
 */
static void compare_profiles(const struct source_parser *parser, const struct mtu_profile *own,
                             struct mtu_source *source) {
        const struct mtu_sources *sources = parser->sources;

        if (own->is_of_user)
                source->condition = "NetworkManager activates the profile while its user is logged in";
        for (size_t i = 0; i < sources->n_profiles && !source->inactive; i++) {
                const struct mtu_profile *other = &sources->profiles[i];

                if (!is_rival(other, own) || strcmp(other->id, own->id) == 0 || other->is_manual ||
                    other->priority < own->priority)
                        continue;
                if (!is_same(other->ssid, own->ssid))
                        source->condition = "NetworkManager takes the profile whose network is in range";
                else if (other->is_of_user || (!own->device && !own->mac) || (!other->device && !other->mac))
                        source->condition = "NetworkManager may activate another profile of the device";
                else if (other->priority > own->priority)
                        source->inactive = pool_print(source_pool(parser),
                                                      "NetworkManager prefers the profile %s, by its "
                                                      "autoconnect-priority=",
                                                      other->id);
                else
                        source->condition =
                                        "NetworkManager takes the profile of the device that was used last";
        }
}

void source_nm_profile_read(const struct source_parser *parser) {
        /* Those without get_configured_mtu() in NetworkManager's src/core/devices. */
        static const char without_mtu[] = "ovs-bridge ovs-port vrf ipvlan hsr geneve wpan";
        const struct keyfile profile = read_profile(parser);
        const struct mtu_profile own = make_profile(parser, &profile),
                                 *loaded = find_loaded(parser, own.uuid);
        const char *type = keyfile_get(&profile, "connection", "type"), *name = own.device,
                   *vlan = keyfile_get(&profile, "vlan", "id"),
                   *multi_connect = keyfile_get(&profile, "connection", "multi-connect"),
                   *partition = match_partition_name(source_pool(parser),
                                                     keyfile_get(&profile, "infiniband", "parent"),
                                                     keyfile_get(&profile, "infiniband", "p-key"));
        char *match = keyfile_get(&profile, "match", "interface-name");
        /* With PPPoE, the Ethernet device has no MTU of the profile, and the name is that of the PPP device
         * if there is a parent. */
        bool is_ppp = type && strcmp(type, "pppoe") == 0;
        const struct keyfile_item *mac = find_in(&profile, device_groups, "mac-address"),
                                  *mtu = find_in(&profile, is_ppp ? "ppp" : groups_of(type), "mtu"),
                                  *other = mtu || is_ppp ? NULL : find_in(&profile, device_groups, "mtu");
        struct mtu_source source = { .kind = SOURCE_NETWORKMANAGER };

        if (!loaded)
                source_add_profile(parser, &own);
        mtu = mtu ? mtu : other;
        /* 0 is "automatic". */
        if (!mtu || text_is_among(mtu->value, "0 auto"))
                return;
        source.line = mtu->line;
        source.value = mtu->value;
        source.has_ipv6 = !is_ppp && has_ipv6(&profile);
        source.owner = keyfile_get(&profile, "connection", "id");
        source.key = key_of(parser, mtu->group);
        if (loaded && strcmp(loaded->file, parser->file) != 0)
                source.inactive = pool_print(
                                source_pool(parser),
                                "NetworkManager takes %s, which has the same uuid=", loaded->file);
        else if (type && text_is_among(type, without_mtu))
                source.inactive = pool_print(source_pool(parser), "NetworkManager sets none for the type %s",
                                             type);
        else if (type && strcmp(type, "vlan") == 0 && !mac && !keyfile_get(&profile, "vlan", "parent"))
                source.inactive = "NetworkManager refuses a VLAN without parent= or mac-address=";
        else if (other)
                source.inactive = pool_print(source_pool(parser),
                                             "NetworkManager gives the type %s no MTU of [%s]", type,
                                             mtu->group);
        else if (own.is_manual)
                source.inactive = "autoconnect=false";
        else
                source.inactive = nm_why_unmanaged(
                                parser->sources, &(struct nm_device){ name, type, mac ? mac->value : NULL });
        compare_profiles(parser, &own, &source);
        if (is_ppp && !keyfile_get(&profile, "pppoe", "parent"))
                match_set(&source, MATCH_OTHER, "pppd makes the device");
        else if (name)
                match_set_name_and_mac(&source, source_pool(parser), name,
                                       mac && type && text_is_among(type, types_with_address) ? mac->value
                                                                                              : NULL);
        else if (partition)
                match_set(&source, MATCH_NAME, partition);
        else if (mac)
                (void)match_set_mac(&source, source_pool(parser), mac->value);
        else if (vlan)
                set_vlan(parser, keyfile_get(&profile, "vlan", "parent"), vlan, &source);
        else if (match)
                set_match(match, &source);
        else if (has_conditions(&profile))
                match_set(&source, MATCH_OTHER, "the conditions of the profile hold");
        else if (own.type) {
                source.type = text_is_among("wifi", own.type) ? "wifi" : "ethernet";
                source.is_single = !multi_connect || strcmp(multi_connect, "3") != 0;
        }
        source_add(parser, VALUE_DECIMAL, &source);
}
