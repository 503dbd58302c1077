/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <fnmatch.h>
#include <string.h>

#include "base/text.h"
#include "sources/format/ifupdown_lines.h"
#include "sources/shell/script.h"

/* No stanza inherits from so many, and no port is so far below what is brought up. */
#define DEPTH_MAX 8u

/* Lines of stanzas that are read once more for another device; no real machine has so many. */
#define REPEATED_MAX 20000u

#define NO_ADDRESS "ifupdown does not bring up a static stanza without an address"
#define SECOND_MTU "ifupdown ends at a second mtu of a stanza"
#define COMMENT "ifupdown's command for the address fails because of a comment behind a value"

/* What brings a stanza up ------------------------------------------------------------------------------- */

/* Whether ports, the device of a VLAN, or the bridge of a port of Open vSwitch include the device. */
static bool is_below(const struct ifupdown_stanza *upper, const char *device) {
        size_t length = strlen(device);

        if (strncmp(upper->name, device, length) == 0 && upper->name[length] == '.')
                return true;
        for (size_t i = 0; i < upper->n_options; i++) {
                const struct ifupdown_option *option = &upper->options[i];

                if (!text_is_among(option->key,
                                   "mtu ovs_mtu ovs_type ovs_bonds up pre-up post-up " IFUPDOWN_ADDRESS) &&
                    text_is_among(device, option->value))
                        return true;
        }
        return false;
}

/* Whether the device of that name is `name`.ID. */
static bool is_below_id(const char *device, const char *name) {
        size_t length = strlen(name);

        return strncmp(device, name, length) == 0 && device[length] == '.' && !strchr(name, '.');
}

/* The device below `DEVICE.ID`, which ifupdown brings up before. NULL: none. */
static const char *parent_of(struct pool *pool, const char *device) {
        const char *dot = strchr(device, '.');

        return dot ? pool_copy_part(pool, device, (size_t)(dot - device)) : NULL;
}

/* Whether it brings up the stanza of that name, for the device of the same name. */
static bool starts(const struct ifupdown *all, const struct ifupdown_start *start, const char *name) {
        if (start->refused || start->stanza)
                return false;
        if (all->is_second)
                return strcmp(start->device, "all") == 0 || fnmatch(start->device, name, 0) == 0;
        return start->is_pattern ? fnmatch(start->device, name, 0) == 0 : strcmp(start->device, name) == 0;
}

/* Whether it brings up the stanza for another device. */
static bool starts_for(const struct ifupdown *all, const struct ifupdown_start *start, const char *name) {
        return !all->is_second && !start->refused && ifupdown_is_word(start->stanza, name);
}

/* Marks the stanzas that are brought up: run_iface_graph() in ifupdown2's scheduler.py, and do_interface()
 * in ifupdown's main.c. */
static void bring_up(struct ifupdown *all) {
        bool more = true;

        for (size_t i = 0; i < all->n_stanzas; i++)
                for (size_t j = 0; j < all->n_starts && all->stanzas[i].round == 0; j++) {
                        const struct ifupdown_start *start = &all->starts[j];
                        const char *name = all->stanzas[i].name;

                        all->stanzas[i].round = starts(all, start, name) || starts_for(all, start, name) ||
                                                (!all->is_second && start->stanza && !start->refused &&
                                                 is_below_id(start->device, name));
                }
        for (unsigned round = 1; more && round < DEPTH_MAX; round++) {
                more = false;
                for (size_t i = 0; i < all->n_stanzas; i++)
                        for (size_t j = 0; all->stanzas[i].round == round && j < all->n_stanzas; j++) {
                                const struct ifupdown_stanza *upper = &all->stanzas[i];
                                struct ifupdown_stanza *lower = &all->stanzas[j];

                                if (lower->round == 0 &&
                                    (all->is_second ? is_below(upper, lower->name)
                                                    : is_below_id(upper->name, lower->name))) {
                                        lower->round = round + 1;
                                        more = true;
                                }
                        }
        }
}

/* Whether the stanza is there for those that inherit from it. */
static bool is_template(const struct ifupdown_stanza *stanza) {
        return stanza->is_template || (stanza->is_inherited && stanza->round == 0);
}

/* What a stanza sets ------------------------------------------------------------------------------------ */

/* Whether ifupdown runs a command for the line (its inet.defn and inet6.defn). Otherwise the line only sets
 * $IF_MTU for hooks. */
static bool takes_mtu(const struct ifupdown_stanza *stanza) {
        if (strcmp(stanza->family, "inet6") == 0)
                return text_is_among(stanza->method, "static manual v4tunnel 6to4");
        return !text_is_among(stanza->method, "dhcp loopback ppp bootp wvdial ipv4ll");
}

/* How many MTUs it has, with those that it inherits. */
static size_t n_mtus_of(const struct ifupdown_stanza *stanza) {
        size_t n = 0;

        for (unsigned depth = 0; stanza && depth < DEPTH_MAX; depth++, stanza = stanza->from)
                for (size_t i = 0; i < stanza->n_options; i++)
                        n += ifupdown_is_word(stanza->options[i].key, "mtu");
        return n;
}

/* Whether the shell takes the rest of ifupdown's command for a comment. What is behind the length of a
 * prefix does not get there: compute_v4_addr() and compute_v4_mask() in ifupdown's archcommon.c. */
static bool cuts_command(const char *value) {
        const char *end = strpbrk(value + strcspn(value, " \t/"), "#/");

        return end && *end == '#';
}

/* Why ifupdown fails to bring up the stanza; NULL: it does not. At a second MTU, it has set the first one.
 */
static const char *why_failing(const struct ifupdown_stanza *stanza) {
        bool is_static = strcmp(stanza->method, "static") == 0, has_address = false, is_cut = false,
             is_strict = takes_mtu(stanza) && strcmp(stanza->family, "inet6") != 0;
        size_t n_mtus = n_mtus_of(stanza);

        for (unsigned depth = 0; stanza && depth < DEPTH_MAX; depth++, stanza = stanza->from)
                for (size_t i = 0; i < stanza->n_options; i++) {
                        const struct ifupdown_option *option = &stanza->options[i];

                        has_address |= strcmp(option->key, "address") == 0;
                        is_cut |= text_is_among(option->key, IFUPDOWN_ADDRESS) &&
                                  cuts_command(option->value);
                }
        if (is_static && !has_address)
                return NO_ADDRESS;
        if (is_static && is_strict && is_cut)
                return COMMENT;
        return is_strict && n_mtus > 1 ? SECOND_MTU : NULL;
}

/* The first stanza of the device that fails, behind which no other one of it is brought up; NULL: none. */
static const struct ifupdown_stanza *find_failed(const struct ifupdown *all, const char *device) {
        for (size_t i = 0; all->has_failed && i < all->n_stanzas; i++) {
                const struct ifupdown_stanza *stanza = &all->stanzas[i];

                if (stanza->failing && (stanza->round > 0 || !all->is_whole) &&
                    strcmp(stanza->name, device) == 0)
                        return stanza;
        }
        return NULL;
}

/* The stanza that is being read, with the device that has it. */
struct subject {
        struct ifupdown *all;
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
        return mtu > 0 && before > mtu;
}

/* The device below a VLAN, in `DEVICE.ID` or in a line of its own. NULL: it is none. */
static const char *lower_of(const struct ifupdown_stanza *stanza) {
        const char *raw = ifupdown_option(stanza, "vlan-raw-device vlan_raw_device"),
                   *dot = strrchr(stanza->name, '.');

        return raw || !dot ? raw
                           : pool_copy_part(source_pool(&stanza->parser), stanza->name,
                                            (size_t)(dot - stanza->name));
}

/* Why ifupdown2 does not give the device this MTU; NULL: it does. A device without an MTU, other than a
 * VLAN, has the 1500 of addons/address.py. A bond gives its ports its own. That of a VLAN has to fit into
 * the device below, unless a command may have raised that one: _check_mtu_config() there. */
static const char *why_second_not(const struct subject *subject, const char *value) {
        const char *lower = lower_of(subject->stanza), *lower_mtu = "1500", *unclear;
        bool is_found = false;

        for (size_t i = 0; i < subject->all->n_stanzas; i++) {
                const struct ifupdown_stanza *other = &subject->all->stanzas[i];
                const char *ports = ifupdown_option(other, "bond-slaves bond_slaves bond-ports slaves"),
                           *mtu = ifupdown_option(other, "mtu");

                if (other < subject->stanza && strcmp(other->name, subject->stanza->name) == 0 && mtu)
                        return "of several MTUs of a device, the first one counts";
                if (ports && text_is_among(subject->device, ports) && other->round > 0 &&
                    strcmp(mtu ? mtu : "1500", value) != 0)
                        return "ifupdown2 gives the bond another MTU, and the bond its ports";
                if (!ifupdown_is_word(lower, other->name))
                        continue;
                is_found = true;
                lower_mtu = mtu ? mtu : lower_mtu;
                if (ifupdown_option(other, "up pre-up post-up ovs_type") || (!mtu && lower_of(other)))
                        lower = NULL; /* its MTU is not known */
        }
        if (!lower || !is_found ||
            source_value_read(value, VALUE_C, &unclear) <= source_value_read(lower_mtu, VALUE_C, &unclear))
                return NULL;
        return pool_print(source_pool(&subject->stanza->parser),
                          "a VLAN's MTU is not above that of the lower device, and ifupdown2 gives %s %s",
                          lower, lower_mtu);
}

/* Why ifupdown gives the device not this MTU; NULL: it does. An inet6 MTU raises a smaller MTU of the
 * device; below a larger one, it applies to IPv6 alone. */
static const char *why_not(const struct subject *subject, const struct source_parser *parser,
                           const char *value, bool has_comment) {
        const struct ifupdown_stanza *stanza = subject->stanza;

        if (!takes_mtu(stanza))
                return pool_print(source_pool(parser), "ifupdown takes no mtu with %s %s; ifupdown2 does",
                                  TEXT_SHOW(stanza->family), TEXT_SHOW(stanza->method));
        if (strcmp(stanza->family, "inet6") != 0)
                return NULL;
        if (has_comment)
                return "the shell refuses ifupdown's command for inet6 because of the comment";
        if (n_mtus_of(stanza) > 1)
                return "the shell refuses ifupdown's command for inet6 because of a second mtu";
        return has_larger(subject, parser, value) ? "an inet6 stanza does not lower the MTU of the device"
                                                  : NULL;
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
        bool is_mtu = strcmp(option->key, "mtu") == 0, has_ovs_type = ifupdown_option(stanza, "ovs_type");
        bool is_ours = is_mtu && !subject->all->is_second;
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
        else if (!source.inactive && is_ours)
                source.inactive = why_not(subject, parser, option->value, has_comment);
        source_add(parser, VALUE_C, &source);
}

/* The sources from `first` on act when the subject's device is brought up. */
static void set_by(const struct subject *subject, struct mtu_sources *sources, size_t first) {
        for (; first < sources->n_items; first++)
                if (sources->items[first].device &&
                    strcmp(sources->items[first].device, subject->device) != 0)
                        sources->items[first].by = subject->device;
}

/* The ports of a bridge to which Debian's bridge-utils gives the bridge's mtu in its script for ifupdown,
 * as that of Debian 12 does. NULL: it gives it to none, or to those that match something. */
static const char *bridge_ports_of(const struct subject *subject, const struct source_parser *parser) {
        static const char *const scripts[] = { "/etc/network/if-pre-up.d/bridge",
                                               "/usr/lib/bridge-utils/ifupdown.sh" };
        const char *ports = ifupdown_option(subject->stanza, "bridge_ports bridge-ports"), *text;
        char *rest = pool_copy(source_pool(parser), ports ? ports : "all"), *word;
        size_t size;

        while ((word = lines_word(&rest)))
                if (text_is_among(word, "none all regex noregex"))
                        return NULL;
        for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++)
                if (source_read_file(parser, scripts[i], &text, &size) &&
                    memmem(text, size, "IF_MTU", strlen("IF_MTU")))
                        return ports;
        return NULL;
}

/* ovs_mtu of an OVSBond is for its ports: _addport() in ifupdown2's addons/openvswitch_port.py. */
static void read_any_mtu(const struct subject *subject, const struct source_parser *parser,
                         const struct ifupdown_option *option) {
        const char *type = ifupdown_option(subject->stanza, "ovs_type"), *ports = NULL;
        size_t first = parser->sources->n_items;
        struct subject port = *subject;
        char *rest;

        if (ifupdown_is_word(option->key, "ovs_mtu") && ifupdown_is_word(type, "OVSBond"))
                ports = ifupdown_option(subject->stanza, "ovs_bonds");
        else if (ifupdown_is_word(option->key, "mtu") && !subject->all->is_second)
                ports = bridge_ports_of(subject, parser);
        if (!ports || !ifupdown_is_word(type, "OVSBond"))
                read_mtu(subject, parser, option);
        rest = pool_copy(source_pool(parser), ports ? ports : "");
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
        struct mtu_source source = { .kind = SOURCE_IFUPDOWN, .line = option->line };
        size_t first = parser->sources->n_items;

        source.condition = subject->condition;
        source.inactive = subject->inactive;
        script_read(parser, source, option->value, strlen(option->value), is_one ? &variables : NULL);
        set_by(subject, parser->sources, first);
}

/* Reads the lines of the stanza with these keys, behind those that it inherits. Of two MTUs the first one
 * counts: get_attr_value_first() in ifupdown2's iface.py. */
static void read_phase(struct subject *subject, const char *keys) {
        const struct ifupdown_stanza *lineage[DEPTH_MAX], *from = subject->stanza;
        const char *inactive = subject->inactive;
        size_t n = 0;

        for (; from && n < DEPTH_MAX; from = from->from)
                lineage[n++] = from;
        for (size_t i = n; i > 0; i--)
                for (size_t j = 0; j < lineage[i - 1]->n_options; j++) {
                        const struct ifupdown_option *option = &lineage[i - 1]->options[j];
                        bool is_mtu = text_ends_in(option->key, "mtu");

                        if (!text_is_among(option->key, keys))
                                continue;
                        (is_mtu ? read_any_mtu : read_command)(subject, &lineage[i - 1]->parser, option);
                        if (is_mtu && !subject->inactive)
                                subject->inactive = "of several MTUs in a stanza, the first one counts";
                }
        subject->inactive = inactive;
}

/* Notes that the MTU of a VLAN's stanza, and what comes behind it there, depends on the device below. */
static void note_limit(const struct subject *subject, size_t first, size_t behind) {
        const struct source_parser *parser = &subject->stanza->parser;
        const struct mtu_sources *sources = parser->sources;
        const char *lower = lower_of(subject->stanza);
        struct ifupdown_limit limit = { lower, 0, first, sources->n_items };

        if (!lower || first == behind || sources->items[first].inactive)
                return;
        limit.mtu = sources->items[first].mtu;
        pool_put(source_pool(parser), &subject->all->limits, &subject->all->n_limits, &limit, sizeof(limit));
}

/* In the order in which the lines act: the calls of ifupdown's execute.c, with Open vSwitch's script behind
 * the commands of pre-up; and addons.conf of ifupdown2. */
static void read_stanza(struct subject *subject) {
        const struct mtu_sources *sources = subject->stanza->parser.sources;
        const char *failing = subject->stanza->failing;
        size_t first, behind;

        if (subject->all->is_second)
                read_phase(subject, "ovs_mtu");
        read_phase(subject, "pre-up");
        if (!subject->all->is_second)
                read_phase(subject, "ovs_mtu");
        first = sources->n_items;
        if (!subject->inactive && failing && strcmp(failing, SECOND_MTU) != 0)
                subject->inactive = failing;
        read_phase(subject, "mtu");
        behind = sources->n_items;
        if (!subject->inactive)
                subject->inactive = failing;
        if (subject->all->is_second) {
                read_phase(subject, "up");
                read_phase(subject, "post-up");
                return;
        }
        read_phase(subject, "up post-up");
        note_limit(subject, first, behind);
}

/* Why the stanza does not act for the device; NULL: it does. */
static const char *why_idle(const struct ifupdown *all, const struct ifupdown_stanza *stanza,
                            const char *device) {
        struct pool *pool = source_pool(&stanza->parser);
        const struct ifupdown_stanza *failed = find_failed(all, stanza->name);
        const char *parent = all->is_second ? NULL : parent_of(pool, device);

        if (stanza->refused)
                return stanza->refused;
        if (all->is_whole && stanza->round == 0 && !match_is_glob(stanza->name))
                return pool_print(pool, "nothing brings up %s, which has no auto or allow- line",
                                  stanza->name);
        if (failed && (failed < stanza || (failed == stanza && strcmp(failed->failing, NO_ADDRESS) == 0)))
                return failed->failing;
        failed = parent ? find_failed(all, parent) : NULL;
        return failed ? pool_print(pool, "ifupdown brings up %s first, and fails: %s", parent,
                                   failed->failing)
                      : NULL;
}

static void read_for(struct ifupdown *all, const struct ifupdown_stanza *stanza, const char *device,
                     const char *condition) {
        struct mtu_sources *sources = stanza->parser.sources;
        struct subject subject = {
                .all = all,
                .stanza = stanza,
                .device = pool_copy_part(&sources->pool, device, strcspn(device, ":")),
                .condition = condition,
                .inactive = why_idle(all, stanza, device),
        };

        if (ifupdown_is_word(stanza->family, "inet") && ifupdown_is_word(stanza->method, "dhcp") &&
            !subject.inactive && !match_is_glob(subject.device))
                (void)pool_list_add(&sources->pool, &sources->dhcp_devices, subject.device);
        read_stanza(&subject);
}

/* Reads the stanzas of that name for the device of the same name, behind those of the device below it. Of
 * NULL, there are none. */
static void read_own(struct ifupdown *all, const char *name, const char *condition) {
        for (size_t i = 0; name && i < all->n_stanzas; i++) {
                struct ifupdown_stanza *stanza = &all->stanzas[i];

                if (stanza->is_read_for_own || strcmp(stanza->name, name) != 0)
                        continue;
                stanza->is_read_for_own = true;
                stanza->is_read = true;
                read_own(all, parent_of(source_pool(&stanza->parser), name), NULL);
                if (!is_template(stanza))
                        read_for(all, stanza, name, condition);
        }
}

/* Reads the stanza for a device of another name, up to a limit. */
static void read_for_other(struct ifupdown *all, struct ifupdown_stanza *stanza,
                           const struct ifupdown_start *start) {
        size_t n_before = all->n_repeated;

        stanza->is_read = true;
        if (is_template(stanza) || n_before > REPEATED_MAX)
                return;
        for (const struct ifupdown_stanza *from = stanza; from; from = from->from)
                all->n_repeated += from->n_options + 1;
        if (all->n_repeated > REPEATED_MAX) {
                source_fail(&stanza->parser, 0, "brings up its stanzas for many other devices" SOURCE_CUT);
                return;
        }
        read_own(all, parent_of(source_pool(&stanza->parser), start->device), NULL);
        read_for(all, stanza, start->device, start->condition);
}

/* Reads the stanzas that the line brings up and no line before it has. */
static void read_started(struct ifupdown *all, size_t index) {
        const struct ifupdown_start *start = &all->starts[index];

        for (size_t i = 0; i < index; i++)
                if (start->stanza && ifupdown_is_word(all->starts[i].stanza, start->stanza) &&
                    strcmp(all->starts[i].device, start->device) == 0)
                        return;
        for (size_t i = 0; i < all->n_stanzas; i++) {
                struct ifupdown_stanza *stanza = &all->stanzas[i];

                if (starts_for(all, start, stanza->name))
                        read_for_other(all, stanza, start);
                else if (!stanza->is_read_for_own && starts(all, start, stanza->name))
                        read_own(all, stanza->name, start->condition);
        }
}

/* Whether the device below has, or may have, so large an MTU. Without one, a device has 1500, but for a
 * bridge, which follows its ports. */
static bool may_have(const struct ifupdown *all, const struct mtu_sources *sources,
                     const struct ifupdown_limit *limit) {
        bool is_brought_up = false;

        for (size_t i = 0; i < all->n_stanzas; i++) {
                const struct ifupdown_stanza *stanza = &all->stanzas[i];

                if (strcmp(stanza->name, limit->lower) != 0)
                        continue;
                if (ifupdown_option(stanza, "bridge-ports bridge_ports"))
                        return true;
                is_brought_up |= stanza->round > 0 || !all->is_whole;
        }
        for (size_t i = 0; i < sources->n_items; i++) {
                const struct mtu_source *source = &sources->items[i];

                if (!source->inactive && (source->mtu >= limit->mtu || source->mtu == 0) &&
                    (i < limit->first || i >= limit->end) &&
                    (source->match != MATCH_NAME || strcmp(source->device, limit->lower) == 0))
                        return true;
        }
        return limit->mtu <= 1500 || !is_brought_up || pool_list_has(&sources->dhcp_devices, limit->lower);
}

/* A VLAN has no MTU above that of the device below: the kernel refuses it, and ifupdown ends there. */
static void limit_vlans(const struct ifupdown *all) {
        for (size_t i = 0; i < all->n_limits; i++) {
                const struct ifupdown_limit *limit = &all->limits[i];
                struct mtu_sources *sources = all->stanzas->parser.sources;
                const char *condition;

                if (may_have(all, sources, limit))
                        continue;
                condition = pool_print(&sources->pool,
                                       "a VLAN has no MTU above that of the device below it, and ifupdown "
                                       "does not give %s as much",
                                       limit->lower);
                for (size_t j = limit->first; j < limit->end; j++)
                        if (!sources->items[j].condition && !sources->items[j].inactive)
                                sources->items[j].condition = condition;
        }
}

void ifupdown_read(struct ifupdown *all) {
        ifupdown_end(all);
        bring_up(all);
        for (size_t i = 0; i < all->n_stanzas && !all->is_second; i++) {
                all->stanzas[i].failing = why_failing(&all->stanzas[i]);
                all->has_failed |= all->stanzas[i].failing != NULL;
        }
        /* ifupdown2 begins with the devices below others. */
        for (size_t i = 0; i < all->n_starts && !all->is_second; i++)
                read_started(all, i);
        for (size_t i = 0; i < all->n_stanzas; i++)
                if (!all->stanzas[i].is_read && !is_template(&all->stanzas[i]))
                        read_for(all, &all->stanzas[i], all->stanzas[i].name, NULL);
        limit_vlans(all);
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
                (void)pool_list_add(&sources->pool, &sources->nm_left_devices, all->stanzas[i].name);
}

void source_ifupdown_read(const struct source_parser *parser) {
        struct ifupdown all = { .may_be_second = true };

        ifupdown_add(&all, parser);
        ifupdown_read(&all);
}
