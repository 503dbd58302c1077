/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config/config.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

void config_free(struct config *config) {
        pool_free(&config->files);
        free(config->lines);
        free(config->slots);
        free(config->patterns);
        *config = (struct config){ 0 };
}

/* The slot that holds `name`, or the free one where it belongs. The table is never full. */
static uint32_t *find_slot(const struct config *config, const char *name) {
        size_t i = text_hash(name) & (config->n_slots - 1);

        while (config->slots[i] != 0 && strcmp(config->lines[config->slots[i] - 1].name, name) != 0)
                i = (i + 1) & (config->n_slots - 1);
        return &config->slots[i];
}

const struct config_line *config_find(const struct config *config, const char *name) {
        uint32_t *slot;

        if (config->n_slots == 0)
                return NULL;
        slot = find_slot(config, name);
        return *slot == 0 ? NULL : &config->lines[*slot - 1];
}

const struct config_line *config_match(const struct config *config, const char *name) {
        const struct config_line *own = config_find(config, name);

        if (own || config->n_patterns == 0 || interface_name_is_pattern(name) || strcmp(name, "lo") == 0)
                return own;
        for (size_t i = config->n_patterns; i-- > 0;) {
                const struct config_line *line = &config->lines[config->patterns[i]];

                if (fnmatch(line->name, name, 0) == 0)
                        return line;
        }
        return NULL;
}

/* Whether a name may match both patterns, by what they begin with. */
static bool may_overlap(const char *a, const char *b) {
        while (*a == *b && !strchr("*?[", *a))
                a++, b++;
        return strchr("*?[", *a) || strchr("*?[", *b);
}

const struct config_line *config_next_override(const struct config *config,
                                               const struct config_line *pattern, size_t *index) {
        size_t n = config->n_patterns;

        while (*index < n) {
                const struct config_line *later = &config->lines[config->patterns[n - 1 - *index]];

                *index = later == pattern ? n : *index + 1;
                if (later != pattern && may_overlap(later->name, pattern->name))
                        return later;
        }
        while (*index < n + config->n_lines) {
                const struct config_line *line = &config->lines[(*index)++ - n];

                if (!line->is_pattern && fnmatch(pattern->name, line->name, 0) == 0)
                        return line;
        }
        return NULL;
}

bool config_equals(const struct config *a, const struct config *b) {
        if (a->n_lines != b->n_lines || a->n_patterns != b->n_patterns || a->backend != b->backend ||
            a->keep != b->keep)
                return false;
        /* Their order decides which one wins. */
        for (size_t i = 0; i < a->n_patterns; i++)
                if (strcmp(a->lines[a->patterns[i]].name, b->lines[b->patterns[i]].name) != 0)
                        return false;
        for (size_t i = 0; i < a->n_lines; i++) {
                const struct config_line *other = config_find(b, a->lines[i].name);

                if (!other || !mtu_spec_equals(&a->lines[i].spec, &other->spec))
                        return false;
        }
        return true;
}

/* Makes room in the table for one more line. */
static int grow(struct config *config) {
        size_t n = config->n_slots > 0 ? 2 * config->n_slots : 32;
        uint32_t *slots;

        if (2 * config->n_lines < config->n_slots)
                return 0;
        slots = calloc(n, sizeof(*slots));
        if (!slots)
                return -ENOMEM;
        free(config->slots);
        config->slots = slots;
        config->n_slots = n;
        for (size_t i = 0; i < config->n_lines; i++)
                *find_slot(config, config->lines[i].name) = (uint32_t)i + 1;
        return 0;
}

/* Makes the pattern of that line the last one. */
static int put_last(struct config *config, uint32_t index) {
        uint32_t *last;
        size_t n = 0;

        for (size_t i = 0; i < config->n_patterns; i++)
                if (config->patterns[i] != index)
                        config->patterns[n++] = config->patterns[i];
        config->n_patterns = n;
        last = array_add(&config->patterns, &config->n_patterns, sizeof(*last));
        if (!last)
                return -ENOMEM;
        *last = index;
        return 0;
}

/* Adds one valid line. `name` is NUL-terminated and a legal interface name. */
static int add_line(const struct config_parser *parser, const char *name, bool is_pattern,
                    const struct mtu_spec *spec, unsigned line) {
        struct config *config = parser->config;
        struct config_line *entry;
        uint32_t *slot;
        int r = grow(config);

        if (r < 0)
                return r;
        slot = find_slot(config, name);
        if (*slot != 0) {
                entry = &config->lines[*slot - 1];
                /* Across files, drop-ins are meant to override; within one file a second line is mostly a
                 * slip. */
                if (entry->file == parser->file) {
                        if (line > 0)
                                diagnostic_report(parser->sink, DIAGNOSTIC_WARNING, parser->file, line, name,
                                                  "%s is here a second time; this line wins over line %u",
                                                  name, entry->line);
                        else
                                diagnostic_report(parser->sink, DIAGNOSTIC_WARNING, parser->file, line, name,
                                                  "%s is here twice; the last one wins", name);
                }
        } else {
                entry = array_add(&config->lines, &config->n_lines, sizeof(*entry));
                if (!entry)
                        return -ENOMEM;
                *slot = (uint32_t)config->n_lines;
                strcpy(entry->name, name);
        }
        entry->spec = *spec;
        entry->file = parser->file;
        entry->line = line;
        entry->is_pattern = is_pattern;
        if (is_pattern && put_last(config, (uint32_t)(entry - config->lines)) < 0)
                return -ENOMEM;

        if (spec->mtu != MTU_MAX && spec->mtu < MTU_SMALLEST_IPV6)
                diagnostic_report(parser->sink, DIAGNOSTIC_WARNING, parser->file, line, name,
                                  "%s: %u is below %d: the kernel will disable IPv6 on this interface", name,
                                  spec->mtu, MTU_SMALLEST_IPV6);
        return 0;
}

/* Reports a refused line. The value is 1. */
#define report_refusal(parser, line, name, ...) \
        (diagnostic_report((parser)->sink, DIAGNOSTIC_ERROR, (parser)->file, line, name, __VA_ARGS__), 1)

/* Checks a name and a value and adds them. `is_quoted_newline`: the value is quoted and spans lines; a
 * mistake is then reported as an open quote, the most probable cause. Returns 0, 1 if the pair was refused,
 * or -ENOMEM. */
static int add_pair(const struct config_parser *parser, const char *name, const char *value, unsigned line,
                    bool is_quoted_newline) {
        const char *name_fault = interface_name_fault(name), *pattern_fault = NULL;
        const char *exported = name_fault ? text_after(name, "export") : NULL;
        char fault[MTU_SPEC_FAULT_SIZE];
        bool is_pattern = interface_name_is_pattern(name);
        struct mtu_spec spec;

        if (name_fault)
                return report_refusal(parser, line, NULL, "\"%.64s\" %s%s", name, name_fault,
                                      exported && (*exported == ' ' || *exported == '\t') && exported[1]
                                                      ? "; leave out the word export"
                                                      : "");
        if (is_pattern)
                pattern_fault = interface_pattern_fault(name);
        if (pattern_fault)
                return report_refusal(parser, line, name, "%s %s", name, pattern_fault);
        if (!mtu_spec_parse(value, &spec, fault))
                return report_refusal(parser, line, name, "%s: %s", name,
                                      is_quoted_newline ? "the quote is not closed; end it on this line"
                                                        : fault);
        return add_line(parser, name, is_pattern, &spec, line);
}

/* The boolean words of systemd.syntax(7), in lower case. */
static bool parse_switch(const char *text, bool *ret) {
        bool is_yes = text_is_among(text, "yes true on 1");

        if (!is_yes && !text_is_among(text, "no false off 0"))
                return false;
        *ret = is_yes;
        return true;
}

/* A line that begins with SETMTU_. Returns as add_pair() does. */
static int add_setting(const struct config_parser *parser, const struct env_assignment *assignment) {
        const char *value = assignment->value;

        if (strcmp(assignment->key, "SETMTU_KEEP") == 0) {
                if (parse_switch(value, &parser->config->keep))
                        return 0;
                return report_refusal(parser, assignment->line, NULL,
                                      "SETMTU_KEEP: \"%.64s\" is neither yes nor no", value);
        }
        if (strcmp(assignment->key, "SETMTU_BACKEND") != 0)
                return report_refusal(parser, assignment->line, NULL,
                                      "\"%.64s\" is not a setting; the settings are SETMTU_BACKEND and "
                                      "SETMTU_KEEP",
                                      assignment->key);
        if (!backend_from_name(value, &parser->config->backend))
                return report_refusal(parser, assignment->line, NULL,
                                      "SETMTU_BACKEND: \"%.64s\" is not a backend; the backends "
                                      "are " BACKEND_NAMES,
                                      value);
        return 0;
}

static void report_mistake(const struct config_parser *parser, enum env_file_item item,
                           const struct env_assignment *assignment) {
        static const struct {
                const char *key; /* NULL: the line's own key */
                const char *text;
        } mistakes[] = {
                [ENV_FILE_NO_EQUALS_SIGN] = { NULL,
                                              "has no \"=\"; a line is NAME=MTU, for example eth0=9000" },
                [ENV_FILE_EMPTY_KEY] = { "the line", "has no interface name before the \"=\"; a line is "
                                                     "NAME=MTU, for example eth0=9000" },
                [ENV_FILE_OPEN_QUOTE] = { NULL, "has a quote after the \"=\" that is not closed; end it on "
                                                "this line" },
                [ENV_FILE_NUL] = { "the line", "contains a NUL byte; the file may be binary, or UTF-16" },
                [ENV_FILE_TOO_LONG] = { NULL, "begins a line that is longer than the limit of 4096 bytes" },
        };
        const char *key = assignment->key, *shown = mistakes[item].key;

        /* A complete, legal name tells which device the mistake concerns. */
        diagnostic_report(parser->sink, DIAGNOSTIC_ERROR, parser->file, assignment->line,
                          interface_name_fault(key) ? NULL : key, shown ? "%s %s" : "\"%.64s\" %s",
                          shown ? shown : key, mistakes[item].text);
}

int config_parse_next(struct config_parser *parser, struct env_assignment *ret) {
        const size_t prefix_size = strlen("SETMTU_");
        enum env_file_item item = env_file_next(&parser->reader, ret);
        int r;

        if (item == ENV_FILE_END)
                return 0;
        if (item != ENV_FILE_ASSIGNMENT) {
                report_mistake(parser, item, ret);
                return 1;
        }
        /* Keys with this prefix are settings of setmtu itself and never an interface. */
        r = ret->key_size >= prefix_size && memcmp(ret->key, "SETMTU_", prefix_size) == 0
                            ? add_setting(parser, ret)
                            : add_pair(parser, ret->key, ret->value, ret->line, ret->has_newline);
        if (r > 0)
                env_file_skip_line(&parser->reader, ret);
        return r < 0 ? r : 1;
}

int config_parse_file(struct config *config, const char *file, const char *text, size_t size,
                      const struct diagnostic_sink *sink) {
        struct config_parser parser = { .config = config,
                                        .file = pool_copy(&config->files, file),
                                        .sink = sink };
        struct env_assignment assignment;
        int r = config->files.failed ? -ENOMEM : 1;

        env_file_open(&parser.reader, text, size);
        while (r > 0)
                r = config_parse_next(&parser, &assignment);
        return r;
}

/* The next word of a kernel command line, as the kernel's next_arg() splits it: white space separates,
 * except between double quotes; a NUL does in any case. The caller removes quotes around the word or its
 * value. NULL: no more. `end` has a NUL. */
static char *next_argument(char **text, const char *end) {
        char *word = *text, *c;
        bool is_quoted = false;

        while (word < end && (text_is_space(*word) || *word == '\0'))
                word++;
        for (c = word; *c && (is_quoted || !text_is_space(*c)); c++)
                is_quoted ^= *c == '"';
        *c = '\0';
        *text = c < end ? c + 1 : c;
        return c > word ? word : NULL;
}

/* One NAME:MTU. */
static int add_argument(const struct config_parser *parser, char *pair) {
        char *colon = strchr(pair, ':');

        if (!*pair)
                return 0; /* a comma too many */
        if (!colon)
                return report_refusal(parser, 0, NULL,
                                      "setmtu=: \"%.64s\" has no \":\"; write setmtu=NAME:MTU, for example "
                                      "setmtu=eth0:9000",
                                      pair);
        *colon = '\0';
        return add_pair(parser, pair, colon + 1, 0, false);
}

int config_parse_command_line(struct config *config, const char *file, const char *text, size_t size,
                              const struct diagnostic_sink *sink) {
        static const char parameter[] = "setmtu=";
        struct config_parser parser = { .config = config,
                                        .file = pool_copy(&config->files, file),
                                        .sink = sink };
        char *copy = pool_copy_part(&config->files, text, size), *rest = copy, *word, *pair;

        if (config->files.failed)
                return -ENOMEM;
        while ((word = next_argument(&rest, copy + size))) {
                if (*word == '"') /* "setmtu=…" */
                        word++;
                if (!text_after(word, parameter))
                        continue;
                word += strlen(parameter);
                if (*word == '"') /* setmtu="…" */
                        word++;
                if (text_ends_in(word, "\""))
                        word[strlen(word) - 1] = '\0';
                while ((pair = strsep(&word, ",")))
                        if (add_argument(&parser, pair) < 0)
                                return -ENOMEM;
        }
        return 0;
}

const char *config_line_place(char buffer[static CONFIG_LINE_PLACE_SIZE], const struct config_line *line) {
        return text_place(buffer, line->file ? line->file : "this value", line->line);
}
