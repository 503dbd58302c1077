/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What became of trials, as messages: for commands. */

#include "base/attributes.h"
#include "change/trial.h"

/* Logs what a trial of `mtu` on `link` does beyond that device, before it begins. */
NONNULL void trial_log_warnings(const char *name, const struct link *link, uint32_t mtu);

/* trial_begin() under the command lock, with messages; `is_quiet`: only if it has not begun. True if it has.
 */
NONNULL bool trial_begin_and_log(struct snapshot *snapshot, const struct trial *trial, bool is_quiet,
                                 struct trial_begin *ret);

/* Logs that the configuration still has the lines of a trial that was reverted.
 * trial_revert_and_log() does. */
void trial_log_lines_stay(void);

/* trial_revert() under the command lock, with messages; `is_quiet`: only if something has failed. Returns
 * the result of one of its devices: TRIAL_REVERT_FAILED if there is one, also if the driver has chosen
 * another MTU than before, or the end could not be recorded. TRIAL_REVERT_NOT_WAITING: nothing was logged.
 */
NONNULL enum trial_revert_result trial_revert_and_log(struct netlink_socket *socket, uint32_t id,
                                                      bool is_quiet);

/* Logs that the device has another MTU than the one that was tried, or is gone. */
NONNULL void trial_log_changed(struct netlink_socket *socket, const struct trial_record *record);
