/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/measured_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "base/whole_file.h"

/* From SIGTERM to SIGKILL. */
#define GRACE_S 2
/* A day of iperf3 prints 70 MB. */
#define OUTPUT_MAX (256 * 1024 * 1024)

enum run_end run_fail(char fault[static RUN_FAULT_SIZE], enum run_end end, const char *format, ...) {
        TEXT_FORMAT(fault, RUN_FAULT_SIZE, format);
        return end;
}

/* Runs after fork(). `parent` is the PID from before. */
_Noreturn static void exec_child(const char *const *arguments, int output, int messages, pid_t parent) {
        int nowhere = open("/dev/null", O_RDONLY | O_CLOEXEC);

        signal(SIGPIPE, SIG_DFL);
        setpgid(0, 0);
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() != parent)
                _exit(EXIT_FAILURE); /* the parent had already exited */
        if (nowhere >= 0 && dup2(nowhere, STDIN_FILENO) >= 0 && dup2(messages, STDERR_FILENO) >= 0 &&
            dup2(output, STDOUT_FILENO) >= 0)
                /* execvp() does not modify the words; POSIX's missing const is historical */
                execvp(arguments[0], (char *const *)(uintptr_t)arguments);
        dprintf(messages, "%s: %s", arguments[0], strerror(errno));
        _exit(errno == ENOENT ? MEASURED_PROCESS_ABSENT : 126);
}

/* Waits until the program has ended, and ends it if it takes too long or the user interrupts. Returns the
 * status of waitpid(2), -ETIME or -ECANCELED if it was ended, or another negative errno. */
static int wait_for(pid_t child, unsigned limit_s, struct progress *progress) {
        CLEANUP(cleanup_close) int child_fd = pidfd_open(child, 0);
        int status = 0, end = 0;
        double begin = clock_monotonic_s(), asked = 0; /* when the program was asked to end */

        for (;;) {
                struct pollfd ready = { .fd = child_fd, .events = POLLIN };
                double now;
                pid_t ended;

                (void)poll(&ready, 1, child_fd < 0 ? 2 : 100);
                ended = waitpid(child, &status, WNOHANG);
                if (ended < 0 && errno != EINTR)
                        return -errno;
                if (ended > 0)
                        break;
                now = clock_monotonic_s();
                if (end == 0 && (interrupt_seen() || now - begin > limit_s)) {
                        end = interrupt_seen() ? -ECANCELED : -ETIME;
                        asked = now;
                        kill(-child, SIGTERM);
                } else if (end < 0 && now - asked > GRACE_S)
                        kill(-child, SIGKILL);
                if (end == 0)
                        progress_draw(progress);
        }
        if (end < 0)
                kill(-child, SIGKILL); /* processes that it left behind */
        return end < 0 ? end : status;
}

/* Reads what the program has written. It has the same file offset. */
static int read_text(int fd, char **ret_text, size_t *ret_size) {
        return lseek(fd, 0, SEEK_SET) < 0 ? -errno
                                          : whole_file_read_from(fd, OUTPUT_MAX, ret_text, ret_size);
}

enum run_end measured_process_run(const char *const *arguments, unsigned limit_s, struct progress *progress,
                                  struct measured_process *ret, char fault[static RUN_FAULT_SIZE]) {
        /* Files and not pipes: they need no reader, and nobody waits for others that keep them open. */
        CLEANUP(cleanup_close) int output = memfd_create("output", MFD_CLOEXEC);
        CLEANUP(cleanup_close) int messages = memfd_create("messages", MFD_CLOEXEC);
        CLEANUP(measured_process_cleanup) struct measured_process result = { .status = 0 };
        const char *name = arguments[0];
        pid_t parent = getpid(), child = messages < 0 || output < 0 ? -1 : fork();
        size_t size;
        int status, r;

        if (child < 0)
                return run_fail(fault, RUN_HOPELESS, "%s cannot be run: %s", name, strerror(errno));
        if (child == 0)
                exec_child(arguments, output, messages, parent);
        setpgid(child, child); /* in both processes: either may run first */
        status = wait_for(child, limit_s, progress);
        if (status == -ECANCELED)
                return RUN_STOPPED;
        if (status == -ETIME)
                return run_fail(fault, RUN_FAILED, "%s did not end within %u s, and was stopped", name,
                                limit_s);
        if (status < 0)
                return run_fail(fault, RUN_HOPELESS, "cannot wait for %s: %s", name, strerror(-status));
        if (WIFSIGNALED(status))
                return run_fail(fault, RUN_FAILED, "%s was killed by signal %d (%s)", name, WTERMSIG(status),
                                strsignal(WTERMSIG(status)));
        r = read_text(messages, &result.messages, &size);
        if (r == 0)
                r = read_text(output, &result.output, &result.output_size);
        if (r < 0)
                return run_fail(fault, RUN_HOPELESS, "cannot read what %s printed: %s", name, strerror(-r));
        result.status = WEXITSTATUS(status);
        *ret = result;
        result = (struct measured_process){ 0 };
        return RUN_DONE;
}

void measured_process_cleanup(struct measured_process *process) {
        free(process->output);
        free(process->messages);
}
