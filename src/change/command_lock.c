/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/command_lock.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "store/change_lock.h"

/* No command holds the lock for longer than a few seconds. */
#define PATIENCE_S 30

bool command_lock_take(struct command_lock *ret) {
        struct command_lock lock = { .is_open = true, .fd = change_lock_take(0) };
        sigset_t waiting;

        if (lock.fd == -ETIMEDOUT) {
                log_info("another setmtu is at work; waiting for it");
                lock.fd = change_lock_take(PATIENCE_S);
        }
        if (lock.fd < 0 && lock.fd != -EACCES && lock.fd != -EPERM && lock.fd != -EROFS)
                return log_fail(false, "%s: %s",
                                lock.fd == -ETIMEDOUT ? "another setmtu is at work and does not "
                                                        "end: " CHANGE_LOCK_PATH
                                                      : CHANGE_LOCK_PATH,
                                strerror(-lock.fd));
        sigemptyset(&waiting);
        sigaddset(&waiting, SIGINT);
        sigaddset(&waiting, SIGTERM);
        sigaddset(&waiting, SIGHUP);
        sigaddset(&waiting, SIGQUIT);
        sigaddset(&waiting, SIGTSTP);
        sigprocmask(SIG_BLOCK, &waiting, &lock.former);
        *ret = lock;
        return true;
}

void command_lock_release(struct command_lock *lock) {
        if (!lock->is_open)
                return;
        cleanup_close(&lock->fd);
        sigprocmask(SIG_SETMASK, &lock->former, NULL);
        lock->is_open = false;
}
