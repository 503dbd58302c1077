/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Which devices a word of some configuration means. */

#include <stdbool.h>

#include "sources/finding.h"

#define MATCH_MAC_SIZE sizeof("aa:bb:cc:dd:ee:ff")

/* Writes a MAC address in lower case with colons. False where `text` is none: six pairs of hexadecimal
 * digits, all apart by ":" or all by "-", or twelve or three times four digits, which systemd takes too. */
bool match_read_mac(const char *text, char ret[static MATCH_MAC_SIZE]);

bool match_is_glob(const char *text);
