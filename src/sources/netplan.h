/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* netplan(5): YAML in which later files add to earlier ones and override them, for each definition. */

#include "sources/reading.h"

/* What the files said together have of each device. */
struct netplan;

/* -ENOMEM. */
int netplan_new(struct netplan **ret);
void netplan_free(struct netplan **netplan); /* for CLEANUP(); of NULL, too */

/* Adds a file's text; the last one goes before. A text that is not YAML is told to the sink of the reading
 * and left out. */
int netplan_add(struct netplan *netplan, const struct reading *reading);

/* Adds a finding for each definition that has an MTU. The reading's own file does not matter. */
int netplan_read(const struct netplan *netplan, const struct reading *reading);

/* One file by itself. */
int source_netplan_read(const struct reading *reading);
