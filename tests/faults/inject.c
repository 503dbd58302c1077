/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A library for LD_PRELOAD that lets the N-th call of the programs fail. SETMTU_FAULT names a file that
 * holds a struct fault: what is to happen at which call; the library counts there and tells what it hit. */

/* Both names of each function are defined here. */
#undef _FILE_OFFSET_BITS
#undef _TIME_BITS

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <glob.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include <linux/netlink.h>
#include <linux/sockios.h>

/* What may go wrong with a call, as bits; `tests/faults/run` has the same list in the same order. */
enum {
        FAULT_MEMORY = 1 << 0,    /* an allocation: ENOMEM */
        FAULT_IO = 1 << 1,        /* of files: EIO */
        FAULT_SPACE = 1 << 2,     /* what takes room: ENOSPC */
        FAULT_ACCESS = 1 << 3,    /* what takes a path: EACCES */
        FAULT_FILE_INTR = 1 << 4, /* what may wait: EINTR */
        FAULT_OPEN = 1 << 5,      /* what makes a descriptor: EMFILE */
        FAULT_SHORT = 1 << 6,     /* read() and write(): half of it */
        FAULT_SOCKET = 1 << 7,    /* of sockets: ENOBUFS, EPERM */
        FAULT_SOCKET_INTR = 1 << 8,
        FAULT_TRUNCATED = 1 << 9,  /* an answer that is longer than the buffer */
        FAULT_DUMP_INTR = 1 << 10, /* an answer that was changed while it was made */
        FAULT_OVERRUN = 1 << 11,   /* an answer that is lost */
        FAULT_SIGNAL_BEFORE = 1 << 12,
        FAULT_SIGNAL_AFTER = 1 << 13,
        FAULT_BUS = 1 << 14,     /* of sockets to a process of this machine: ECONNRESET, EPIPE, … */
        FAULT_BUS_END = 1 << 15, /* from here on that process is gone; where the value is not 0, it is
                                    there and never answers */
        FAULT_DONE = 1 << 16,    /* of names of files: it is done, and EIO all the same */
        N_FAULTS = 17,
};
#define FAULT_SIGNAL (FAULT_SIGNAL_BEFORE | FAULT_SIGNAL_AFTER)
#define FAULT_FILE (FAULT_IO | FAULT_SIGNAL)
#define FAULT_PATH (FAULT_FILE | FAULT_ACCESS)
#define FAULT_NAME (FAULT_PATH | FAULT_DONE)
#define FAULT_ANY_SOCKET (FAULT_SOCKET | FAULT_SIGNAL)

/* tests/faults/run packs and unpacks it. */
struct fault {
        /* What is to happen. */
        uint32_t kind;        /* one of the bits */
        int32_t value;        /* the errno, or the signal */
        uint32_t at;          /* the call of that kind, from 1; 0: none */
        uint32_t is_lasting;  /* and all later ones */
        uint32_t is_in_child; /* count in the processes that the first one starts, not in that one */
        /* What happened. */
        uint32_t calls[N_FAULTS];
        uint32_t n_hits;
        int32_t process;   /* the first one */
        char call[104];    /* the one that was hit first */
        uint32_t waited_s; /* for what never answers; no time passes in truth */
        uint32_t n_frames;
        uint64_t frames[24]; /* who called it, in the program's file */
};

_Static_assert(sizeof(struct fault) == 208 + 24 * 8, "no padding");

static struct fault *fault;
static bool is_busy;

static uintptr_t program_begin, program_end;

static int find_program(struct dl_phdr_info *info, size_t size, void *userdata) {
        (void)size;
        (void)userdata;
        program_begin = info->dlpi_addr;
        for (int i = 0; i < info->dlpi_phnum; i++)
                if (info->dlpi_phdr[i].p_type == PT_LOAD)
                        program_end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr +
                                      info->dlpi_phdr[i].p_memsz;
        return 1; /* the first one is the program */
}

__attribute__((constructor)) static void begin(void) {
        const char *path = getenv("SETMTU_FAULT");
        void *frames[4], *memory;
        int fd;

        if (!path)
                return;
        fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
        if (fd < 0)
                return;
        memory = mmap(NULL, sizeof(*fault), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        syscall(SYS_close, fd);
        if (memory == MAP_FAILED)
                return;
        /* The first call loads a library. */
        (void)backtrace(frames, 4);
        dl_iterate_phdr(find_program, NULL);
        fault = memory;
        if (fault->process == 0)
                fault->process = getpid();
}

static void note(const char *call, const char *detail) {
        void *frames[32];
        int n;

        if (__atomic_fetch_add(&fault->n_hits, 1, __ATOMIC_SEQ_CST) > 0)
                return;
        n = backtrace(frames, 32);
        for (int i = 0; i < n; i++) {
                uintptr_t place = (uintptr_t)frames[i];

                if (place >= program_begin && place < program_end &&
                    fault->n_frames < sizeof(fault->frames) / sizeof(fault->frames[0]))
                        fault->frames[fault->n_frames++] = place - program_begin - 1;
        }
        snprintf(fault->call, sizeof(fault->call), "%s%s%s", call, detail ? " " : "", detail ? detail : "");
}

static void send_signal(void) {
        int error = errno;

        syscall(SYS_kill, syscall(SYS_getpid), fault->value);
        errno = error;
}

enum strike { STRIKE_NOT, STRIKE_NOW, STRIKE_AFTERWARDS, STRIKE_DONE };

/* Counts a call that may fail in the ways of `kinds`, and says whether it does. */
static enum strike strike(uint32_t kinds, const char *call, const char *detail) {
        bool is_hit = false;
        int error = errno;

        if (!fault || is_busy || ((pid_t)syscall(SYS_getpid) != fault->process) != fault->is_in_child)
                return STRIKE_NOT;
        is_busy = true;
        for (int i = 0; i < N_FAULTS; i++)
                if (kinds & 1u << i) {
                        uint32_t n = __atomic_add_fetch(&fault->calls[i], 1, __ATOMIC_SEQ_CST);

                        if (fault->kind == 1u << i && fault->at > 0)
                                is_hit = n == fault->at || (n > fault->at && fault->is_lasting);
                }
        if (is_hit)
                note(call, detail);
        is_busy = false;
        errno = error;
        if (!is_hit)
                return STRIKE_NOT;
        if (fault->kind == FAULT_SIGNAL_BEFORE)
                send_signal();
        return fault->kind == FAULT_SIGNAL_BEFORE  ? STRIKE_NOT
               : fault->kind == FAULT_SIGNAL_AFTER ? STRIKE_AFTERWARDS
               : fault->kind == FAULT_DONE         ? STRIKE_DONE
                                                   : STRIKE_NOW;
}

#define REAL(name)                     \
        static __typeof__(&name) real; \
        if (!real)                     \
        real = __extension__(__typeof__(&name)) dlsym(RTLD_NEXT, #name)

/* A function that fails with `failure` and errno. */
#define WRAP(type, name, parameters, arguments, kinds, detail, failure) \
        type name parameters {                                          \
                REAL(name);                                             \
                enum strike hit = strike(kinds, #name, detail);         \
                type result;                                            \
                if (hit == STRIKE_NOW) {                                \
                        errno = fault->value;                           \
                        return failure;                                 \
                }                                                       \
                result = real arguments;                                \
                if (hit == STRIKE_AFTERWARDS)                           \
                        send_signal();                                  \
                if (hit == STRIKE_DONE) {                               \
                        errno = fault->value;                           \
                        return failure;                                 \
                }                                                       \
                return result;                                          \
        }

/* Memory. dlsym() itself allocates, before there is anything to call. */
static char early[65536] __attribute__((aligned(16)));
static size_t early_used;
/* dlsym() is declared not to call back into this file, which it does. */
static volatile bool is_looking_up;

static bool is_early(const void *memory) {
        return (const char *)memory >= early && (const char *)memory < early + sizeof(early);
}

static void *early_allocate(size_t size) {
        void *memory = early + early_used;

        early_used += (size + 15) & ~(size_t)15;
        return early_used <= sizeof(early) ? memory : NULL;
}

#define REAL_MEMORY(name)                                                        \
        static __typeof__(&name) real;                                           \
        if (!real && !is_looking_up) {                                           \
                is_looking_up = true;                                            \
                real = __extension__(__typeof__(&name)) dlsym(RTLD_NEXT, #name); \
                is_looking_up = false;                                           \
        }

#define MEMORY_FAILS(name) (strike(FAULT_MEMORY, name, NULL) == STRIKE_NOW && (errno = ENOMEM))

void *malloc(size_t size) {
        REAL_MEMORY(malloc)
        if (!real)
                return early_allocate(size);
        return MEMORY_FAILS("malloc") ? NULL : real(size);
}

void *calloc(size_t n, size_t size) {
        REAL_MEMORY(calloc)
        if (!real)
                return early_allocate(n * size);
        return MEMORY_FAILS("calloc") ? NULL : real(n, size);
}

void *realloc(void *memory, size_t size) {
        REAL_MEMORY(realloc)
        if (!real || is_early(memory)) {
                void *moved = malloc(size);
                if (moved && memory)
                        memcpy(moved, memory, size < 1024 ? size : 1024);
                return moved;
        }
        return MEMORY_FAILS("realloc") ? NULL : real(memory, size);
}

void *reallocarray(void *memory, size_t n, size_t size) {
        REAL_MEMORY(reallocarray)
        return !real || MEMORY_FAILS("reallocarray") ? NULL : real(memory, n, size);
}

char *strdup(const char *text) {
        REAL_MEMORY(strdup)
        return !real || MEMORY_FAILS("strdup") ? NULL : real(text);
}

void free(void *memory) {
        REAL_MEMORY(free)
        if (real && !is_early(memory))
                real(memory);
}

/* Files. meson asks for the functions with 64 in their names, libraries do not. */
#define WRAP_OPEN(name)                                                                       \
        int name(const char *path, int flags, ...) {                                          \
                REAL(name);                                                                   \
                va_list arguments;                                                            \
                enum strike hit = strike(FAULT_PATH | FAULT_OPEN | FAULT_FILE_INTR |          \
                                                         (flags & O_CREAT ? FAULT_SPACE : 0), \
                                         #name, path);                                        \
                int result;                                                                   \
                mode_t mode;                                                                  \
                va_start(arguments, flags);                                                   \
                mode = va_arg(arguments, mode_t);                                             \
                va_end(arguments);                                                            \
                if (hit == STRIKE_NOW) {                                                      \
                        errno = fault->value;                                                 \
                        return -1;                                                            \
                }                                                                             \
                result = real(path, flags, mode);                                             \
                if (hit == STRIKE_AFTERWARDS)                                                 \
                        send_signal();                                                        \
                return result;                                                                \
        }

WRAP_OPEN(open)
WRAP_OPEN(open64)

#define WRAP_OPENAT(name)                                                                     \
        int name(int directory, const char *path, int flags, ...) {                           \
                REAL(name);                                                                   \
                va_list arguments;                                                            \
                enum strike hit = strike(FAULT_PATH | FAULT_OPEN | FAULT_FILE_INTR |          \
                                                         (flags & O_CREAT ? FAULT_SPACE : 0), \
                                         #name, path);                                        \
                int result;                                                                   \
                mode_t mode;                                                                  \
                va_start(arguments, flags);                                                   \
                mode = va_arg(arguments, mode_t);                                             \
                va_end(arguments);                                                            \
                if (hit == STRIKE_NOW) {                                                      \
                        errno = fault->value;                                                 \
                        return -1;                                                            \
                }                                                                             \
                result = real(directory, path, flags, mode);                                  \
                if (hit == STRIKE_AFTERWARDS)                                                 \
                        send_signal();                                                        \
                return result;                                                                \
        }

WRAP_OPENAT(openat)
WRAP_OPENAT(openat64)

ssize_t read(int fd, void *buffer, size_t size) {
        REAL(read);
        enum strike hit = strike(FAULT_FILE | FAULT_FILE_INTR | (size > 1 ? FAULT_SHORT : 0), "read", NULL);
        ssize_t result;

        if (hit == STRIKE_NOW && fault->kind != FAULT_SHORT) {
                errno = fault->value;
                return -1;
        }
        result = real(fd, buffer, hit == STRIKE_NOW ? (size < 8 ? 1 : 4) : size);
        if (hit == STRIKE_AFTERWARDS)
                send_signal();
        return result;
}

/* What is said must be heard: stdout and stderr take everything. */
ssize_t write(int fd, const void *buffer, size_t size) {
        REAL(write);
        enum strike hit = strike(fd <= STDERR_FILENO ? FAULT_SIGNAL
                                                     : FAULT_FILE | FAULT_SPACE | FAULT_FILE_INTR |
                                                                       (size > 1 ? FAULT_SHORT : 0),
                                 "write", NULL);
        ssize_t result;

        if (hit == STRIKE_NOW && fault->kind != FAULT_SHORT) {
                errno = fault->value;
                return -1;
        }
        result = real(fd, buffer, hit == STRIKE_NOW ? size / 2 : size);
        if (hit == STRIKE_AFTERWARDS)
                send_signal();
        return result;
}

WRAP(int, rename, (const char *from, const char *to), (from, to), FAULT_NAME | FAULT_SPACE, to, -1)
WRAP(int, renameat, (int a, const char *from, int b, const char *to), (a, from, b, to),
     FAULT_NAME | FAULT_SPACE, to, -1)
WRAP(int, unlink, (const char *path), (path), FAULT_NAME, path, -1)
WRAP(int, unlinkat, (int directory, const char *path, int flags), (directory, path, flags), FAULT_NAME, path,
     -1)
WRAP(int, linkat, (int a, const char *from, int b, const char *to, int flags), (a, from, b, to, flags),
     FAULT_PATH | FAULT_SPACE, to, -1)
WRAP(int, symlink, (const char *from, const char *to), (from, to), FAULT_PATH | FAULT_SPACE, to, -1)
WRAP(int, symlinkat, (const char *from, int directory, const char *to), (from, directory, to),
     FAULT_PATH | FAULT_SPACE, to, -1)
WRAP(int, mkdir, (const char *path, mode_t mode), (path, mode), FAULT_PATH | FAULT_SPACE, path, -1)
WRAP(int, mkdirat, (int directory, const char *path, mode_t mode), (directory, path, mode),
     FAULT_PATH | FAULT_SPACE, path, -1)
WRAP(int, rmdir, (const char *path), (path), FAULT_NAME, path, -1)
WRAP(int, fsync, (int fd), (fd), FAULT_FILE | FAULT_SPACE, NULL, -1)
WRAP(int, fchmod, (int fd, mode_t mode), (fd, mode), FAULT_FILE, NULL, -1)
WRAP(int, fchmodat, (int directory, const char *path, mode_t mode, int flags),
     (directory, path, mode, flags), FAULT_PATH, path, -1)
WRAP(int, chmod, (const char *path, mode_t mode), (path, mode), FAULT_PATH, path, -1)
WRAP(int, fchown, (int fd, uid_t user, gid_t group), (fd, user, group), FAULT_FILE, NULL, -1)
WRAP(int, flock, (int fd, int operation), (fd, operation), FAULT_FILE | FAULT_FILE_INTR, NULL, -1)
WRAP(int, fstat, (int fd, struct stat *ret), (fd, ret), FAULT_FILE, NULL, -1)
WRAP(int, fstat64, (int fd, struct stat64 *ret), (fd, ret), FAULT_FILE, NULL, -1)
WRAP(int, stat, (const char *path, struct stat *ret), (path, ret), FAULT_PATH, path, -1)
WRAP(int, stat64, (const char *path, struct stat64 *ret), (path, ret), FAULT_PATH, path, -1)
WRAP(int, lstat, (const char *path, struct stat *ret), (path, ret), FAULT_PATH, path, -1)
WRAP(int, lstat64, (const char *path, struct stat64 *ret), (path, ret), FAULT_PATH, path, -1)
WRAP(int, fstatat64, (int directory, const char *path, struct stat64 *ret, int flags),
     (directory, path, ret, flags), FAULT_PATH, path, -1)
WRAP(int, access, (const char *path, int mode), (path, mode), FAULT_PATH, path, -1)
WRAP(int, faccessat, (int directory, const char *path, int mode, int flags), (directory, path, mode, flags),
     FAULT_PATH, path, -1)
WRAP(ssize_t, readlink, (const char *path, char *buffer, size_t size), (path, buffer, size), FAULT_PATH,
     path, -1)
WRAP(ssize_t, readlinkat, (int directory, const char *path, char *buffer, size_t size),
     (directory, path, buffer, size), FAULT_PATH, path, -1)
WRAP(int, mkostemp, (char *path, int flags), (path, flags), FAULT_PATH | FAULT_OPEN | FAULT_SPACE, path, -1)
WRAP(int, mkostemp64, (char *path, int flags), (path, flags), FAULT_PATH | FAULT_OPEN | FAULT_SPACE, path,
     -1)
WRAP(ssize_t, flistxattr, (int fd, char *names, size_t size), (fd, names, size), FAULT_FILE, NULL, -1)
WRAP(int, fremovexattr, (int fd, const char *name), (fd, name), FAULT_FILE, NULL, -1)
WRAP(DIR *, opendir, (const char *path), (path), FAULT_PATH | FAULT_OPEN, path, NULL)
WRAP(struct dirent *, readdir, (DIR * directory), (directory), FAULT_FILE, NULL, NULL)
WRAP(struct dirent64 *, readdir64, (DIR * directory), (directory), FAULT_FILE, NULL, NULL)
WRAP(FILE *, fopen, (const char *path, const char *mode), (path, mode), FAULT_PATH | FAULT_OPEN, path, NULL)
WRAP(FILE *, fopen64, (const char *path, const char *mode), (path, mode), FAULT_PATH | FAULT_OPEN, path,
     NULL)
WRAP(int, scandir64,
     (const char *path, struct dirent64 ***ret, int (*select)(const struct dirent64 *),
      int (*compare)(const struct dirent64 **, const struct dirent64 **)),
     (path, ret, select, compare), FAULT_PATH | FAULT_OPEN, path, -1)
WRAP(int, pipe2, (int ends[2], int flags), (ends, flags), FAULT_OPEN | FAULT_SIGNAL, NULL, -1)
WRAP(int, dup2, (int from, int to), (from, to), FAULT_FILE_INTR | FAULT_SIGNAL, NULL, -1)
WRAP(pid_t, fork, (void), (), FAULT_SIGNAL, NULL, -1)
WRAP(pid_t, waitpid, (pid_t process, int *status, int options), (process, status, options),
     FAULT_FILE_INTR | FAULT_SIGNAL, NULL, -1)

/* The output as a whole, which stdio writes by itself. */
int fflush(FILE *file) {
        REAL(fflush);
        enum strike hit = strike(file == stdout ? FAULT_FILE | FAULT_SPACE : 0, "fflush", "stdout");
        int result;

        if (hit == STRIKE_NOW) {
                errno = fault->value;
                return EOF;
        }
        result = real(file);
        if (hit == STRIKE_AFTERWARDS)
                send_signal();
        return result;
}

/* glob() goes on where it cannot read a directory, unless it is told otherwise. */
int glob64(const char *pattern, int flags, int (*report)(const char *, int), glob64_t *ret) {
        REAL(glob64);
        enum strike hit = strike(FAULT_PATH | FAULT_OPEN, "glob64", pattern);
        int result;

        if (hit == STRIKE_NOW && report && report(pattern, fault->value) != 0)
                return GLOB_ABORTED;
        if (hit == STRIKE_NOW)
                return flags & GLOB_ERR ? GLOB_ABORTED : GLOB_NOMATCH;
        result = real(pattern, flags, report, ret);
        if (hit == STRIKE_AFTERWARDS)
                send_signal();
        return result;
}

int posix_spawnp(pid_t *ret, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
        REAL(posix_spawnp);
        enum strike hit = strike(FAULT_OPEN | FAULT_SIGNAL, "posix_spawnp", file);
        int result;

        if (hit == STRIKE_NOW)
                return EAGAIN;
        result = real(ret, file, actions, attributes, arguments, environment);
        if (hit == STRIKE_AFTERWARDS)
                send_signal();
        return result;
}

/* Sockets. */
WRAP(int, socket, (int domain, int type, int protocol), (domain, type, protocol),
     FAULT_ANY_SOCKET | FAULT_OPEN, NULL, -1)
WRAP(int, bind, (int fd, __CONST_SOCKADDR_ARG address, socklen_t size), (fd, address, size),
     FAULT_ANY_SOCKET, NULL, -1)

/* Of a device, and not of the terminal. */
int ioctl(int fd, unsigned long request, ...) {
        REAL(ioctl);
        bool is_of_device = request >= SIOCGIFNAME && request <= SIOCETHTOOL;
        enum strike hit = strike(is_of_device ? FAULT_ANY_SOCKET : 0, "ioctl", NULL);
        void *argument;
        va_list arguments;
        int result;

        va_start(arguments, request);
        argument = va_arg(arguments, void *);
        va_end(arguments);
        if (hit == STRIKE_NOW) {
                errno = fault->value;
                return -1;
        }
        result = real(fd, request, argument);
        if (hit == STRIKE_AFTERWARDS)
                send_signal();
        return result;
}

static bool has_family(int fd, sa_family_t family) {
        struct sockaddr_storage address;
        socklen_t size = sizeof(address);

        return syscall(SYS_getsockname, fd, &address, &size) == 0 && address.ss_family == family;
}

/* What never answers, by its inode, since numbers of descriptors are used again; and how long it was waited
 * for by now. */
static uint64_t silent_inode;
static struct timespec waited;

/* Not by fstat(), which is wrapped here. */
static uint64_t inode_of(int fd) {
        struct statx status;

        return syscall(SYS_statx, fd, "", AT_EMPTY_PATH, STATX_INO, &status) == 0 ? status.stx_ino : 0;
}

/* The other end of `fd` is another one, which is gone or silent. */
static void end_peer(int fd) {
        int ends[2];

        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) < 0 ||
            dup3(ends[0], fd, O_CLOEXEC) < 0)
                abort();
        syscall(SYS_close, ends[0]);
        if (fault->value == 0)
                syscall(SYS_close, ends[1]);
        else
                silent_inode = inode_of(fd);
}

/* As strike(), where the call is one of D-Bus, too. */
static enum strike strike_bus(int fd, uint32_t kinds, const char *call) {
        enum strike hit = strike(kinds | (has_family(fd, AF_UNIX) ? FAULT_BUS | FAULT_BUS_END : 0), call,
                                 NULL);

        if (hit != STRIKE_NOW || fault->kind != FAULT_BUS_END)
                return hit;
        end_peer(fd);
        return STRIKE_NOT;
}

#define WRAP_BUS(type, name, parameters, arguments, kinds)      \
        type name parameters {                                  \
                REAL(name);                                     \
                enum strike hit = strike_bus(fd, kinds, #name); \
                type result;                                    \
                if (hit == STRIKE_NOW) {                        \
                        errno = fault->value;                   \
                        return -1;                              \
                }                                               \
                result = real arguments;                        \
                if (hit == STRIKE_AFTERWARDS)                   \
                        send_signal();                          \
                return result;                                  \
        }

WRAP_BUS(int, connect, (int fd, __CONST_SOCKADDR_ARG address, socklen_t size), (fd, address, size),
         FAULT_ANY_SOCKET | FAULT_SOCKET_INTR)
WRAP_BUS(int, setsockopt, (int fd, int level, int name, const void *value, socklen_t size),
         (fd, level, name, value, size), FAULT_ANY_SOCKET)
WRAP_BUS(int, getsockopt, (int fd, int level, int name, void *value, socklen_t *size),
         (fd, level, name, value, size), FAULT_ANY_SOCKET)
WRAP(int, getsockname, (int fd, __SOCKADDR_ARG address, socklen_t *size), (fd, address, size),
     FAULT_ANY_SOCKET, NULL, -1)
WRAP(ssize_t, sendto,
     (int fd, const void *data, size_t size, int flags, __CONST_SOCKADDR_ARG to, socklen_t to_size),
     (fd, data, size, flags, to, to_size), FAULT_ANY_SOCKET | FAULT_SOCKET_INTR, NULL, -1)
WRAP_BUS(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags),
         FAULT_ANY_SOCKET | FAULT_SOCKET_INTR)
WRAP_BUS(ssize_t, writev, (int fd, const struct iovec *parts, int n_parts), (fd, parts, n_parts), 0)

/* Nobody waits in truth: the clocks of this process go on instead. One without an end is a fault of its own.
 */
int ppoll(struct pollfd *fds, nfds_t n_fds, const struct timespec *timeout, const sigset_t *mask) {
        REAL(ppoll);
        static const struct timespec at_once;
        int result;

        if (silent_inode == 0 || n_fds == 0 || inode_of(fds[0].fd) != silent_inode)
                return real(fds, n_fds, timeout, mask);
        result = real(fds, n_fds, &at_once, mask);
        if (result != 0)
                return result;
        if (!timeout)
                abort();
        waited.tv_sec += timeout->tv_sec;
        waited.tv_nsec += timeout->tv_nsec;
        if (waited.tv_nsec >= 1000000000) {
                waited.tv_sec++;
                waited.tv_nsec -= 1000000000;
        }
        fault->waited_s = (uint32_t)waited.tv_sec;
        return 0;
}

int clock_gettime(clockid_t clock, struct timespec *ret) {
        REAL(clock_gettime);
        int result = real(clock, ret);

        if (result == 0) {
                ret->tv_sec += waited.tv_sec;
                ret->tv_nsec += waited.tv_nsec;
                if (ret->tv_nsec >= 1000000000) {
                        ret->tv_sec++;
                        ret->tv_nsec -= 1000000000;
                }
        }
        return result;
}

static void mark_interrupted(const struct msghdr *message, ssize_t length) {
        struct nlmsghdr *header = message->msg_iov[0].iov_base;

        /* NLMSG_NEXT() is a cast that clang's -Wcast-align minds. */
        for (unsigned left = (unsigned)length; NLMSG_OK(header, left);) {
                unsigned size = NLMSG_ALIGN(header->nlmsg_len);

                header->nlmsg_flags |= NLM_F_DUMP_INTR;
                left -= size < left ? size : left;
                header = (void *)((char *)header + size);
        }
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags) {
        REAL(recvmsg);
        enum strike hit = strike_bus(
                        fd,
                        FAULT_ANY_SOCKET | FAULT_SOCKET_INTR |
                                        (has_family(fd, AF_NETLINK)
                                                         ? FAULT_TRUNCATED | FAULT_DUMP_INTR | FAULT_OVERRUN
                                                         : 0),
                        "recvmsg");
        ssize_t result;

        if (hit == STRIKE_NOW && fault->kind != FAULT_TRUNCATED && fault->kind != FAULT_DUMP_INTR &&
            fault->kind != FAULT_OVERRUN) {
                errno = fault->value;
                return -1;
        }
        result = real(fd, message, flags);
        if (hit == STRIKE_NOW && fault->kind == FAULT_TRUNCATED && result > 0) {
                message->msg_flags |= MSG_TRUNC;
                result /= 2;
        } else if (hit == STRIKE_NOW && fault->kind == FAULT_DUMP_INTR && result > 0)
                mark_interrupted(message, result);
        else if (hit == STRIKE_NOW && fault->kind == FAULT_OVERRUN) {
                errno = ENOBUFS;
                return -1;
        } else if (hit == STRIKE_AFTERWARDS)
                send_signal();
        return result;
}
