/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Restores MTUs that other programs change, for devices with a record of their unit (struct kept_mtu). The
 * record is written when a line with `keep` is carried out, and removed before setmtu itself sets another
 * MTU. plan/keep_pace.h decides when. */

/* Runs until it cannot listen to the kernel any more. Returns a negative errno. */
int keeper_run(void);
