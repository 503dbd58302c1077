/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What commands make of a probed path: words, sentences, and exit codes. Texts are the pool's; without
 * memory they are empty. Host and interface are fit to be printed. */

#include "base/log.h"
#include "base/pool.h"
#include "probe/path.h"

/* "ok", "too big", …: as JSON and the table have it. */
const char *verdict_word(enum verdict_kind kind);

/* "host" or "link"; NULL: not known. */
const char *verdict_cause_word(enum verdict_cause cause);

/* What setmtu probe ends with. */
int verdict_exit_code(enum verdict_kind kind);

/* The nominal MTU of a limit, for advice: equipment allows for VLAN tags, or counts the frame with its
 * header and checksum. */
uint32_t verdict_common_mtu(uint32_t limit);

/* A sentence on what was found, and one on what to do. */
const char *verdict_explain(struct pool *pool, const struct verdict *verdict, const char *host,
                            const char *interface);

/* How many flows carry which size, in a list; `unit` is behind each size. */
const char *flows_list(struct pool *pool, const struct flows *flows, const char *unit);

/* A sentence about them, behind a space; empty where there is one flow. */
const char *flows_explain(struct pool *pool, const struct flows *flows);

/* The verdict's word and its sentences, with what is known of why nothing could be sent. */
const char *path_text(struct pool *pool, const struct path *path, const struct path_result *result);

/* The same as a message about the interface; the word alone if memory is out. */
void path_log(enum log_priority priority, const struct path *path, const struct path_result *result);
