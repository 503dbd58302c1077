/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "network_files/network_file.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static bool is_match_of(const struct network_setting *setting, const char *key) {
        return strcmp(setting->header, "Match") == 0 && strcmp(setting->key, key) == 0;
}

/* An empty value empties the list that the assignments of the key make. */
static void reset_match(struct network_file *file, const char *key) {
        size_t n = 0;

        for (size_t i = 0; i < file->n_settings; i++)
                if (!is_match_of(&file->settings[i], key))
                        file->settings[n++] = file->settings[i];
        file->n_settings = n;
}

/* Reads a line, joined with those that continue it. `header` is the current section; a header line replaces
 * it. False if systemd would take none of the file. */
static bool parse_line(struct pool *pool, struct network_file *file, const char **header, char *line) {
        struct network_setting setting, *item;
        char *value;

        line = text_trim(line);
        if (!text_is_utf8(line, strlen(line)))
                return false;
        if (*line == '[') {
                *header = line + 1;
                line = strchr(line, ']');
                if (!line || line[1])
                        return false;
                *line = '\0';
                return true;
        }
        value = strchr(line, '=');
        if (!value || value == line || !*header)
                return true; /* systemd warns and goes on */
        *value++ = '\0';
        setting = (struct network_setting){ *header, text_trim(line), text_trim(value) };
        if (!*setting.value && strcmp(setting.header, "Match") == 0) {
                reset_match(file, setting.key);
                return true;
        }
        item = pool_add(pool, &file->settings, &file->n_settings, sizeof(*item));
        if (item)
                *item = setting;
        return true;
}

int network_file_parse(struct pool *pool, struct network_file *file, const char *text, size_t size) {
        size_t mark = text_mark_size(text, size);
        char *rest = pool_copy_part(pool, text + mark, size - mark), *joined = rest, *end = rest, *line;
        const char *header = NULL;

        while ((line = strsep(&rest, "\n"))) {
                const char *begin = line + strspn(line, TEXT_SPACE);
                size_t length = strcspn(line, "\r");

                /* Also between continued lines. */
                if (*begin == '#' || *begin == ';')
                        continue;
                end = (char *)memmove(end, line, length) + length;
                if (end > joined && end[-1] == '\\' && rest) {
                        end[-1] = ' ';
                        continue;
                }
                *end = '\0';
                if (!parse_line(pool, file, &header, joined))
                        return -EBADMSG;
                joined = ++end;
        }
        return pool->failed ? -ENOMEM : 0;
}

const char *network_file_get(const struct network_file *file, const char *header, const char *key) {
        for (size_t i = file->n_settings; i > 0; i--)
                if (strcmp(file->settings[i - 1].header, header) == 0 &&
                    strcmp(file->settings[i - 1].key, key) == 0)
                        return file->settings[i - 1].value;
        return NULL;
}

bool network_file_match_name(const struct network_file *file, const char *key, const char *name) {
        bool has_positive = false, is_match = false;

        for (size_t i = 0, size; i < file->n_settings; i++) {
                const char *at = file->settings[i].value;
                bool is_inverted = *at == '!';

                if (!is_match_of(&file->settings[i], key))
                        continue;
                has_positive |= !is_inverted;
                for (at += is_inverted; *(at += strspn(at, " \t")); at += size) {
                        char pattern[128]; /* ALTIFNAMSIZ */

                        size = strcspn(at, " \t");
                        snprintf(pattern, sizeof(pattern), "%.*s", (int)size, at);
                        if (fnmatch(pattern, name, 0) != 0)
                                continue;
                        if (is_inverted)
                                return false;
                        is_match = true;
                }
        }
        return is_match || !has_positive;
}

bool network_file_names_only(const struct network_file *file, const char *key, const char *name) {
        bool has_name = false;

        for (size_t i = 0; i < file->n_settings; i++)
                if (is_match_of(&file->settings[i], key)) {
                        if (strcmp(file->settings[i].value, name) != 0)
                                return false;
                        has_name = true;
                }
        return has_name && !strchr(name, '\\');
}

bool network_file_has_match(const struct network_file *file, const char *key) {
        /* A common mistake; systemd takes it for nothing: github.com/NixOS/nixpkgs/pull/66703. */
        const char *mistaken = text_ends_in(file->name, NETWORK_FILE_LINK) ? "Name" : "OriginalName";

        for (size_t i = 0; i < file->n_settings; i++)
                if (strcmp(file->settings[i].header, "Match") == 0 &&
                    strcmp(file->settings[i].key, key) != 0 && strcmp(file->settings[i].key, mistaken) != 0)
                        return true;
        return false;
}

bool network_file_is_unmanaged(const struct network_file *file) {
        const char *value = network_file_get(file, "Link", "Unmanaged");

        return value && text_is_among_any_case(value, "1 yes y true t on");
}

const struct network_file *network_files_find_own(const struct network_files *files, const char *name) {
        for (size_t i = 0; i < files->n_items; i++)
                if (network_file_names_only(&files->items[i], "Name", name) &&
                    !network_file_is_unmanaged(&files->items[i]))
                        return &files->items[i];
        return NULL;
}
