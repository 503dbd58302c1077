/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/revert_timer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/unit_name.h"
#include "change/trial.h"
#include "change/trial_end.h"
#include "system/systemd_manager.h"

/* The timer's name without its suffix. */
struct timer_name {
        char text[sizeof("setmtu-revert-.timer") + UNIT_NAME_ESCAPED_SIZE(INTERFACE_NAME_SIZE)];
};

static struct timer_name timer_name_of(const char *interface) {
        char escaped[UNIT_NAME_ESCAPED_SIZE(INTERFACE_NAME_SIZE)];
        struct timer_name name;

        unit_name_escape(interface, escaped);
        snprintf(name.text, sizeof(name.text), "setmtu-revert-%s", escaped);
        return name;
}

static bool start_timer(const struct trial_record *record, unsigned timeout_s) {
        CLEANUP(manager_cleanup) struct manager *manager = NULL;
        char program[PATH_MAX], description[80];
        char escaped[UNIT_NAME_ESCAPED_SIZE(INTERFACE_NAME_SIZE)];
        /* Escaped, because the timer takes no "$" or ";", which a name may have. */
        const char *const arguments[] = { program, "revert", "--", escaped, NULL };
        ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
        int r = length < 0 ? -errno : manager_open(&manager);

        if (r == 0) {
                program[length] = '\0';
                unit_name_escape(record->name, escaped);
                snprintf(description, sizeof(description), "Put back the MTU of %s", record->name);
                r = manager_start_timer(manager, timer_name_of(record->name).text, description,
                                        timeout_s * UINT64_C(1000000), arguments);
        }
        if (r < 0)
                log_error("%s: left as it is: the timer that would put the MTU back cannot be started: %s",
                          record->name, manager ? manager_error_text(manager) : strerror(-r));
        return r == 0;
}

static void revert(unsigned ifindex) {
        CLEANUP(link_socket_cleanup) struct link_socket *socket = NULL;

        while (link_socket_open(&socket) < 0)
                sleep(1);
        (void)trial_end_revert(socket, ifindex);
}

/* Sleeps until the time is up, and never returns. A request to terminate is one to put things right and go.
 */
static void watch(unsigned ifindex, const struct trial_record *record, double deadline) {
        const struct timespec moment = { .tv_nsec = 250000000 };
        sigset_t terminate;

        sigemptyset(&terminate);
        sigaddset(&terminate, SIGTERM);
        sigprocmask(SIG_SETMASK, &terminate, NULL);
        while (trial_is_waiting(ifindex, record))
                if (clock_boottime_s() >= deadline || sigtimedwait(&terminate, NULL, &moment) == SIGTERM) {
                        revert(ifindex);
                        break;
                }
        _exit(EXIT_SUCCESS);
}

/* What the first child does: it goes, and leaves one of its own behind. */
static void leave_watch(unsigned ifindex, const struct trial_record *record, double deadline) {
        int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
        pid_t child;

        signal(SIGHUP, SIG_IGN);
        signal(SIGINT, SIG_IGN);
        signal(SIGQUIT, SIG_IGN);
        /* A pipe's reader must not wait for this process. */
        if (nowhere < 0 || dup2(nowhere, 0) < 0 || dup2(nowhere, 1) < 0 || dup2(nowhere, 2) < 0 ||
            chdir("/") < 0)
                _exit(EXIT_FAILURE);
        /* Nor hold what else the caller has open: somebody's lock, perhaps. */
        close_range(STDERR_FILENO + 1, UINT_MAX, 0);
        setsid();
        child = fork();
        if (child == 0)
                watch(ifindex, record, deadline);
        _exit(child < 0 ? EXIT_FAILURE : EXIT_SUCCESS);
}

/* A child of a child: nobody waits for it, and no terminal can reach it. */
static bool start_process(unsigned ifindex, const struct trial_record *record, unsigned timeout_s) {
        double deadline = clock_boottime_s() + timeout_s;
        pid_t child = fork();
        int status = 0;

        if (child == 0)
                leave_watch(ifindex, record, deadline);
        while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
                ;
        if (child < 0 || status != 0)
                log_error("%s: left as it is: the process that would put the MTU back cannot be "
                          "started%s%s",
                          record->name, child < 0 ? ": " : ", or has no /dev/null",
                          child < 0 ? strerror(errno) : "");
        return child > 0 && status == 0;
}

bool guard_start(unsigned ifindex, const struct trial_record *record, unsigned timeout_s) {
        return manager_is_here() ? start_timer(record, timeout_s)
                                 : start_process(ifindex, record, timeout_s);
}

void guard_stop(const char *name) {
        CLEANUP(manager_cleanup) struct manager *manager = NULL;
        struct timer_name timer = timer_name_of(name);
        struct manager_job job = { .unit = timer.text, .verb = MANAGER_STOP };

        if (!manager_is_here() || manager_open(&manager) < 0)
                return;
        strcat(timer.text, ".timer");
        /* It is gone by itself where it has done its work. */
        (void)manager_run_jobs(manager, &job, 1);
}
