/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

#include "base/attributes.h"

/* Drops every capability of this process but CAP_NET_ADMIN, and the ability to gain others: capabilities(7),
 * PR_SET_NO_NEW_PRIVS. 0 or a negative errno. */
MUST_USE int capability_keep_net_admin(void);

/* Whether this process has the capability to change network devices; the kernel may still refuse. */
bool capability_has_net_admin(void);
