/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/activate_units.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/unit_name.h"
#include "config/interface_name.h"
#include "store/load_plan.h"

/* True where it is no failure. */
static bool log_job(const struct manager_job *job) {
        if (job->error == 0)
                return true;
        if (job->error == -ERFKILL) {
                log_warning("%s is masked and left alone", job->unit);
                return true;
        }
        if (job->result[0])
                log_error("%s: its job ended with \"%s\"; see systemctl status '%s'", job->unit, job->result,
                          job->unit);
        else
                log_error("%s: %s", job->unit, job->error_text[0] ? job->error_text : strerror(-job->error));
        return false;
}

bool activate_units_run(struct manager *manager, struct manager_job *jobs, size_t n_jobs) {
        bool is_done = true;

        (void)manager_run_jobs(manager, jobs, n_jobs); /* each job has its own error */
        for (size_t i = 0; i < n_jobs; i++)
                is_done &= log_job(&jobs[i]);
        return is_done;
}

/* Whether the device has a line that its unit carries out. Where it cannot be told, the unit is to say so.
 */
static bool is_units(const char *name) {
        const struct device_plan *device;
        struct plan plan;
        bool result;

        if (load_plan(&load_plan_silent, &plan) < 0)
                return true;
        device = plan_find(&plan, name);
        result = !device || device_plan_has_unit(device);
        plan_free(&plan);
        return result;
}

bool activate_units_of(const char *name, bool has_line) {
        CLEANUP(manager_cleanup) struct manager *manager = NULL;
        char instance[UNIT_NAME_ESCAPED_SIZE(INTERFACE_NAME_SIZE)];
        char unit[sizeof(instance) + sizeof("setmtu@.service")];
        struct manager_job jobs[2] = {
                { .unit = "setmtu-configure.service", .verb = MANAGER_RESTART },
                { .unit = unit,
                  .verb = has_line && is_units(name) ? MANAGER_RELOAD_OR_START : MANAGER_STOP },
        };
        int r;

        if (!manager_is_here()) {
                log_info("%s: systemd does not manage these devices, so no unit was told", name);
                return true;
        }
        unit_name_escape(name, instance);
        snprintf(unit, sizeof(unit), "setmtu@%s.service", instance);
        r = manager_open(&manager);
        if (r == 0)
                r = manager_reload(manager);
        if (r < 0) {
                log_error("%s: systemd could not be made to take this up: %s; setmtu reload tries again",
                          name, manager ? manager_error_text(manager) : strerror(-r));
                return false;
        }
        return activate_units_run(manager, jobs, 2);
}
