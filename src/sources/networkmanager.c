/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/networkmanager.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "sources/keyfile.h"
#include "sources/match.h"

/* What of a profile tells of its device, and its MTU. */
struct profile {
        char *id;
        char *interface_name;
        char *match; /* [match] interface-name */
        char *mac;
        char *vlan_id;
        char *vlan_parent;
        char *mtu;
        unsigned mtu_line;
        bool is_off; /* autoconnect=false */
};

static void profile_free(struct profile *profile) {
        free(profile->id);
        free(profile->interface_name);
        free(profile->match);
        free(profile->mac);
        free(profile->vlan_id);
        free(profile->vlan_parent);
        free(profile->mtu);
}

static bool is_among(const char *text, const char *const *texts) {
        while (*texts && strcmp(*texts, text) != 0)
                texts++;
        return *texts != NULL;
}

static int keep(char **field, const char *value) {
        free(*field);
        *field = strdup(value);
        return *field ? 0 : -ENOMEM;
}

static int read_key(struct profile *profile, const struct keyfile *keyfile) {
        static const char *const with_mtu[] = {
                "ethernet",  "802-3-ethernet", "wifi", "802-11-wireless", "infiniband",
                "ip-tunnel", "wireguard",      "gsm",  "vxlan",           "hsr",
                NULL
        };
        static const char *const with_mac[] = { "ethernet", "802-3-ethernet", "wifi", "802-11-wireless",
                                                NULL };
        const char *group = keyfile->group, *key = keyfile->key, *value = keyfile->value;

        if (strcmp(group, "connection") == 0) {
                if (strcmp(key, "id") == 0)
                        return keep(&profile->id, value);
                if (strcmp(key, "interface-name") == 0)
                        return keep(&profile->interface_name, value);
                if (strcmp(key, "autoconnect") == 0)
                        profile->is_off = strcmp(value, "false") == 0 || strcmp(value, "0") == 0;
        } else if (strcmp(group, "match") == 0 && strcmp(key, "interface-name") == 0)
                return keep(&profile->match, value);
        else if (strcmp(group, "vlan") == 0 && strcmp(key, "id") == 0)
                return keep(&profile->vlan_id, value);
        else if (strcmp(group, "vlan") == 0 && strcmp(key, "parent") == 0)
                return keep(&profile->vlan_parent, value);
        else if (strcmp(group, "vlan") == 0 && strcmp(key, "interface-name") == 0 &&
                 !profile->interface_name)
                return keep(&profile->interface_name, value);
        else if (is_among(group, with_mac) && strcmp(key, "mac-address") == 0)
                return keep(&profile->mac, value);
        else if (is_among(group, with_mtu) && strcmp(key, "mtu") == 0) {
                profile->mtu_line = keyfile->line;
                return keep(&profile->mtu, value);
        }
        return 0;
}

static int add_profile(const struct reading *reading, const struct profile *profile) {
        CLEANUP(cleanup_free) char *vlan = NULL;
        char mac[MATCH_MAC_SIZE];
        struct draft draft = {
                .source = SOURCE_NETWORKMANAGER,
                .line = profile->mtu_line,
                .value = profile->mtu,
                .owner = profile->id,
                .inactive = profile->is_off,
        };

        if (profile->interface_name) {
                draft.match = FINDING_NAME;
                draft.device = profile->interface_name;
        } else if (profile->mac && match_read_mac(profile->mac, mac)) {
                draft.match = FINDING_MAC;
                draft.device = mac;
        } else if (profile->vlan_id) {
                /* A parent may also be a profile's UUID. */
                bool is_name = profile->vlan_parent && strlen(profile->vlan_parent) < 16;

                if (asprintf(&vlan, "%s.%s", is_name ? profile->vlan_parent : "vlan", profile->vlan_id) <
                    0) {
                        vlan = NULL;
                        return -ENOMEM;
                }
                draft.match = is_name ? FINDING_NAME : FINDING_OTHER;
                draft.device = vlan;
        } else if (profile->match) {
                size_t length = strlen(profile->match);

                if (length > 0 && profile->match[length - 1] == ';')
                        profile->match[length - 1] = '\0';
                draft.match = strpbrk(profile->match, ";!|&\\") ? FINDING_OTHER
                              : match_is_glob(profile->match)   ? FINDING_GLOB
                                                                : FINDING_NAME;
                draft.device = profile->match;
        }
        return reading_add(reading, VALUE_DECIMAL, &draft);
}

int source_nm_profile_read(const struct reading *reading) {
        CLEANUP(profile_free) struct profile profile = { 0 };
        CLEANUP(cleanup_free) struct keyfile *keyfile = malloc(sizeof(*keyfile));

        if (!keyfile)
                return -ENOMEM;
        keyfile_open(keyfile, reading->text, reading->size);
        while (keyfile_next(keyfile)) {
                int r;

                keyfile_unescape(keyfile->value);
                r = read_key(&profile, keyfile);
                if (r < 0)
                        return r;
        }
        /* 0 is "automatic". */
        if (!profile.mtu || strcmp(profile.mtu, "0") == 0 || strcmp(profile.mtu, "auto") == 0)
                return 0;
        return add_profile(reading, &profile);
}

/* One section of NetworkManager.conf that gives devices an MTU. */
struct section {
        char *match;
        char *mtu;
        unsigned line;
        bool has_several; /* for several kinds of devices */
};

static void section_free(struct section *section) {
        free(section->match);
        free(section->mtu);
        *section = (struct section){ 0 };
}

/* One word of a device list: "Device List Format" in NetworkManager.conf(5). */
static void read_spec(char *spec, struct draft *draft, char mac[static MATCH_MAC_SIZE]) {
        static const char by_name[] = "interface-name:", by_mac[] = "mac:";

        draft->match = FINDING_OTHER;
        draft->device = spec;
        if (strcmp(spec, "*") == 0) {
                draft->match = FINDING_ANY;
                draft->device = NULL;
        } else if (strncmp(spec, by_name, strlen(by_name)) == 0) {
                char *name = spec + strlen(by_name);
                bool is_literal = *name == '=';

                name += *name == '=' || *name == '~' ? 1 : 0;
                draft->match = !is_literal && match_is_glob(name) ? FINDING_GLOB : FINDING_NAME;
                draft->device = name;
        } else if (match_read_mac(strncmp(spec, by_mac, strlen(by_mac)) == 0 ? spec + strlen(by_mac) : spec,
                                  mac)) {
                draft->match = FINDING_MAC;
                draft->device = mac;
        } else if (!strchr(spec, ':')) {
                draft->match = FINDING_NAME;
        }
}

static int add_section(const struct reading *reading, const struct section *section) {
        struct draft draft = { .source = SOURCE_NETWORKMANAGER,
                               .line = section->line,
                               .value = section->mtu };
        CLEANUP(cleanup_free) char *words = NULL;
        char *spec, *rest;

        if (!section->mtu || strcmp(section->mtu, "0") == 0)
                return 0;
        if (section->has_several)
                draft.unclear = "there is another one for another kind of device";
        if (!section->match)
                return reading_add(reading, VALUE_DECIMAL, &draft);
        rest = words = strdup(section->match);
        if (!words)
                return -ENOMEM;
        if (strstr(section->match, "except:")) {
                draft.match = FINDING_OTHER;
                draft.device = section->match;
                return reading_add(reading, VALUE_DECIMAL, &draft);
        }
        while ((spec = strsep(&rest, ",;"))) {
                char mac[MATCH_MAC_SIZE];
                int r;

                spec = lines_trim(spec);
                if (!*spec)
                        continue;
                read_spec(spec, &draft, mac);
                r = reading_add(reading, VALUE_DECIMAL, &draft);
                if (r < 0)
                        return r;
        }
        return 0;
}

static void reverse(struct findings *findings, size_t first) {
        for (size_t a = first, b = findings->n_items; a + 1 < b; a++, b--) {
                struct finding swapped = findings->items[a];

                findings->items[a] = findings->items[b - 1];
                findings->items[b - 1] = swapped;
        }
}

static bool is_mtu(const char *key) {
        size_t length = strlen(key);

        return length > 4 && strcmp(key + length - 4, ".mtu") == 0;
}

int source_nm_conf_read(const struct reading *reading) {
        CLEANUP(section_free) struct section section = { 0 };
        CLEANUP(cleanup_free) struct keyfile *keyfile = malloc(sizeof(*keyfile));
        size_t first = reading->findings->n_items;
        char group[sizeof(keyfile->group)] = "";
        int r = 0;

        if (!keyfile)
                return -ENOMEM;
        keyfile_open(keyfile, reading->text, reading->size);
        while (r == 0 && keyfile_next(keyfile)) {
                if (strcmp(group, keyfile->group) != 0) {
                        r = add_section(reading, &section);
                        section_free(&section);
                        memcpy(group, keyfile->group, sizeof(group));
                }
                if (strncmp(group, "connection", strlen("connection")) != 0 ||
                    strncmp(group, "connection-setmtu", strlen("connection-setmtu")) == 0)
                        continue;
                if (r == 0 && strcmp(keyfile->key, "match-device") == 0)
                        r = keep(&section.match, keyfile->value);
                else if (r == 0 && is_mtu(keyfile->key)) {
                        section.has_several |= section.mtu && strcmp(section.mtu, keyfile->value) != 0;
                        r = keep(&section.mtu, keyfile->value);
                        section.line = keyfile->line;
                }
        }
        if (r == 0)
                r = add_section(reading, &section);
        reverse(reading->findings, first);
        return r;
}
