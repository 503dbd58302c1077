/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/udev_rule.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "sources/lines.h"
#include "sources/match.h"
#include "sources/mtu_command.h"

/* KEY{attribute}OP"value", in place. */
struct token {
        const char *key;
        const char *attribute; /* or "" */
        const char *operation;
        const char *value;
};

/* False at the end, or where the line is none: `ret_is_bad`. */
static bool next_token(char **rest, struct token *ret, bool *ret_is_bad) {
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
        if (strncmp(at, "==", 2) == 0)
                ret->operation = "==";
        else if (strncmp(at, "!=", 2) == 0)
                ret->operation = "!=";
        else if (strncmp(at, "+=", 2) == 0)
                ret->operation = "+=";
        else if (strncmp(at, "-=", 2) == 0)
                ret->operation = "-=";
        else if (strncmp(at, ":=", 2) == 0)
                ret->operation = ":=";
        else if (*at == '=')
                ret->operation = "=";
        else
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

/* What a rule says: the devices that it is for, and the MTU. Points into its line. */
struct rule {
        const char *name; /* KERNEL, ENV{INTERFACE}, or NAME that the rule gives */
        const char *mac;
        unsigned n_other; /* of other conditions on the device itself */
        const char *mtu;
        const char *programs[8];
        size_t n_programs;
        const char *new_name;
};

/* Matches that all network devices pass, or that say when and not which. */
static bool is_general(const struct token *token) {
        return is(token->key, "ACTION") || is(token->key, "SUBSYSTEM") || is(token->key, "SUBSYSTEMS") ||
               (is(token->key, "ATTR") && (is(token->attribute, "type") || is(token->attribute, "dev_id") ||
                                           is(token->attribute, "mtu"))) ||
               is(token->key, "TEST");
}

static void read_token(const struct token *token, struct rule *rule) {
        bool is_match = is(token->operation, "==") || is(token->operation, "!=");

        if (is_match && is(token->operation, "==") &&
            (is(token->key, "KERNEL") || is(token->key, "NAME") ||
             (is(token->key, "ENV") && is(token->attribute, "INTERFACE"))))
                rule->name = token->value;
        else if (is_match && is(token->operation, "==") &&
                 (is(token->key, "ATTR") || is(token->key, "ATTRS")) && is(token->attribute, "address"))
                rule->mac = token->value;
        else if (is_match)
                rule->n_other += is_general(token) ? 0 : 1;
        else if (is(token->key, "ATTR") && is(token->attribute, "mtu"))
                rule->mtu = token->value;
        else if (is(token->key, "NAME"))
                rule->new_name = token->value;
        else if ((is(token->key, "RUN") || is(token->key, "PROGRAM")) && !is(token->attribute, "builtin") &&
                 rule->n_programs < sizeof(rule->programs) / sizeof(rule->programs[0]))
                rule->programs[rule->n_programs++] = token->value;
}

/* Puts the name in for %k, $kernel, $name and $env{INTERFACE}. The caller frees. */
static char *expand(const char *command, const char *name) {
        static const char *const words[] = { "%k", "$kernel", "$name", "$env{INTERFACE}", "%E{INTERFACE}" };
        char *text = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&text, &size);

        if (!stream)
                return NULL;
        while (*command) {
                const char *word = NULL;

                for (size_t i = 0; i < sizeof(words) / sizeof(words[0]) && !word; i++)
                        if (strncmp(command, words[i], strlen(words[i])) == 0)
                                word = words[i];
                if (word)
                        fputs(name, stream);
                else
                        putc(*command, stream);
                command += word ? strlen(word) : 1;
        }
        if (fclose(stream) != 0) {
                free(text);
                return NULL;
        }
        return text;
}

/* The condition as a text of `line`, in which each token was cut at its ends. */
static int add_for(const struct reading *reading, const struct rule *rule, struct draft *draft,
                   const char *condition) {
        char mac[MATCH_MAC_SIZE];
        CLEANUP(cleanup_free) char *names = NULL;
        char *rest, *name;

        if (rule->new_name && !strpbrk(rule->new_name, "$%")) {
                draft->match = FINDING_NAME;
                draft->device = rule->new_name;
                return reading_add(reading, VALUE_C, draft);
        }
        if (rule->n_other == 0 && rule->mac && !rule->name && match_read_mac(rule->mac, mac)) {
                draft->match = FINDING_MAC;
                draft->device = mac;
                return reading_add(reading, VALUE_C, draft);
        }
        if (rule->n_other == 0 && !rule->mac && !rule->name)
                return reading_add(reading, VALUE_C, draft);
        if (rule->n_other > 0 || rule->mac || strchr(rule->name, '\\')) {
                draft->match = FINDING_OTHER;
                draft->device = condition;
                return reading_add(reading, VALUE_C, draft);
        }
        rest = names = strdup(rule->name);
        if (!names)
                return -ENOMEM;
        while ((name = strsep(&rest, "|"))) {
                int r;

                draft->match = is(name, "*")         ? FINDING_ANY
                               : match_is_glob(name) ? FINDING_GLOB
                                                     : FINDING_NAME;
                draft->device = draft->match == FINDING_ANY ? NULL : name;
                r = reading_add(reading, VALUE_C, draft);
                if (r < 0)
                        return r;
        }
        return 0;
}

static int read_rule(const struct reading *reading, char *line, unsigned number) {
        const struct mtu_command_context context = { .source = SOURCE_UDEV_RULE };
        CLEANUP(cleanup_free) char *condition = strdup(line);
        struct rule rule = { 0 };
        struct token token;
        bool is_bad = false;
        int r = 0;

        if (!condition)
                return -ENOMEM;
        while (next_token(&line, &token, &is_bad))
                read_token(&token, &rule);
        if (is_bad) {
                if (strstr(condition, "mtu"))
                        reading_warn(reading, number, "is no rule that udev would take; left out");
                return 0;
        }
        if (rule.mtu) {
                struct draft draft = { .source = SOURCE_UDEV_RULE, .line = number, .value = rule.mtu };

                if (strpbrk(rule.mtu, "$%"))
                        draft.unclear = "it is told only when the rule acts";
                r = add_for(reading, &rule, &draft, condition);
        }
        for (size_t i = 0; i < rule.n_programs && r == 0; i++) {
                const char *name = rule.new_name ? rule.new_name : rule.name;
                bool is_known = name && !match_is_glob(name) && !strpbrk(name, "|$%\\");
                CLEANUP(cleanup_free) char *command = expand(rule.programs[i], is_known ? name : "$name");

                r = command ? mtu_command_read_script(reading, &context, command, strlen(command), NULL, 0,
                                                      number)
                            : -ENOMEM;
        }
        return r;
}

int source_udev_rule_read(const struct reading *reading) {
        CLEANUP(cleanup_free) struct lines *lines = malloc(sizeof(*lines));
        int r = 0;

        if (!lines)
                return -ENOMEM;
        lines_open(lines, reading->text, reading->size, true);
        while (r == 0 && lines_next(lines))
                if (*lines->line && *lines->line != '#' && strcasestr(lines->line, "mtu"))
                        r = read_rule(reading, lines->line, lines->number);
        return r;
}
