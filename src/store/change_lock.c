/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "store/change_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/root.h"
#include "base/whole_file.h"

/* flock(2) has no time-out. */
#define STEP_MS 50

int change_lock_take(unsigned patience_s) {
        CLEANUP(cleanup_close) int fd = -1;
        char buffer[PATH_MAX];
        const char *path = root_path(buffer, CHANGE_LOCK_PATH);
        int r = whole_file_make_folders(CHANGE_LOCK_PATH);

        if (r < 0)
                return r;
        fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, 0600);
        if (fd < 0)
                return -errno;
        for (unsigned i = 0; flock(fd, LOCK_EX | LOCK_NB) < 0; i++) {
                if (errno != EWOULDBLOCK)
                        return -errno;
                if (i >= patience_s * (1000 / STEP_MS))
                        return -ETIMEDOUT;
                if (!clock_sleep_ms(STEP_MS))
                        return -errno;
        }
        r = fd;
        fd = -1;
        return r;
}
