/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* YAML that libyaml has loaded, a node at a time. */

#include <stdbool.h>
#include <yaml.h>

#include "sources/parser/source_parser.h"

/* Loads the text of the parser, for yaml_document_delete(). False if that failed, which is reported; then
 * `ret_line` is the line that is not YAML, or 0. */
bool walk_load(const struct source_parser *parser, yaml_document_t *ret, unsigned *ret_line);

/* The text of a scalar. NULL: another kind of node, or a NUL inside. */
const char *walk_text(const yaml_node_t *node);

/* A walk over a mapping, whose keys that are not scalars are skipped, or over a sequence, whose keys are
 * empty. */
struct walk {
        yaml_document_t *document;
        const yaml_node_pair_t *next, *end;
        const yaml_node_item_t *next_item, *end_item;
        const char *key;
        const yaml_node_t *value;
};

/* Of another kind of node, and of NULL, there is nothing. */
struct walk walk_of(yaml_document_t *document, const yaml_node_t *node);

/* False at the end. */
bool walk_next(struct walk *walk);

/* The last value for the key. NULL: there is none. */
const yaml_node_t *walk_get(yaml_document_t *document, const yaml_node_t *node, const char *key);
