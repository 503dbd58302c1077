/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Signals that ask a command to end, for commands that have something to put right or to say first. */

#include <signal.h>

/* From now on they are noted and do nothing else: SIGINT, SIGTERM, SIGHUP, SIGQUIT. */
void interrupt_catch(void);

/* The last one that came; 0: none. */
int interrupt_seen(void);

/* Where that stands, for whoever waits for something else. */
const volatile sig_atomic_t *interrupt_flag(void);
