/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Files of groups in brackets and KEY=VALUE lines, with "#" before comments: GLib's key files, which
 * NetworkManager writes, and what Python's configparser reads of tuned's. */

#include "sources/parser/source_parser.h"

/* Reads the text of the parser, up to SOURCES_MAX settings. Other lines are passed over. */
struct keyfile keyfile_read(const struct source_parser *parser);

/* The last item of the key in the group. NULL: none; and its value. */
const struct keyfile_item *keyfile_find(const struct keyfile *keyfile, const char *group, const char *key);
char *keyfile_get(const struct keyfile *keyfile, const char *group, const char *key);

/* Puts the characters in for \s, \t, \n, \r and \\ of a GLib string, in place. */
void keyfile_unescape(char *value);
