/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Signals that ask a command to end, for commands that must clean up or report first. */

#include <signal.h>

/* From now on SIGINT, SIGTERM, SIGHUP and SIGQUIT are only recorded. */
void interrupt_catch(void);

/* The last signal; 0: none. */
int interrupt_seen(void);
