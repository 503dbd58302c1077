/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The beginning of a trial, for whoever tries a change: it says what is wrong. */

#include "change/trial.h"
#include "config/config.h"

/* Makes the change that `line` wants, with the guard on its post for `timeout_s` from now. Of the record,
 * `request` and `tried` are the caller's; the rest is filled in. `ret_former` is the device as it was. False
 * where nothing has been changed, or the guard alone is left to put it back. */
bool trial_begin(struct link_socket *socket, unsigned ifindex, const struct config_line *line,
                 unsigned timeout_s, struct trial_record *record, struct link *ret_former);

/* A guard acts so long after a command that watches the same trial would be too late by itself. */
#define TRIAL_GRACE_S 3
