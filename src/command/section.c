/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/section.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "files/change_lock.h"
#include "programs/log.h"

/* Nobody who does what is expected has it for longer than a few seconds. */
#define PATIENCE_S 30

bool section_begin(struct section *ret) {
        struct section section = { .is_open = true, .lock = change_lock_take(0) };
        sigset_t waiting;

        if (section.lock == -ETIMEDOUT) {
                log_message(LOG_PRIORITY_INFO, "another setmtu is at work; waiting for it");
                section.lock = change_lock_take(PATIENCE_S);
        }
        if (section.lock < 0 && section.lock != -EACCES && section.lock != -EPERM &&
            section.lock != -EROFS) {
                log_message(LOG_PRIORITY_ERROR, "%s: %s",
                            section.lock == -ETIMEDOUT
                                            ? "another setmtu is at work and does not end: " CHANGE_LOCK_PATH
                                            : CHANGE_LOCK_PATH,
                            strerror(-section.lock));
                return false;
        }
        sigemptyset(&waiting);
        sigaddset(&waiting, SIGINT);
        sigaddset(&waiting, SIGTERM);
        sigaddset(&waiting, SIGHUP);
        sigaddset(&waiting, SIGQUIT);
        sigaddset(&waiting, SIGTSTP);
        sigprocmask(SIG_BLOCK, &waiting, &section.former);
        *ret = section;
        return true;
}

void section_end(struct section *section) {
        if (!section->is_open)
                return;
        cleanup_close(&section->lock);
        sigprocmask(SIG_SETMASK, &section->former, NULL);
        section->is_open = false;
}
