/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/process.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

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
