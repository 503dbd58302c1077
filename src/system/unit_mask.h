/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

#include "base/attributes.h"

/* Whether (1, 0, or a negative errno where that cannot be told) the administrator has masked `unit`, for
 * good or until the next boot: a link to /dev/null, or an empty file, in one of the folders that `systemctl
 * mask` writes to. See systemd.unit(5). */
MUST_USE int unit_is_masked(const char *unit);

/* Whether (as above) there is a file of `unit`, a mask too: what it belongs to is installed. */
MUST_USE int unit_is_installed(const char *unit);

/* Whether (as above) setmtu@INSTANCE.service or the template is masked: setmtu leaves the device alone. */
MUST_USE int unit_mask_has_instance(const char *instance);

/* False where that is so of no device: nobody who asks for many has to ask for each. */
MUST_USE bool unit_mask_may_have_instances(void);
