/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The two ends of a trial, for whoever brings one about: they say what came of it and return an exit code.
 */

#include "change/trial.h"

int trial_end_confirm(struct link_socket *socket, unsigned ifindex);
int trial_end_revert(struct link_socket *socket, unsigned ifindex);

/* trial_revert(), and what stands on the device with it. Prints nothing of the device itself. */
enum trial_end trial_end_undo(struct link_socket *socket, unsigned ifindex, struct trial_record *ret_record,
                              int *ret_error);
