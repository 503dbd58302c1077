/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <fnmatch.h>
#include <string.h>

#include "base/text.h"
#include "sources/format/readers.h"
#include "sources/shell/script.h"

/* No stanza inherits from so many, and no port is so far below what is brought up. */
#define DEPTH_MAX 8u

/* A line of a stanza that concerns the MTU, or which devices are brought up. */
struct ifupdown_option {
        const char *key;
        const char *value;
        unsigned line;
};

struct ifupdown_stanza {
        struct source_parser parser; /* of its file */
        unsigned line;
        const char *name;
        const char *family;
        const char *method;
        unsigned round; /* in which it is brought up: 1 by its own line, later ones by what is above it; 0:
                           not */
        const char *inherits; /* the stanza whose lines it has as well; or NULL, as ifupdown2 has it */
        bool is_template;
        bool is_read, is_read_for_own; /* for any device, for that of the same name */
        struct ifupdown_option *options;
        size_t n_options;
};

/* Behind `auto` or `allow-…`: DEVICE, a pattern, or DEVICE=STANZA; and behind `map` in a mapping. */
struct ifupdown_start {
        const char *device;
        const char *stanza; /* NULL: that of the device */
        bool is_mapped;     /* a script decides */
};

static bool is_word(const char *word, const char *text) {
        return word && strcmp(word, text) == 0;
}

/* Whether the word begins another statement, not an option of the stanza. */
static bool begins_other(const char *word) {
        static const char words[] = "source source-directory no-auto-down rename no-scripts vlan";

        return text_is_among(word, words);
}

static void add_starts(struct ifupdown *all, struct pool *pool, char *rest) {
        struct ifupdown_start *start;
        char *word;

        while ((word = lines_word(&rest))) {
                /* A pattern stands behind a slash; another one may end it. */
                if (word[0] == '/') {
                        word++;
                        word[strcspn(word, "/")] = '\0';
                }
                start = pool_add(pool, &all->starts, &all->n_starts, sizeof(*start));
                if (start)
                        *start = (struct ifupdown_start){ .stanza = lines_split(word, '='), .device = word };
        }
}

/* "map" passes words to the script of the mapping, which answers with one of them. */
static void add_mapped(struct ifupdown *all, struct pool *pool, const char *pattern, char *rest) {
        struct ifupdown_start *start;
        const char *word;

        while ((word = lines_word(&rest))) {
                start = pool_add(pool, &all->starts, &all->n_starts, sizeof(*start));
                if (start)
                        *start = (struct ifupdown_start){ pattern, word, true };
        }
}

/* iface NAME [FAMILY METHOD] [inherits NAME]; the same with "template" in front. */
static struct ifupdown_stanza begin_stanza(const struct source_parser *parser, unsigned line, char *rest,
                                           bool is_template) {
        struct ifupdown_stanza stanza = { .parser = *parser,
                                          .line = line,
                                          .name = lines_word(&rest),
                                          .family = "",
                                          .method = "",
                                          .is_template = is_template };
        const char *words[2] = { "", "" }, *word;
        size_t n = 0;

        while ((word = lines_word(&rest)))
                if (is_word(word, "inherits"))
                        stanza.inherits = lines_word(&rest);
                else if (n < 2)
                        words[n++] = word;
        stanza.family = words[0];
        stanza.method = words[1];
        return stanza;
}

static bool concerns_us(const char *key) {
        return text_is_among(key,
                             "mtu ovs_mtu ovs_type up pre-up post-up bridge-ports bridge_ports bond-slaves "
                             "bond_slaves bond-ports slaves vlan-raw-device vlan_raw_device ovs_bridge "
                             "ovs_bonds address");
}

/* The first mistake for which ifupdown stops reading: nothing is brought up if it is in the first file, and
 * nothing from its line on if it is in an included one. */
static void refuse(struct ifupdown *all, const struct source_parser *parser, unsigned line,
                   const char *what) {
        bool is_first = strcmp(parser->file, all->first_file) == 0;

        if (!all->is_whole || (all->refused_file && (!is_first || all->refused_line == 0)))
                return;
        if (source_mentions_mtu(parser->text, parser->size))
                source_warn(parser, line, "%s: ifupdown reads %s", what,
                            is_first ? "nothing" : "no more of the file");
        all->refused_file = parser->file;
        all->refused_line = is_first ? 0 : line;
        all->why_refused = pool_print(source_pool(parser), "%s in %s:%u, and ifupdown reads %s", what,
                                      parser->file, line, is_first ? "nothing" : "no more of that file");
}

/* A word that begins nothing. ifupdown2 passes over it, and over what a template computes. */
static void refuse_for_word(struct ifupdown *all, const struct source_parser *parser, const char *word,
                            unsigned line) {
        if (all->is_second || strchr("%<", *word) || memmem(parser->text, parser->size, "<%", strlen("<%")))
                return;
        refuse(all, parser, line, pool_print(source_pool(parser), "%s is in no stanza", TEXT_SHOW(word)));
}

void ifupdown_add(struct ifupdown *all, const struct source_parser *parser) {
        struct lines lines = source_lines(parser, true);
        struct pool *pool = source_pool(parser);
        struct ifupdown_stanza *stanza = NULL;
        const char *mapping = NULL;

        all->first_file = all->first_file ? all->first_file : parser->file;
        while (lines_next(&lines)) {
                char *rest = lines.line, *word = *rest == '#' ? NULL : lines_word(&rest);
                bool is_template = is_word(word, "template");
                struct ifupdown_option *option;

                if (!word)
                        continue;
                rest = lines_trim(rest);
                if ((is_word(word, "iface") || is_template) && *rest) {
                        stanza = pool_add(pool, &all->stanzas, &all->n_stanzas, sizeof(*stanza));
                        if (!stanza)
                                return;
                        *stanza = begin_stanza(parser, lines.number, rest, is_template);
                        if (all->is_second)
                                stanza->inherits = NULL;
                        mapping = NULL;
                } else if (is_word(word, "auto") || text_after(word, "allow-")) {
                        add_starts(all, pool, rest);
                        stanza = NULL;
                } else if (is_word(word, "mapping") || begins_other(word)) {
                        mapping = is_word(word, "mapping") ? rest : NULL;
                        stanza = NULL;
                        if (all->include && text_after(word, "source"))
                                all->include(all, rest, is_word(word, "source-directory"));
                } else if (mapping && is_word(word, "map"))
                        add_mapped(all, pool, mapping, rest);
                else if (stanza && concerns_us(word)) {
                        option = pool_add(pool, &stanza->options, &stanza->n_options, sizeof(*option));
                        if (option)
                                *option = (struct ifupdown_option){ word, rest, lines.number };
                } else if (!stanza && !mapping)
                        refuse_for_word(all, parser, word, lines.number);
        }
}

/* What brings a stanza up ------------------------------------------------------------------------------- */

/* Whether ports, the device of a VLAN, or the bridge of a port of Open vSwitch include the device. */
static bool is_below(const struct ifupdown_stanza *upper, const char *device) {
        size_t length = strlen(device);

        if (strncmp(upper->name, device, length) == 0 && upper->name[length] == '.')
                return true;
        for (size_t i = 0; i < upper->n_options; i++) {
                const struct ifupdown_option *option = &upper->options[i];

                if (!text_is_among(option->key,
                                   "mtu ovs_mtu ovs_type ovs_bonds up pre-up post-up address") &&
                    text_is_among(device, option->value))
                        return true;
        }
        return false;
}

/* Whether it brings up the stanza of that name, for the device of the same name. */
static bool starts(const struct ifupdown *all, const struct ifupdown_start *start, const char *name) {
        return (all->is_second && strcmp(start->device, "all") == 0) ||
               (!start->stanza && fnmatch(start->device, name, 0) == 0);
}

static bool is_started(const struct ifupdown *all, const char *name) {
        for (size_t i = 0; i < all->n_starts; i++)
                if (starts(all, &all->starts[i], name) || is_word(all->starts[i].stanza, name))
                        return true;
        return false;
}

/* Marks the stanzas that are brought up. ifupdown2 brings up what is below a device as well:
 * run_iface_graph() in its scheduler.py. */
static void bring_up(struct ifupdown *all) {
        bool more = true;

        for (size_t i = 0; i < all->n_stanzas; i++)
                all->stanzas[i].round = is_started(all, all->stanzas[i].name) ? 1 : 0;
        for (unsigned round = 1; all->is_second && more && round < DEPTH_MAX; round++) {
                more = false;
                for (size_t i = 0; i < all->n_stanzas; i++)
                        for (size_t j = 0; all->stanzas[i].round == round && j < all->n_stanzas; j++)
                                if (all->stanzas[j].round == 0 &&
                                    is_below(&all->stanzas[i], all->stanzas[j].name)) {
                                        all->stanzas[j].round = round + 1;
                                        more = true;
                                }
        }
}

/* Whether other stanzas inherit from this one, which nothing brings up by itself. */
static bool is_template(const struct ifupdown *all, const struct ifupdown_stanza *stanza) {
        for (size_t i = 0; i < all->n_stanzas; i++)
                if (is_word(all->stanzas[i].inherits, stanza->name) && stanza->round == 0)
                        return true;
        return stanza->is_template;
}

/* The stanza from which this one inherits: an earlier one, of its family if it has one, or a template of
 * ifupdown-ng. NULL: none. */
static const struct ifupdown_stanza *find_inherited(const struct ifupdown *all,
                                                    const struct ifupdown_stanza *stanza) {
        for (size_t i = 0; stanza->inherits && i < all->n_stanzas; i++) {
                const struct ifupdown_stanza *other = &all->stanzas[i];

                if (is_word(other->name, stanza->inherits) &&
                    (other->is_template ||
                     (other < stanza && (!*stanza->family || strcmp(other->family, stanza->family) == 0))))
                        return other;
        }
        return NULL;
}

/* Gives each stanza the family and method that it inherits. */
static void inherit(struct ifupdown *all) {
        for (size_t i = 0; i < all->n_stanzas; i++) {
                struct ifupdown_stanza *stanza = &all->stanzas[i];
                const struct ifupdown_stanza *from = find_inherited(all, stanza);

                if (from && !*stanza->method)
                        stanza->method = from->method;
                if (from && !*stanza->family)
                        stanza->family = from->family;
        }
}

/* What a stanza sets ------------------------------------------------------------------------------------ */

/* Whether ifupdown runs a command for the line (its inet.defn and inet6.defn). Otherwise the line only sets
 * $IF_MTU for hooks. */
static bool takes_mtu(const struct ifupdown_stanza *stanza) {
        if (strcmp(stanza->family, "inet6") == 0)
                return text_is_among(stanza->method, "static manual v4tunnel 6to4");
        return !text_is_among(stanza->method, "dhcp loopback");
}

/* The stanza that is being read, with the device that has it. */
struct subject {
        const struct ifupdown *all;
        const struct ifupdown_stanza *stanza;
        const char *device; /* in eth0:1, only eth0 is the device */
        const char *condition, *inactive;
};

/* Whether the device has a larger MTU: by an earlier line, or because it is no tunnel. */
static bool has_larger(const struct subject *subject, const struct source_parser *parser,
                       const char *value) {
        uint32_t mtu = source_value_read(value, VALUE_C, &(const char *){ NULL }),
                 before = text_is_among(subject->stanza->method, "static manual") ? 1500 : 0;

        for (size_t i = parser->first; i < parser->sources->n_items; i++) {
                const struct mtu_source *source = &parser->sources->items[i];

                if (source->kind == SOURCE_IFUPDOWN && source->match == MATCH_NAME &&
                    strcmp(source->device, subject->device) == 0 && !source->inactive)
                        before = source->mtu;
        }
        return before > mtu;
}

/* The first value of these options. NULL: it has none of them. */
static const char *option_of(const struct ifupdown_stanza *stanza, const char *keys) {
        for (size_t i = 0; i < stanza->n_options; i++)
                if (text_is_among(stanza->options[i].key, keys))
                        return stanza->options[i].value;
        return NULL;
}

/* The device below a VLAN, in `DEVICE.ID` or in a line of its own. NULL: it is none. */
static const char *lower_of(const struct ifupdown_stanza *stanza) {
        const char *raw = option_of(stanza, "vlan-raw-device vlan_raw_device"),
                   *dot = strrchr(stanza->name, '.');

        return raw || !dot ? raw
                           : pool_copy_part(source_pool(&stanza->parser), stanza->name,
                                            (size_t)(dot - stanza->name));
}

/* Whether another line than mtu may give its device one. */
static bool may_be_raised(const struct ifupdown *all, const struct ifupdown_stanza *stanza) {
        for (size_t i = 0; i < stanza->n_options; i++) {
                const struct ifupdown_option *option = &stanza->options[i];

                if (is_word(option->key, "ovs_type") ||
                    (text_is_among(option->key, "up pre-up post-up") &&
                     (all->is_second || strcasestr(option->value, "mtu"))))
                        return true;
        }
        return false;
}

/* Why the device below a VLAN does not allow the MTU, unless another program or a command may have raised
 * that one; NULL: it may. Without an MTU, a device other than a VLAN has 1500. */
static const char *why_above_lower(const struct subject *subject, const char *value) {
        const char *lower = lower_of(subject->stanza), *lower_mtu = "1500", *unclear;
        bool is_found = false;

        for (size_t i = 0; i < subject->all->n_stanzas && lower; i++) {
                const struct ifupdown_stanza *other = &subject->all->stanzas[i];
                const char *mtu = option_of(other, "mtu");

                if (strcmp(other->name, lower) != 0)
                        continue;
                if (may_be_raised(subject->all, other) || (!mtu && (lower_of(other) || other->inherits)))
                        return NULL;
                is_found = true;
                lower_mtu = mtu ? mtu : lower_mtu;
        }
        if (!is_found ||
            source_value_read(value, VALUE_C, &unclear) <= source_value_read(lower_mtu, VALUE_C, &unclear))
                return NULL;
        return pool_print(source_pool(&subject->stanza->parser),
                          "a VLAN's MTU is not above that of the lower device, and %s gives %s %s",
                          subject->all->is_second ? "ifupdown2" : "ifupdown", lower, lower_mtu);
}

/* Why ifupdown2 does not give the device this MTU; NULL: it does. A bond gives its ports its own. That of a
 * VLAN has to fit into the device below: _check_mtu_config() in its addons/address.py. */
static const char *why_second_not(const struct subject *subject, const char *value) {
        for (size_t i = 0; i < subject->all->n_stanzas; i++) {
                const struct ifupdown_stanza *other = &subject->all->stanzas[i];
                const char *ports = option_of(other, "bond-slaves bond_slaves bond-ports slaves"),
                           *mtu = option_of(other, "mtu");

                if (ports && text_is_among(subject->device, ports) && other->round > 0 &&
                    strcmp(mtu ? mtu : "1500", value) != 0)
                        return "ifupdown2 gives the bond another MTU, and the bond its ports";
        }
        return why_above_lower(subject, value);
}

static void read_mtu(const struct subject *subject, const struct source_parser *parser,
                     const struct ifupdown_option *option) {
        const struct ifupdown_stanza *stanza = subject->stanza;
        struct mtu_source source = { .kind = SOURCE_IFUPDOWN,
                                     .line = option->line,
                                     .value = option->value,
                                     .unclear = match_is_template(option->value)
                                                                ? "only the template knows it"
                                                                : NULL,
                                     .condition = subject->condition,
                                     .inactive = subject->inactive };
        bool is_mtu = strcmp(option->key, "mtu") == 0, has_ovs_type = option_of(stanza, "ovs_type");
        bool is_ours = is_mtu && !subject->all->is_second;
        bool is_inet6 = strcmp(stanza->family, "inet6") == 0;
        size_t size = strcspn(option->value, " \t");
        bool has_comment = is_ours && option->value[size + strspn(option->value + size, " \t")] == '#';

        if (has_comment) /* which the shell drops that ifupdown runs, and "up" with it */
                source.value = pool_copy_part(source_pool(parser), option->value, size);
        match_set_word(&source, subject->device);
        /* if-pre-up.d/openvswitch, and process_mtu() in ifupdown2's addons/address.py */
        if (!source.inactive && !is_mtu && !has_ovs_type)
                source.inactive = "Open vSwitch's script reads it beside ovs_type only";
        else if (!source.inactive && is_mtu && !is_ours)
                source.inactive = has_ovs_type ? "ifupdown2 reads ovs_mtu beside ovs_type, and not mtu"
                                               : why_second_not(subject, option->value);
        if (is_ours && !takes_mtu(stanza))
                source.inactive = pool_print(source_pool(parser),
                                             "ifupdown takes no mtu with %s %s; ifupdown2 does",
                                             TEXT_SHOW(stanza->family), TEXT_SHOW(stanza->method));
        else if (has_comment && is_inet6 && !source.inactive)
                source.inactive = "the shell refuses ifupdown's command for inet6 because of the comment";
        /* An inet6 MTU raises a smaller MTU of the device; below a larger one, it applies to IPv6 alone. */
        if (is_ours && is_inet6 && !source.inactive && has_larger(subject, parser, option->value))
                source.inactive = "an inet6 stanza does not lower the MTU of the device";
        source_add(parser, VALUE_C, &source);
}

/* The sources from `first` on act when the subject's device is brought up. */
static void set_by(const struct subject *subject, struct mtu_sources *sources, size_t first) {
        for (; first < sources->n_items; first++)
                if (sources->items[first].device &&
                    strcmp(sources->items[first].device, subject->device) != 0)
                        sources->items[first].by = subject->device;
}

/* ovs_mtu of an OVSBond is for its ports: _addport() in ifupdown2's addons/openvswitch_port.py. */
static void read_any_mtu(const struct subject *subject, const struct source_parser *parser,
                         const struct ifupdown_option *option) {
        const char *type = option_of(subject->stanza, "ovs_type"), *ports = NULL;
        size_t first = parser->sources->n_items;
        struct subject port = *subject;
        char *rest;

        if (is_word(option->key, "ovs_mtu") && is_word(type, "OVSBond"))
                ports = option_of(subject->stanza, "ovs_bonds");
        if (!ports) {
                read_mtu(subject, parser, option);
                return;
        }
        rest = pool_copy(source_pool(parser), ports);
        while ((port.device = lines_word(&rest)))
                read_mtu(&port, parser, option);
        set_by(subject, parser->sources, first);
}

static void read_command(const struct subject *subject, const struct source_parser *parser,
                         const struct ifupdown_option *option) {
        struct shell_variable items[] = { { .name = "IFACE", .value = subject->device },
                                          { .name = "LOGICAL", .value = subject->stanza->name } };
        const struct shell_variables variables = { items, 2 };
        bool is_one = !match_is_glob(subject->device) && !match_is_template(subject->device);
        size_t first = parser->sources->n_items;

        script_read(parser,
                    (struct mtu_source){ .kind = SOURCE_IFUPDOWN,
                                         .line = option->line,
                                         .condition = subject->condition,
                                         .inactive = subject->inactive },
                    option->value, strlen(option->value), is_one ? &variables : NULL);
        set_by(subject, parser->sources, first);
}

/* Reads the lines of a stanza behind those that it inherits, in the order in which they act. Of two MTUs the
 * first one counts: get_attr_value_first() in ifupdown2's iface.py. */
static void read_stanza(const struct subject *subject) {
        static const char *const phases[] = { "pre-up", "mtu", "ovs_mtu", "up post-up", "" },
                                 *const second[] = { "pre-up", "mtu", "ovs_mtu", "up", "post-up" };
        const struct ifupdown_stanza *lineage[DEPTH_MAX], *from = subject->stanza;
        struct subject own = *subject;
        size_t n = 0;

        for (; from && n < DEPTH_MAX; from = find_inherited(subject->all, from))
                lineage[n++] = from;
        for (size_t phase = 0; phase < sizeof(phases) / sizeof(phases[0]); phase++) {
                const char *keys = (subject->all->is_second ? second : phases)[phase];

                own.inactive = subject->inactive;
                for (size_t i = n; i > 0; i--)
                        for (size_t j = 0; j < lineage[i - 1]->n_options; j++) {
                                const struct ifupdown_option *option = &lineage[i - 1]->options[j];

                                if (!text_is_among(option->key, keys))
                                        continue;
                                if (!text_ends_in(option->key, "mtu")) {
                                        read_command(&own, &lineage[i - 1]->parser, option);
                                        continue;
                                }
                                /* What the kernel refuses ends ifup. */
                                if (!own.condition && !own.inactive && takes_mtu(subject->stanza) &&
                                    !subject->all->is_second)
                                        own.condition = why_above_lower(subject, option->value);
                                read_any_mtu(&own, &lineage[i - 1]->parser, option);
                                if (!own.inactive)
                                        own.inactive = "of a stanza's MTUs, the first one counts";
                        }
        }
}

/* Whether ifupdown brings up the stanza, or misses the address: its inet.defn and inet6.defn. */
static bool has_what_is_required(const struct ifupdown *all, const struct ifupdown_stanza *stanza) {
        if (strcmp(stanza->method, "static") != 0)
                return true;
        for (unsigned depth = 0; stanza && depth < DEPTH_MAX; depth++) {
                if (option_of(stanza, "address"))
                        return true;
                stanza = find_inherited(all, stanza);
        }
        return false;
}

/* Whether ifupdown knows family and method: its inet.defn and inet6.defn. */
static bool has_method(const struct ifupdown_stanza *stanza) {
        if (strcmp(stanza->family, "inet") == 0)
                return text_is_among(stanza->method,
                                     "loopback static manual dhcp bootp tunnel ppp wvdial ipv4ll");
        if (strcmp(stanza->family, "inet6") == 0)
                return text_is_among(stanza->method,
                                     "auto loopback static manual dhcp v4tunnel 6to4 tunnel");
        return *stanza->family;
}

/* A stanza without a family, which ifupdown2 alone reads, or with another method. */
static void refuse_for_stanzas(struct ifupdown *all) {
        for (size_t i = 0; i < all->n_stanzas; i++) {
                const struct ifupdown_stanza *stanza = &all->stanzas[i];

                if (stanza->inherits ? find_inherited(all, stanza) != NULL
                                     : stanza->is_template || has_method(stanza))
                        continue;
                refuse(all, &stanza->parser, stanza->line,
                       pool_print(source_pool(&stanza->parser), "iface %s has no %s",
                                  TEXT_SHOW(stanza->name),
                                  stanza->inherits  ? "stanza before it from which it could inherit"
                                  : *stanza->family ? "method that ifupdown knows"
                                                    : "address family"));
        }
}

void ifupdown_tell_second(struct ifupdown *all) {
        for (size_t i = 0; i < all->n_stanzas; i++)
                all->is_second |= !all->stanzas[i].inherits && !all->stanzas[i].is_template &&
                                  !*all->stanzas[i].family;
        for (size_t i = 0; i < all->n_stanzas && all->is_second; i++)
                all->stanzas[i].inherits = NULL;
}

/* Why it does not act; NULL: it does. */
static const char *why_idle(const struct ifupdown *all, const struct ifupdown_stanza *stanza) {
        bool is_refused = is_word(all->refused_file, all->first_file) ||
                          (is_word(all->refused_file, stanza->parser.file) &&
                           stanza->line >= all->refused_line);

        if (!all->is_second && is_refused)
                return all->why_refused;
        if (all->is_whole && stanza->round == 0 && !match_is_glob(stanza->name))
                return pool_print(source_pool(&stanza->parser),
                                  "nothing brings up %s, which has no auto or allow- line", stanza->name);
        /* It ends there, and brings up none of the device's later stanzas. */
        for (const struct ifupdown_stanza *other = all->stanzas; !all->is_second && other <= stanza; other++)
                if (strcmp(other->name, stanza->name) == 0 && !has_what_is_required(all, other))
                        return "ifupdown does not bring up a static stanza without an address";
        return NULL;
}

static void read_for(const struct ifupdown *all, const struct ifupdown_stanza *stanza, const char *device,
                     bool is_mapped) {
        struct mtu_sources *sources = stanza->parser.sources;
        const struct subject subject = {
                .all = all,
                .stanza = stanza,
                .device = pool_copy_part(&sources->pool, device, strcspn(device, ":")),
                .condition = is_mapped ? "the script of a mapping decides" : NULL,
                .inactive = why_idle(all, stanza),
        };

        if (is_word(stanza->family, "inet") && is_word(stanza->method, "dhcp") && !subject.inactive &&
            !match_is_glob(subject.device))
                (void)pool_add_once(&sources->pool, &sources->dhcp_devices, &sources->n_dhcp_devices,
                                    subject.device);
        read_stanza(&subject);
}

/* Reads the stanzas that the line brings up and no line before it has. */
static void read_started(struct ifupdown *all, size_t index) {
        const struct ifupdown_start *start = &all->starts[index];
        bool is_first = start->stanza != NULL;

        for (size_t i = 0; i < index && is_first; i++)
                is_first = !is_word(all->starts[i].stanza, start->stanza) ||
                           strcmp(all->starts[i].device, start->device) != 0;
        for (size_t i = 0; i < all->n_stanzas; i++) {
                struct ifupdown_stanza *stanza = &all->stanzas[i];
                bool is_own = starts(all, start, stanza->name);

                if (is_template(all, stanza))
                        continue;
                if (is_own && !stanza->is_read_for_own)
                        read_for(all, stanza, stanza->name, false);
                else if (is_first && strcmp(start->stanza, stanza->name) == 0)
                        read_for(all, stanza, start->device, start->is_mapped);
                stanza->is_read_for_own |= is_own;
                stanza->is_read |= is_own || is_word(start->stanza, stanza->name);
        }
}

void ifupdown_read(struct ifupdown *all) {
        inherit(all);
        if (!all->is_second)
                refuse_for_stanzas(all);
        bring_up(all);
        /* ifupdown2 begins with the devices below others. */
        for (size_t i = 0; i < all->n_starts && !all->is_second; i++)
                read_started(all, i);
        for (size_t i = 0; i < all->n_stanzas; i++)
                if (!all->stanzas[i].is_read && !is_template(all, &all->stanzas[i]))
                        read_for(all, &all->stanzas[i], all->stanzas[i].name, false);
}

void ifupdown_own_devices(const struct ifupdown *all, struct mtu_sources *sources, const char *why) {
        for (size_t i = 0; i < sources->n_items && why; i++) {
                struct mtu_source *source = &sources->items[i];

                if (source->kind != SOURCE_NETWORKMANAGER || source->match != MATCH_NAME || source->inactive)
                        continue;
                for (size_t j = 0; j < all->n_stanzas; j++)
                        if (strcmp(all->stanzas[j].name, source->device) == 0)
                                source->inactive = why;
        }
        for (size_t i = 0; i < all->n_stanzas && why; i++)
                (void)pool_add_once(&sources->pool, &sources->nm_left_devices, &sources->n_nm_left_devices,
                                    all->stanzas[i].name);
}

void source_ifupdown_read(const struct source_parser *parser) {
        struct ifupdown all = { 0 };

        ifupdown_add(&all, parser);
        ifupdown_tell_second(&all);
        ifupdown_read(&all);
}
