/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The systemd that manages this machine, over D-Bus: org.freedesktop.systemd1(5). Functions return 0 or a
 * negative errno; manager_error_text() has the other side's words. D-Bus carries text in UTF-8 alone:
 * -EINVAL for any other. Unit names, being escaped, always are. */

#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"
#include "system/active_unit.h"

struct manager;

/* Whether (1, 0, or a negative errno where that cannot be told) systemd is PID 1 here (sd_booted(3), behind
 * $SETMTU_ROOT) and its network namespace is this process's, so that its device units and this process's
 * devices are the same. The namespace of PID 1 is root's to see: for others it is taken to be the same. */
MUST_USE int manager_is_here(void);
/* How such an error is told; strerror(3) follows. */
#define MANAGER_NOT_KNOWN                                                                 \
        "whether systemd manages these devices is not known (" ACTIVE_UNIT_SYSTEMD_FOLDER \
        ", /proc/1/ns/net): %s"

/* As root over systemd's own socket, which is there without a D-Bus daemon, otherwise over the system bus.
 * Behind $SETMTU_ROOT over the socket there and no other. */
MUST_USE int manager_open(struct manager **ret);
/* Closes and frees, for CLEANUP(), too; NULL is fine. */
void manager_cleanup(struct manager **manager);

/* What the other side said about the last call that failed, or errno's words. Never NULL; owned by the
 * manager. One that does not answer is waited for once, for three minutes: all later calls fail with
 * -ETIMEDOUT. */
const char *manager_error_text(const struct manager *manager);

/* systemctl daemon-reload; returns when it is done. */
MUST_USE int manager_reload(struct manager *manager);

/* Calls `take` for each loaded unit whose name matches the glob `pattern` (fnmatch(3)). `unit` and `active`,
 * its ActiveState, are valid during that call only. */
MUST_USE int manager_list_units(struct manager *manager, const char *pattern,
                                void (*take)(void *userdata, const char *unit, const char *active),
                                void *userdata);

enum manager_verb {
        MANAGER_RELOAD_OR_START, /* ReloadOrRestartUnit: a reload where it is active and has ExecReload=, a
                                    start where it is not active */
        MANAGER_RESTART,
        MANAGER_STOP, /* StopUnit, and a failure from before is forgotten; ends well also where the unit is
                         not loaded */
};

/* One job for a unit, and what became of it. */
struct manager_job {
        const char *unit; /* not owned */
        enum manager_verb verb;
        int64_t number; /* private: systemd's for the job; -1: it has none yet */
        int error; /* ret: 0; -ECANCELED where the job failed; or that of the call: -ENOENT where there is
                      no such unit, -ERFKILL where it is masked, -EACCES or -EPERM without the right, … */
        char result[32]; /* ret: systemd's word for a job's end: done, failed, timeout, canceled, …; empty
                            where there was no job */
        char error_text[256]; /* ret: what `error` is about, in words; or empty */
};

/* Enqueues all jobs (mode "replace") and waits for all of them, however long their units' time-outs let them
 * take, while systemd answers. Returns 0 where each ended well, -ECANCELED where one did not, or what broke
 * the connection, which is then also the error of the jobs that nothing was heard of.
 *
 * A start that a condition of the unit forbids ends well: systemd's word for it is "done", and the unit
 * stays inactive. A unit that takes longer than its TimeoutSec= is "failed". */
int manager_run_jobs(struct manager *manager, struct manager_job *jobs, size_t n_jobs);

/* Makes the transient units NAME.timer and NAME.service: the first starts the second after `delay_us`, which
 * runs `argv` (ends in NULL; argv[0] is absolute) as root until that has succeeded. Neither a change of
 * target nor a daemon-reload stops them or puts them off, and nothing of them stays afterwards. To call it
 * off, stop NAME.timer. -EEXIST where there is such a timer or service; -EINVAL for an argument with `$` or
 * `;`, which systemd does not carry through a daemon-reload: name a device by its instance, in which they
 * are escaped. */
MUST_USE int manager_start_timer(struct manager *manager, const char *name, const char *description,
                                 uint64_t delay_us, const char *const argv[]);
