/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Files of groups in brackets and KEY=VALUE lines, with "#" before comments: GLib's key files, which
 * NetworkManager writes, and what Python's configparser reads of tuned's. */

#include "sources/lines.h"

struct keyfile {
        struct lines lines;
        char group[256]; /* empty before the first one */
        char *key;       /* these two in `lines` */
        char *value;
        unsigned line;
};

void keyfile_open(struct keyfile *ret, const char *text, size_t size);

/* The next key with its value, both trimmed; false at the end. Other lines are passed over. */
bool keyfile_next(struct keyfile *keyfile);

/* Puts the characters in for \s, \t, \n, \r and \\ of a GLib string, in place. */
void keyfile_unescape(char *value);
