/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

#include "base/attributes.h"

/* Whether the administrator has masked `unit`, permanently or until the next boot: 1, 0, or a negative errno
 * if that is not known. A mask is a link to /dev/null, or an empty file, in one of the folders that
 * `systemctl mask` writes to. See systemd.unit(5). */
MUST_USE int unit_is_masked(const char *unit);

/* Whether there is a file of `unit`, or a mask, which means that its package is installed. Result as
 * above. */
MUST_USE int unit_is_installed(const char *unit);

/* Whether setmtu@INSTANCE.service or the template is masked, so that setmtu leaves the device alone. Result
 * as above. */
MUST_USE int unit_mask_has_instance(const char *instance);

/* False if no instance is masked: for a caller that would otherwise ask for many. */
MUST_USE bool unit_mask_may_have_instances(void);
