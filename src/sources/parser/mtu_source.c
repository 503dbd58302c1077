/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/parser/mtu_source.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

void mtu_sources_free(struct mtu_sources *sources) {
        pool_free(&sources->pool);
        *sources = (struct mtu_sources){ 0 };
}

void mtu_sources_add(struct mtu_sources *sources, const struct mtu_source *source) {
        struct pool *pool = &sources->pool;
        struct mtu_source own = *source;
        const char **texts[] = { &own.device,   &own.type,      &own.file,    &own.value,   &own.unclear,
                                 &own.inactive, &own.condition, &own.address, &own.owner,   &own.key,
                                 &own.through,  &own.parent,    &own.by,      &own.left_out };

        for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
                if (*texts[i])
                        *texts[i] = pool_copy(pool, *texts[i]);
        pool_put(pool, &sources->items, &sources->n_items, &own, sizeof(own));
}

const char *source_kind_name(enum source_kind kind) {
        static const char *const names[SOURCE_COUNT] = {
                [SOURCE_NETDEV] = "netdev",
                [SOURCE_LINK] = "link",
                [SOURCE_UDEV_RULE] = "udev-rule",
                [SOURCE_UNIT] = "unit",
                [SOURCE_NETWORK] = "network",
                [SOURCE_CLOUD_INIT] = "cloud-init",
                [SOURCE_WIREGUARD] = "wireguard",
                [SOURCE_NETPLAN] = "netplan",
                [SOURCE_NETWORKMANAGER] = "networkmanager",
                [SOURCE_IFUPDOWN] = "ifupdown",
                [SOURCE_IFUPDOWN2] = "ifupdown2",
                [SOURCE_IFCFG] = "ifcfg",
                [SOURCE_NETCTL] = "netctl",
                [SOURCE_NETCFG] = "netcfg",
                [SOURCE_OPENRC] = "openrc",
                [SOURCE_DHCPCD] = "dhcpcd",
                [SOURCE_DHCLIENT] = "dhclient",
                [SOURCE_LEASE] = "lease",
                [SOURCE_SCRIPT] = "script",
                [SOURCE_TUNED] = "tuned",
                [SOURCE_DOCKER] = "docker",
                [SOURCE_FREEBSD] = "freebsd",
                [SOURCE_IRIX] = "irix",
        };

        return names[kind];
}

bool source_kind_is_first_match(enum source_kind kind) {
        return kind == SOURCE_LINK || kind == SOURCE_NETWORK;
}

const char *mtu_source_hiding_file(const struct mtu_source *source, const char *name, const char *mac) {
        for (size_t i = 0; i < source->n_earlier; i++) {
                const char *at = source->earlier[i].devices;
                char word[128], address[MAC_TEXT_SIZE];
                bool is_among = false;

                for (size_t size; *(at += strspn(at, " \t")); at += size) {
                        size = strcspn(at, " \t");
                        snprintf(word, sizeof(word), "%.*s", (int)size, at);
                        is_among |= match_read_mac(word, address) ? strcmp(address, mac) == 0
                                                                  : fnmatch(word, name, 0) == 0;
                }
                if (is_among != source->earlier[i].is_inverted)
                        return source->earlier[i].file;
        }
        return NULL;
}

/* 10-netplan-eth0.network, netplan-eth0.nmconnection */
bool source_is_generated(const struct mtu_source *source) {
        return text_after(source->file, "/run/") && strstr(text_base_name(source->file), "netplan-");
}

bool match_read_mac(const char *text, char ret[static MAC_TEXT_SIZE]) {
        char separator = text[strcspn(text, ":-.")], mac[MAC_TEXT_SIZE];
        size_t n_grouped = separator == '.' ? 4 : separator ? 2 : 12;

        for (size_t n = 0; n < 12; n++) {
                bool lacks_zero; /* it is one digit instead of two */

                if (n > 0 && n % n_grouped == 0 && *text++ != separator)
                        return false;
                if (!isxdigit((unsigned char)*text))
                        return false;
                lacks_zero = n_grouped == 2 && n % 2 == 0 && !isxdigit((unsigned char)text[1]);
                mac[n / 2 * 3 + n % 2] = (char)(lacks_zero ? '0' : tolower((unsigned char)*text++));
                mac[n / 2 * 3 + 2] = n < 10 ? ':' : '\0';
        }
        if (*text)
                return false;
        memcpy(ret, mac, sizeof(mac));
        return true;
}

bool match_is_template(const char *name) {
        return strchr(name, '%') || strstr(name, "${") || strstr(name, "{{");
}

bool match_is_glob(const char *text) {
        return text[strcspn(text, "*?[")] != '\0';
}

void match_set(struct mtu_source *ret, enum source_match match, const char *device) {
        ret->match = match;
        ret->device = match == MATCH_ANY ? NULL : device;
}

void match_set_word(struct mtu_source *ret, const char *word) {
        match_set(ret,
                  strcmp(word, "*") == 0 ? MATCH_ANY
                  : match_is_glob(word)  ? MATCH_GLOB
                                         : MATCH_NAME,
                  word);
}

bool match_set_mac(struct mtu_source *ret, struct pool *pool, const char *text) {
        char mac[MAC_TEXT_SIZE];

        bool is_one = match_read_mac(text, mac);

        if (is_one)
                match_set(ret, MATCH_MAC, pool_copy(pool, mac));
        else
                match_set(ret, MATCH_OTHER, pool_print(pool, "the address is %s", text));
        return is_one;
}

void match_set_name_and_mac(struct mtu_source *ret, struct pool *pool, const char *device,
                            const char *text) {
        char mac[MAC_TEXT_SIZE];

        match_set(ret, MATCH_NAME, device);
        if (text && match_read_mac(text, mac))
                ret->address = pool_copy(pool, mac);
}

const char *match_partition_name(struct pool *pool, const char *parent, const char *key) {
        char *end;
        unsigned long number = key ? strtoul(key, &end, 0) : 0;

        if (!parent || !key || end == key || *end || number > UINT16_MAX)
                return NULL;
        /* The highest bit says that it is a full member: ipoib_vlan_add() in the kernel's ipoib_vlan.c. */
        return pool_print(pool, "%s.%04lx", parent, number | 0x8000);
}
