/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/measured_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/text.h"

/* From SIGTERM to SIGKILL. */
#define GRACE_S 2

enum { OUTPUT, MESSAGES, N_STREAMS, FAULT = N_STREAMS, N_PIPES };

struct running {
        pid_t child;
        int child_fd;          /* pidfd_open(2); negative: not open */
        int pipes[N_PIPES][2]; /* the ends to read and to write; negative: not open, or end of file */
        struct pool_text texts[N_STREAMS];
};

static void close_end(int *fd) {
        cleanup_close(fd);
        *fd = -1;
}

static void running_cleanup(struct running *running) {
        close_end(&running->child_fd);
        for (int i = 0; i < N_PIPES; i++) {
                close_end(&running->pipes[i][0]);
                close_end(&running->pipes[i][1]);
        }
}

static void drain_pipes(struct running *running) {
        char buffer[65536];

        for (int i = 0; i < N_STREAMS; i++) {
                struct pollfd ready = { .fd = running->pipes[i][0], .events = POLLIN };

                while (poll(&ready, 1, 0) > 0) {
                        ssize_t n = read(ready.fd, buffer, sizeof(buffer));
                        size_t room = MEASURED_OUTPUT_MAX - running->texts[i].size;

                        if (n < 0 && errno == EINTR)
                                continue;
                        if (n <= 0) {
                                close_end(&running->pipes[i][0]);
                                ready.fd = -1;
                        } else
                                pool_text_put_part(&running->texts[i], buffer,
                                                   (size_t)n < room ? (size_t)n : room);
                }
        }
}

/* Runs between fork() and exec(); sends the errno of a failure to the parent. */
_Noreturn static void exec_child(const struct measured_process_call *call, pid_t parent,
                                 const struct running *running) {
        static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP };
        int nowhere = open("/dev/null", O_RDONLY | O_CLOEXEC);
        sigset_t none;
        ssize_t written;

        for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
                signal(numbers[i], SIG_DFL);
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        setpgid(0, 0);
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() != parent)
                _exit(EXIT_FAILURE); /* the parent had already exited */
        if (nowhere >= 0 && dup2(nowhere, STDIN_FILENO) >= 0 &&
            dup2(running->pipes[OUTPUT][1], STDOUT_FILENO) >= 0 &&
            dup2(running->pipes[MESSAGES][1], STDERR_FILENO) >= 0)
                /* execvp() does not modify the words; POSIX's missing const is historical */
                execvp(call->arguments[0], (char *const *)(uintptr_t)call->arguments);
        written = write(running->pipes[FAULT][1], &errno, sizeof(errno));
        (void)written;
        _exit(127);
}

/* 0 or a negative errno. */
static int start_child(const struct measured_process_call *call, struct running *running) {
        pid_t parent = getpid(), child;
        int error = 0;
        ssize_t n;

        for (int i = 0; i < N_PIPES; i++)
                if (pipe2(running->pipes[i], O_CLOEXEC) < 0)
                        return -errno;
        child = fork();
        if (child < 0)
                return -errno;
        if (child == 0)
                exec_child(call, parent, running);
        setpgid(child, child); /* in both processes: either may run first */
        for (int i = 0; i < N_PIPES; i++)
                close_end(&running->pipes[i][1]);
        do
                n = read(running->pipes[FAULT][0], &error, sizeof(error));
        while (n < 0 && errno == EINTR);
        if (n == (ssize_t)sizeof(error)) {
                waitpid(child, NULL, 0);
                return -error;
        }
        running->child = child;
        running->child_fd = pidfd_open(child, 0);
        return 0;
}

/* Waits briefly, or until there is output to read or the child has ended, while others may hold its output.
 */
static void wait_a_moment(const struct running *running) {
        struct pollfd fds[N_STREAMS + 1] = { { .fd = running->child_fd, .events = POLLIN } };

        for (int i = 0; i < N_STREAMS; i++)
                fds[i + 1] = (struct pollfd){ .fd = running->pipes[i][0], .events = POLLIN };
        (void)poll(fds, N_STREAMS + 1, running->child_fd < 0 ? 2 : 100);
}

enum run_end run_fail(char fault[static RUN_FAULT_SIZE], enum run_end end, const char *format, ...) {
        TEXT_FORMAT(fault, RUN_FAULT_SIZE, format);
        return end;
}

static enum run_end fail_by_errno(const struct measured_process_call *call, int error,
                                  char fault[static RUN_FAULT_SIZE]) {
        if (error == -ENOENT && call->absent)
                return run_fail(fault, RUN_HOPELESS, "%s", call->absent);
        return run_fail(fault, RUN_HOPELESS, "%s cannot be run: %s", call->arguments[0], strerror(-error));
}

enum run_end measured_process_run(const struct measured_process_call *call, struct measured_process *ret,
                                  char fault[static RUN_FAULT_SIZE]) {
        CLEANUP(measured_process_cleanup) struct measured_process result = { .status = 0 };
        CLEANUP(running_cleanup)
        struct running running = {
                .child_fd = -1,
                .pipes = { { -1, -1 }, { -1, -1 }, { -1, -1 } },
                .texts = { { .pool = &result.pool }, { .pool = &result.pool } },
        };
        double begin = clock_monotonic_s(), asked = 0;
        bool is_stopped = false;
        int status = 0, r;

        for (int i = 0; i < N_STREAMS; i++)
                pool_text_put(&running.texts[i], "");
        r = result.pool.failed ? -ENOMEM : start_child(call, &running);
        if (r < 0)
                return fail_by_errno(call, r, fault);
        for (;;) {
                double now;

                wait_a_moment(&running);
                drain_pipes(&running);
                r = waitpid(running.child, &status, WNOHANG);
                if (r < 0 && errno != EINTR)
                        return run_fail(fault, RUN_HOPELESS, "how %s ended cannot be read: %s", call->name,
                                        strerror(errno));
                if (r > 0)
                        break;
                now = clock_monotonic_s();
                if (asked == 0 &&
                    (interrupt_seen() != 0 || now - begin > call->limit_s || result.pool.failed)) {
                        is_stopped = interrupt_seen() != 0;
                        asked = now;
                        kill(-running.child, SIGTERM);
                } else if (asked > 0 && now - asked > GRACE_S)
                        kill(-running.child, SIGKILL);
                if (call->progress && asked == 0)
                        progress_draw(call->progress);
        }
        result.seconds = clock_monotonic_s() - begin;
        if (asked > 0)
                kill(-running.child, SIGKILL); /* processes that it left behind */
        /* Reads the rest of the output, but does not wait for other processes that still hold the pipes. */
        drain_pipes(&running);
        if (result.pool.failed)
                return fail_by_errno(call, -ENOMEM, fault);
        if (asked > 0)
                return is_stopped ? RUN_STOPPED
                                  : run_fail(fault, RUN_FAILED,
                                             "%s did not end within %u s%s, and was stopped", call->name,
                                             call->limit_s, call->limit_note ? call->limit_note : "");
        if (WIFSIGNALED(status))
                return run_fail(fault, RUN_FAILED, "%s was killed by signal %d (%s)", call->name,
                                WTERMSIG(status), strsignal(WTERMSIG(status)));
        result.status = WEXITSTATUS(status);
        result.output = running.texts[OUTPUT].text;
        result.output_size = running.texts[OUTPUT].size;
        result.messages = running.texts[MESSAGES].text;
        *ret = result;
        result.pool = (struct pool){ 0 };
        return RUN_DONE;
}

enum run_end measured_process_fail(const struct measured_process *process, const char *what,
                                   char fault[static RUN_FAULT_SIZE]) {
        const char *says = process->messages;

        return run_fail(fault, RUN_FAILED, "%s ended with %d%s%s", what, process->status,
                        *says ? "; it says " : "", *says ? TEXT_QUOTE_PART(says, strcspn(says, "\n")) : "");
}

void measured_process_cleanup(struct measured_process *result) {
        pool_free(&result->pool);
}
