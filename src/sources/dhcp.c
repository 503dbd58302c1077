/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/dhcp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "sources/lines.h"

/* dhcpcd --------------------------------------------------------------------------------------------------
 */

/* Whether `list`, whose words are apart by spaces or commas, has one of the option's two names. */
static bool asks_for_mtu(const char *list) {
        static const char *const names[] = { "interface_mtu", "interface-mtu", "26" };

        while (*list) {
                size_t length = strcspn(list, " \t,;");

                for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
                        if (strlen(names[i]) == length && strncmp(list, names[i], length) == 0)
                                return true;
                list += length + (list[length] ? 1 : 0);
        }
        return false;
}

int source_dhcpcd_read(const struct reading *reading) {
        static const char is_static[] = "interface_mtu=";
        CLEANUP(cleanup_free) struct lines *lines = malloc(sizeof(*lines));
        char device[64] = "";
        bool is_profile = false; /* of an SSID or a name: which device that will be nobody knows */
        int r = 0;

        if (!lines)
                return -ENOMEM;
        lines_open(lines, reading->text, reading->size, true);
        while (r == 0 && lines_next(lines)) {
                char *rest = lines->line, *word = lines_word(&rest);
                struct draft draft = { .source = SOURCE_DHCPCD, .line = lines->number };

                if (!word || *word == '#' || *word == ';')
                        continue;
                rest = lines_trim(rest);
                draft.match = is_profile ? FINDING_OTHER : *device ? FINDING_NAME : FINDING_ANY;
                draft.device = draft.match == FINDING_ANY ? NULL : device;
                if (strcmp(word, "interface") == 0 || strcmp(word, "ssid") == 0 ||
                    strcmp(word, "profile") == 0) {
                        is_profile = strcmp(word, "interface") != 0;
                        snprintf(device, sizeof(device), "%s%s%s", is_profile ? word : "",
                                 is_profile ? " " : "", rest);
                } else if (strcmp(word, "static") == 0 && strncmp(rest, is_static, strlen(is_static)) == 0) {
                        draft.value = rest + strlen(is_static);
                        r = reading_add(reading, VALUE_DECIMAL, &draft);
                } else if ((strcmp(word, "option") == 0 || strcmp(word, "request") == 0 ||
                            strcmp(word, "require") == 0) &&
                           asks_for_mtu(rest))
                        r = reading_add(reading, VALUE_DECIMAL, &draft);
        }
        return r;
}

/* dhclient ------------------------------------------------------------------------------------------------
 */

/* Words, "strings", and { } ; , each by itself; with "#" before comments. */
struct tokens {
        const char *text;
        size_t size;
        size_t position;
        unsigned next_line;
        unsigned line; /* of the token */
        bool is_string;
        char token[256];
};

static bool tokens_next(struct tokens *tokens) {
        size_t n = 0;

        while (tokens->position < tokens->size) {
                char c = tokens->text[tokens->position];

                if (c == '#')
                        while (tokens->position < tokens->size && tokens->text[tokens->position] != '\n')
                                tokens->position++;
                else if (strchr(" \t\r\n", c)) /* and NUL */
                        tokens->next_line += tokens->text[tokens->position++] == '\n';
                else
                        break;
        }
        if (tokens->position >= tokens->size)
                return false;
        tokens->line = tokens->next_line;
        tokens->is_string = tokens->text[tokens->position] == '"';
        if (strchr("{};,", tokens->text[tokens->position])) {
                tokens->token[n++] = tokens->text[tokens->position++];
        } else if (tokens->is_string) {
                tokens->position++;
                while (tokens->position < tokens->size && tokens->text[tokens->position] != '"') {
                        char c = tokens->text[tokens->position++];

                        tokens->next_line += c == '\n';
                        if (c == '\\' && tokens->position < tokens->size)
                                c = tokens->text[tokens->position++];
                        if (n < sizeof(tokens->token) - 1)
                                tokens->token[n++] = c;
                }
                tokens->position++;
        } else
                while (tokens->position < tokens->size &&
                       !strchr(" \t\r\n{};,\"#", tokens->text[tokens->position])) {
                        if (n < sizeof(tokens->token) - 1)
                                tokens->token[n++] = tokens->text[tokens->position];
                        tokens->position++;
                }
        tokens->token[n] = '\0';
        return true;
}

static bool token_is(const struct tokens *tokens, const char *text) {
        return !tokens->is_string && strcmp(tokens->token, text) == 0;
}

/* At a token of a statement: goes to its end. */
static void skip_statement(struct tokens *tokens) {
        unsigned depth = 0;

        do {
                if (token_is(tokens, "{"))
                        depth++;
                else if (token_is(tokens, "}"))
                        depth -= depth > 0 ? 1 : 0;
                if (depth == 0 && (token_is(tokens, ";") || token_is(tokens, "}")))
                        return;
        } while (tokens_next(tokens));
}

/* supersede interface-mtu 9000; behind the first word. */
static int read_value(const struct reading *reading, struct tokens *tokens, const char *device,
                      bool conditional) {
        struct draft draft = { .source = SOURCE_DHCLIENT,
                               .match = *device ? FINDING_NAME : FINDING_ANY,
                               .device = *device ? device : NULL,
                               .conditional = conditional };
        int r = 0;

        if (!tokens_next(tokens) || !token_is(tokens, "interface-mtu")) {
                skip_statement(tokens);
                return 0;
        }
        if (tokens_next(tokens) && !token_is(tokens, ";")) {
                draft.line = tokens->line;
                draft.value = tokens->token;
                r = reading_add(reading, VALUE_DECIMAL, &draft);
                skip_statement(tokens);
        }
        return r;
}

/* request subnet-mask, interface-mtu; behind the first word, and perhaps an "also". */
static int read_request(const struct reading *reading, struct tokens *tokens, const char *device) {
        int r = 0;

        while (tokens_next(tokens) && !token_is(tokens, ";") && !token_is(tokens, "}") && r == 0)
                if (token_is(tokens, "interface-mtu"))
                        r = reading_add(reading, VALUE_DECIMAL,
                                        &(struct draft){ .source = SOURCE_DHCLIENT,
                                                         .match = *device ? FINDING_NAME : FINDING_ANY,
                                                         .device = *device ? device : NULL,
                                                         .line = tokens->line });
        return r;
}

int source_dhclient_read(const struct reading *reading) {
        struct tokens tokens = { .text = reading->text, .size = reading->size, .next_line = 1 };
        char device[64] = "";
        int r = 0;

        while (r == 0 && tokens_next(&tokens)) {
                if (token_is(&tokens, "}"))
                        *device = '\0';
                else if (token_is(&tokens, "interface") && tokens_next(&tokens)) {
                        snprintf(device, sizeof(device), "%.63s", tokens.token);
                        if (tokens_next(&tokens) && !token_is(&tokens, "{"))
                                *device = '\0';
                } else if (token_is(&tokens, "supersede") || token_is(&tokens, "prepend") ||
                           token_is(&tokens, "append"))
                        r = read_value(reading, &tokens, device, false);
                else if (token_is(&tokens, "default"))
                        r = read_value(reading, &tokens, device, true);
                else if (token_is(&tokens, "request") || token_is(&tokens, "require") ||
                         token_is(&tokens, "also"))
                        r = read_request(reading, &tokens, device);
                else if (!token_is(&tokens, ";"))
                        skip_statement(&tokens);
        }
        return r;
}

/* Leases --------------------------------------------------------------------------------------------------
 */

/* One lease of dhclient's, which ends with a "}". */
struct lease {
        char device[64];
        char mtu[32];
        unsigned line;
};

/* Puts the lease in place of an earlier one of the device. */
static int add_lease(const struct reading *reading, size_t first, const struct lease *lease) {
        struct findings *findings = reading->findings;

        for (size_t i = first; i < findings->n_items; i++)
                if (findings->items[i].match == FINDING_NAME &&
                    strcmp(findings->items[i].device, lease->device) == 0) {
                        struct finding old = findings->items[i];
                        struct findings gone = { 0 };

                        memmove(&findings->items[i], &findings->items[i + 1],
                                (findings->n_items - i - 1) * sizeof(*findings->items));
                        findings->n_items--;
                        if (findings_add(&gone, old) < 0)
                                return -ENOMEM;
                        findings_free(&gone);
                        break;
                }
        if (!*lease->mtu || !*lease->device)
                return 0;
        return reading_add(reading, VALUE_DECIMAL,
                           &(struct draft){ .source = SOURCE_LEASE,
                                            .match = FINDING_NAME,
                                            .device = lease->device,
                                            .line = lease->line,
                                            .value = lease->mtu });
}

int source_dhclient_leases_read(const struct reading *reading) {
        struct tokens tokens = { .text = reading->text, .size = reading->size, .next_line = 1 };
        size_t first = reading->findings->n_items;
        struct lease lease = { 0 };
        int r = 0;

        while (r == 0 && tokens_next(&tokens))
                if (token_is(&tokens, "lease") || token_is(&tokens, "lease6"))
                        lease = (struct lease){ 0 };
                else if (token_is(&tokens, "}"))
                        r = add_lease(reading, first, &lease);
                else if (token_is(&tokens, "interface") && tokens_next(&tokens))
                        snprintf(lease.device, sizeof(lease.device), "%.63s", tokens.token);
                else if (token_is(&tokens, "interface-mtu") && tokens_next(&tokens)) {
                        snprintf(lease.mtu, sizeof(lease.mtu), "%.31s", tokens.token);
                        lease.line = tokens.line;
                }
        return r;
}

int source_lease_read(const struct reading *reading, const char *device) {
        CLEANUP(cleanup_free) struct lines *lines = malloc(sizeof(*lines));
        int r = 0;

        if (!lines)
                return -ENOMEM;
        lines_open(lines, reading->text, reading->size, false);
        while (r == 0 && lines_next(lines)) {
                const char *value = lines_split(lines->line, '=');

                if (value && strcmp(lines->line, "MTU") == 0)
                        r = reading_add(reading, VALUE_DECIMAL,
                                        &(struct draft){ .source = SOURCE_LEASE,
                                                         .match = FINDING_NAME,
                                                         .device = device,
                                                         .line = lines->number,
                                                         .value = value });
        }
        return r;
}

#define OPTIONS_BEGIN 236 /* after the fixed part */
#define OPTION_PAD 0
#define OPTION_MTU 26
#define OPTION_END 255

int source_lease_read_message(const struct reading *reading, const char *device) {
        static const char cookie[] = "\x63\x82\x53\x63";
        const unsigned char *bytes = (const unsigned char *)reading->text;
        size_t at = OPTIONS_BEGIN + 4;
        char value[8];

        if (reading->size < at || memcmp(bytes + OPTIONS_BEGIN, cookie, 4) != 0) {
                reading_warn(reading, 0, "is no DHCP message; it is not read");
                return 0;
        }
        while (at < reading->size && bytes[at] != OPTION_END) {
                size_t length;

                if (bytes[at] == OPTION_PAD) {
                        at++;
                        continue;
                }
                if (at + 1 >= reading->size || at + 2 + bytes[at + 1] > reading->size)
                        return 0;
                length = bytes[at + 1];
                if (bytes[at] == OPTION_MTU && length == 2) {
                        snprintf(value, sizeof(value), "%u", bytes[at + 2] << 8 | bytes[at + 3]);
                        return reading_add(reading, VALUE_DECIMAL,
                                           &(struct draft){ .source = SOURCE_LEASE,
                                                            .match = FINDING_NAME,
                                                            .device = device,
                                                            .value = value });
                }
                at += 2 + length;
        }
        return 0;
}
