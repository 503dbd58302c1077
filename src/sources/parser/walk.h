/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* YAML that libyaml has loaded, a node at a time. */

#include <stdbool.h>
#include <yaml.h>

#include "sources/parser/source_parser.h"

/* Loads the text of the parser, for yaml_document_delete(). False if that failed, which is reported; then
 * `ret_line` is the line that is not YAML, or 0. */
bool walk_load(const struct source_parser *parser, yaml_document_t *ret, unsigned *ret_line);

struct walk_node {
        yaml_document_t *document;
        const yaml_node_t *yaml; /* NULL: it is not there */
};

struct walk_node walk_root(yaml_document_t *document);

bool walk_is(struct walk_node node, yaml_node_type_t type);

/* Where it begins, which is there. */
unsigned walk_line(struct walk_node node);

/* The text of a scalar. NULL: another kind of node, or a NUL inside. */
const char *walk_text(struct walk_node node);

/* A walk over a mapping, whose keys that are not scalars are skipped, or over a sequence, whose keys are
 * empty. In another kind of node, and in none, there is nothing. */
struct walk {
        struct walk_node of;
        size_t n; /* of the next item */
        const char *key;
        struct walk_node value;
};

/* False at the end. */
bool walk_next(struct walk *walk);

/* The last value for the key; and its text, or NULL. */
struct walk_node walk_get(struct walk_node node, const char *key);
const char *walk_get_text(struct walk_node node, const char *key);
