/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* netplan(5): YAML in which later files add to earlier ones and override them, for each definition. */

#include "sources/format/source_parser.h"

/* What the files said together; in the pool of their parsers. One that is all zeros is empty. */
struct netplan {
        struct netplan_definition *items;
        size_t n_items;
};

/* Adds a file's text; the last one goes before. A text that is not YAML is reported and left out. */
void netplan_add(struct netplan *netplan, const struct source_parser *parser);

/* Adds a source for each definition that has an MTU. The parser's own text does not matter. */
void netplan_read(const struct netplan *netplan, const struct source_parser *parser);
