/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bus/systemd_manager.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/root.h"
#include "base/text.h"
#include "base/whole_file.h"

#define DESTINATION "org.freedesktop.systemd1"
#define PATH "/org/freedesktop/systemd1"
#define INTERFACE "org.freedesktop.systemd1.Manager"

/* PID 1 does not answer while it reloads, and its generators may take 90 s. systemctl waits as long. */
#define CALL_TIMEOUT_US (UINT64_C(180) * 1000 * 1000)

/* systemd's default, a minute, is too coarse for a waiting user. */
#define TIMER_ACCURACY_US (UINT64_C(100) * 1000)

/* If systemd sends nothing for this long while jobs are pending, it is pinged. */
#define QUIET_US (UINT64_C(10) * 1000 * 1000)

/* Jobs to wait for: those whose error is -EINPROGRESS. */
struct pending_jobs {
        struct manager_job *jobs;
        size_t n_jobs;
        size_t n_left; /* enqueued by systemd and not ended */
};

bool manager_is_here(void) {
        struct stat ours, its;

        if (whole_file_exists(UNIT_SYSTEMD_DIRECTORY) == 0)
                return false;
        if (stat("/proc/self/ns/net", &ours) < 0 || stat("/proc/1/ns/net", &its) < 0)
                return true;
        return ours.st_dev == its.st_dev && ours.st_ino == its.st_ino;
}

/* systemd's own socket, which needs no org.freedesktop.DBus.Hello, because there is no bus. The caller frees
 * `ret` after an error, too. */
static int open_private(sd_bus **ret) {
        char buffer[PATH_MAX], address[sizeof("unix:path=") + PATH_MAX];
        int r = sd_bus_new(ret);

        snprintf(address, sizeof(address), "unix:path=%s", root_path(buffer, "/run/systemd/private"));
        if (r >= 0)
                r = sd_bus_set_address(*ret, address);
        return r < 0 ? r : sd_bus_start(*ret);
}

static int open_bus(sd_bus **ret) {
        const char *root = getenv("SETMTU_ROOT");
        bool rooted = root && *root;

        /* Only root may use the socket. With another root, the machine's own systemd must not be used. */
        if (rooted || geteuid() == 0) {
                int r = open_private(ret);

                if (r >= 0 || rooted)
                        return r;
                *ret = sd_bus_unref(*ret);
        }
        return sd_bus_open_system(ret);
}

int manager_open(struct bus **ret) {
        return bus_open(DESTINATION, open_bus, CALL_TIMEOUT_US, ret);
}

int manager_reload(struct bus *manager) {
        return bus_call(manager, PATH, INTERFACE, "Reload", NULL, "");
}

int manager_list_units(struct bus *manager, const char *pattern, struct unit_states *ret) {
        CLEANUP(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        CLEANUP(unit_states_cleanup) struct unit_states states = { 0 };
        const char *unit, *active;
        int r = bus_call(manager, PATH, INTERFACE, "ListUnitsByPatterns", &reply, "asas", 0, 1, pattern);

        if (r < 0)
                return r;
        r = sd_bus_message_enter_container(reply, SD_BUS_TYPE_ARRAY, "(ssssssouso)");
        /* Name, description, LoadState, ActiveState, SubState, followed unit, path; job's id, type and path.
         */
        while (r >= 0 && (r = sd_bus_message_read(reply, "(ssssssouso)", &unit, NULL, NULL, &active, NULL,
                                                  NULL, NULL, NULL, NULL, NULL)) > 0) {
                struct unit_state *item =
                                pool_add(&states.pool, &states.items, &states.n_items, sizeof(*item));

                if (item)
                        *item = (struct unit_state){ pool_copy(&states.pool, unit),
                                                     pool_copy(&states.pool, active) };
        }
        if (r < 0 || states.pool.failed)
                return bus_fail(manager, NULL, r < 0 ? r : -ENOMEM);
        if (states.n_items > 0)
                qsort(states.items, states.n_items, sizeof(*states.items), text_compare);
        *ret = states;
        states = (struct unit_states){ 0 };
        return 0;
}

void unit_states_cleanup(struct unit_states *states) {
        pool_free(&states->pool);
        *states = (struct unit_states){ 0 };
}

const char *unit_states_find(const struct unit_states *states, const char *unit) {
        const struct unit_state wanted = { .unit = unit }, *found = NULL;

        if (states->n_items > 0)
                found = bsearch(&wanted, states->items, states->n_items, sizeof(wanted), text_compare);
        return found ? found->active : NULL;
}

/* A job, perhaps of another client, has ended: Manager.JobRemoved(u id, o path, s unit, s result). systemd
 * may have merged several jobs into it. */
static int on_job_removed(sd_bus_message *message, void *userdata, sd_bus_error *ret_error) {
        struct pending_jobs *pending = userdata;
        const char *result;
        uint32_t number;

        (void)ret_error;
        if (sd_bus_message_read(message, "uoss", &number, NULL, NULL, &result) < 0)
                return 0;
        for (size_t i = 0; i < pending->n_jobs; i++) {
                struct manager_job *job = &pending->jobs[i];

                if (job->number != number || job->error != -EINPROGRESS)
                        continue;
                job->error = strcmp(result, "done") == 0 || strcmp(result, "skipped") == 0 ? 0 : -ECANCELED;
                if (job->error < 0)
                        snprintf(job->error_text, sizeof(job->error_text),
                                 "its job ended with \"%s\"; see systemctl status '%s'", result, job->unit);
                pending->n_left--;
        }
        return 0;
}

/* Subscribes to JobRemoved, before the jobs in `pending` are enqueued. */
static int expect_jobs(struct bus *manager, struct pending_jobs *pending, sd_bus_slot **ret_slot) {
        int r = sd_bus_match_signal(manager->bus, ret_slot, DESTINATION, PATH, INTERFACE, "JobRemoved",
                                    on_job_removed, pending);

        if (r < 0)
                return bus_fail(manager, NULL, r);
        /* On the system bus, a client must subscribe to signals, and only once. */
        r = bus_call(manager, PATH, INTERFACE, "Subscribe", NULL, "");
        return r == -EALREADY ? 0 : r;
}

/* Records the job whose path is in `reply`. */
static int add_job(struct bus *manager, struct pending_jobs *pending, struct manager_job *job,
                   sd_bus_message *reply) {
        const char *path;
        uint32_t number;
        int r = sd_bus_message_read(reply, "o", &path);

        if (r >= 0 && sscanf(path, PATH "/job/%" SCNu32, &number) != 1)
                r = -EBADMSG;
        if (r < 0)
                return bus_fail(manager, NULL, r);
        job->number = number;
        pending->n_left++;
        return 0;
}

/* Makes systemd enqueue one job. */
static int enqueue(struct bus *manager, struct pending_jobs *pending, struct manager_job *job) {
        CLEANUP(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        bool is_stop = job->verb == MANAGER_STOP;
        int r;

        /* Stopping does not reset a failed unit. */
        if (is_stop)
                (void)bus_call(manager, PATH, INTERFACE, "ResetFailedUnit", NULL, "s", job->unit);
        r = bus_call(manager, PATH, INTERFACE, is_stop ? "StopUnit" : "ReloadOrRestartUnit", &reply, "ss",
                     job->unit, "replace");
        if (r == -ENOENT && is_stop)
                job->error = r = 0; /* a unit that is not loaded does not run */
        else if (r == 0)
                r = add_job(manager, pending, job, reply);
        return r;
}

/* Processes what has arrived. Each unit causes a dozen signals, and the queues of both sides are limited. */
static int drain(struct bus *manager) {
        int r;

        do
                r = sd_bus_process(manager->bus, NULL);
        while (r > 0);
        return r < 0 ? bus_fail(manager, NULL, r) : 0;
}

/* No time limit while systemd answers: it ends each job at the time-out of the unit. */
static int await_jobs(struct bus *manager, const struct pending_jobs *pending) {
        for (;;) {
                int r = drain(manager);

                if (r < 0 || pending->n_left == 0)
                        return r;
                r = sd_bus_wait(manager->bus, QUIET_US);
                if (r < 0 && r != -EINTR)
                        return bus_fail(manager, NULL, r);
                if (r == 0)
                        r = bus_call(manager, PATH, "org.freedesktop.DBus.Peer", "Ping", NULL, "");
                if (r < 0 && r != -EINTR)
                        return r;
        }
}

static void fail_job(const struct bus *manager, struct manager_job *job, int error) {
        job->error = error;
        snprintf(job->error_text, sizeof(job->error_text), "%s", manager->error_text);
}

void manager_run_jobs(struct bus *manager, struct manager_job *jobs, size_t n_jobs) {
        CLEANUP(sd_bus_slot_unrefp) sd_bus_slot *slot = NULL;
        struct pending_jobs pending = { .jobs = jobs, .n_jobs = n_jobs };
        int r = n_jobs > 0 ? expect_jobs(manager, &pending, &slot) : 0;

        for (size_t i = 0; i < n_jobs; i++)
                jobs[i] = (struct manager_job){ jobs[i].unit, jobs[i].verb, -1, -EINPROGRESS, "" };
        for (size_t i = 0; i < n_jobs && r >= 0; i++) {
                int error = enqueue(manager, &pending, &jobs[i]);

                if (error < 0)
                        fail_job(manager, &jobs[i], error);
                r = drain(manager);
        }
        if (r >= 0)
                r = await_jobs(manager, &pending);
        for (size_t i = 0; i < n_jobs && r < 0; i++)
                if (jobs[i].error == -EINPROGRESS)
                        fail_job(manager, &jobs[i], r);
}

/* Properties of both transient units. No other unit stops them, neither a change of target, such as to
 * emergency.target, nor a shutdown, whose network mounts may need the old MTU. They are unloaded even if
 * they fail. */
#define N_COMMON 4
#define COMMON(description)                                                                        \
        "Description", "s", description, "DefaultDependencies", "b", 0, "IgnoreOnIsolate", "b", 1, \
                        "CollectMode", "s", "inactive-or-failed"

/* A failed service of a timer is restarted after this time, without limit. */
#define RETRY_US UINT64_C(10000000)

int manager_start_timer(struct bus *manager, const char *name, const char *description, uint64_t delay_us,
                        const char *const words[static MANAGER_TIMER_WORDS]) {
        CLEANUP(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        CLEANUP(sd_bus_slot_unrefp) sd_bus_slot *slot = NULL;
        char timer[256], service[256]; /* the longest that systemd accepts */
        struct manager_job job = { .unit = timer, .number = -1, .error = -EINPROGRESS };
        struct pending_jobs pending = { .jobs = &job, .n_jobs = 1 };
        uint64_t startup_us;
        int r = bus_get(manager, PATH, INTERFACE, "UserspaceTimestampMonotonic", 't', &startup_us);

        snprintf(timer, sizeof(timer), "%s.timer", name);
        snprintf(service, sizeof(service), "%s.service", name);
        /* OnStartupSec= counts from the start of systemd. OnActiveSec= would count from the start of the
         * timer, and after each daemon-reload from that (timer_coldplug() in systemd's src/core/timer.c). */
        if (r == 0)
                delay_us += (uint64_t)(clock_monotonic_s() * 1e6) - startup_us;
        if (r == 0)
                r = expect_jobs(manager, &pending, &slot);
        /* ExecStart is the path, the words, and whether a failure is ignored. Not ExecStartEx, which could
         * tell systemd to leave `$` alone: a daemon-reload of 252 loses that, and the command with it. */
        if (r == 0)
                r = bus_call(manager, PATH, INTERFACE, "StartTransientUnit", &reply, "ssa(sv)a(sa(sv))",
                             timer, "fail", N_COMMON + 3, COMMON(description), "TimersMonotonic", "a(st)", 1,
                             "OnStartupSec", delay_us, "AccuracyUSec", "t", TIMER_ACCURACY_US,
                             "RemainAfterElapse", "b", 0, 1, service, N_COMMON + 5, COMMON(description),
                             "Type", "s", "oneshot", "Restart", "s", "on-failure", "RestartUSec", "t",
                             RETRY_US, "StartLimitIntervalUSec", "t", UINT64_C(0), "ExecStart", "a(sasb)", 1,
                             words[0], MANAGER_TIMER_WORDS, words[0], words[1], words[2], 0);
        if (r == 0)
                r = add_job(manager, &pending, &job, reply);
        if (r == 0)
                r = await_jobs(manager, &pending);
        return r < 0 || job.error == 0 ? r : bus_fail(manager, job.error_text, job.error);
}
