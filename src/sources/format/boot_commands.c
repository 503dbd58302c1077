/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Files that hold commands between other things: crontab(5), wsl.conf, and wg-quick(8)'s; and those of pppd.
 */

#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "sources/format/readers.h"
#include "sources/parser/keyfile.h"
#include "sources/shell/script.h"

/* The crontabs of users have no user between the time and the command. */
static bool has_user(const char *file, const char *command) {
        size_t size = strcspn(command, " \t");

        return strstr(file, "/cron.d/") || text_ends_in(file, "/crontab") ||
               (size == strlen("root") && memcmp(command, "root", size) == 0);
}

/* MINUTE HOUR DAY MONTH WEEKDAY, or @reboot and the like. */
void source_cron_read(const struct source_parser *parser) {
        struct mtu_source source = { .kind = SOURCE_SCRIPT };
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
                source.line = lines.number;
                source.owner = is_boot ? "cron, at boot" : "cron";
                source.repeats = !is_boot;
                script_read(parser, source, rest, strlen(rest), NULL);
        }
}

/* [boot] command = "…" */
void source_wsl_read(const struct source_parser *parser) {
        const struct keyfile keyfile = keyfile_read(parser);
        const struct keyfile_item *command = keyfile_find(&keyfile, "boot", "command");
        struct source_parser named = *parser; /* the only command: it is named if it cannot be followed */
        const char *text = command ? command->value : "";
        size_t size = strlen(text);
        bool is_quoted = size > 1 && strchr("\"'", text[0]) && text[size - 1] == text[0];

        named.is_about_mtu = true;
        if (command)
                script_read(&named, (struct mtu_source){ .kind = SOURCE_SCRIPT, .line = command->line },
                            text + is_quoted, size - 2 * is_quoted, NULL);
}

/* Whether wg(8) refuses the file, so that wg-quick removes the device again: process_line() in its config.c.
 * The keys of wg-quick itself do not get there. */
static bool is_refused(const struct keyfile *keyfile) {
        static const char of_interface[] = "PrivateKey ListenPort FwMark Address MTU DNS Table PreUp PostUp "
                                           "PreDown PostDown SaveConfig",
                          of_peer[] = "PublicKey PresharedKey AllowedIPs Endpoint PersistentKeepalive";

        for (size_t i = 0; i < keyfile->n_items; i++) {
                const struct keyfile_item *item = &keyfile->items[i];
                const char *keys = strcasecmp(item->group, "Interface") == 0 ? of_interface
                                   : strcasecmp(item->group, "Peer") == 0    ? of_peer
                                                                             : NULL;

                if (keys && !text_is_among_any_case(item->key, keys))
                        return true;
        }
        return false;
}

void source_wireguard_read(const struct source_parser *whole) {
        const struct keyfile keyfile = keyfile_read(whole);
        struct source_parser own = *whole;
        const struct source_parser *parser = &own;
        const char *name = text_base_name(parser->file);
        size_t size = strlen(name) - (text_ends_in(name, ".conf") ? strlen(".conf") : 0);
        const char *device = pool_copy_part(source_pool(parser), name, size);

        if (is_refused(&keyfile))
                own.inactive = MTU_SOURCE_NOT_FOR_WG;
        for (size_t i = 0; i < keyfile.n_items; i++) {
                const struct keyfile_item *item = &keyfile.items[i];
                struct mtu_source source = { .kind = SOURCE_WIREGUARD, .line = item->line };

                if (strcasecmp(item->group, "Interface") != 0)
                        continue;
                if (strcasecmp(item->key, "MTU") == 0 && *item->value) {
                        item->value[strcspn(item->value, " \t#")] = '\0';
                        match_set(&source, MATCH_NAME, device);
                        source.value = item->value;
                        source_add(parser, VALUE_DECIMAL, &source);
                } else if (text_is_among_any_case(item->key, "PreUp PostUp")) {
                        const char *command = lines_replace(source_pool(parser), item->value, "%i", device);

                        script_read(parser, source, command, strlen(command), NULL);
                }
        }
}

void source_ppp_options(const struct source_parser *parser, const char *options, unsigned line) {
        char *rest = pool_copy(source_pool(parser), options), *word;

        while ((word = lines_word(&rest)))
                if (strcmp(word, "mtu") == 0 && (word = lines_word(&rest)))
                        source_warn(parser, line,
                                    "pppd gives its device %s by this, at each connection; leave it there",
                                    TEXT_SHOW(word));
}

void source_ppp_read(const struct source_parser *parser) {
        struct lines lines = source_lines(parser, false);

        while (lines_next(&lines))
                if (*lines.line != '#')
                        source_ppp_options(parser, lines.line, lines.number);
}
