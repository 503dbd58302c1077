/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/parser/walk.h"

#include <string.h>

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
        while (walk->next && walk->next < walk->end) {
                walk->key = walk_text(yaml_document_get_node(walk->document, walk->next->key));
                walk->value = yaml_document_get_node(walk->document, walk->next->value);
                walk->next++;
                if (walk->key && walk->value)
                        return true;
        }
        walk->key = "";
        while (walk->next_item && walk->next_item < walk->end_item) {
                walk->value = yaml_document_get_node(walk->document, *walk->next_item++);
                if (walk->value)
                        return true;
        }
        return false;
}

const yaml_node_t *walk_get(yaml_document_t *document, const yaml_node_t *node, const char *key) {
        struct walk walk = walk_of(document, node);
        const yaml_node_t *found = NULL;

        while (walk_next(&walk))
                if (strcmp(walk.key, key) == 0)
                        found = walk.value;
        return found;
}
