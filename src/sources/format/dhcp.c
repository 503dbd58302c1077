/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>

#include "sources/format/readers.h"
#include "sources/shell/shell_word.h"

/* dhcpcd ---------------------------------------------------------------------------------------------- */

/* Whether `list`, separated by spaces or commas, has one of the option's names. */
static bool asks_for_mtu(char *list) {
        const char *word;

        while ((word = strsep(&list, " \t,;")))
                if (text_is_among(word, "interface_mtu interface-mtu 26"))
                        return true;
        return false;
}

/* The value that "static" has: parse_option() in dhcpcd's src/if-options.c. NULL: none of an MTU. */
static const char *static_mtu(const char *assignment) {
        const char *value = text_after(assignment, "interface_mtu=");

        if (!value)
                value = text_after(assignment, "mtu=");
        return value ? value + strspn(value, " \t") : NULL;
}

void source_dhcpcd_read(const struct source_parser *parser) {
        struct lines lines = source_lines(parser, true);
        struct mtu_source source = { .kind = SOURCE_DHCPCD,
                                     .inactive = "dhcpcd makes it the MTU of its routes, not of the device, "
                                                 "since 6.9.2" };

        while (lines_next(&lines)) {
                char *rest = lines.line, *word = lines_word(&rest);

                if (!word || *word == '#' || *word == ';')
                        continue;
                rest = lines_trim(rest);
                source.line = lines.number;
                source.value = NULL;
                if (strcmp(word, "interface") == 0) {
                        match_set(&source, *rest ? MATCH_NAME : MATCH_ANY, rest);
                } else if (text_is_among(word, "ssid profile")) {
                        /* The device is not known. */
                        match_set(&source, MATCH_OTHER,
                                  pool_print(source_pool(parser), "%s %s", word, rest));
                } else if (strcmp(word, "static") == 0 && (source.value = static_mtu(rest)) &&
                           *source.value) {
                        source_add(parser, VALUE_C, &source);
                } else if (text_is_among(word, "option request require") && asks_for_mtu(rest))
                        source_add(parser, VALUE_DECIMAL, &source);
        }
}

/* dhclient -------------------------------------------------------------------------------------------- */

/* Words, "strings", and { } ; , as single tokens. "#" begins a comment. The characters are read as those of
 * a shell. */
struct tokens {
        struct shell shell;
        unsigned line; /* of the token */
        bool is_string;
        char token[256];
};

static struct tokens tokens_open(const struct source_parser *parser) {
        return (struct tokens){ shell_open(source_pool(parser), parser->text, parser->size, NULL) };
}

static bool tokens_next(struct tokens *tokens) {
        struct shell *shell = &tokens->shell;
        size_t n = 0;

        while (!shell_at_end(shell) && (shell_peek(shell, 0) == '\0' || shell_at(shell, " \t\r\n#")))
                if (shell_take(shell) == '#')
                        shell_skip_comment(shell);
        if (shell_at_end(shell))
                return false;
        tokens->line = shell->line;
        tokens->is_string = shell_take_any(shell, "\"");
        if (!tokens->is_string && shell_at(shell, "{};,"))
                tokens->token[n++] = shell_take(shell);
        else
                while (!shell_at_end(shell) &&
                       (tokens->is_string ? !shell_at(shell, "\"")
                                          : shell_peek(shell, 0) && !shell_at(shell, " \t\r\n{};,\"#"))) {
                        char c = shell_take(shell);

                        if (tokens->is_string && c == '\\' && !shell_at_end(shell))
                                c = shell_take(shell);
                        if (n < sizeof(tokens->token) - 1)
                                tokens->token[n++] = c;
                }
        if (tokens->is_string)
                shell_take_any(shell, "\"");
        tokens->token[n] = '\0';
        return true;
}

/* Whether the token is one of the words and not a string. */
static bool token_is(const struct tokens *tokens, const char *words) {
        return !tokens->is_string && text_is_among(tokens->token, words);
}

/* Skips to the end of the statement that the token is in. */
static void skip_statement(struct tokens *tokens) {
        unsigned depth = 0;

        do {
                if (token_is(tokens, "{"))
                        depth++;
                else if (token_is(tokens, "}"))
                        depth -= depth > 0 ? 1 : 0;
                if (depth == 0 && token_is(tokens, "; }"))
                        return;
        } while (tokens_next(tokens));
}

/* What is for all devices is for those that a DHCP client configures, if they are known. */
static void add_for_devices(const struct source_parser *parser, struct mtu_source source) {
        const struct mtu_sources *sources = parser->sources;
        size_t n = source.match == MATCH_ANY ? sources->dhcp_devices.n_items : 0;

        if (n == 0)
                source_add(parser, VALUE_DECIMAL, &source);
        for (size_t i = 0; i < n; i++) {
                match_set(&source, MATCH_NAME, sources->dhcp_devices.items[i]);
                source_add(parser, VALUE_DECIMAL, &source);
        }
}

/* Reads "supersede interface-mtu 9000;" behind the first word. */
static void read_value(const struct source_parser *parser, struct tokens *tokens, struct mtu_source source) {
        if (!tokens_next(tokens) || !token_is(tokens, "interface-mtu")) {
                skip_statement(tokens);
                return;
        }
        if (tokens_next(tokens) && !token_is(tokens, ";")) {
                source.line = tokens->line;
                source.value = tokens->token;
                add_for_devices(parser, source);
                skip_statement(tokens);
        }
}

/* Reads "request subnet-mask, interface-mtu;" behind the first word, with or without "also". */
static void read_request(const struct source_parser *parser, struct tokens *tokens,
                         struct mtu_source source) {
        while (tokens_next(tokens) && !token_is(tokens, "; }"))
                if (token_is(tokens, "interface-mtu")) {
                        source.line = tokens->line;
                        source_add(parser, VALUE_DECIMAL, &source);
                }
}

/* `own` is the device whose file it is; empty: that of all. */
static void set_device(const struct source_parser *parser, struct mtu_source *source, const char *device,
                       const char *own) {
        const char *unit = text_after(device, "ppp");
        uint64_t number;

        match_set(source, *device ? MATCH_NAME : MATCH_ANY, pool_copy(source_pool(parser), device));
        source->inactive = NULL;
        if (*own && strcmp(device, own) != 0)
                source->inactive = pool_print(source_pool(parser), "dhclient is given the file for %s alone",
                                              own);
        else if (unit && text_parse_number(unit, 0, UINT32_MAX, &number))
                source->inactive = "pppd gives the device its address, not dhclient";
}

void source_dhclient_read(const struct source_parser *parser) {
        struct tokens tokens = tokens_open(parser);
        struct mtu_source source = { .kind = SOURCE_DHCLIENT };
        const char *name = text_after(text_base_name(parser->file), "dhclient-"); /* dhclient-eth0.conf */
        const char *own = name && text_ends_in(name, ".conf")
                                          ? pool_copy_part(source_pool(parser), name,
                                                           strlen(name) - strlen(".conf"))
                                          : "";

        set_device(parser, &source, own, own);
        while (tokens_next(&tokens)) {
                if (token_is(&tokens, "}"))
                        set_device(parser, &source, own, own);
                else if (token_is(&tokens, "interface") && tokens_next(&tokens)) {
                        set_device(parser, &source, tokens.token, own);
                        if (tokens_next(&tokens) && !token_is(&tokens, "{"))
                                set_device(parser, &source, own, own);
                } else if (token_is(&tokens, "supersede prepend append"))
                        read_value(parser, &tokens, source);
                else if (token_is(&tokens, "default")) {
                        source.condition = "only where the server gives none";
                        read_value(parser, &tokens, source);
                        source.condition = NULL;
                } else if (token_is(&tokens, "request require also"))
                        read_request(parser, &tokens, source);
                else if (!token_is(&tokens, ";"))
                        skip_statement(&tokens);
        }
}

/* Leases ---------------------------------------------------------------------------------------------- */

/* The last one of each device. */
struct leases {
        struct mtu_source *items;
        size_t n_items;
};

/* Adds the lease that "}" has just ended. */
static void add_lease(struct pool *pool, struct leases *leases, const struct mtu_source *lease) {
        for (size_t i = 0; lease->device && i < leases->n_items; i++)
                if (strcmp(leases->items[i].device, lease->device) == 0) {
                        leases->items[i] = *lease;
                        return;
                }
        if (lease->device)
                pool_put(pool, &leases->items, &leases->n_items, lease, sizeof(*lease));
}

void source_dhclient_leases_read(const struct source_parser *parser) {
        static const struct mtu_source none = { .kind = SOURCE_LEASE };
        struct tokens tokens = tokens_open(parser);
        struct mtu_source lease = none;
        struct leases leases = { 0 };

        while (tokens_next(&tokens))
                if (token_is(&tokens, "lease lease6"))
                        lease = none;
                else if (token_is(&tokens, "}"))
                        add_lease(source_pool(parser), &leases, &lease);
                else if (token_is(&tokens, "interface") && tokens_next(&tokens))
                        set_device(parser, &lease, tokens.token, "");
                else if (token_is(&tokens, "interface-mtu") && tokens_next(&tokens)) {
                        lease.value = *tokens.token ? pool_copy(source_pool(parser), tokens.token) : NULL;
                        lease.line = tokens.line;
                }
        for (size_t i = 0; i < leases.n_items; i++)
                if (leases.items[i].value)
                        source_add(parser, VALUE_DECIMAL, &leases.items[i]);
}

void source_lease_read(const struct source_parser *parser) {
        struct mtu_source source = { SOURCE_LEASE, MATCH_NAME, parser->device };
        struct lines lines = source_lines(parser, false);

        while (lines_next(&lines)) {
                source.line = lines.number;
                source.value = lines_split(lines.line, '=');
                if (source.value && strcmp(lines.line, "MTU") == 0)
                        source_add(parser, VALUE_DECIMAL, &source);
        }
}

#define OPTIONS_BEGIN 236 /* after the fixed part */
#define OPTION_PAD 0
#define OPTION_MTU 26
#define OPTION_END 255

void source_lease_read_message(const struct source_parser *parser) {
        static const char cookie[] = "\x63\x82\x53\x63";
        struct mtu_source source = { SOURCE_LEASE, MATCH_NAME, parser->device };
        const unsigned char *bytes = (const unsigned char *)parser->text;
        size_t at = OPTIONS_BEGIN + 4, length;

        if (parser->size < at || memcmp(bytes + OPTIONS_BEGIN, cookie, 4) != 0) {
                source_warn(parser, 0, "is not a DHCP message; it is not read");
                return;
        }
        for (; at < parser->size && bytes[at] != OPTION_END; at += length) {
                char value[8];

                length = 1;
                if (bytes[at] == OPTION_PAD)
                        continue;
                if (at + 1 >= parser->size || at + 2 + bytes[at + 1] > parser->size)
                        return;
                length = 2 + (size_t)bytes[at + 1];
                if (bytes[at] != OPTION_MTU || length != 4)
                        continue;
                snprintf(value, sizeof(value), "%u", bytes[at + 2] << 8 | bytes[at + 3]);
                source.value = value;
                source_add(parser, VALUE_DECIMAL, &source);
                return;
        }
}
