/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "change/trial.h"

/* Keeps the MTUs on trial, of the trial of the record, and writes the line unless `is_runtime`; for a trial
 * of the configuration runs reload instead. Logs the result and returns an exit code; if the line could not
 * be written, the trial goes on. */
NONNULL int confirm_trial(struct netlink_socket *socket, const struct trial_record *record, bool is_runtime);
