/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

#include "base/attributes.h"

/* Gives up every capability of this process but CAP_NET_ADMIN, which it keeps if it had it, and any way to
 * gain others: capabilities(7), PR_SET_NO_NEW_PRIVS. 0 or a negative errno. */
MUST_USE int capability_keep_net_admin(void);

/* Whether this process may change network devices, as far as it can be told without trying. */
bool capability_has_net_admin(void);
