/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/format/unit_rules.h"

#include <string.h>

#include "base/text.h"
#include "sources/parser/lines.h"

#define REFUSES "systemd refuses the unit: "

static bool is_path(const char *program) {
        return *program && (!strchr(program, '/') || strchr("/%", *program)) && !text_ends_in(program, "/");
}

struct unit_line unit_line_check(struct pool *pool, const char *value) {
        struct unit_line line = { 0 };
        char *rest = pool_copy(pool, value), *word;
        bool is_open;

        while (!line.refused && (word = lines_quoted_word(&rest, &is_open))) {
                size_t n_prefixes = strspn(word, UNIT_COMMAND_PREFIXES);
                const char *program = word + n_prefixes;
                bool may_fail = is_open || memchr(word, '-', n_prefixes);

                if (!is_open && !is_path(program))
                        line.refused = pool_print(pool, "%s is no absolute path", TEXT_SHOW(program));
                while (!line.refused && !is_open && (word = lines_quoted_word(&rest, &is_open)) &&
                       strcmp(word, ";") != 0)
                        ;
                if (is_open)
                        line.refused = "a quote has no end";
                line.is_fatal = line.refused && !may_fail;
                line.n_commands += line.refused ? 0 : 1;
        }
        return line;
}

/* The last value that is among the words: systemd ignores others. NULL: none. */
static const char *value_among(const struct network_file *file, const char *key, const char *words) {
        const struct network_setting *setting = NULL;
        const char *value = NULL;

        while ((setting = network_file_next(file, setting, "Service", key)))
                if (*setting->value && text_is_among(setting->value, words))
                        value = setting->value;
        return value;
}

static bool has_value(const struct network_file *file, const char *header, const char *key) {
        const char *value = network_file_get(file, header, key);

        return value && *value;
}

const char *unit_why_refused(struct pool *pool, const struct network_file *file) {
        const char *type = value_among(file, "Type",
                                       "simple exec forking oneshot dbus notify notify-reload idle"),
                   *restart = value_among(
                                   file, "Restart",
                                   "no always on-success on-failure on-abnormal on-abort on-watchdog");
        bool has_action = has_value(file, "Unit", "SuccessAction"),
             has_name = has_value(file, "Service", "BusName"), is_oneshot;
        const struct network_setting *setting = NULL;
        size_t n_start = 0, n_stop = 0;

        while ((setting = network_file_next(file, setting, "Service", NULL))) {
                bool is_start = strcmp(setting->key, "ExecStart") == 0;
                struct unit_line line;

                if (!text_after(setting->key, "Exec"))
                        continue;
                line = unit_line_check(pool, setting->value);
                if (line.is_fatal && setting->path == file->path)
                        return pool_print(pool, REFUSES "in line %u, %s", setting->line, line.refused);
                if (is_start || strcmp(setting->key, "ExecStop") == 0) {
                        size_t *n = is_start ? &n_start : &n_stop;

                        *n = *setting->value ? *n + line.n_commands : 0;
                }
        }
        is_oneshot = type ? strcmp(type, "oneshot") == 0 : !has_name && n_start == 0;
        if (!text_ends_in(file->name, ".service"))
                return NULL;
        if (n_start == 0 &&
            !(is_oneshot &&
              (has_action || (n_stop > 0 && network_file_is_true(file, "Service", "RemainAfterExit")))))
                return REFUSES "it has no ExecStart=";
        if (n_start > 1 && !is_oneshot)
                return REFUSES "more than one ExecStart= is only for Type=oneshot";
        if (is_oneshot && restart && text_is_among(restart, "always on-success"))
                return pool_print(pool, REFUSES "Restart=%s is not for Type=oneshot", restart);
        if (type && strcmp(type, "dbus") == 0 && !has_name)
                return REFUSES "Type=dbus is without a BusName=";
        return NULL;
}
