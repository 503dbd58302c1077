/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/measured_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/text.h"

/* From the request to end until it is no request any more. */
#define GRACE_S 2

/* One end of a pipe, and what has come out of it. */
struct stream {
        int fd;
        char *text;
        size_t size;
};

static void stream_cleanup(struct stream *stream) {
        cleanup_close(&stream->fd);
        free(stream->text);
}

static int keep(struct stream *stream, const char *text, size_t size) {
        char *grown;

        if (stream->size + size > MEASURED_OUTPUT_MAX)
                size = MEASURED_OUTPUT_MAX - stream->size;
        grown = realloc(stream->text, stream->size + size + 1);
        if (!grown)
                return -ENOMEM;
        memcpy(grown + stream->size, text, size);
        stream->text = grown;
        stream->size += size;
        stream->text[stream->size] = '\0';
        return 0;
}

/* Takes what there is now. At the end the descriptor is closed and -1. */
static int drain(struct stream *stream) {
        char buffer[65536];

        while (stream->fd >= 0) {
                ssize_t n = read(stream->fd, buffer, sizeof(buffer));
                int r;

                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0 && errno == EAGAIN)
                        return 0;
                if (n <= 0) {
                        close(stream->fd);
                        stream->fd = -1;
                        return 0;
                }
                r = keep(stream, buffer, (size_t)n);
                if (r < 0)
                        return r;
        }
        return 0;
}

/* Between fork() and exec(): what fails goes back as an errno. */
_Noreturn static void become(const struct measured_process_call *call, pid_t parent, int output,
                             int messages, int error_text) {
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
                _exit(EXIT_FAILURE); /* it had gone before */
        if (nowhere >= 0 && dup2(nowhere, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
            dup2(messages, STDERR_FILENO) >= 0)
                /* exec takes them for its own; POSIX's missing const is historical */
                execvp(call->arguments[0], (char *const *)(uintptr_t)call->arguments);
        written = write(error_text, &errno, sizeof(errno));
        (void)written;
        _exit(127);
}

static int start(const struct measured_process_call *call, struct stream *output, struct stream *messages,
                 pid_t *ret_child) {
        CLEANUP(cleanup_close) int output_end = -1, messages_end = -1, error_text = -1, complaint_end = -1;
        pid_t parent = getpid(), child;
        int pipes[3][2], error = 0;
        ssize_t n;

        for (int i = 0; i < 3; i++)
                if (pipe2(pipes[i], O_CLOEXEC) < 0) {
                        error = -errno;
                        while (i-- > 0) {
                                close(pipes[i][0]);
                                close(pipes[i][1]);
                        }
                        return error;
                }
        output->fd = pipes[0][0];
        output_end = pipes[0][1];
        messages->fd = pipes[1][0];
        messages_end = pipes[1][1];
        error_text = pipes[2][0];
        complaint_end = pipes[2][1];

        child = fork();
        if (child < 0)
                return -errno;
        if (child == 0)
                become(call, parent, output_end, messages_end, complaint_end);
        setpgid(child, child); /* whoever of the two comes first */
        close(complaint_end);
        complaint_end = -1;
        do
                n = read(error_text, &error, sizeof(error));
        while (n < 0 && errno == EINTR);
        if (n == (ssize_t)sizeof(error)) {
                waitpid(child, NULL, 0);
                return -error;
        }
        fcntl(output->fd, F_SETFL, O_NONBLOCK);
        fcntl(messages->fd, F_SETFL, O_NONBLOCK);
        *ret_child = child;
        return 0;
}

/* Waits for a moment, or until there is something to read. */
static void wait_a_moment(const struct stream *output, const struct stream *messages) {
        struct pollfd fds[] = { { .fd = output->fd, .events = POLLIN },
                                { .fd = messages->fd, .events = POLLIN } };

        /* With both closed its end is near. */
        (void)poll(fds, 2, output->fd < 0 && messages->fd < 0 ? 2 : 100);
}

enum run_end run_fail(char fault[static RUN_FAULT_SIZE], enum run_end end, const char *format, ...) {
        va_list arguments;

        va_start(arguments, format);
        vsnprintf(fault, RUN_FAULT_SIZE, format, arguments);
        va_end(arguments);
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
        CLEANUP(stream_cleanup) struct stream output = { .fd = -1 }, messages = { .fd = -1 };
        double begin = clock_monotonic_s(), asked = 0;
        struct measured_process result = { .status = 0 };
        bool is_stopped = false;
        int status = 0, r = keep(&output, "", 0);
        pid_t child = 0, ended = 0;

        if (r == 0)
                r = keep(&messages, "", 0);
        if (r == 0)
                r = start(call, &output, &messages, &child);
        if (r < 0)
                return fail_by_errno(call, r, fault);
        for (;;) {
                double now;

                wait_a_moment(&output, &messages);
                r = drain(&output);
                if (r == 0)
                        r = drain(&messages);
                ended = waitpid(child, &status, WNOHANG);
                now = clock_monotonic_s();
                if (ended != 0)
                        break;
                if (asked == 0 && (interrupt_seen() != 0 || now - begin > call->limit_s || r < 0)) {
                        is_stopped = interrupt_seen() != 0;
                        asked = now;
                        kill(-child, SIGTERM);
                } else if (asked > 0 && now - asked > GRACE_S)
                        kill(-child, SIGKILL);
                if (call->tick && asked == 0)
                        call->tick(call->userdata);
        }
        result.seconds = clock_monotonic_s() - begin;
        if (asked > 0)
                kill(-child, SIGKILL); /* what it has left behind */
        /* What it had printed; somebody else may hold the pipes still, who is not waited for. */
        if (r == 0)
                r = drain(&output);
        if (r == 0)
                r = drain(&messages);
        if (r < 0)
                return fail_by_errno(call, r, fault);
        if (asked > 0)
                return is_stopped ? RUN_STOPPED
                                  : run_fail(fault, RUN_FAILED, "%s did not end in %u s%s, and was ended",
                                             call->name, call->limit_s,
                                             call->limit_note ? call->limit_note : "");
        if (WIFSIGNALED(status))
                return run_fail(fault, RUN_FAILED, "%s was killed by signal %d (%s)", call->name,
                                WTERMSIG(status), strsignal(WTERMSIG(status)));
        result.status = WEXITSTATUS(status);
        result.output = output.text;
        result.output_size = output.size;
        result.messages = messages.text;
        output.text = messages.text = NULL;
        *ret = result;
        return RUN_DONE;
}

enum run_end measured_process_fail(const struct measured_process *process, const char *what,
                                   char fault[static RUN_FAULT_SIZE]) {
        const char *says = process->messages;
        char quoted[TEXT_QUOTE_SIZE];

        return run_fail(fault, RUN_FAILED, "%s ended with %d%s%s", what, process->status,
                        *says ? "; it says " : "",
                        *says ? text_quote(quoted, says, strcspn(says, "\n")) : "");
}

void measured_process_cleanup(struct measured_process *result) {
        free(result->output);
        free(result->messages);
}
