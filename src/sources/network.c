/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/network.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "sources/lines.h"
#include "sources/match.h"

static bool ends_in(const char *path, const char *suffix) {
        size_t length = strlen(path), suffix_length = strlen(suffix);

        return length > suffix_length && strcmp(path + length - suffix_length, suffix) == 0;
}

/* The last one that is set in a section of this name. */
static const struct network_setting *find(const struct network_file *file, const char *header,
                                          const char *key) {
        for (size_t i = file->n_settings; i > 0; i--)
                if (strcmp(file->settings[i - 1].header, header) == 0 &&
                    strcmp(file->settings[i - 1].key, key) == 0)
                        return &file->settings[i - 1];
        return NULL;
}

/* A key of [Match] that the file is about alone, or NULL: none, or several. Assignments that a later empty
 * one takes back do not count. */
static const char *only_key(const struct network_file *file) {
        static const char *const keys[] = { "Name", "OriginalName", "MACAddress", "PermanentMACAddress" };

        for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
                if (find(file, "Match", keys[i]) && !network_file_has_match_besides(file, keys[i]))
                        return keys[i];
        return NULL;
}

/* All of [Match] in one text, which the caller frees. */
static char *match_text(const struct network_file *file) {
        char *text = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&text, &size);

        if (!stream)
                return NULL;
        for (size_t i = 0; i < file->n_settings; i++) {
                const struct network_setting *setting = &file->settings[i];

                if (strcmp(setting->header, "Match") == 0 && *setting->value)
                        fprintf(stream, "%s%s=%s", ftell(stream) > 0 ? " " : "", setting->key,
                                setting->value);
        }
        if (fclose(stream) != 0) {
                free(text);
                return NULL;
        }
        return text;
}

/* One finding for each word of the list `key`. 1 where each word says what it means; 0 where one does not,
 * and nothing was added. */
static int add_words(const struct reading *reading, const struct network_file *file, const char *key,
                     struct draft *draft) {
        bool is_mac = strstr(key, "MACAddress") != NULL;

        for (int adds = 0; adds < 2; adds++)
                for (size_t i = 0; i < file->n_settings; i++) {
                        const struct network_setting *setting = &file->settings[i];
                        CLEANUP(cleanup_free) char *words = NULL;
                        char *rest, *word;

                        if (strcmp(setting->header, "Match") != 0 || strcmp(setting->key, key) != 0)
                                continue;
                        rest = words = strdup(setting->value);
                        if (!words)
                                return -ENOMEM;
                        while ((word = lines_word(&rest))) {
                                char mac[MATCH_MAC_SIZE];
                                int r;

                                if (*word == '!' || strchr(word, '\\') ||
                                    (is_mac && !match_read_mac(word, mac)))
                                        return 0;
                                draft->match = is_mac                   ? FINDING_MAC
                                               : strcmp(word, "*") == 0 ? FINDING_ANY
                                               : match_is_glob(word)    ? FINDING_GLOB
                                                                        : FINDING_NAME;
                                draft->device = is_mac ? mac : draft->match == FINDING_ANY ? NULL : word;
                                r = adds ? reading_add(reading, VALUE_SIZE, draft) : 0;
                                if (r < 0)
                                        return r;
                        }
                }
        return 1;
}

static int read_netdev(const struct reading *reading, const struct network_file *file) {
        const struct network_setting *name = find(file, "NetDev", "Name"),
                                     *mtu = find(file, "NetDev", "MTUBytes");

        if (!name || !mtu || !*name->value || !*mtu->value)
                return 0;
        return reading_add(reading, VALUE_SIZE,
                           &(struct draft){ .source = SOURCE_LINK,
                                            .match = FINDING_NAME,
                                            .device = name->value,
                                            .file = network_file_place(file, mtu),
                                            .line = mtu->line,
                                            .value = mtu->value });
}

/* Whether DHCP may give one, and what says so. */
static const struct network_setting *find_dhcp(const struct network_file *file) {
        static const char *const sections[] = { "DHCPv4", "DHCP" };

        for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
                if (network_file_is_true(file, sections[i], "UseMTU"))
                        return find(file, sections[i], "UseMTU");
        return NULL;
}

int source_network_read(const struct reading *reading, const struct network_file *file) {
        bool is_link = ends_in(file->name, NETWORK_FILE_LINK);
        const struct network_setting *mtu = find(file, "Link", "MTUBytes");
        CLEANUP(cleanup_free) char *match = NULL;
        struct draft draft = { .source = is_link ? SOURCE_LINK : SOURCE_NETWORK };
        const char *key;

        if (ends_in(file->name, ".netdev"))
                return read_netdev(reading, file);
        if (!mtu || !*mtu->value) {
                mtu = is_link ? NULL : find_dhcp(file);
                if (!mtu)
                        return 0;
        } else
                draft.value = mtu->value;
        draft.file = network_file_place(file, mtu);
        draft.line = mtu->line;
        if (!network_file_has_match(file)) {
                diagnostic_report(reading->sink, DIAGNOSTIC_WARNING, draft.file, draft.line, NULL,
                                  "[Match] names no device, and systemd leaves such a file out");
                return 0;
        }
        key = only_key(file);
        /* The name that it gives goes before what it was found by. */
        if (is_link && find(file, "Link", "Name") && *find(file, "Link", "Name")->value &&
            !find(file, "Link", "NamePolicy")) {
                draft.match = FINDING_NAME;
                draft.device = find(file, "Link", "Name")->value;
                return reading_add(reading, VALUE_SIZE, &draft);
        }
        if (key) {
                int r = add_words(reading, file, key, &draft);

                if (r != 0)
                        return r < 0 ? r : 0;
        }
        match = match_text(file);
        if (!match)
                return -ENOMEM;
        draft.match = FINDING_OTHER;
        draft.device = match;
        return reading_add(reading, VALUE_SIZE, &draft);
}

static int read_text(const struct reading *reading, const char *suffix) {
        const char *slash = strrchr(reading->file, '/'), *name = slash ? slash + 1 : reading->file;
        bool tells = ends_in(name, NETWORK_FILE_LINK) || ends_in(name, NETWORK_FILE_NETWORK) ||
                     ends_in(name, ".netdev");
        struct network_file file = { .path = strdup(reading->file) };
        int r = -ENOMEM;

        if (asprintf(&file.name, "%s%s", name, tells ? "" : suffix) < 0)
                file.name = NULL;
        if (file.name && file.path)
                r = network_file_parse(&file, reading->text, reading->size);
        if (r == 0)
                r = source_network_read(reading, &file);
        else if (r == -EBADMSG) {
                reading_warn(reading, 0,
                             "has a line that is not UTF-8, or a section header that is none; left out, as "
                             "systemd leaves it out");
                r = 0;
        }
        network_file_free(&file);
        return r;
}

int source_network_read_text(const struct reading *reading) {
        return read_text(reading, NETWORK_FILE_NETWORK);
}

int source_link_read_text(const struct reading *reading) {
        return read_text(reading, NETWORK_FILE_LINK);
}
