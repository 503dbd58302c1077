/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/parser/walk.h"

#include <string.h>

#include "base/text.h"

#define DEPTH_MAX 64u

struct walk_node walk_root(yaml_document_t *document) {
        return (struct walk_node){ document, yaml_document_get_root_node(document) };
}

bool walk_is(struct walk_node node, yaml_node_type_t type) {
        return node.yaml && node.yaml->type == type;
}

unsigned walk_line(struct walk_node node) {
        return (unsigned)node.yaml->start_mark.line + 1;
}

const char *walk_text(struct walk_node node) {
        const char *text =
                        walk_is(node, YAML_SCALAR_NODE) ? (const char *)node.yaml->data.scalar.value : NULL;

        return text && strlen(text) == node.yaml->data.scalar.length ? text : NULL;
}

static struct walk_node node_at(const struct walk *walk, int index) {
        return (struct walk_node){ walk->of.document, yaml_document_get_node(walk->of.document, index) };
}

bool walk_next(struct walk *walk) {
        const yaml_node_t *yaml = walk->of.yaml;

        while (walk_is(walk->of, YAML_MAPPING_NODE) &&
               yaml->data.mapping.pairs.start + walk->n < yaml->data.mapping.pairs.top) {
                const yaml_node_pair_t *pair = &yaml->data.mapping.pairs.start[walk->n++];

                walk->key = walk_text(node_at(walk, pair->key));
                walk->value = node_at(walk, pair->value);
                if (walk->key)
                        return true;
        }
        walk->key = "";
        if (!walk_is(walk->of, YAML_SEQUENCE_NODE) ||
            yaml->data.sequence.items.start + walk->n == yaml->data.sequence.items.top)
                return false;
        walk->value = node_at(walk, yaml->data.sequence.items.start[walk->n++]);
        return true;
}

struct walk_node walk_get(struct walk_node node, const char *key) {
        struct walk_node found = { .document = node.document };
        struct walk walk = { node };

        while (walk_next(&walk))
                if (strcmp(walk.key, key) == 0)
                        found = walk.value;
        return found;
}

const char *walk_get_text(struct walk_node node, const char *key) {
        return walk_text(walk_get(node, key));
}

static bool begin(const struct source_parser *parser, yaml_parser_t *ret) {
        if (!yaml_parser_initialize(ret)) {
                source_pool(parser)->failed = true;
                return false;
        }
        yaml_parser_set_input_string(ret, (const unsigned char *)parser->text, parser->size);
        return true;
}

/* libyaml's time for a document grows with the square of its depth. Each collection begins with an event.
 * False if it is too deep, which is reported, or out of memory. Loading reports what is not YAML. */
static bool is_flat(const struct source_parser *parser) {
        yaml_parser_t yaml;
        unsigned depth = 0;
        bool is_end = false;

        if (!begin(parser, &yaml))
                return false;
        while (!is_end && depth <= DEPTH_MAX) {
                yaml_event_t event;

                if (!yaml_parser_parse(&yaml, &event))
                        break;
                is_end = event.type == YAML_STREAM_END_EVENT;
                depth += event.type == YAML_SEQUENCE_START_EVENT || event.type == YAML_MAPPING_START_EVENT;
                depth -= event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT;
                if (depth > DEPTH_MAX)
                        source_fail(parser, (unsigned)event.start_mark.line + 1,
                                    "is nested more than %u deep, as netplan never is; the file is not read",
                                    DEPTH_MAX);
                yaml_event_delete(&event);
        }
        yaml_parser_delete(&yaml);
        return depth <= DEPTH_MAX;
}

bool walk_load(const struct source_parser *parser, yaml_document_t *ret, unsigned *ret_line) {
        yaml_parser_t yaml;
        bool is_loaded;

        *ret_line = 0;
        if (!is_flat(parser) || !begin(parser, &yaml))
                return false;
        is_loaded = yaml_parser_load(&yaml, ret);
        if (!is_loaded && yaml.error == YAML_MEMORY_ERROR)
                source_pool(parser)->failed = true;
        else if (!is_loaded) {
                *ret_line = (unsigned)yaml.problem_mark.line + 1;
                source_fail(parser, *ret_line, "is not YAML here: %s; the file is not read",
                            TEXT_SHOW(yaml.problem ? yaml.problem : "no reason given"));
        }
        yaml_parser_delete(&yaml);
        return is_loaded;
}
