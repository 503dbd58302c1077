/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The systemd that manages this machine, over D-Bus: org.freedesktop.systemd1(5). Functions are as in
 * bus/bus.h. It has three minutes to answer. D-Bus carries only UTF-8: -EINVAL for other text. Unit names
 * are always UTF-8, because they are escaped. */

#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"
#include "base/pool.h"
#include "bus/bus.h"
#include "state/unit_state.h"

/* Whether systemd is PID 1 here (sd_booted(3), below $SETMTU_ROOT) and has the network namespace of this
 * process, so that its device units are the devices of this process. True if that cannot be told: only root
 * can see the namespace of PID 1, and a systemd that is not there does not answer. */
MUST_USE bool manager_is_here(void);

/* Connects: as root to systemd's private socket, as systemctl does, because a container or an early boot has
 * no D-Bus daemon; otherwise to the system bus. Below $SETMTU_ROOT only to the socket there. */
MUST_USE int manager_open(struct bus **ret);

/* systemctl daemon-reload; returns when it is done. */
MUST_USE int manager_reload(struct bus *manager);

struct unit_state {
        const char *unit;
        const char *active; /* as `systemctl is-active` says it */
};

struct unit_states {
        struct unit_state *items; /* by name */
        size_t n_items;
        struct pool pool;
};

/* Lists the loaded units whose names match the glob `pattern` (fnmatch(3)). */
MUST_USE int manager_list_units(struct bus *manager, const char *pattern, struct unit_states *ret);
void unit_states_cleanup(struct unit_states *states); /* for CLEANUP(); of one that is all zeros, too */
/* The state of that unit, or NULL if it is not loaded. */
const char *unit_states_find(const struct unit_states *states, const char *unit);

enum manager_verb {
        MANAGER_RELOAD_OR_START, /* ReloadOrRestartUnit: a reload where it is active and has ExecReload=, a
                                    start if it is not active */
        MANAGER_STOP,            /* StopUnit, and ResetFailedUnit; succeeds also if the unit is not loaded */
};

/* One job for a unit, and what became of it. */
struct manager_job {
        const char *unit; /* not owned */
        enum manager_verb verb;
        int64_t number; /* private: systemd's for the job; -1: it has none yet */
        int error;      /* ret: 0; -ECANCELED where the job failed; or that of the call: -ENOENT if there is
                           no such unit, -ERFKILL where it is masked, -EACCES or -EPERM without the right, … */
        char error_text[256]; /* ret: what `error` is about, in words */
};

/* Enqueues all jobs (mode "replace") and waits for them, as long as the timeouts of their units allow and
 * systemd answers. An error that breaks the connection is that of all unfinished jobs.
 *
 * A start that a condition of the unit prevents succeeds: systemd reports "done", and the unit stays
 * inactive. A unit that takes longer than its TimeoutSec= is "failed". */
void manager_run_jobs(struct bus *manager, struct manager_job *jobs, size_t n_jobs);

/* Makes the transient units NAME.timer and NAME.service: after `delay_us`, the timer starts the service,
 * which runs these words (the first one is an absolute path; none may have `$` or `;`, which systemd does
 * not keep over a daemon-reload) as root, again until it succeeds. A change of target or a daemon-reload
 * neither stops nor delays them, and they leave nothing behind. To cancel it, stop NAME.timer. An error if
 * such a timer or service exists. */
#define MANAGER_TIMER_WORDS 3
MUST_USE int manager_start_timer(struct bus *manager, const char *name, const char *description,
                                 uint64_t delay_us, const char *const words[static MANAGER_TIMER_WORDS]);
