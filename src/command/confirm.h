/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "change/trial.h"

/* Keeps what is on trial, and writes it down. Logs what came of it and returns an exit code; where it could
 * not be written down, the trial goes on. */
int confirm_trial(struct netlink_socket *socket, unsigned ifindex);
