/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/process.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

void process_words_add(struct process_words *words, const char *word) {
        const char **item = pool_add(&words->pool, &words->items, &words->n_items, sizeof(*item));

        if (item)
                *item = word;
}

void process_words_cleanup(struct process_words *words) {
        pool_free(&words->pool);
}

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
