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

int process_start(const char *const *words) {
        posix_spawn_file_actions_t actions;
        posix_spawnattr_t attributes;
        sigset_t defaults;
        pid_t pid;
        int r = posix_spawn_file_actions_init(&actions);

        if (r != 0)
                return -r;
        r = posix_spawnattr_init(&attributes);
        if (r == 0) {
                sigemptyset(&defaults);
                sigaddset(&defaults, SIGCHLD);
                (void)posix_spawnattr_setsigdefault(&attributes, &defaults);
                (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
                r = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
                if (r == 0)
                        r = posix_spawnp(&pid, words[0], &actions, &attributes,
                                         (char *const *)(uintptr_t)words, environ);
                posix_spawnattr_destroy(&attributes);
        }
        posix_spawn_file_actions_destroy(&actions);
        return -r;
}
