/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/whole_file.h"

/* A day of iperf3 prints 70 MB. */
#define OUTPUT_MAX (256 * 1024 * 1024)

int process_run(const char *const *words) {
        int status, r;
        pid_t pid;

        /* posix_spawnp() takes non-const words but does not modify them. */
        r = posix_spawnp(&pid, words[0], NULL, NULL, (char *const *)(uintptr_t)words, environ);
        if (r != 0)
                return -r;
        while (waitpid(pid, &status, 0) < 0)
                if (errno != EINTR)
                        return -errno;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -ECANCELED;
}

/* Runs after fork(). `parent` is the PID from before. */
_Noreturn static void exec_child(const char *const *words, int output, pid_t parent) {
        int nowhere = open("/dev/null", O_RDONLY | O_CLOEXEC);

        signal(SIGPIPE, SIG_DFL);
        setpgid(0, 0);
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent &&
            dup2(nowhere, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
            dup2(output, STDERR_FILENO) >= 0)
                execvp(words[0], (char *const *)(uintptr_t)words);
        _exit(PROCESS_ABSENT);
}

/* Waits for the program, and kills its group at the time limit and for a caught signal. 0, -ETIME or
 * -ECANCELED, or an error of waitpid(2). */
static int wait_for(pid_t child, unsigned limit_s, int *ret_status) {
        double limit = clock_monotonic_s() + limit_s;
        pid_t ended;
        int r = 0;

        while ((ended = waitpid(child, ret_status, WNOHANG)) == 0) {
                if (interrupt_seen() || clock_monotonic_s() > limit) {
                        r = interrupt_seen() ? -ECANCELED : -ETIME;
                        kill(-child, SIGKILL);
                }
                (void)clock_sleep_ms(10);
        }
        return ended < 0 ? -errno : r;
}

int process_read(const char *const *words, unsigned limit_s, char **ret_output, size_t *ret_size) {
        /* A file and not a pipe: it needs no reader, and nothing waits for others that keep it open. */
        CLEANUP(cleanup_close) int output = memfd_create("output", MFD_CLOEXEC);
        pid_t parent = getpid(), child = output < 0 ? -1 : fork();
        int status, r;

        if (child < 0)
                return -errno;
        if (child == 0)
                exec_child(words, output, parent);
        setpgid(child, child); /* in both processes: either may run first */
        r = wait_for(child, limit_s, &status);
        /* The program has the same file offset. */
        if (r == 0 && lseek(output, 0, SEEK_SET) < 0)
                r = -errno;
        if (r == 0)
                r = whole_file_read_from(output, OUTPUT_MAX, ret_output, ret_size);
        if (r < 0)
                return r;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
