/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Each allocation, each call about a file, or each one of a netlink socket fails in turn: --wrap in ld(1),
 * with the list in meson.build. Rows say what is done; no failure may be taken for "there is none", what was
 * there stays whole, nothing is lost from memory, and the next time all is well. */

#include "rows.h"
#include "scratch_root.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/file.h>
#include <sys/xattr.h>

/* Its own copy, to forget the namespace: a program reads the namespace once. */
#include "store/device_identity.c"

enum failing_kind { NONE, MEMORY, FILES, SOCKETS };

static struct {
        enum failing_kind kind; /* NONE: no call fails */
        unsigned at, n;
} fault;

static bool fails(enum failing_kind kind) {
        if (fault.kind == NONE || fault.kind != kind || ++fault.n != fault.at)
                return false;
        errno = kind == MEMORY ? ENOMEM : kind == FILES ? EIO : ENOBUFS;
        return true;
}

/* What was allocated here and not freed. */
static void *blocks[4096];
static size_t n_blocks;

static void *note_block(void *block) {
        if (block && n_blocks < sizeof(blocks) / sizeof(blocks[0]))
                blocks[n_blocks++] = block;
        return block;
}

static void forget_block(const void *block) {
        for (size_t i = 0; i < n_blocks; i++)
                if (blocks[i] == block) {
                        blocks[i] = blocks[--n_blocks];
                        return;
                }
}

#define WRAP(type, name, parameters, arguments, kind, failure)                  \
        type __real_##name parameters;                                          \
        type __wrap_##name parameters;                                          \
        type __wrap_##name parameters {                                         \
                return fails(kind) ? (failure) : (type)__real_##name arguments; \
        }

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_reallocarray(void *block, size_t n, size_t size);
char *__real_strdup(const char *text);
char *__wrap_strdup(const char *text);
void __real_free(void *block);
void __wrap_free(void *block);
int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
int __real_openat64(int directory, const char *path, int flags, ...);
int __wrap_openat64(int directory, const char *path, int flags, ...);

void *__wrap_malloc(size_t size) {
        return fails(MEMORY) ? NULL : note_block(__real_malloc(size));
}

void *__wrap_calloc(size_t n, size_t size) {
        return fails(MEMORY) ? NULL : note_block(__real_calloc(n, size));
}

void *__wrap_realloc(void *block, size_t size) {
        if (fails(MEMORY))
                return NULL;
        forget_block(block);
        return note_block(__real_realloc(block, size));
}

void *__wrap_reallocarray(void *block, size_t n, size_t size) {
        return __wrap_realloc(block, n * size);
}

char *__wrap_strdup(const char *text) {
        return fails(MEMORY) ? NULL : note_block(__real_strdup(text));
}

void __wrap_free(void *block) {
        forget_block(block);
        __real_free(block);
}

static mode_t mode_of(int flags, va_list arguments) {
        return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

int __wrap_open64(const char *path, int flags, ...) {
        va_list arguments;
        mode_t mode;

        va_start(arguments, flags);
        mode = mode_of(flags, arguments);
        va_end(arguments);
        return fails(FILES) ? -1 : __real_open64(path, flags, mode);
}

int __wrap_openat64(int directory, const char *path, int flags, ...) {
        va_list arguments;
        mode_t mode;

        va_start(arguments, flags);
        mode = mode_of(flags, arguments);
        va_end(arguments);
        return fails(FILES) ? -1 : __real_openat64(directory, path, flags, mode);
}

/* A part of the path of a link that can never be read. */
static const char *unreadable_link;

ssize_t __real_readlink(const char *path, char *buffer, size_t size);
ssize_t __wrap_readlink(const char *path, char *buffer, size_t size);

ssize_t __wrap_readlink(const char *path, char *buffer, size_t size) {
        if (unreadable_link && strstr(path, unreadable_link)) {
                errno = EIO;
                return -1;
        }
        return fails(FILES) ? -1 : __real_readlink(path, buffer, size);
}

WRAP(FILE *, open_memstream, (char **text, size_t *size), (text, size), MEMORY, NULL)
WRAP(ssize_t, read, (int fd, void *buffer, size_t size), (fd, buffer, size), FILES, -1)
WRAP(ssize_t, write, (int fd, const void *buffer, size_t size), (fd, buffer, size), FILES, -1)
WRAP(int, fsync, (int fd), (fd), FILES, -1)
WRAP(int, fchmod, (int fd, mode_t mode), (fd, mode), FILES, -1)
WRAP(int, chmod, (const char *path, mode_t mode), (path, mode), FILES, -1)
WRAP(int, mkdir, (const char *path, mode_t mode), (path, mode), FILES, -1)
WRAP(int, mkdirat, (int directory, const char *path, mode_t mode), (directory, path, mode), FILES, -1)
WRAP(int, rename, (const char *from, const char *to), (from, to), FILES, -1)
WRAP(int, renameat, (int a, const char *from, int b, const char *to), (a, from, b, to), FILES, -1)
WRAP(int, linkat, (int a, const char *from, int b, const char *to, int flags), (a, from, b, to, flags),
     FILES, -1)
WRAP(int, symlink, (const char *from, const char *to), (from, to), FILES, -1)
WRAP(int, unlink, (const char *path), (path), FILES, -1)
WRAP(int, unlinkat, (int directory, const char *path, int flags), (directory, path, flags), FILES, -1)
WRAP(int, rmdir, (const char *path), (path), FILES, -1)
WRAP(int, flock, (int fd, int operation), (fd, operation), FILES, -1)
WRAP(int, access, (const char *path, int mode), (path, mode), FILES, -1)
WRAP(int, faccessat, (int directory, const char *path, int mode, int flags), (directory, path, mode, flags),
     FILES, -1)
WRAP(int, fstat64, (int fd, struct stat64 *ret), (fd, ret), FILES, -1)
WRAP(int, stat64, (const char *path, struct stat64 *ret), (path, ret), FILES, -1)
WRAP(int, lstat64, (const char *path, struct stat64 *ret), (path, ret), FILES, -1)
WRAP(int, fstatat64, (int directory, const char *path, struct stat64 *ret, int flags),
     (directory, path, ret, flags), FILES, -1)
WRAP(DIR *, opendir, (const char *path), (path), FILES, NULL)
WRAP(struct dirent64 *, readdir64, (DIR * directory), (directory), FILES, NULL)
WRAP(int, scandir64,
     (const char *path, struct dirent64 ***ret, int (*select)(const struct dirent64 *),
      int (*compare)(const struct dirent64 **, const struct dirent64 **)),
     (path, ret, select, compare), FILES, -1)
WRAP(ssize_t, flistxattr, (int fd, char *names, size_t size), (fd, names, size), FILES, -1)
WRAP(ssize_t, fgetxattr, (int fd, const char *name, void *value, size_t size), (fd, name, value, size),
     FILES, -1)
WRAP(int, fsetxattr, (int fd, const char *name, const void *value, size_t size, int flags),
     (fd, name, value, size, flags), FILES, -1)
WRAP(int, fremovexattr, (int fd, const char *name), (fd, name), FILES, -1)

struct failing_row {
        const char *name;
        enum failing_kind kind;
        int (*run)(void);      /* 0, or failure() */
        void (*prepare)(void); /* before each; may be NULL */
};

/* What a run returns where a call has failed. */
static inline int failure(void) {
        return fault.kind == MEMORY ? -ENOMEM : fault.kind == FILES ? -EIO : -ENOBUFS;
}

/* What follows is not to fail. Returns what failing_resume() takes. */
static inline enum failing_kind failing_pause(void) {
        enum failing_kind kind = fault.kind;

        fault.kind = NONE;
        return kind;
}

static inline void failing_resume(enum failing_kind kind) {
        fault.kind = kind;
}

static inline void test_failing_row(void **state) {
        const struct failing_row *row = *state;
        bool was_hit = true;

        for (unsigned at = 1; was_hit; at++) {
                int r, error;

                if (row->prepare)
                        row->prepare();
                *own_netns = '\0';
                n_blocks = 0;
                fault.at = at;
                fault.n = 0;
                fault.kind = row->kind;
                r = row->run();
                error = failure();
                fault.kind = NONE;
                was_hit = fault.n >= at;
                if (r != 0 && r != error)
                        fail_msg("failure %u: %s", at, strerror(abs(r)));
                if (n_blocks > 0)
                        fail_msg("failure %u: %zu blocks are not freed", at, n_blocks);
                if (row->prepare)
                        row->prepare();
                r = row->run();
                if (r != 0)
                        fail_msg("after failure %u: %s", at, strerror(abs(r)));
        }
        assert_true(fault.n > 0 || row->kind == NONE);
}
