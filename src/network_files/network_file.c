/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "network_files/network_file.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "config/interface_name.h"

struct network_file network_file_open(const char *name, const char *path) {
        struct network_file file = { 0 };

        file.name = pool_copy(&file.pool, name);
        file.path = pool_copy(&file.pool, path);
        return file;
}

void network_file_free(struct network_file *file) {
        pool_free(&file->pool);
        *file = (struct network_file){ 0 };
}

/* Removes white space at both ends. */
static void trim(const char **text, size_t *size) {
        while (*size > 0 && text_is_space(**text)) {
                (*text)++;
                (*size)--;
        }
        while (*size > 0 && text_is_space((*text)[*size - 1]))
                (*size)--;
}

/* string_is_safe() in systemd's src/basic/string-util.c. */
static bool is_safe(const char *text, size_t size) {
        for (size_t i = 0; i < size; i++)
                if ((unsigned char)text[i] < ' ' || strchr("\"'\\\x7f", text[i]))
                        return false;
        return true;
}

/* The last setting has no value. What is in front of an earlier one without a value is reset already. */
static void reset(struct network_file *file) {
        const struct network_setting *last = &file->settings[file->n_settings - 1];

        for (size_t i = file->n_settings - 1; i > 0; i--) {
                struct network_setting *setting = &file->settings[i - 1];

                if (strcmp(setting->key, last->key) != 0 || strcmp(setting->header, last->header) != 0)
                        continue;
                setting->is_reset = true;
                if (!*setting->value)
                        return;
        }
}

/* Reads a line, joined with those that continue it. `header` is the current section; a header line replaces
 * it. -EBADMSG is the only error. */
static int parse_line(struct network_file *file, const char **header, const char *line, size_t size) {
        struct pool *pool = &file->pool;
        struct network_setting *setting;
        const char *equals, *value;
        size_t key_size, value_size;

        trim(&line, &size);
        if (size == 0)
                return 0;
        if (!text_is_utf8(line, size))
                return -EBADMSG;
        if (*line == '[') {
                if (line[size - 1] != ']' || size < 2 || !is_safe(line + 1, size - 2))
                        return -EBADMSG;
                *header = pool_copy_part(pool, line + 1, size - 2);
                file->n_sections++;
                return 0;
        }
        equals = memchr(line, '=', size);
        if (!equals || equals == line || !*header)
                return 0; /* systemd warns and goes on */
        key_size = (size_t)(equals - line);
        value = equals + 1;
        value_size = size - key_size - 1;
        trim(&line, &key_size);
        trim(&value, &value_size);
        setting = pool_add(pool, &file->settings, &file->n_settings, sizeof(*setting));
        if (setting)
                *setting = (struct network_setting){ .section = file->n_sections,
                                                     .header = *header,
                                                     .key = pool_copy_part(pool, line, key_size),
                                                     .value = pool_copy_part(pool, value, value_size) };
        if (setting && value_size == 0)
                reset(file);
        return 0;
}

/* An escaped backslash does not continue a line. */
static bool is_continued(const char *line, size_t size) {
        bool is_odd = false;

        while (size > 0 && line[size - 1] == '\\') {
                is_odd = !is_odd;
                size--;
        }
        return is_odd;
}

static bool is_comment(const char *line, size_t size) {
        trim(&line, &size);
        return size > 0 && (*line == '#' || *line == ';');
}

static const char ends[] = { '\n', '\r', '\0' };

/* The size of a line end: any of LF, CR and NUL, or several different ones in a row (read_line_full() in
 * systemd's src/basic/fileio.c). */
static size_t line_end_size(const char *text, size_t size) {
        unsigned seen = 0;
        size_t n = 0;

        for (; n < size; n++) {
                const char *end = memchr(ends, text[n], sizeof(ends));
                unsigned bit = end ? 1u << (end - ends) : 0;

                if (!bit || (seen & bit))
                        break;
                seen |= bit;
        }
        return n;
}

int network_file_parse(struct network_file *file, const char *text, size_t size) {
        CLEANUP(cleanup_free) char *joined = malloc(size + 1);
        const char *header = NULL;
        size_t used = 0;
        int r = 0;

        if (!joined)
                return -ENOMEM;
        if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
                text += 3;
                size -= 3;
        }
        while (size > 0 && r == 0) {
                size_t line_size = 0, step;

                while (line_size < size && !memchr(ends, text[line_size], sizeof(ends)))
                        line_size++;
                step = line_size + line_end_size(text + line_size, size - line_size);
                /* Comments are skipped between continued lines, too. */
                if (!is_comment(text, line_size)) {
                        memcpy(joined + used, text, line_size);
                        used += line_size;
                        if (is_continued(text, line_size))
                                joined[used - 1] = ' ';
                        else {
                                r = parse_line(file, &header, joined, used);
                                used = 0;
                        }
                }
                text += step;
                size -= step;
        }
        if (r == 0 && used > 0)
                r = parse_line(file, &header, joined, used);
        /* A drop-in does not continue the last section of the file before it. */
        file->n_sections++;
        return file->pool.failed ? -ENOMEM : r;
}

const char *network_file_get(const struct network_file *file, const char *header, const char *key) {
        for (size_t i = file->n_settings; i > 0; i--)
                if (strcmp(file->settings[i - 1].header, header) == 0 &&
                    strcmp(file->settings[i - 1].key, key) == 0)
                        return file->settings[i - 1].value;
        return NULL;
}

/* A walk over the words of a list in [Match]. */
struct words {
        const struct network_file *file;
        const char *key;
        size_t index;     /* of the current setting */
        const char *rest; /* of its value; NULL: not begun */
        bool is_inverted;
};

static bool next_word(struct words *words, const char **ret, size_t *ret_size) {
        for (; words->index < words->file->n_settings; words->index++) {
                const struct network_setting *setting = &words->file->settings[words->index];

                if (setting->is_reset || strcmp(setting->header, "Match") != 0 ||
                    strcmp(setting->key, words->key) != 0)
                        continue;
                if (!words->rest) {
                        words->is_inverted = setting->value[0] == '!';
                        words->rest = setting->value + (words->is_inverted ? 1 : 0);
                }
                words->rest += strspn(words->rest, " \t");
                *ret_size = strcspn(words->rest, " \t");
                if (*ret_size > 0) {
                        *ret = words->rest;
                        words->rest += *ret_size;
                        return true;
                }
                words->rest = NULL;
        }
        return false;
}

/* ifname_valid_full() in systemd's src/basic/socket-util.c: systemd ignores words, including patterns, that
 * are not valid names. */
static bool is_interface_name(const char *word, size_t size, size_t size_max) {
        bool is_number = true;

        for (size_t i = 0; i < size; i++) {
                if ((unsigned char)word[i] <= ' ' || (unsigned char)word[i] >= 0x7f ||
                    strchr(":/%", word[i]))
                        return false;
                is_number = is_number && word[i] >= '0' && word[i] <= '9';
        }
        return size > 0 && size <= size_max && !is_number && strcmp(word, ".") != 0 &&
               strcmp(word, "..") != 0 && strcmp(word, "all") != 0 && strcmp(word, "default") != 0;
}

/* Of an alternative name: ALTIFNAMSIZ. */
#define NAME_SIZE 128

/* The next word that is a name or a pattern; false: no more. Allocates nothing, so false never means out of
 * memory. */
static bool next_name(struct words *words, char ret[static NAME_SIZE]) {
        /* A .network file's list may hold alternative names, a .link file's may not. */
        size_t size, size_max = (strcmp(words->key, "Name") == 0 ? NAME_SIZE : INTERFACE_NAME_SIZE) - 1;
        const char *word;

        while (next_word(words, &word, &size)) {
                size_t n = 0;

                /* A backslash is removed; what follows it stays: extract_first_word() without flags. */
                for (size_t i = 0; i < size && n < NAME_SIZE; i++)
                        if (word[i] != '\\' || ++i < size)
                                ret[n++] = word[i];
                if (n == NAME_SIZE)
                        continue; /* longer than any name */
                ret[n] = '\0';
                if (is_interface_name(ret, n, size_max))
                        return true;
        }
        return false;
}

bool network_file_match_name(const struct network_file *file, const char *key, const char *name,
                             bool *ret_has_list) {
        struct words words = { .file = file, .key = key };
        bool has_list = false, has_positive = false, is_match = false, is_excluded = false;
        char pattern[NAME_SIZE];

        while (next_name(&words, pattern)) {
                has_list = true;
                has_positive |= !words.is_inverted;
                if (fnmatch(pattern, name, 0) != 0)
                        continue;
                is_match |= !words.is_inverted;
                is_excluded |= words.is_inverted;
        }
        *ret_has_list = has_list;
        return !is_excluded && (is_match || !has_positive);
}

bool network_file_names_only(const struct network_file *file, const char *key, const char *name) {
        struct words words = { .file = file, .key = key };
        bool has_name = false;
        char word[NAME_SIZE];

        while (next_name(&words, word)) {
                if (words.is_inverted || strcmp(word, name) != 0)
                        return false;
                has_name = true;
        }
        return has_name && !strpbrk(name, "*?[\\");
}

/* The keys that systemd 257 knows in [Match]. It ignores a file that has none of them. */
static bool is_match_key(const struct network_file *file, const char *key) {
        static const char common[] =
                        "MACAddress PermanentMACAddress Path Driver Type Kind Property Host "
                        "Virtualization KernelCommandLine Credential KernelVersion Architecture "
                        "Firmware";
        bool is_link = text_ends_in(file->name, NETWORK_FILE_LINK);

        return text_is_among(key, common) ||
               text_is_among(key, is_link ? "OriginalName" : "Name WLANInterfaceType SSID BSSID");
}

static bool has_value(const struct network_file *file, const char *key) {
        struct words words = { .file = file, .key = key };
        char name[NAME_SIZE];

        if (strcmp(key, "OriginalName") == 0 || strcmp(key, "Name") == 0)
                return next_name(&words, name);
        return next_word(&words, &(const char *){ NULL }, &(size_t){ 0 });
}

bool network_file_has_match(const struct network_file *file, const char *keys) {
        for (size_t i = 0; i < file->n_settings; i++) {
                const struct network_setting *setting = &file->settings[i];

                if (strcmp(setting->header, "Match") == 0 && is_match_key(file, setting->key) &&
                    !text_is_among(setting->key, keys) && has_value(file, setting->key))
                        return true;
        }
        return false;
}

bool network_file_is_true(const struct network_file *file, const char *header, const char *key) {
        const char *value = network_file_get(file, header, key);

        return value && text_is_among_any_case(value, "1 yes y true t on");
}

const struct network_file *network_files_find_own(const struct network_files *files, const char *name) {
        for (size_t i = 0; files && i < files->n_items; i++)
                if (network_file_names_only(&files->items[i], "Name", name) &&
                    !network_file_is_true(&files->items[i], "Link", "Unmanaged"))
                        return &files->items[i];
        return NULL;
}
