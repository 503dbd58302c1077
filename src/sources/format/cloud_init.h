/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the user data of cloud-init has beside a network, which netplan.c reads. */

#include <yaml.h>

#include "sources/parser/source_parser.h"

/* Reads its commands, and the files that it writes. */
void cloud_init_read(const struct source_parser *parser, yaml_document_t *document);
