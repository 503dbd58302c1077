/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Whether a finding means a device. */

#include "explain/explanation.h"

enum device_match { DEVICE_MATCH_NO, DEVICE_MATCH_PERHAPS, DEVICE_MATCH_YES };

/* `links` has the alternative names. PERHAPS where it says so by something that is not known here. */
enum device_match device_match_finding(const struct finding *finding, const struct explain_device *device,
                                       const struct link_table *links);

/* The part of a path behind its last slash. */
const char *device_match_base(const char *path);

/* Whether `file` is the .link or .network file `in_effect`, or a drop-in to it. */
bool device_match_is_part(const char *file, const char *in_effect);
