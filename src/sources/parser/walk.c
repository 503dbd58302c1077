/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/parser/walk.h"

#include <string.h>

#include "base/text.h"

#define DEPTH_MAX 64u

const char *walk_text(const yaml_node_t *node) {
        const char *text = node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value
                                                                  : NULL;

        return text && strlen(text) == node->data.scalar.length ? text : NULL;
}

struct walk walk_of(yaml_document_t *document, const yaml_node_t *node) {
        struct walk walk = { .document = document };

        if (node && node->type == YAML_MAPPING_NODE) {
                walk.next = node->data.mapping.pairs.start;
                walk.end = node->data.mapping.pairs.top;
        } else if (node && node->type == YAML_SEQUENCE_NODE) {
                walk.next_item = node->data.sequence.items.start;
                walk.end_item = node->data.sequence.items.top;
        }
        return walk;
}

bool walk_next(struct walk *walk) {
        while (walk->next != walk->end) {
                walk->key = walk_text(yaml_document_get_node(walk->document, walk->next->key));
                walk->value = yaml_document_get_node(walk->document, walk->next->value);
                walk->next++;
                if (walk->key)
                        return true;
        }
        walk->key = "";
        if (walk->next_item == walk->end_item)
                return false;
        walk->value = yaml_document_get_node(walk->document, *walk->next_item++);
        return true;
}

const yaml_node_t *walk_get(yaml_document_t *document, const yaml_node_t *node, const char *key) {
        struct walk walk = walk_of(document, node);
        const yaml_node_t *found = NULL;

        while (walk_next(&walk))
                if (strcmp(walk.key, key) == 0)
                        found = walk.value;
        return found;
}

/* libyaml's time for a document grows with the square of its depth. Each collection begins with an event.
 * False if it is too deep, which is reported, or out of memory. Loading reports what is not YAML. */
static bool is_flat(const struct source_parser *parser) {
        yaml_parser_t yaml;
        unsigned depth = 0;
        bool is_end = false;

        if (!yaml_parser_initialize(&yaml)) {
                source_pool(parser)->failed = true;
                return false;
        }
        yaml_parser_set_input_string(&yaml, (const unsigned char *)parser->text, parser->size);
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
        if (!is_flat(parser))
                return false;
        if (!yaml_parser_initialize(&yaml)) {
                source_pool(parser)->failed = true;
                return false;
        }
        yaml_parser_set_input_string(&yaml, (const unsigned char *)parser->text, parser->size);
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
