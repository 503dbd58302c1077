/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Where a program's messages go: to stderr, with a priority that the journal understands where stderr leads
 * there (sd-daemon(3)); to the kernel log where PID 1 runs the program as a generator, before there is a
 * journal (systemd.generator(7)). */

#include <stdbool.h>

/* As in syslog(3) and sd-daemon(3). */
enum log_priority {
        LOG_PRIORITY_ERROR = 3,
        LOG_PRIORITY_WARNING = 4,
        LOG_PRIORITY_INFO = 6,
};

/* Sets the target for the rest of the process. `program` begins each message and must stay valid. Must be
 * called before any file is opened: opens descriptors 0 to 2 if they are closed. */
void log_open(const char *program);

/* The same for a generator: to the kernel log if systemd itself has started it. */
void log_open_generator(const char *program);

/* Logs one message, given without a newline. What is not harmless on a terminal is escaped, a long
 * message is cut; on a terminal it is wrapped at spaces, and further lines are indented. Keeps errno. */
__attribute__((format(printf, 2, 3))) void log_message(enum log_priority priority, const char *format, ...);

#define log_error(...) log_message(LOG_PRIORITY_ERROR, __VA_ARGS__)
#define log_warning(...) log_message(LOG_PRIORITY_WARNING, __VA_ARGS__)
#define log_info(...) log_message(LOG_PRIORITY_INFO, __VA_ARGS__)

/* Logs a change of this machine: also to the system log, with the user below sudo, unless the message
 * goes to the journal anyway. */
__attribute__((format(printf, 1, 2))) void log_change(const char *format, ...);

/* Logs an error; the value is `result`, for the caller to return. */
#define log_fail(result, ...) (log_error(__VA_ARGS__), (result))

#define LOG_OUT_OF_MEMORY "out of memory"
#define log_out_of_memory() log_error(LOG_OUT_OF_MEMORY)

/* One message as it is, without the program's name: FILE:LINE: error: text, as compilers print it. */
void log_line(const char *text);
