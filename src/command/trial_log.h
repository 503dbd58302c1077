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

/* Logs how a trial was reverted; nothing if none was waiting. Returns the result of one of its devices:
 * TRIAL_REVERT_FAILED if there is one, also if the driver has chosen another MTU than before, or the end
 * could not be recorded. */
NONNULL enum trial_revert_result trial_log_reverts(struct netlink_socket *socket,
                                                   const struct trial_reverts *reverts);

/* Logs that the configuration still has the lines of a trial that was reverted. trial_log_reverts() does. */
void trial_log_lines_stay(void);

/* Reverts the trial, as trial_revert_once(), and retries for a while after a failure. Takes the command lock
 * for each attempt: other commands have their turn in between. */
NONNULL void trial_revert_with_retries(struct netlink_socket *socket, uint32_t id, bool is_due,
                                       struct trial_reverts *ret);

/* trial_revert_with_retries() and its messages, as above. */
NONNULL enum trial_revert_result trial_revert_and_log(struct netlink_socket *socket, uint32_t id,
                                                      bool is_due);

/* Reverts trials whose command and timer were both killed, with messages. For commands that change devices,
 * before they read them; the caller does not hold the command lock. */
void trial_revert_overdue_and_log(void);

/* Logs that the device has another MTU than the one that was tried, or is gone. */
NONNULL void trial_log_changed(struct netlink_socket *socket, const struct trial_record *record);
