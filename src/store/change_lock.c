/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "store/change_lock.h"

#include <errno.h>
#include <sys/file.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/whole_file.h"

/* flock(2) has no time-out. */
#define STEP_MS 50

int change_lock_take(unsigned patience_s) {
        CLEANUP(cleanup_close) int fd = whole_file_open_lock(CHANGE_LOCK_PATH);
        int seen = interrupt_seen(), r = fd;

        if (fd < 0)
                return r;
        for (unsigned i = 0; flock(fd, LOCK_EX | LOCK_NB) < 0; i++) {
                if (errno != EWOULDBLOCK)
                        return -errno;
                if (i >= patience_s * (1000 / STEP_MS))
                        return -ETIMEDOUT;
                if (!clock_sleep_ms(STEP_MS))
                        return -errno;
                /* A signal may have come before the sleep, which it does not end then. */
                if (interrupt_seen() != seen)
                        return -EINTR;
        }
        fd = -1;
        return r;
}

int command_lock_take(unsigned patience_s, struct command_lock *ret) {
        struct command_lock lock = { .is_open = true, .fd = change_lock_take(patience_s) };
        static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP };
        sigset_t waiting;

        if (lock.fd < 0 && lock.fd != -EACCES && lock.fd != -EPERM && lock.fd != -EROFS)
                return lock.fd;
        sigemptyset(&waiting);
        for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
                sigaddset(&waiting, numbers[i]);
        sigprocmask(SIG_BLOCK, &waiting, &lock.former);
        *ret = lock;
        return 0;
}

void command_lock_release(struct command_lock *lock) {
        if (!lock->is_open)
                return;
        cleanup_close(&lock->fd);
        sigprocmask(SIG_SETMASK, &lock->former, NULL);
        lock->is_open = false;
}
