/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "change/trial.h"

/* Keeps the MTU on trial and writes the line; with `id`, which may be NULL, only if the trial has it. Logs
 * the result and returns an exit code; if the line could not be written, the trial goes on. */
int confirm_trial(struct netlink_socket *socket, unsigned ifindex, const uint32_t *id);
