/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/revert_timer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/process.h"
#include "bus/systemd_manager.h"

/* How often the process checks that the trial is still waiting. */
#define LOOK_MS 250

/* Pause before another try. */
#define RETRY_MS 1000

/* By number: a name may pass to another device. */
#define NUMBER_OPTION_SIZE sizeof("--trial=4294967295")

static const char *number_option(char option[static NUMBER_OPTION_SIZE], uint32_t id) {
        snprintf(option, NUMBER_OPTION_SIZE, "--trial=%" PRIu32, id);
        return option;
}

static int start_timer(const struct trial_record *record, unsigned timeout_s) {
        CLEANUP(bus_cleanup) struct bus *manager = NULL;
        uint64_t delay_us = timeout_s * UINT64_C(1000000);
        char timer[sizeof("setmtu-revert-4294967295")], description[96], option[NUMBER_OPTION_SIZE];
        char program[PATH_MAX];
        const char *const words[] = { program, "revert", number_option(option, record->id) };
        ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
        int r = length < 0 ? -errno : manager_open(&manager);

        if (r < 0)
                return r;
        program[length] = '\0';
        snprintf(timer, sizeof(timer), "setmtu-revert-%" PRIu32, record->id);
        snprintf(description, sizeof(description), "Deadline for confirming MTU %u on %s%s", record->tried,
                 record->name, record->place > 1 ? " and others" : "");
        return manager_start_timer(manager, timer, description, delay_us, words);
}

bool revert_timer_is_waiting(const struct trial_records *records) {
        bool result = false;

        for (size_t i = 0; i < records->n_items; i++) {
                struct trial_record now;
                int r = trial_record_read(records->items[i].ifindex, &now);

                result |= r == 0 ? now.id == records->id : r != -ENOENT && r != -EBADMSG;
        }
        return result;
}

/* Runs in the process. It reverts at the deadline, or on SIGTERM. It stays until the trial has ended,
 * because whatever prevents `setmtu revert` may be temporary. */
static void wait_and_revert(const struct trial_records *records, double deadline) {
        const struct timespec look = { .tv_nsec = LOOK_MS * 1000000L };
        sigset_t terminate, none;
        char option[NUMBER_OPTION_SIZE];
        const char *const words[] = { "/proc/self/exe", "revert", number_option(option, records->id), NULL };

        sigemptyset(&none);
        sigemptyset(&terminate);
        sigaddset(&terminate, SIGTERM);
        sigprocmask(SIG_SETMASK, &terminate, NULL);
        do {
                if (!revert_timer_is_waiting(records))
                        _exit(EXIT_SUCCESS);
        } while (clock_boottime_s() < deadline && sigtimedwait(&terminate, NULL, &look) < 0);
        /* Another SIGTERM must not end the process now. */
        signal(SIGTERM, SIG_IGN);
        sigprocmask(SIG_SETMASK, &none, NULL);
        for (;;) {
                int r = process_run(words);

                (void)r; /* the record shows the result */
                if (!revert_timer_is_waiting(records))
                        _exit(EXIT_SUCCESS);
                (void)clock_sleep_ms(RETRY_MS);
        }
}

/* Runs in the first child, which starts the process and exits. */
static void leave_process(const struct trial_records *records, double deadline, int nowhere) {
        pid_t child;

        signal(SIGHUP, SIG_IGN);
        signal(SIGINT, SIG_IGN);
        signal(SIGQUIT, SIG_IGN);
        signal(SIGTSTP, SIG_IGN);
        /* A pipe's reader must not wait for this process. */
        if (dup2(nowhere, 0) < 0 || dup2(nowhere, 1) < 0 || dup2(nowhere, 2) < 0 || chdir("/") < 0)
                _exit(EXIT_FAILURE);
        /* Nor may it hold what else the caller has open, such as the command lock. musl has no
         * close_range(). */
        syscall(SYS_close_range, STDERR_FILENO + 1, UINT_MAX, 0);
        setsid();
        child = fork();
        if (child == 0)
                wait_and_revert(records, deadline);
        _exit(child < 0 ? EXIT_FAILURE : EXIT_SUCCESS);
}

/* A grandchild, so that no parent waits for it and no terminal can signal it. */
static int start_process(const struct trial_records *records, unsigned timeout_s) {
        CLEANUP(cleanup_close) int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
        double deadline = clock_boottime_s() + timeout_s;
        int status = 0;
        pid_t child = nowhere < 0 ? -1 : fork();

        if (child < 0)
                return -errno;
        if (child == 0)
                leave_process(records, deadline, nowhere);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
                ;
        return status == 0 ? 0 : -EAGAIN;
}

int revert_timer_start(const struct trial_records *records, unsigned timeout_s) {
        return manager_is_here() ? start_timer(&records->items[records->n_items - 1], timeout_s)
                                 : start_process(records, timeout_s);
}

/* Whether a device of the trial is waiting still. Where that cannot be read, it is. */
static bool has_trial(uint32_t id) {
        CLEANUP(trial_records_free) struct trial_records records;

        return trial_records_read(id, &records) < 0 || records.n_items > 0;
}

void revert_timers_stop(void) {
        CLEANUP(bus_cleanup) struct bus *manager = NULL;
        CLEANUP(unit_states_cleanup) struct unit_states timers = { 0 };

        if (!manager_is_here() || manager_open(&manager) < 0 ||
            manager_list_units(manager, "setmtu-revert-*.timer", &timers) < 0)
                return;
        for (size_t i = 0; i < timers.n_items; i++) {
                struct manager_job job = { .unit = timers.items[i].unit, .verb = MANAGER_STOP };
                uint32_t id;

                /* A trial has its records before it has its timer. */
                if (sscanf(job.unit, "setmtu-revert-%" SCNu32, &id) == 1 && !has_trial(id))
                        manager_run_jobs(manager, &job, 1);
        }
}
