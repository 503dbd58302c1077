/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "command/activate.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "backends/backends.h"
#include "backends/unit_links.h"
#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/text.h"
#include "bus/systemd_manager.h"
#include "command/change_log.h"
#include "command/check.h"
#include "command/facts_output.h"
#include "command/prepare.h"
#include "kernel/capability.h"
#include "plan/contradictions.h"
#include "plan/step_text.h"
#include "state/unit_state.h"
#include "store/change_lock.h"
#include "store/device_record.h"

#define CONFIGURE_UNIT "setmtu-configure.service"
#define LOCK_PATIENCE_S 30

struct unit_jobs {
        struct manager_job *items;
        size_t n_items;
        struct pool pool;
};

static void unit_jobs_cleanup(struct unit_jobs *jobs) {
        pool_free(&jobs->pool);
}

static void add_unit_job(struct unit_jobs *jobs, const char *unit, enum manager_verb verb) {
        struct manager_job *job = pool_add(&jobs->pool, &jobs->items, &jobs->n_items, sizeof(*job));

        if (job)
                *job = (struct manager_job){ .unit = unit, .verb = verb };
}

/* Writes the rules here, if setmtu-configure.service has run and would now do nothing else: the start of a
 * program by systemd takes longer than all of a reload. Otherwise adds what that service needs. The plan is
 * that of the files only with `has_lock`, the command lock. */
static void configure(struct unit_jobs *jobs, const struct snapshot *snapshot, bool has_lock) {
        if (!has_lock || snapshot->plan.config.is_partial || unit_is_active(CONFIGURE_UNIT) <= 0 ||
            !backends_write_rules(&snapshot->plan, &snapshot->links))
                add_unit_job(jobs, CONFIGURE_UNIT, MANAGER_RELOAD_OR_START);
}

/* Whether a command can do without the unit of the device, which is active, once it has set the MTU: the
 * unit would only do the same. With "keep", it tells setmtu-keep.service. */
static bool is_set_here(const struct device_plan *device, const char *name) {
        return backend_has_unit(device->backend) && !device->is_kept && unit_is_device_masked(name) == 0;
}

/* Adds what setmtu-keep.service needs. */
static void add_keep_job(struct unit_jobs *jobs, const struct plan *plan) {
        /* A reload tells it of the first line that says auto. */
        if (plan->has_kept != unit_is_active(KEEP_UNIT) || plan->has_fits)
                add_unit_job(jobs, KEEP_UNIT, plan->has_kept ? MANAGER_RELOAD_OR_START : MANAGER_STOP);
}

/* True unless the job failed; a masked unit is no failure. */
static bool log_job(const struct manager_job *job) {
        if (job->error == 0)
                return true;
        if (job->error == -ERFKILL) {
                log_warning("%s is masked and left alone", job->unit);
                return true;
        }
        return log_fail(false, "%s: %s", job->unit, job->error_text);
}

/* Runs the jobs, of which none is left then. */
static bool run_unit_jobs(struct bus *manager, struct unit_jobs *jobs) {
        bool is_done = !jobs->pool.failed || log_fail(false, LOG_OUT_OF_MEMORY);

        manager_run_jobs(manager, jobs->items, jobs->n_items);
        for (size_t i = 0; i < jobs->n_items; i++)
                is_done &= log_job(&jobs->items[i]);
        jobs->n_items = 0;
        return is_done;
}

static bool is_active(const char *active) {
        return text_is_among(active, "active activating reloading refreshing");
}

/* Whether the device's unit is active, and its program does not run. */
static bool is_started(const struct unit_states *states, const char *name) {
        const char *active = unit_states_find(states, UNIT_OF_DEVICE(name));

        return active && strcmp(active, "active") == 0;
}

/* Waits for units whose programs run. These may have read the configuration before the edit, and would set
 * that after this command; those that start later read the edit. systemd merges a job into the one that is
 * under way. */
static void await_running(struct bus *manager) {
        CLEANUP(unit_states_cleanup) struct unit_states states = { 0 };
        CLEANUP(unit_jobs_cleanup) struct unit_jobs jobs = { 0 };

        if (manager_list_units(manager, UNITS_OF_DEVICES, &states) < 0)
                return; /* fails again when they are stopped */
        for (size_t i = 0; i < states.n_items; i++)
                if (is_active(states.items[i].active) && strcmp(states.items[i].active, "active") != 0)
                        add_unit_job(&jobs, states.items[i].unit, MANAGER_RELOAD_OR_START);
        manager_run_jobs(manager, jobs.items, jobs.n_items);
}

/* Stops units whose device has no line for them any more. A stop also clears a unit's failed state. */
static bool stop_gone(struct bus *manager, const struct snapshot *snapshot,
                      const struct unit_states *states) {
        CLEANUP(unit_jobs_cleanup) struct unit_jobs jobs = { 0 };

        for (size_t i = 0; i < states->n_items; i++) {
                const char *unit = states->items[i].unit, *instance = unit + strlen("setmtu@");
                const struct device_plan *device;

                if (!is_active(states->items[i].active) && strcmp(states->items[i].active, "failed") != 0)
                        continue;
                device = plan_find_instance(
                                &snapshot->plan,
                                pool_copy_part(&jobs.pool, instance, strlen(instance) - strlen(".service")));
                if (device && backend_has_unit(device->backend))
                        continue;
                add_unit_job(&jobs, unit, MANAGER_STOP);
                log_info("%s: stopping: its device has no line for it any more", unit);
        }
        return run_unit_jobs(manager, &jobs);
}

/* Whether setmtu-keep.service does with the device what its line says: the unit tells it. */
static bool is_known_to_keep(const struct device_plan *device, const struct link *link) {
        struct device_record record;
        bool is_kept = device_record_read(link, &record) == 0 && record.kept.mtu > 0;

        return is_kept == device->is_kept && (!is_kept || record.kept.is_auto == device->line->spec.is_auto);
}

/* The device of a step if it is present and its MTU or its unit is to be changed, or the unit's program
 * runs, which is waited for: systemd starts a new unit as it reloads. Otherwise NULL. */
static const struct device_plan *find_changed(const struct plan *plan, const struct step *step,
                                              const struct unit_states *states) {
        const struct device_plan *device = step->line ? plan_find(plan, step->line->name) : NULL;

        if (!device || step->action == STEP_ABSENT || step->action == STEP_FALL)
                return NULL;
        if (!backend_has_unit(device->backend))
                return step->action == STEP_SET || step->action == STEP_REFUSE ? device : NULL;
        if ((step->action == STEP_KEEP || step->action == STEP_WAIT) && !step->set_up &&
            is_started(states, step->line->name) && is_known_to_keep(device, step->link))
                return NULL;
        return device;
}

/* Saving the file must not end a trial. */
static bool is_on_trial(const struct step *step) {
        char text[TRIAL_TEXT_SIZE];
        bool result = trial_text(text, step->link);

        if (result)
                log_info("%s: left alone: %s", step->line->name, text);
        return result;
}

/* Takes the lock, and the snapshot again. False, with the snapshot as it was, if another command or, as in
 * setmtu-reload.service, the sandbox is in the way: then the units do all. Devices without one are worth
 * waiting for that command. */
static bool can_change(struct command_lock *lock, struct snapshot *snapshot) {
        CLEANUP(snapshot_cleanup) struct snapshot other = { 0 };
        struct snapshot former = *snapshot;

        if (!capability_has_net_admin() ||
            command_lock_take(snapshot->plan.has_others ? LOCK_PATIENCE_S : 0, lock) < 0 ||
            snapshot_take(&diagnostic_silent, &other) < 0 ||
            !config_equals(&other.plan.config, &snapshot->plan.config))
                return false;
        *snapshot = other;
        other = former;
        return true;
}

/* Sets devices whose units are active, and then starts the other units, one stage after the other: a unit
 * does not wait for the units of lower devices. The services run along with the first one. */
static bool start_all(struct bus *manager, struct snapshot *snapshot, const struct unit_states *states) {
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        CLEANUP(unit_jobs_cleanup) struct unit_jobs jobs = { 0 };
        CLEANUP(steps_free) struct steps steps = { .n_items = 0 };
        CLEANUP(change_free) struct change change = { 0 };
        bool has_lock, is_done = true, *by_unit;
        struct step_target *targets;
        size_t n = 0;

        has_lock = can_change(&lock, snapshot);
        if (steps_make(&snapshot->statuses, &snapshot->links, NULL, 0, &steps) < 0)
                return log_fail(false, LOG_OUT_OF_MEMORY);
        targets = pool_take(&jobs.pool, (steps.n_items + 1) * sizeof(*targets));
        by_unit = pool_take(&jobs.pool, steps.n_items + 1);
        if (!targets || !by_unit)
                return log_fail(false, LOG_OUT_OF_MEMORY);
        for (size_t i = 0; i < steps.n_items; i++) {
                const struct step *step = &steps.items[i];
                const struct device_plan *device = find_changed(&snapshot->plan, step, states);
                bool has_unit = device && backend_has_unit(device->backend);

                if (!device || is_on_trial(step) || (!has_unit && !check_line(step->line, device->backend)))
                        continue;
                if (has_lock &&
                    (!has_unit || (step->action == STEP_SET && is_started(states, step->line->name) &&
                                   is_set_here(device, step->line->name))))
                        targets[n++] = (struct step_target){ .link = step->link, .line = step->line };
                else if (has_unit)
                        by_unit[i] = device;
                else if (step->action == STEP_SET)
                        /* In setmtu-reload.service, that is all there is to do. */
                        is_done &= log_fail(!capability_has_net_admin(),
                                            "%s: not set to %u now, by backend %s; setmtu apply sets it",
                                            step->line->name, step->to, backend_name(device->backend));
        }
        if (n > 0) {
                int r = change_set_targets(snapshot, targets, n, &change);

                is_done &= change_log(snapshot->socket, "", r, &change);
        }
        configure(&jobs, snapshot, has_lock);
        command_lock_release(&lock);
        add_keep_job(&jobs, &snapshot->plan);
        for (size_t i = 0; i < steps.n_items; i++) {
                if (i > 0 && steps.items[i].stage != steps.items[i - 1].stage)
                        is_done &= run_unit_jobs(manager, &jobs);
                if (by_unit[i]) {
                        const char *unit = pool_copy(&jobs.pool, UNIT_OF_DEVICE(steps.items[i].line->name));

                        add_unit_job(&jobs, unit, MANAGER_RELOAD_OR_START);
                        log_info("%s: %s", unit,
                                 is_started(states, steps.items[i].line->name) ? "applying its new value"
                                                                               : "starting");
                }
        }
        return run_unit_jobs(manager, &jobs) && is_done;
}

/* Reads the configuration; any error in it, and two lines that contradict each other, fail the reload. The
 * first read reports all mistakes: setmtu-reload.service can report them only in the journal. Returns an
 * exit code. */
static int read_strictly(bool is_first, struct snapshot *ret) {
        const struct diagnostic_sink sink =
                        is_first ? mistakes_sink(&ret->mistakes) : mistakes_counter(&ret->mistakes);
        unsigned n_errors;

        if (!prepare_check(snapshot_take(&sink, ret)))
                return EXIT_CODE_FAILURE;
        snapshot_add_restored(ret);
        if (contradictions_report(&ret->statuses, &ret->links, true, &sink) < 0)
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        n_errors = ret->mistakes.n_errors;
        if (n_errors == 0)
                return EXIT_CODE_DONE;
        return log_fail(EXIT_CODE_CONFIGURATION, "%u %s in the configuration: nothing was changed", n_errors,
                        n_errors == 1 ? "error" : "errors");
}

/* Makes systemd reload if a unit is new or gone, and fills `snapshot` with the configuration that systemd
 * has read. Path units miss a save during a reload; therefore it is read again and compared. Returns an exit
 * code. */
static int reload_manager(struct bus *manager, struct snapshot *snapshot) {
        int exit_code = read_strictly(true, snapshot);

        for (int i = 0; exit_code == EXIT_CODE_DONE && i < 10; i++) {
                struct snapshot later = { 0 };
                bool is_same;

                if (unit_links_are_made(&snapshot->plan))
                        break;
                if (manager_reload(manager) < 0)
                        return log_fail(EXIT_CODE_FAILURE, "systemd could not be made to reload: %s%s",
                                        bus_error_text(manager), geteuid() == 0 ? "" : "; run this as root");
                exit_code = read_strictly(false, &later);
                is_same = config_equals(&snapshot->plan.config, &later.plan.config);
                snapshot_cleanup(snapshot);
                *snapshot = later;
                if (is_same)
                        break;
        }
        return exit_code;
}

static bool put_into_effect(struct bus *manager, struct snapshot *snapshot) {
        CLEANUP(unit_states_cleanup) struct unit_states states = { 0 };
        bool is_done;

        if (manager_list_units(manager, UNITS_OF_DEVICES, &states) < 0)
                return log_fail(false, "the units cannot be read from systemd: %s", bus_error_text(manager));
        is_done = stop_gone(manager, snapshot, &states);
        is_done &= start_all(manager, snapshot, &states);
        /* One that does not answer is not asked again. */
        if (is_done)
                (void)rivals_report(&snapshot->statuses);
        return is_done;
}

static void add_target(struct pool *pool, struct trial_target **targets, size_t *n, const struct link *link,
                       const struct config_line *line) {
        struct trial_target *target = pool_add(pool, targets, n, sizeof(*target));
        struct config_line *own = pool_take(pool, sizeof(*own));

        if (!target || !own)
                return;
        /* That of a pattern goes with the snapshot's devices. */
        *own = *line;
        *target = (struct trial_target){ .ifindex = link->ifindex, .line = own };
}

int activate_configuration_targets(struct snapshot *snapshot, struct pool *pool, struct trial_target **ret,
                                   size_t *ret_n) {
        CLEANUP(steps_free) struct steps steps = { .n_items = 0 };
        int exit_code = read_strictly(true, snapshot);

        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (steps_make(&snapshot->statuses, &snapshot->links, NULL, 0, &steps) < 0)
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        for (size_t i = 0; i < steps.n_items; i++) {
                const struct step *step = &steps.items[i];
                const struct device_plan *device =
                                step->line ? plan_find(&snapshot->plan, step->line->name) : NULL;

                if (!device || (step->action != STEP_SET && step->action != STEP_REFUSE))
                        continue;
                if (step->action == STEP_REFUSE)
                        return log_fail(EXIT_CODE_FAILURE, "%s: %u, %s: %s; nothing was changed",
                                        step->line->name, step->to, CONFIG_LINE_PLACE(step->line),
                                        STEP_REASON(step));
                if (step->to != step->link->mtu)
                        add_target(pool, ret, ret_n, step->link, step->line);
        }
        for (size_t i = 0; i < snapshot->links.n_links; i++) {
                const struct device_status *status = &snapshot->statuses.items[i];
                struct config_line line = { .spec.mtu = status->restored };

                strcpy(line.name, status->link->name);
                if (status->restored > 0)
                        add_target(pool, ret, ret_n, status->link, &line);
        }
        return pool->failed ? log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY) : EXIT_CODE_DONE;
}

int activate_configuration(void) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        CLEANUP(bus_cleanup) struct bus *manager = NULL;
        int exit_code, r;

        if (!manager_is_here())
                return log_fail(EXIT_CODE_FAILURE, "reload: systemd does not manage these devices; setmtu "
                                                   "apply sets their MTU without it");
        r = manager_open(&manager);
        if (r < 0)
                return log_fail(EXIT_CODE_FAILURE, "systemd does not answer: %s", strerror(-r));
        await_running(manager);
        exit_code = reload_manager(manager, &snapshot);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        return put_into_effect(manager, &snapshot) ? EXIT_CODE_DONE : EXIT_CODE_FAILURE;
}

bool activate_units_of(const char *name) {
        CLEANUP(bus_cleanup) struct bus *manager = NULL;
        CLEANUP(unit_jobs_cleanup) struct unit_jobs jobs = { 0 };
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        const struct device_status *status;
        const struct device_plan *device;
        bool has_lock, are_made;
        int r;

        if (!manager_is_here()) {
                log_info("%s: systemd does not manage these devices, so no unit was changed%s", name,
                         interface_name_is_pattern(name) ? "; setmtu apply sets those with a line" : "");
                return true;
        }
        /* Of a pattern, any device may be concerned. */
        if (interface_name_is_pattern(name))
                return activate_configuration() == EXIT_CODE_DONE;
        r = manager_open(&manager);
        if (r == 0)
                await_running(manager);
        has_lock = command_lock_take(0, &lock) == 0;
        if (!prepare_check(snapshot_take(&diagnostic_silent, &snapshot)))
                return false;
        configure(&jobs, &snapshot, has_lock);
        command_lock_release(&lock);
        device = plan_find(&snapshot.plan, name);
        status = snapshot_find(&snapshot, name);
        if (!device || unit_is_active(UNIT_OF_DEVICE(name)) <= 0 || !is_set_here(device, name) || !status ||
            status->state != DEVICE_STATE_OK)
                add_unit_job(&jobs, pool_copy(&jobs.pool, UNIT_OF_DEVICE(name)),
                             device && backend_has_unit(device->backend) ? MANAGER_RELOAD_OR_START
                                                                         : MANAGER_STOP);
        add_keep_job(&jobs, &snapshot.plan);
        are_made = unit_links_are_made(&snapshot.plan);
        if (are_made && jobs.n_items == 0 && !jobs.pool.failed)
                return true;
        if (r == 0 && !are_made)
                r = manager_reload(manager);
        if (r < 0)
                return log_fail(false,
                                "%s: systemd did not put this into effect: %s; setmtu reload tries again",
                                name, manager ? bus_error_text(manager) : strerror(-r));
        return run_unit_jobs(manager, &jobs);
}
