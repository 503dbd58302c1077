/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The line by which setmtu knows its own files again, and whose they are. */

#include <stdio.h>

#include "config/config.h"

/* Writes it, without its newline. */
void network_mark_write(const struct config_line *line, FILE *stream);

/* The MTU that the text of one of our files sets; 0 where it sets none. */
uint32_t network_mark_read_mtu(const char *text);

/* The interface that the text of one of our files is for. False where it tells none. */
bool network_mark_read(const char *text, char ret_interface[static INTERFACE_NAME_SIZE]);
