/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

#include "sources/format/networkmanager_conf.h"
#include "sources/format/readers.h"
#include "sources/shell/exec_command.h"

/* KEY{attribute}OP"value", in place. */
struct token {
        const char *key;
        const char *attribute; /* or "" */
        const char *operation;
        const char *value;
};

/* False at the end, or if the line is not a rule: `ret_is_bad`. */
static bool next_token(char **rest, struct token *ret, bool *ret_is_bad) {
        static const char *const operations[] = { "==", "!=", "+=", "-=", ":=", "=" };
        char *at = *rest, *key, *to;
        bool has_escapes;

        *ret = (struct token){ .attribute = "" };
        at += strspn(at, " \t,");
        if (!*at)
                return false;
        *ret_is_bad = true;
        key = at;
        while (isalnum((unsigned char)*at) || *at == '_')
                at++;
        if (at == key)
                return false;
        ret->key = key;
        if (*at == '{') {
                *at++ = '\0';
                ret->attribute = at;
                at += strcspn(at, "}");
                if (*at != '}')
                        return false;
                *at++ = '\0';
        }
        key = at;
        at += strspn(at, " \t");
        for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]) && !ret->operation; i++)
                if (strncmp(at, operations[i], strlen(operations[i])) == 0)
                        ret->operation = operations[i];
        if (!ret->operation)
                return false;
        at += strlen(ret->operation);
        *key = '\0';
        at += strspn(at, " \t");
        has_escapes = *at == 'e';
        at += has_escapes || *at == 'i' ? 1 : 0;
        if (*at != '"')
                return false;
        ret->value = to = ++at;
        for (; *at && *at != '"'; at++) {
                if (*at == '\\' && (at[1] == '"' || (has_escapes && at[1])))
                        at++;
                *to++ = *at;
        }
        if (*at != '"')
                return false;
        *to = '\0';
        *rest = at + 1;
        *ret_is_bad = false;
        return true;
}

static bool is(const char *a, const char *b) {
        return strcmp(a, b) == 0;
}

/* A rule's devices and MTU. Points into its line. */
struct rule {
        const char *name;    /* KERNEL, ENV{INTERFACE}, or NAME that an earlier rule gives */
        bool is_kernel_name; /* one of the first two */
        const char *mac;
        unsigned n_other;           /* of other conditions on the device itself */
        struct pool_text condition; /* all conditions on the device, to be shown */
        bool is_once;               /* not for "change", an event that repeats */
        bool is_at_end;             /* only when the device goes */
        bool is_later;              /* not for "add", when the device comes */
        bool is_of_other;           /* the device is no network device */
        bool is_passed_over;        /* by a GOTO */
        const char *mtu;
        const char *programs[8];
        size_t n_programs;
        const char *new_name;
        const char *wants;     /* units that it has started */
        const char *unmanaged; /* NM_UNMANAGED, for NetworkManager */
};

/* Whether all network devices pass the match, or it only decides when the rule acts. */
static bool is_general(const struct token *token) {
        return text_is_among(token->key, "SUBSYSTEM TEST") ||
               (is(token->key, "SUBSYSTEMS") && is(token->value, "net")) ||
               (is(token->key, "ATTR") && text_is_among(token->attribute, "type dev_id mtu"));
}

/* Whether a condition on ACTION lets the rule act on one of these actions. */
static bool acts_on(const struct token *token, struct pool *pool, const char *actions) {
        char *rest = pool_copy(pool, actions), *action;
        bool has_any = false;

        while ((action = lines_word(&rest))) {
                char *alternatives = pool_copy(pool, token->value), *word;
                bool is_match = false;

                while ((word = strsep(&alternatives, "|")))
                        is_match |= fnmatch(word, action, 0) == 0;
                has_any |= is_match == is(token->operation, "==");
        }
        return has_any;
}

static void add_condition(struct rule *rule, const struct token *token) {
        struct pool_text *text = &rule->condition;
        bool has_attribute = *token->attribute;

        pool_text_put(text, pool_print(text->pool, "%s%s%s%s%s%s%s", text->size > 0 ? ", " : "", token->key,
                                       has_attribute ? "{" : "", token->attribute, has_attribute ? "}" : "",
                                       token->operation, token->value));
}

static void read_token(const struct source_parser *parser, const struct token *token, struct rule *rule) {
        bool is_equal = is(token->operation, "=="), is_match = is_equal || is(token->operation, "!=");

        /* "change" is what udevadm trigger sends. */
        if (is(token->key, "ACTION") && is_match) {
                rule->is_once |= !acts_on(token, source_pool(parser), "change");
                rule->is_at_end |= !acts_on(token, source_pool(parser), "add bind change move online");
                rule->is_later |= !acts_on(token, source_pool(parser), "add");
                return;
        }
        rule->is_of_other |= is_equal && is(token->key, "SUBSYSTEM") && fnmatch(token->value, "net", 0) != 0;
        if (is_match && !is_general(token))
                add_condition(rule, token);
        if (is_equal && (text_is_among(token->key, "KERNEL NAME") ||
                         (is(token->key, "ENV") && is(token->attribute, "INTERFACE")))) {
                rule->name = token->value;
                rule->is_kernel_name = !is(token->key, "NAME");
        } else if (is_equal && text_is_among(token->key, "ATTR ATTRS") && is(token->attribute, "address"))
                rule->mac = token->value;
        else if (is_match)
                rule->n_other += is_general(token) ? 0 : 1;
        else if (is(token->key, "ATTR") && is(token->attribute, "mtu"))
                rule->mtu = token->value;
        else if (is(token->key, "ENV") && is(token->attribute, "SYSTEMD_WANTS"))
                rule->wants = token->value;
        else if (is(token->key, "ENV") && is(token->attribute, "NM_UNMANAGED"))
                rule->unmanaged = token->value;
        else if (is(token->key, "NAME"))
                rule->new_name = token->value;
        else if (text_is_among(token->key, "RUN PROGRAM") && !is(token->attribute, "builtin") &&
                 rule->n_programs < sizeof(rule->programs) / sizeof(rule->programs[0]))
                rule->programs[rule->n_programs++] = token->value;
}

/* Stands for the device of the rule in a command that it runs. */
#define DEVICE "$name"

/* What stands for it in a rule. */
#define DEVICE_WORDS "%k $kernel $name $env{INTERFACE} %E{INTERFACE}"

/* Adds the source for the devices of the rule. */
static void add_for(const struct source_parser *parser, const struct rule *rule, struct mtu_source source) {
        const char *condition = rule->condition.text;
        char *rest, *name;

        source.is_kernel_name = rule->is_kernel_name && !rule->new_name;
        if (rule->new_name && !strpbrk(rule->new_name, "$%"))
                match_set(&source, MATCH_NAME, rule->new_name);
        else if (rule->n_other > 0 || (rule->mac && rule->name) || (rule->name && strchr(rule->name, '\\')))
                match_set(&source, MATCH_OTHER, condition);
        else if (rule->mac || rule->name) {
                rest = pool_copy(source_pool(parser), rule->mac ? rule->mac : rule->name);
                while ((name = strsep(&rest, "|"))) {
                        if (!rule->mac)
                                match_set_word(&source, name);
                        else if (!match_set_mac(&source, source_pool(parser), name) && match_is_glob(name))
                                match_set(&source, MATCH_MAC, name);
                        source_add(parser, VALUE_C, &source);
                }
                return;
        } else
                match_set(&source, MATCH_ANY, NULL);
        source_add(parser, VALUE_C, &source);
}

/* The one device that the rule is for, whatever else holds; or DEVICE. */
static const char *device_of(const struct rule *rule) {
        const char *name = rule->new_name ? rule->new_name : rule->name;

        return name && rule->n_other == 0 && !rule->mac && !strpbrk(name, "$%*?[|\\") ? name : DEVICE;
}

/* Programs without a folder are udev's own: udev(7). */
static void look_in_folder(struct source_parser *parser, struct shell_word *program) {
        const char *path = pool_print(source_pool(parser), "/usr/lib/udev/%s", program->text), *text;
        size_t size;

        if (source_read_file(parser, path, &text, &size))
                program->text = path;
        else if (!parser->inactive)
                parser->inactive =
                                pool_print(source_pool(parser), "udev looks for %s in /usr/lib/udev alone",
                                           TEXT_SHOW(program->text));
}

/* A command may set the MTU of the rule's device, or of another one if the rule's conditions hold. */
static void read_program(const struct source_parser *parser, const struct rule *rule,
                         const struct mtu_source *source, const char *program) {
        struct pool *pool = source_pool(parser);
        /* /sys%p is the folder of the event's device. */
        const char *in_class =
                        rule->is_of_other ? program
                                          : lines_replace(pool,
                                                          lines_replace(pool, program, "%S $sys", "/sys"),
                                                          "/%p /$devpath /$env{DEVPATH} %p $devpath "
                                                          "$env{DEVPATH}",
                                                          "/class/net/" DEVICE);
        char *rest = lines_replace(pool, in_class, DEVICE_WORDS, device_of(rule)), *word;
        struct shell_command command = { 0 };
        struct mtu_sources *sources = parser->sources;
        struct source_parser own = *parser;
        struct mtu_source *found;
        size_t n_found;

        while ((word = lines_quoted_word(&rest, NULL)))
                shell_command_add(source_pool(parser), &command,
                                  (struct shell_word){ word, strchr(word, '$') });
        own.first = sources->n_items;
        if (command.n_words > 0 && !strchr("/$", *command.words[0].text))
                look_in_folder(&own, &command.words[0]);
        if (command.n_words > 0)
                (void)exec_command_read(&own, *source, &command, NULL);
        /* What the program does is taken back, and added as the rule has it done. */
        n_found = sources->n_items - own.first;
        sources->n_items = own.first;
        found = pool_take(&sources->pool, n_found * sizeof(*found));
        if (found && n_found > 0)
                memcpy(found, sources->items + own.first, n_found * sizeof(*found));
        for (size_t i = 0; i < n_found && found; i++) {
                struct mtu_source *item = &found[i];

                if (item->device && strcmp(item->device, DEVICE_UNKNOWN DEVICE) == 0)
                        add_for(parser, rule, *item);
                else {
                        if (rule->n_other > 0)
                                item->condition = "only where the other conditions of the rule hold";
                        source_add(parser, VALUE_C, item);
                }
        }
}

/* NetworkManager's patterns are not those of udev, but for "*" and "?". */
static void read_unmanaged(const struct source_parser *parser, const struct rule *rule, unsigned line) {
        struct pool *pool = source_pool(parser);
        char *rest = pool_copy(pool, rule->mac ? rule->mac : rule->name ? rule->name : "*"), *word;

        if (rule->n_other > 0 || (rule->mac && rule->name))
                return;
        while ((word = strsep(&rest, "|")))
                if (!strpbrk(word, "[\\;,"))
                        nm_set_unmanaged(parser,
                                         pool_print(pool, "%s:%s", rule->mac ? "mac" : "interface-name",
                                                    word),
                                         rule->unmanaged, line);
}

/* A GOTO whose label is still to come: rules before that act where its match does not hold. */
struct jump {
        const char *label;
        struct token opposite; /* without a key: one of several matches does not hold */
        bool is_always;        /* there is no match, or each network device passes it */
};

/* At a time, and in a file. */
#define JUMPS_MAX 16u
#define JUMPS_SEEN_MAX 64u

struct jumps {
        struct jump items[JUMPS_MAX];
        size_t n_items;
        size_t n_seen; /* in the file */
        bool are_lost; /* there were more; nothing is known of any */
};

/* A longer value is not shown in each condition. */
#define OPPOSITE_SIZE_MAX 64u

/* Whether a rule that is still to come has the label. udev ignores a GOTO without one: rule_resolve_goto()
 * in systemd's udev-rules.c. */
static bool has_label(const struct source_parser *parser, const struct lines *lines, const char *label) {
        const char *written = pool_print(source_pool(parser), "LABEL=\"%s\"", label),
                   *at = lines->text + lines->position, *end = lines->text + lines->size, *line;

        while ((at = memmem(at, (size_t)(end - at), written, strlen(written)))) {
                for (line = at; line > lines->text + lines->position && line[-1] != '\n';)
                        line--;
                if (line[strspn(line, " \t")] != '#')
                        return true;
                at = memchr(at, '\n', (size_t)(end - at));
                if (!at)
                        break;
        }
        return false;
}

/* At a label, what was noted behind a GOTO to it is not known to hold: the rules are come to from there. */
static void end_jumps(struct jumps *jumps, const char *label) {
        for (size_t i = 0; i < jumps->n_items; i++)
                if (is(jumps->items[i].label, label))
                        jumps->n_items = i;
}

/* Reads a rule for its LABEL and its GOTO. */
static void follow_jumps(const struct source_parser *parser, const struct lines *lines,
                         struct jumps *jumps) {
        struct jump jump = { .is_always = true };
        const char *label = NULL;
        size_t n_matches = 0;
        bool is_bad = false;
        struct token token;
        char *line;

        if (*lines->line == '#' || !(strstr(lines->line, "GOTO") || strstr(lines->line, "LABEL")))
                return;
        line = pool_copy(source_pool(parser), lines->line);
        while (next_token(&line, &token, &is_bad)) {
                bool is_equal = is(token.operation, "==");

                if (is_equal || is(token.operation, "!=")) {
                        n_matches++;
                        jump.opposite = token;
                        jump.opposite.operation = is_equal ? "!=" : "==";
                        jump.is_always = is_equal && is(token.key, "SUBSYSTEM") && is(token.value, "net");
                } else if (text_is_among(token.key, "PROGRAM IMPORT"))
                        n_matches += 2; /* whether they succeed */
                else if (is(token.key, "GOTO") && !jump.label)
                        jump.label = token.value;
                else if (is(token.key, "LABEL"))
                        label = token.value;
        }
        if (is_bad)
                return;
        if (label)
                end_jumps(jumps, label);
        if (!jump.label || jumps->are_lost)
                return;
        jumps->are_lost = jumps->n_items == JUMPS_MAX || jumps->n_seen++ == JUMPS_SEEN_MAX;
        if (jumps->are_lost)
                jumps->n_items = 0;
        if (jumps->are_lost || !has_label(parser, lines, jump.label))
                return;
        if (n_matches > 1 || strlen(jump.opposite.value ? jump.opposite.value : "") > OPPOSITE_SIZE_MAX)
                jump = (struct jump){ .label = jump.label };
        jumps->items[jumps->n_items++] = jump;
}

/* Which of the devices that the rule means, a jump by KERNEL has passed over. */
static void read_passed_over(struct pool *pool, const struct token *token, struct rule *rule,
                             bool *ret_some) {
        char *names = pool_copy(pool, rule->name), *name;
        bool are_all = true;

        while ((name = strsep(&names, "|"))) {
                char *others = pool_copy(pool, token->value), *other;
                bool is_out = false;

                while ((other = strsep(&others, "|"))) {
                        is_out |= fnmatch(other, name, 0) == 0;
                        *ret_some |= is_out || fnmatch(name, other, 0) == 0;
                }
                are_all &= is_out;
        }
        rule->is_passed_over |= are_all;
        *ret_some &= !are_all;
}

/* Adds what the jumps before the rule leave to it. Its own matches say more of the device, and that it is
 * not another one tells none. */
static void read_jumps(const struct source_parser *parser, const struct jumps *jumps, struct rule *rule) {
        for (size_t i = 0; i < jumps->n_items; i++) {
                const struct token *token = &jumps->items[i].opposite;
                bool is_some = false;

                rule->is_passed_over |= jumps->items[i].is_always;
                if (!token->key)
                        continue;
                if (is(token->key, "KERNEL") && is(token->operation, "!=") && rule->is_kernel_name)
                        read_passed_over(source_pool(parser), token, rule, &is_some);
                if (is(token->key, "ACTION") || is_some ||
                    (is(token->operation, "==") && !rule->name && !rule->mac && !rule->new_name))
                        read_token(parser, token, rule);
        }
}

static void read_rule(const struct source_parser *parser, char *line, unsigned number,
                      const struct jumps *jumps) {
        struct mtu_source source = { .kind = SOURCE_UDEV_RULE, .line = number };
        struct rule rule = { .condition.pool = source_pool(parser) };
        bool is_bad = false, is_ours = strstr(line, "mtu") != NULL;
        struct token token;

        while (next_token(&line, &token, &is_bad))
                read_token(parser, &token, &rule);
        if (is_bad) {
                if (is_ours)
                        source_warn(parser, number, "is not a rule that udev accepts; left out");
                return;
        }
        read_jumps(parser, jumps, &rule);
        /* With a GOTO, it is not known in each case which rules are skipped. */
        source.repeats = !rule.is_once && !memmem(parser->text, parser->size, "GOTO", strlen("GOTO"));
        source.condition = rule.is_later ? "the rule acts on a change of the device, and not when it appears"
                                         : NULL;
        source.inactive = rule.is_passed_over ? "a GOTO before it passes it over"
                          : rule.is_at_end    ? "it acts when the device is removed"
                                              : NULL;
        if (rule.mtu) {
                struct mtu_source written = source;

                written.value = rule.mtu;
                written.is_early = true;
                if (strpbrk(rule.mtu, "$%"))
                        written.unclear = "only the acting rule knows it";
                add_for(parser, &rule, written);
        }
        for (size_t i = 0; i < rule.n_programs; i++)
                read_program(parser, &rule, &source, rule.programs[i]);
        if (rule.unmanaged && !source.inactive)
                read_unmanaged(parser, &rule, number);
}

void source_udev_rule_read(const struct source_parser *parser) {
        struct lines lines = source_lines(parser, true);
        struct jumps jumps = { .n_items = 0 };

        while (lines_next(&lines)) {
                follow_jumps(parser, &lines, &jumps);
                if (*lines.line && *lines.line != '#' &&
                    (strcasestr(lines.line, "mtu") || strstr(lines.line, "RUN") ||
                     strstr(lines.line, "PROGRAM") || strstr(lines.line, "NM_UNMANAGED")))
                        read_rule(parser, lines.line, lines.number, &jumps);
        }
}

void source_udev_wants(const struct source_parser *parser, struct pool_list *units) {
        struct lines lines = source_lines(parser, true);
        struct pool *pool = source_pool(parser);
        struct jumps jumps = { .n_items = 0 };

        while (lines_next(&lines)) {
                struct rule rule = { .condition.pool = pool };
                char *line = lines.line, *names, *name;
                bool is_bad = false;
                struct token token;

                follow_jumps(parser, &lines, &jumps);
                if (*line == '#' || !(strstr(line, "SYSTEMD_WANTS") || strstr(line, "systemctl")))
                        continue;
                while (next_token(&line, &token, &is_bad))
                        read_token(parser, &token, &rule);
                if (is_bad)
                        continue;
                read_jumps(parser, &jumps, &rule);
                if (rule.is_at_end || rule.is_passed_over)
                        continue;
                names = pool_copy(pool, rule.new_name ? rule.new_name : rule.name ? rule.name : "*");
                while ((name = strsep(&names, "|"))) {
                        char *rest = lines_replace(pool, rule.wants ? rule.wants : "", DEVICE_WORDS, name),
                             *unit;

                        while ((unit = lines_word(&rest)))
                                (void)pool_list_add(pool, units, unit);
                        for (size_t i = 0; i < rule.n_programs; i++)
                                source_systemctl_starts(
                                                pool,
                                                lines_replace(pool, rule.programs[i], DEVICE_WORDS, name),
                                                units);
                }
        }
}
