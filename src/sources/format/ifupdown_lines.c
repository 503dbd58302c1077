/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/format/ifupdown_lines.h"

#include <string.h>

#include "base/text.h"

bool ifupdown_is_word(const char *word, const char *text) {
        return word && strcmp(word, text) == 0;
}

const char *ifupdown_option(const struct ifupdown_stanza *stanza, const char *keys) {
        for (size_t i = 0; i < stanza->n_options; i++)
                if (text_is_among(stanza->options[i].key, keys))
                        return stanza->options[i].value;
        return NULL;
}

/* A file that is being read. */
struct reading {
        struct ifupdown *all;
        const struct source_parser *parser;
        unsigned line;
        struct ifupdown_stanza *stanza; /* in which the line is; or NULL */
        const char *mapping;            /* the patterns of the mapping in which it is; or NULL */
};

/* Notes a mistake, at which ifupdown stops: nothing is brought up if it is in the first file, and nothing
 * from its line on if it is in an included one. ifupdown2 goes on. */
static void refuse(const struct reading *reading, const char *what) {
        const struct source_parser *parser = reading->parser;
        struct ifupdown *all = reading->all;
        bool is_first = strcmp(parser->file, all->first_file) == 0;
        const char *rest = is_first ? "nothing" : "no more of the file";

        if (!all->is_whole || all->is_second || all->refused)
                return;
        if (source_mentions_mtu(parser->text, parser->size))
                source_warn(parser, reading->line, "%s: ifupdown reads %s", what, rest);
        all->refused = pool_print(source_pool(parser), "%s in %s:%u, and ifupdown reads %s", what,
                                  parser->file, reading->line, rest);
        if (is_first)
                all->why_nothing = all->refused;
}

static void add_start(const struct reading *reading, struct ifupdown_start start) {
        struct ifupdown *all = reading->all;

        start.refused = all->refused;
        pool_put(source_pool(reading->parser), &all->starts, &all->n_starts, &start, sizeof(start));
}

/* Behind "auto" and "allow-…". A pattern stands behind a slash; another one may end it, and a number there
 * takes one of the devices. */
static void add_starts(const struct reading *reading, char *rest) {
        char *word;

        while ((word = lines_word(&rest))) {
                struct ifupdown_start start = { .stanza = lines_split(word, '='), .device = word };
                char *end;

                if (*word == '/') {
                        end = word + 1 + strcspn(word + 1, "/");
                        if (*end && end[1])
                                start.condition = "the number behind the pattern decides";
                        *end = '\0';
                        start.device = word + 1;
                        start.is_pattern = true;
                }
                add_start(reading, start);
        }
}

/* "map" passes words to the script of the mapping, which answers with one of them. */
static void add_mapped(const struct reading *reading, char *rest) {
        const char *word, *pattern;

        while ((word = lines_word(&rest))) {
                char *patterns = pool_copy(source_pool(reading->parser), reading->mapping);

                while ((pattern = lines_word(&patterns)))
                        add_start(reading,
                                  (struct ifupdown_start){ .device = pattern,
                                                           .stanza = word,
                                                           .condition = "the script of a mapping decides",
                                                           .is_pattern = true });
        }
}

/* Whether ifupdown knows family and method: its inet.defn and inet6.defn. */
static bool has_method(const struct ifupdown_stanza *stanza) {
        if (strcmp(stanza->family, "inet") == 0)
                return text_is_among(stanza->method,
                                     "loopback static manual dhcp bootp tunnel ppp wvdial ipv4ll");
        if (strcmp(stanza->family, "inet6") == 0)
                return text_is_among(stanza->method,
                                     "auto loopback static manual dhcp v4tunnel 6to4 tunnel");
        return text_is_among(stanza->family, "can ipx meta link");
}

/* Finds the stanza from which this one inherits: an earlier one, of its family if it has one, or a template
 * of ifupdown-ng. NULL: none. */
static const struct ifupdown_stanza *find_inherited(const struct ifupdown *all,
                                                    const struct ifupdown_stanza *stanza) {
        for (size_t i = 0; stanza->inherits && i < all->n_stanzas; i++) {
                const struct ifupdown_stanza *other = &all->stanzas[i];

                if (ifupdown_is_word(other->name, stanza->inherits) &&
                    (other->is_template ||
                     (other < stanza && (!*stanza->family || strcmp(other->family, stanza->family) == 0))))
                        return other;
        }
        return NULL;
}

/* Gives it the family and method that it inherits, and notes if it has none. Only ifupdown2 reads one
 * without a family. */
static void complete_stanza(const struct reading *reading, struct ifupdown_stanza *stanza) {
        struct ifupdown *all = reading->all;
        const struct ifupdown_stanza *from = find_inherited(all, stanza);
        const char *lacks = "address family";

        if (from && !*stanza->method)
                stanza->method = from->method;
        if (from && !*stanza->family)
                stanza->family = from->family;
        /* A template may come later. */
        if (stanza->is_template ||
            (stanza->inherits ? from || memmem(reading->parser->text, reading->parser->size, "template ", 9)
                              : has_method(stanza)))
                return;
        if (stanza->inherits)
                lacks = "stanza before it from which it could inherit";
        else if (*stanza->family)
                lacks = "method that ifupdown knows";
        else if (all->may_be_second) {
                all->is_second = true;
                return;
        }
        refuse(reading, pool_print(source_pool(reading->parser), "iface %s has no %s",
                                   TEXT_SHOW(stanza->name), lacks));
}

/* iface NAME [FAMILY METHOD] [inherits NAME]; the same with "template" in front. */
static void add_stanza(struct reading *reading, char *rest, bool is_template) {
        struct ifupdown *all = reading->all;
        const char *words[2] = { "", "" }, *word;
        struct ifupdown_stanza *stanza = pool_add(source_pool(reading->parser), &all->stanzas,
                                                  &all->n_stanzas, sizeof(*stanza));
        size_t n = 0;

        reading->stanza = stanza;
        reading->mapping = NULL;
        if (!stanza)
                return;
        *stanza = (struct ifupdown_stanza){ .parser = *reading->parser,
                                            .name = lines_word(&rest),
                                            .is_template = is_template };
        while ((word = lines_word(&rest)))
                if (ifupdown_is_word(word, "inherits"))
                        stanza->inherits = lines_word(&rest);
                else if (n < 2)
                        words[n++] = word;
        stanza->family = words[0];
        stanza->method = words[1];
        complete_stanza(reading, stanza);
        stanza->refused = all->refused;
}

static bool concerns_us(const char *key) {
        return text_is_among(key,
                             "mtu ovs_mtu ovs_type up pre-up post-up bridge-ports bridge_ports bond-slaves "
                             "bond_slaves bond-ports slaves vlan-raw-device vlan_raw_device ovs_bridge "
                             "ovs_bonds " IFUPDOWN_ADDRESS);
}

/* A line in a stanza. */
static void add_option(const struct reading *reading, const char *key, const char *value) {
        const struct ifupdown_option option = { key, value, reading->line };
        struct ifupdown_stanza *stanza = reading->stanza;

        if (!*value && !strpbrk(key, "%<"))
                refuse(reading, pool_print(source_pool(reading->parser), "%s has no value", TEXT_SHOW(key)));
        if (concerns_us(key))
                pool_put(source_pool(reading->parser), &stanza->options, &stanza->n_options, &option,
                         sizeof(option));
}

/* A line that begins nothing. ifupdown2 passes over it, and over what a template computes. */
static void refuse_word(const struct reading *reading, const char *word) {
        const struct source_parser *parser = reading->parser;

        if (!strchr("%<", *word) && !memmem(parser->text, parser->size, "<%", strlen("<%")))
                refuse(reading, pool_print(source_pool(parser), "%s is in no stanza", TEXT_SHOW(word)));
}

/* A statement that is no stanza, and ends the one before. */
static void read_statement(struct reading *reading, const char *word, char *rest) {
        struct ifupdown *all = reading->all;

        reading->stanza = NULL;
        reading->mapping = ifupdown_is_word(word, "mapping") ? rest : NULL;
        if (ifupdown_is_word(word, "auto") || text_after(word, "allow-"))
                add_starts(reading, rest);
        else if (all->include && text_after(word, "source"))
                all->include(all, reading->parser->file, rest, ifupdown_is_word(word, "source-directory"));
}

static void read_line(struct reading *reading, char *rest) {
        /* Others of ifupdown and its relatives. */
        static const char others[] = "mapping source source-directory no-auto-down rename no-scripts vlan";
        char *word = *rest == '#' ? NULL : lines_word(&rest);
        bool is_template = ifupdown_is_word(word, "template");

        if (!word)
                return;
        rest = lines_trim(rest);
        if ((ifupdown_is_word(word, "iface") || is_template) && *rest)
                add_stanza(reading, rest, is_template);
        else if (ifupdown_is_word(word, "auto") || text_after(word, "allow-") || text_is_among(word, others))
                read_statement(reading, word, rest);
        else if (reading->mapping && ifupdown_is_word(word, "map"))
                add_mapped(reading, rest);
        else if (reading->stanza)
                add_option(reading, word, rest);
        else if (!reading->mapping || !ifupdown_is_word(word, "script"))
                refuse_word(reading, word);
}

void ifupdown_add(struct ifupdown *all, const struct source_parser *parser) {
        struct reading reading = { .all = all, .parser = parser };
        struct lines lines = source_lines(parser, true);
        const char *refused = all->refused;

        all->first_file = all->first_file ? all->first_file : parser->file;
        while (lines_next(&lines)) {
                reading.line = lines.number;
                read_line(&reading, lines.line);
        }
        /* The file that includes this one goes on. */
        all->refused = refused;
}

void ifupdown_end(struct ifupdown *all) {
        for (size_t i = 0; i < all->n_stanzas; i++) {
                struct ifupdown_stanza *stanza = &all->stanzas[i];

                if (all->is_second) {
                        stanza->inherits = NULL;
                        stanza->refused = NULL;
                }
                stanza->from = find_inherited(all, stanza);
                for (size_t j = 0; stanza->inherits && j < all->n_stanzas; j++)
                        all->stanzas[j].is_inherited |= strcmp(all->stanzas[j].name, stanza->inherits) == 0;
                if (all->why_nothing && !all->is_second)
                        stanza->refused = all->why_nothing;
        }
        for (size_t i = 0; i < all->n_starts && all->is_second; i++)
                all->starts[i].refused = NULL;
}
