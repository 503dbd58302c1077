/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/format/networkmanager_conf.h"

#include <fnmatch.h>
#include <string.h>
#include <strings.h>

#include "sources/format/readers.h"
#include "sources/parser/keyfile.h"

/* As NetworkManager reads it, in any case. */
static bool is_no(const char *value) {
        return text_is_among_any_case(value, "0 no false off");
}

/* The group of what udev's rules set, by the devices; no file has it, for no group is read but those below.
 */
#define UDEV "udev"

/* Which devices are managed ------------------------------------------------------------ */

/* What is behind the tag, which may be in any case; NULL: it begins otherwise. */
static const char *behind(const char *spec, const char *tag) {
        return strncasecmp(spec, tag, strlen(tag)) == 0 ? spec + strlen(tag) : NULL;
}

/* GLib's patterns, of "*" and "?" alone. */
static bool pattern_matches(struct pool *pool, const char *pattern, const char *name) {
        struct pool_text text = { .pool = pool };

        for (; *pattern; pattern++) {
                pool_text_put(&text, strchr("[\\", *pattern) ? "\\" : "");
                pool_text_put_part(&text, pattern, 1);
        }
        return text.text && fnmatch(text.text, name, 0) == 0;
}

/* Whether one word of a device list means the device: 1, 0, or -1 if that is not known. `is_excepted`: it is
 * behind "except:", where a name needs its tag. */
static int spec_matches(struct pool *pool, const char *spec, bool is_excepted,
                        const struct nm_device *device) {
        static const char *const types[][2] = { { "802-3-ethernet", "ethernet" },
                                                { "802-11-wireless", "wifi" },
                                                { "ip-tunnel", "iptunnel" } };
        const char *name = behind(spec, "interface-name:"), *type = behind(spec, "type:"),
                   *address = behind(spec, "mac:"), *own = device->type;

        if (strcmp(spec, "*") == 0)
                return 1;
        if (type) {
                for (size_t i = 0; own && i < sizeof(types) / sizeof(types[0]); i++)
                        own = strcmp(own, types[i][0]) == 0 ? types[i][1] : own;
                return own ? strcmp(type, own) == 0 : -1;
        }
        if (behind(spec, "driver:") || behind(spec, "s390-subchannels:") || behind(spec, "dhcp-plugin:"))
                return -1;
        if (address || (!name && strchr(spec, ':')))
                return device->mac ? strcasecmp(address ? address : spec, device->mac) == 0 : -1;
        if (!name && is_excepted)
                return 0;
        if (!device->name)
                return -1;
        if (name && *name != '=')
                return pattern_matches(pool, *name == '~' ? name + 1 : name, device->name);
        return strcmp(name ? name + 1 : spec, device->name) == 0;
}

/* The same of a whole list: nm_match_spec_device() in NetworkManager's nm-core-utils.c. */
static int list_matches(struct pool *pool, const char *list, const struct nm_device *device) {
        char *rest = pool_copy(pool, list), *spec;
        bool has_names = false, has_exceptions = false, is_unknown = false;
        int named = 0;

        while ((spec = strsep(&rest, ",;"))) {
                const char *exception;
                int r;

                spec = lines_trim(spec);
                if (!*spec)
                        continue;
                exception = behind(spec, "except:");
                r = spec_matches(pool, exception ? exception : spec, exception, device);
                if (exception && r > 0)
                        return 0;
                if (exception) {
                        has_exceptions = true;
                        is_unknown |= r < 0;
                } else {
                        has_names = true;
                        named = named > 0 || r == 0 ? named : r;
                }
        }
        if (has_exceptions && !has_names)
                named = 1;
        return named > 0 && is_unknown ? -1 : named;
}

/* The section of a device that decides `managed`; the last one, but [device] itself comes behind all others:
 * _match_section_infos_construct() in nm-config-data.c. NULL: none, or that is not known. */
static const struct keyfile_item *find_managed(struct pool *pool, const struct keyfile *conf,
                                               const struct nm_device *device) {
        for (size_t i = conf->n_items; i > 0; i--) {
                const char *group = conf->items[i - 1].group, *stop, *match;
                const struct keyfile_item *managed;
                int r;

                /* Each section once, at its last setting. */
                if ((i < conf->n_items && strcmp(conf->items[i].group, group) == 0) ||
                    !text_after(group, "device") || strcmp(group, "device") == 0)
                        continue;
                managed = keyfile_find(conf, group, "managed");
                stop = keyfile_get(conf, group, "stop-match");
                if (!managed && (!stop || is_no(stop)))
                        continue;
                match = keyfile_get(conf, group, "match-device");
                r = match ? list_matches(pool, match, device) : 1;
                if (r != 0)
                        return r > 0 ? managed : NULL;
        }
        return keyfile_find(conf, "device", "managed");
}

/* The last rule of udev that has NetworkManager leave the device alone, or not. NULL: none. */
static const struct keyfile_item *find_rule(struct pool *pool, const struct keyfile *conf,
                                            const struct nm_device *device) {
        for (size_t i = conf->n_items; i > 0; i--)
                if (strcmp(conf->items[i - 1].group, UDEV) == 0 &&
                    list_matches(pool, conf->items[i - 1].key, device) > 0)
                        return &conf->items[i - 1];
        return NULL;
}

const char *nm_why_unmanaged(struct mtu_sources *sources, const struct nm_device *device) {
        const struct keyfile *conf = &sources->nm_settings;
        const struct keyfile_item *item = keyfile_find(conf, "keyfile", "unmanaged-devices");
        struct pool *pool = &sources->pool;

        if (!item || list_matches(pool, item->value, device) <= 0) {
                const struct keyfile_item *rule = find_rule(pool, conf, device);

                item = find_managed(pool, conf, device);
                if (item ? !is_no(item->value) : !rule || is_no(rule->value))
                        return NULL;
                item = item ? item : rule;
        }
        return pool_print(pool, "NetworkManager does not manage the device, by %s= in %s:%u",
                          strcmp(item->group, UDEV) == 0 ? "NM_UNMANAGED" : item->key, item->file,
                          item->line);
}

const char *nm_why_not_ifupdowns(const struct mtu_sources *sources) {
        const char *plugins = keyfile_get(&sources->nm_settings, "main", "plugins"),
                   *managed = keyfile_get(&sources->nm_settings, "ifupdown", "managed");

        return plugins && strstr(plugins, "ifupdown") && (!managed || is_no(managed))
                               ? "NetworkManager leaves what /etc/network/interfaces names alone, by "
                                 "plugins=ifupdown without managed=true"
                               : NULL;
}

/* Of a list that several settings make. */
#define LIST_SIZE_MAX (16u * 1024)

/* Takes the words of `value` out of the list. */
static char *remove_words(struct pool *pool, const char *list, const char *value) {
        struct pool_text text = { .pool = pool };
        char *rest = pool_copy(pool, list), *others = pool_copy(pool, value), *word;
        struct pool_list removed = { 0 };

        while ((word = strsep(&others, ",;")))
                (void)pool_list_add(pool, &removed, lines_trim(word));
        while ((word = strsep(&rest, ",;"))) {
                word = lines_trim(word);
                if (pool_list_has(&removed, word))
                        continue;
                pool_text_put(&text, word);
                pool_text_put(&text, ";");
        }
        return text.text ? text.text : pool_copy(pool, "");
}

/* Adds a setting to those of earlier files: read_config() in nm-config.c. */
static void merge(const struct source_parser *parser, const struct keyfile_item *item) {
        struct mtu_sources *sources = parser->sources;
        struct keyfile *conf = &sources->nm_settings;
        struct keyfile_item new = *item;
        size_t length = strlen(item->key), at = conf->n_items;
        const struct keyfile_item *former;
        bool is_changed = length > 1 && strchr("+-", item->key[length - 1]);

        if (is_changed && !text_is_among(item->group, "keyfile main"))
                return;
        new.key = is_changed ? pool_copy_part(&sources->pool, item->key, length - 1) : item->key;
        former = keyfile_find(conf, item->group, new.key);
        if (is_changed && former && item->key[length - 1] == '+' &&
            strlen(former->value) + strlen(item->value) > LIST_SIZE_MAX) {
                source_fail(parser, item->line, "makes a list of more than %u bytes" SOURCE_CUT,
                            LIST_SIZE_MAX);
                return;
        }
        if (is_changed && item->key[length - 1] == '-')
                new.value = remove_words(&sources->pool, former ? former->value : "", item->value);
        else if (is_changed && former)
                new.value = pool_print(&sources->pool, "%s;%s", former->value, item->value);
        if (former) {
                conf->items[former - conf->items] = new;
                return;
        }
        /* Behind the others of its group, which stays where it was. */
        for (size_t i = 0; i < conf->n_items; i++)
                if (strcmp(conf->items[i].group, item->group) == 0)
                        at = i + 1;
        if (conf->n_items >= SOURCES_MAX ||
            !pool_add(&sources->pool, &conf->items, &conf->n_items, sizeof(new)))
                return;
        memmove(&conf->items[at + 1], &conf->items[at], (conf->n_items - 1 - at) * sizeof(new));
        conf->items[at] = new;
}

void nm_set_unmanaged(const struct source_parser *parser, const char *spec, const char *value,
                      unsigned line) {
        struct pool *pool = source_pool(parser);

        merge(parser, &(struct keyfile_item){ UDEV, pool_copy(pool, spec), pool_copy(pool, value),
                                              pool_copy(pool, parser->file), line });
}

/* Within a file, the first section of a device decides; of several files, the last. */
static void merge_all(const struct source_parser *parser, const struct keyfile *keyfile) {
        for (size_t end = keyfile->n_items, begin; end > 0; end = begin) {
                const char *group = keyfile->items[end - 1].group;

                for (begin = end - 1; begin > 0 && strcmp(keyfile->items[begin - 1].group, group) == 0;
                     begin--)
                        ;
                if (text_after(group, "device") || text_is_among(group, "keyfile main ifupdown"))
                        for (size_t i = begin; i < end; i++)
                                merge(parser, &keyfile->items[i]);
        }
}

/* MTUs -------------------------------------------------------------------------------- */

/* One word of a device list: "Device List Format" in NetworkManager.conf(5). */
static void read_spec(char *spec, const char *type, struct mtu_source *source, struct pool *pool) {
        const char *name = text_after(spec, "interface-name:"), *address = text_after(spec, "mac:"),
                   *named_type = text_after(spec, "type:");
        bool is_any = strcmp(spec, "*") == 0;

        source->type = type && (is_any || (named_type && strcmp(named_type, type) == 0)) ? type : NULL;
        if (is_any)
                match_set(source, MATCH_ANY, NULL);
        else if (name) {
                bool is_literal = *name == '=';

                name += *name == '=' || *name == '~' ? 1 : 0;
                match_set(source, !is_literal && match_is_glob(name) ? MATCH_GLOB : MATCH_NAME, name);
        } else if (!match_set_mac(source, pool, address ? address : spec))
                match_set(source, strchr(spec, ':') ? MATCH_OTHER : MATCH_NAME, spec);
}

/* The network cards to which the property applies. It applies to bridges and their like as well. */
static const char *type_of(const char *key) {
        return text_is_among(key, "ethernet.mtu 802-3-ethernet.mtu") ? "ethernet"
               : text_is_among(key, "wifi.mtu 802-11-wireless.mtu")  ? "wifi"
                                                                     : NULL;
}

/* The section of NetworkManager.conf that sets the MTU, by one of so many keys. */
static void add_section(const struct source_parser *parser, const struct keyfile *keyfile,
                        const struct keyfile_item *mtu, size_t n_keys, bool has_several) {
        struct mtu_source source = { .kind = SOURCE_NETWORKMANAGER, .line = mtu->line, .value = mtu->value };
        const char *type = n_keys > 1 ? NULL : type_of(mtu->key);
        char *spec, *rest = keyfile_get(keyfile, mtu->group, "match-device");

        if (strcmp(mtu->value, "0") == 0)
                return;
        if (has_several)
                source.unclear = "there is another one for another kind of device";
        if (!rest || strstr(rest, "except:")) {
                match_set(&source, rest ? MATCH_OTHER : MATCH_ANY, rest);
                source.type = rest ? NULL : type;
                source_add(parser, VALUE_DECIMAL, &source);
                return;
        }
        while ((spec = strsep(&rest, ",;"))) {
                spec = lines_trim(spec);
                if (!*spec)
                        continue;
                read_spec(spec, type, &source, source_pool(parser));
                source_add(parser, VALUE_DECIMAL, &source);
        }
}

static void reverse(struct mtu_sources *sources, size_t first) {
        for (size_t a = first, b = sources->n_items; a + 1 < b; a++, b--) {
                struct mtu_source swapped = sources->items[a];

                sources->items[a] = sources->items[b - 1];
                sources->items[b - 1] = swapped;
        }
}

/* Adds what [connection] sets, or what the sections do that are for some devices. */
static void add_sections(const struct source_parser *parser, const struct keyfile *keyfile,
                         bool is_default) {
        for (size_t i = 0; i < keyfile->n_items; i++) {
                const struct keyfile_item *item = &keyfile->items[i];
                bool is_last = text_after(item->group, "connection") &&
                               !text_after(item->group, "connection-setmtu") &&
                               (strcmp(item->group, "connection") == 0) == is_default &&
                               text_ends_in(item->key, ".mtu");
                bool has_several = false;
                size_t n_keys = 0;

                /* The same may be set for several kinds of devices. */
                for (size_t j = 0; is_last && j < keyfile->n_items; j++)
                        if (strcmp(keyfile->items[j].group, item->group) == 0 &&
                            text_ends_in(keyfile->items[j].key, ".mtu")) {
                                is_last = j <= i;
                                n_keys++;
                                has_several |= strcmp(keyfile->items[j].value, item->value) != 0;
                        }
                if (is_last)
                        add_section(parser, keyfile, item, n_keys, has_several);
        }
}

void source_nm_conf_read(const struct source_parser *parser) {
        const struct keyfile keyfile = keyfile_read(parser);
        const char *enabled = keyfile_get(&keyfile, ".config", "enable");

        if (enabled && is_no(enabled))
                return;
        merge_all(parser, &keyfile);
        /* The first section that matches decides, and [connection] comes behind all others:
         * nm-config-data.c. */
        add_sections(parser, &keyfile, false);
        add_sections(parser, &keyfile, true);
        reverse(parser->sources, parser->first);
}
