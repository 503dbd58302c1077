/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A flood of messages, whatever they look like, does not keep a probing beyond its time. The clock, and what
 * the sockets receive, are the test's. */

#include "rows.h"

#include <arpa/inet.h>
#include <poll.h>

#include "base/clock.h"
#include "probe/path.h"

#define TIMEOUT_S 1

static double now;
static const struct row *row;
static in_port_t port; /* the last one that something was sent to */

static const struct row {
        const char *name;
        const char *from;
        bool has_port; /* as if a program listened where the last probe went */
} rows[] = {
        { "of another host", "192.0.2.9", false },
        { "of the host, but not to a probe", "127.0.0.1", false },
        { "of the host, as if to each probe", "127.0.0.1", true },
};

double __wrap_clock_monotonic_s(void);
ssize_t __wrap_recvmsg(int fd, struct msghdr *message, int flags);
ssize_t __wrap_sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *to,
                      socklen_t to_size);
int __wrap_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask);

double __wrap_clock_monotonic_s(void) {
        return now += 1e-6;
}

/* There is always one more. */
ssize_t __wrap_recvmsg(int fd, struct msghdr *message, int flags) {
        struct sockaddr_in from = { .sin_family = AF_INET, .sin_port = row->has_port ? port : 0 };

        (void)fd;
        (void)flags;
        now += 1e-6;
        if (now > 60 * TIMEOUT_S)
                fail_msg("it does not end");
        assert_int_equal(inet_pton(AF_INET, row->from, &from.sin_addr), 1);
        memcpy(message->msg_name, &from, sizeof(from));
        memset(message->msg_iov->iov_base, 0, 64);
        message->msg_controllen = 0;
        return 64;
}

ssize_t __wrap_sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *to,
                      socklen_t to_size) {
        struct sockaddr_in internet = { .sin_port = 0 };

        (void)fd;
        (void)data;
        (void)flags;
        memcpy(&internet, to, to_size < sizeof(internet) ? to_size : sizeof(internet));
        port = internet.sin_port;
        return (ssize_t)size;
}

int __wrap_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask) {
        (void)fds;
        (void)timeout;
        (void)mask;
        return (int)n;
}

static bool is_interrupted(void *userdata) {
        (void)userdata;
        return false;
}

static void test_flood(void **state) {
        struct path path = { .target.ss_family = AF_INET,
                             .source.ss_family = AF_INET,
                             .link = { .ifindex = 1, .name = "lo", .mtu = 9000 } };
        const struct path_settings settings = { .timeout = TIMEOUT_S, .is_interrupted = is_interrupted };
        static struct path_result result;

        row = *state;
        now = 0;
        ((struct sockaddr_in *)&path.target)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        path_probe(&path, 1, &settings, &result);
        assert_int_equal(result.error, 0);
        assert_true(now < 1.1 * TIMEOUT_S);
}

int main(void) {
        return RUN_ROWS("a flood", test_flood, rows);
}
