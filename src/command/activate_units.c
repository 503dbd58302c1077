/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/activate_units.h"

#include <errno.h>
#include <string.h>

#include "backends/unit_links.h"
#include "base/cleanup.h"
#include "base/log.h"
#include "state/unit_state.h"
#include "store/load_plan.h"

/* True unless the job failed. */
static bool log_job(const struct manager_job *job) {
        if (job->error == 0)
                return true;
        if (job->error == -ERFKILL) {
                log_warning("%s is masked and left alone", job->unit);
                return true;
        }
        return log_fail(false, "%s: %s", job->unit, job->error_text);
}

bool activate_units_run(struct bus *manager, struct manager_job *jobs, size_t n_jobs) {
        bool is_done = true;

        (void)manager_run_jobs(manager, jobs, n_jobs); /* each job has its own error */
        for (size_t i = 0; i < n_jobs; i++)
                is_done &= log_job(&jobs[i]);
        return is_done;
}

bool activate_units_keep(const struct plan *plan, struct manager_job *ret) {
        *ret = (struct manager_job){
                .unit = KEEP_UNIT,
                .verb = plan->has_kept ? MANAGER_RELOAD_OR_START : MANAGER_STOP,
        };
        return plan->has_kept != unit_is_active(KEEP_UNIT);
}

bool activate_units_of(const char *name, bool has_line) {
        CLEANUP(bus_cleanup) struct bus *manager = NULL;
        struct manager_job jobs[3] = { { .unit = "setmtu-configure.service",
                                         .verb = MANAGER_RELOAD_OR_START },
                                       { .unit = UNIT_OF_DEVICE(name) } };
        const struct device_plan *device;
        CLEANUP(plan_free) struct plan plan = { 0 };
        size_t n_jobs = 2;
        bool has_plan;
        int r = manager_is_here();

        if (r < 0)
                return log_fail(false, "%s: " MANAGER_NOT_KNOWN "; setmtu reload starts or stops its unit",
                                name, strerror(-r));
        if (r == 0) {
                log_info("%s: systemd does not manage these devices, so no unit was changed", name);
                return true;
        }
        has_plan = load_plan(&diagnostic_silent, &plan) == 0;
        r = manager_open(&manager);
        if (r == 0 && !(has_plan && unit_links_are_made(&plan)))
                r = manager_reload(manager);
        if (r < 0)
                return log_fail(false,
                                "%s: systemd did not put this into effect: %s; setmtu reload tries again",
                                name, manager ? bus_error_text(manager) : strerror(-r));
        if (has_plan) {
                device = plan_find(&plan, name);
                /* If the plan lacks the device, the unit reports why. */
                has_line &= !device || backend_has_unit(device->backend);
                n_jobs += activate_units_keep(&plan, &jobs[2]);
        }
        jobs[1].verb = has_line ? MANAGER_RELOAD_OR_START : MANAGER_STOP;
        return activate_units_run(manager, jobs, n_jobs);
}
