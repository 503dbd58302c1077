/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Files that hold commands between other things: crontab(5), wsl.conf, and wg-quick(8)'s. */

#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "sources/format/readers.h"
#include "sources/format/script.h"

/* The crontabs of users have no user between the time and the command. */
static bool has_user(const char *file, const char *command) {
        size_t size = strcspn(command, " \t");

        return strstr(file, "/cron.d/") || text_ends_in(file, "/crontab") ||
               (size == strlen("root") && memcmp(command, "root", size) == 0);
}

/* MINUTE HOUR DAY MONTH WEEKDAY, or @reboot and the like. */
void source_cron_read(const struct source_parser *parser) {
        struct lines lines = source_lines(parser, false);

        while (lines_next(&lines)) {
                char *rest = lines.line, *word;
                bool is_boot = text_after(rest, "@reboot");

                if (!*rest || !strchr("@*0123456789", *rest))
                        continue; /* a comment, or a variable */
                for (unsigned i = *rest == '@' ? 1 : 5; i > 0 && (word = lines_word(&rest)); i--)
                        ;
                rest = lines_trim(rest);
                if (has_user(parser->file, rest))
                        (void)lines_word(&rest);
                script_read(parser,
                            (struct mtu_source){ .kind = SOURCE_SCRIPT,
                                                 .line = lines.number,
                                                 .owner = is_boot ? "cron, at boot" : "cron",
                                                 .repeats = !is_boot },
                            rest, strlen(rest), NULL);
        }
}

/* [boot] command = "…" */
void source_wsl_read(const struct source_parser *parser) {
        struct keyfile keyfile = keyfile_open(source_lines(parser, false));
        struct source_parser named = *parser; /* the only command: it is named if it cannot be followed */

        named.is_about_mtu = true;
        while (keyfile_next(&keyfile)) {
                char *value = keyfile.value;
                size_t size = strlen(value);

                if (strcmp(keyfile.group, "boot") != 0 || strcmp(keyfile.key, "command") != 0)
                        continue;
                if (size > 1 && strchr("\"'", value[0]) && value[size - 1] == value[0]) {
                        value++;
                        size -= 2;
                }
                script_read(&named, (struct mtu_source){ .kind = SOURCE_SCRIPT, .line = keyfile.line },
                            value, size, NULL);
        }
}

/* Commands have the device for "%i". */
static void read_command(const struct source_parser *parser, const struct keyfile *keyfile,
                         const char *device) {
        struct pool_text text = { .pool = source_pool(parser) };

        for (const char *c = keyfile->value; *c; c++)
                if (c[0] == '%' && c[1] == 'i') {
                        pool_text_put(&text, device);
                        c++;
                } else
                        pool_text_put_part(&text, c, 1);
        if (text.text)
                script_read(parser, (struct mtu_source){ .kind = SOURCE_WIREGUARD, .line = keyfile->line },
                            text.text, text.size, NULL);
}

void source_wireguard_read(const struct source_parser *parser) {
        struct keyfile keyfile = keyfile_open(source_lines(parser, false));
        const char *name = text_base_name(parser->file);
        size_t size = strlen(name) - (text_ends_in(name, ".conf") ? strlen(".conf") : 0);
        const char *device = pool_copy_part(source_pool(parser), name, size);

        while (keyfile_next(&keyfile)) {
                if (strcasecmp(keyfile.group, "Interface") != 0)
                        continue;
                if (strcasecmp(keyfile.key, "MTU") == 0) {
                        keyfile.value[strcspn(keyfile.value, " \t#")] = '\0';
                        source_add(parser, VALUE_DECIMAL,
                                   &(struct mtu_source){ .kind = SOURCE_WIREGUARD,
                                                         .match = MATCH_NAME,
                                                         .device = device,
                                                         .line = keyfile.line,
                                                         .value = keyfile.value });
                } else if (strcasecmp(keyfile.key, "PreUp") == 0 || strcasecmp(keyfile.key, "PostUp") == 0)
                        read_command(parser, &keyfile, device);
        }
}
