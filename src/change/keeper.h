/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Puts back the MTUs that others change, of those devices whose units have left a record for that
 * (struct kept_mtu). What the records do not name is none of its business: they are written when a line with
 * `keep` is carried out, and are gone before setmtu itself gives the device another MTU. Which device may be
 * put back when is in plan/keep_pace.h. */

/* Runs until something fails that it cannot do without: that is logged. Returns an exit code. */
int keeper_run(void);
