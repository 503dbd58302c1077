/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include "base/text.h"

/* A file full of errors must not flood the kernel log. */
#define KERNEL_LOG_MESSAGES_MAX 100

#define MESSAGE_SIZE 1024

static struct {
        const char *program;
        int fd;
        bool has_priority; /* the reader strips a leading `<N>` */
        bool has_program;  /* the reader knows the program */
        bool is_kernel;
        unsigned sent;
} target = { .program = "setmtu", .fd = STDERR_FILENO };

/* systemd sets the PID of the process that it starts (systemd.exec(5)); an inherited PID differs. */
static bool is_started_by_systemd(void) {
        const char *pid = getenv("SYSTEMD_EXEC_PID");

        return pid && *pid && strtol(pid, NULL, 10) == (long)getpid();
}

/* $JOURNAL_STREAM is DEVICE:INODE of the stream that systemd made (systemd.exec(5)). */
static bool is_journal(int fd) {
        const char *stream = getenv("JOURNAL_STREAM");
        char own[2 * sizeof("18446744073709551615")];
        struct stat status;

        if (!stream || fstat(fd, &status) < 0)
                return false;
        snprintf(own, sizeof(own), "%ju:%ju", (uintmax_t)status.st_dev, (uintmax_t)status.st_ino);
        return strcmp(stream, own) == 0;
}

/* The next file opened would take the number of a closed standard descriptor and get messages or output.
 * /dev/null takes its place, opened so that reading stdin or writing output still fails. */
static void hold_standard_descriptors(void) {
        for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
                if (fcntl(fd, F_GETFD) < 0)
                        (void)open("/dev/null", (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_NOCTTY);
}

void log_open(const char *program) {
        hold_standard_descriptors();
        target.program = program;
        target.has_priority = target.has_program = is_journal(STDERR_FILENO);
}

void log_open_generator(const char *program) {
        log_open(program);
        if (!target.has_priority && is_started_by_systemd()) {
                int fd = open("/dev/kmsg", O_WRONLY | O_CLOEXEC | O_NOCTTY);
                if (fd >= 0) {
                        target.fd = fd;
                        target.has_priority = target.is_kernel = true;
                }
        }
}

/* Sends one line, with `prefix` in front. */
static void send(const char *mark, const char *prefix, const char *message) {
        char line[MESSAGE_SIZE + 100], *end = stpcpy(stpcpy(line, mark), prefix);
        ssize_t written;

        text_for_terminal(end, MESSAGE_SIZE, message);
        end = stpcpy(end + strlen(end), "\n");
        /* One write: the kernel takes each write as a record, and other processes may write to stderr. */
        written = write(target.fd, line, (size_t)(end - line));
        (void)written; /* there is nothing left to report to */
}

void log_message(enum log_priority priority, const char *format, ...) {
        char mark[] = "<N>", prefix[64] = "", text[MESSAGE_SIZE];
        int error = errno;

        if (target.is_kernel && target.sent > KERNEL_LOG_MESSAGES_MAX)
                return;
        TEXT_FORMAT(text, sizeof(text), format);
        if (target.is_kernel && target.sent++ == KERNEL_LOG_MESSAGES_MAX) {
                priority = LOG_PRIORITY_WARNING;
                strcpy(text, "and more of the same kind, not shown here");
        }
        mark[1] = (char)('0' + priority);
        if (!target.has_program)
                stpcpy(stpcpy(prefix, target.program), ": ");
        send(target.has_priority ? mark : "", prefix, text);
        errno = error;
}

void log_change(const char *format, ...) {
        const char *user = getenv("SUDO_USER");
        char text[MESSAGE_SIZE], whole[MESSAGE_SIZE + 100], escaped[MESSAGE_SIZE + 100];

        TEXT_FORMAT(text, sizeof(text), format);
        log_info("%s", text);
        /* Tests have a root of their own. */
        if (target.has_program || getenv("SETMTU_ROOT"))
                return;
        if (!user)
                user = getuid() == 0 ? "root" : "a user with CAP_NET_ADMIN";
        snprintf(whole, sizeof(whole), "%s; by %s", text, user);
        syslog(LOG_USER | LOG_INFO, "%s", text_for_terminal(escaped, sizeof(escaped), whole));
}

void log_line(const char *text) {
        send("", "", text);
}
