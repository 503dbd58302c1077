/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <fnmatch.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "sources/format/mtu_command.h"
#include "sources/format/readers.h"

/* The current iface stanza. */
struct stanza {
        const char *device; /* NULL: none is open */
        const char *family;
        const char *method;
};

static bool is_word(const char *word, const char *text) {
        return word && strcmp(word, text) == 0;
}

/* Whether ifupdown runs a command for the line (its inet.defn and inet6.defn). Otherwise the line only sets
 * $IF_MTU for hooks. */
static bool takes_mtu(const struct stanza *stanza) {
        if (strcmp(stanza->family, "inet6") == 0)
                return text_is_among(stanza->method, "static manual v4tunnel 6to4");
        return !text_is_among(stanza->method, "dhcp loopback");
}

/* Whether an earlier line gives the device a larger MTU. */
static bool has_larger(const struct source_parser *parser, const char *device, const char *value) {
        uint32_t mtu = source_value_read(value, VALUE_C, &(const char *){ NULL });

        for (size_t i = parser->first; i < parser->sources->n_items; i++) {
                const struct mtu_source *source = &parser->sources->items[i];

                if (source->kind == SOURCE_IFUPDOWN && source->match == MATCH_NAME &&
                    strcmp(source->device, device) == 0 && !source->inactive && source->mtu > mtu)
                        return true;
        }
        return false;
}

static void read_mtu(const struct source_parser *parser, const struct stanza *stanza, unsigned line,
                     const char *value, bool is_ifupdown2) {
        struct mtu_source source = {
                .kind = SOURCE_IFUPDOWN,
                .match = match_is_glob(stanza->device) ? MATCH_GLOB : MATCH_NAME,
                .device = pool_copy_part(source_pool(parser), stanza->device, strcspn(stanza->device, ":")),
                .line = line,
                .value = value,
        };

        if (!is_ifupdown2 && !takes_mtu(stanza)) {
                source.inactive = true;
                source_warn(parser, line,
                            "ifupdown takes no mtu with %s %s: the line does nothing (ifupdown2 takes it)",
                            TEXT_SHOW(stanza->family), TEXT_SHOW(stanza->method));
        }
        /* An inet6 MTU raises a smaller MTU of the device; below a larger one, it applies to IPv6 alone. */
        if (strcmp(stanza->family, "inet6") == 0 && !is_ifupdown2)
                source.inactive |= has_larger(parser, source.device, value);
        source_add(parser, VALUE_C, &source);
}

static void read_command(const struct source_parser *parser, const struct stanza *stanza, unsigned line,
                         const char *command) {
        struct shell_variable items[] = { { .name = "IFACE", .value = stanza->device },
                                          { .name = "LOGICAL", .value = stanza->device } };
        const struct shell_variables variables = { items, 2 };

        mtu_command_read_script(parser, (struct mtu_source){ .kind = SOURCE_IFUPDOWN, .line = line },
                                command, strlen(command), match_is_glob(stanza->device) ? NULL : &variables);
}

/* Whether the word begins another statement, not an option of the stanza. */
static bool begins_other(const char *word) {
        static const char words[] =
                        "auto mapping source source-directory no-auto-down rename no-scripts template vlan";

        return text_is_among(word, words) || text_after(word, "allow-");
}

static void read_interfaces(const struct source_parser *parser, bool is_ifupdown2) {
        struct lines lines = source_lines(parser, true);
        struct stanza stanza = { 0 };

        while (lines_next(&lines)) {
                char *rest = lines.line, *word = *rest == '#' ? NULL : lines_word(&rest);

                if (!word)
                        continue;
                rest = lines_trim(rest);
                if (is_word(word, "iface")) {
                        const char *device = lines_word(&rest), *family = lines_word(&rest),
                                   *method = lines_word(&rest);

                        stanza = (struct stanza){ device, family ? family : "", method ? method : "" };
                } else if (begins_other(word))
                        stanza.device = NULL;
                else if (stanza.device && is_word(word, "mtu"))
                        read_mtu(parser, &stanza, lines.number, rest, is_ifupdown2);
                else if (stanza.device && text_is_among(word, "up pre-up post-up"))
                        read_command(parser, &stanza, lines.number, rest);
        }
}

void source_ifupdown_read(const struct source_parser *parser) {
        read_interfaces(parser, false);
}

void source_ifupdown2_interfaces_read(const struct source_parser *parser) {
        read_interfaces(parser, true);
}

/* A name, a pattern, or a pattern between slashes. With any other slash, no device matches. */
static bool matches(char *word, const char *device) {
        size_t length = strlen(word);

        if (length > 2 && word[0] == '/' && word[length - 1] == '/') {
                word[length - 1] = '\0';
                word++;
        }
        return fnmatch(word, device, 0) == 0;
}

bool source_ifupdown_brings_up(const char *text, size_t size, const char *device) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        struct lines lines = lines_open(&pool, text, size, true);

        while (lines_next(&lines)) {
                char *rest = lines.line, *word = lines_word(&rest);

                if (!word || (!is_word(word, "auto") && !text_after(word, "allow-")))
                        continue;
                while ((word = lines_word(&rest)))
                        if (matches(word, device))
                                return true;
        }
        return pool.failed;
}

const char *source_ifupdown_included(struct lines *lines, bool *ret_is_folder) {
        while (lines_next(lines)) {
                char *rest = lines->line, *word = lines_word(&rest);

                *ret_is_folder = is_word(word, "source-directory");
                if (*ret_is_folder || is_word(word, "source"))
                        return lines_trim(rest);
        }
        return NULL;
}
