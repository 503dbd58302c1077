/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernel/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"

/* Linux 6.2; not in older headers. */
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ull << 14)
#endif
#define ABI_WITH_TRUNCATE 3

/* libc has no wrappers. */
static int create_ruleset(const struct landlock_ruleset_attr *ruleset, size_t size, unsigned flags) {
        long r = syscall(SYS_landlock_create_ruleset, ruleset, size, flags);

        return r < 0 ? -errno : (int)r;
}

int sandbox_write_only_in(const char *folder) {
        struct landlock_path_beneath_attr beneath = { .allowed_access = LANDLOCK_ACCESS_FS_WRITE_FILE |
                                                                        LANDLOCK_ACCESS_FS_MAKE_REG |
                                                                        LANDLOCK_ACCESS_FS_MAKE_SYM |
                                                                        LANDLOCK_ACCESS_FS_REMOVE_FILE };
        struct landlock_ruleset_attr ruleset = {
                .handled_access_fs = beneath.allowed_access | LANDLOCK_ACCESS_FS_EXECUTE |
                                     LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                     LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
                                     LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO,
        };
        CLEANUP(cleanup_close) int fd = -1, rules = -1;
        int abi = create_ruleset(NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

        /* Not in the kernel, switched off, or kept from this process. */
        if (abi == -ENOSYS || abi == -EOPNOTSUPP || abi == -EPERM)
                return 0;
        if (abi < 0)
                return abi;
        if (abi >= ABI_WITH_TRUNCATE)
                ruleset.handled_access_fs |= LANDLOCK_ACCESS_FS_TRUNCATE;
        fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
                return -errno;
        rules = create_ruleset(&ruleset, sizeof(ruleset), 0);
        if (rules < 0)
                return rules;
        beneath.parent_fd = fd;
        if (syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) < 0 ||
            syscall(SYS_landlock_restrict_self, rules, 0) < 0)
                return -errno;
        return 0;
}

/* The half of an argument that counts. */
#define ARGUMENT(i) \
        (offsetof(struct seccomp_data, args[i]) + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0))
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define FAIL(error) RETURN(SECCOMP_RET_ERRNO | (error))
/* If it is not this call, the next `n` instructions are left out. */
#define IF(name, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, n)
#define ALLOW(name) IF(name, 1), RETURN(SECCOMP_RET_ALLOW)
/* Unless argument `i` has one of these bits. */
#define ALLOW_WITHOUT(name, i, bits)                                                                   \
        IF(name, 4), LOAD(ARGUMENT(i)), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1), FAIL(EPERM), \
                        RETURN(SECCOMP_RET_ALLOW)

/* Calls that not all architectures have are those of others under another name. */
static struct sock_filter filter[] = {
        LOAD(offsetof(struct seccomp_data, nr)),
        IF(socket, 4),
        LOAD(ARGUMENT(0)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 1, 0),
        FAIL(EAFNOSUPPORT),
        RETURN(SECCOMP_RET_ALLOW),
        ALLOW(bind),
        ALLOW(getsockname),
        ALLOW(getsockopt),
        ALLOW(setsockopt),
        ALLOW(sendto),
        ALLOW(recvfrom),
        ALLOW(recvmsg),
        ALLOW(ioctl),
/* Of i386 and s390, whose libc has no other; its arguments are in memory. */
#if defined(__NR_socketcall) && !defined(__powerpc__)
        ALLOW(socketcall),
#endif

        ALLOW(read),
        ALLOW(write),
        ALLOW(writev),
        ALLOW(close),
        ALLOW(lseek),
        ALLOW(openat),
        ALLOW(faccessat),
        ALLOW(fcntl),
        ALLOW(statx),
        ALLOW(readlinkat),
        ALLOW(getdents64),
        ALLOW(symlinkat),
        ALLOW(unlinkat),
        ALLOW(renameat2),
#ifdef __NR_open
        ALLOW(open),
        ALLOW(access),
        ALLOW(stat),
        ALLOW(lstat),
        ALLOW(readlink),
        ALLOW(symlink),
        ALLOW(unlink),
        ALLOW(rename),
#endif
#ifdef __NR_fstat
        ALLOW(fstat),
#endif
#ifdef __NR_newfstatat
        ALLOW(newfstatat),
#endif
#ifdef __NR_renameat
        ALLOW(renameat),
#endif
#ifdef __NR_fstat64
        ALLOW(fstat64),
#endif
#ifdef __NR_fstatat64
        ALLOW(fstatat64),
#endif
#ifdef __NR_fcntl64
        ALLOW(fcntl64),
#endif
#ifdef __NR__llseek
        ALLOW(_llseek),
#endif

        ALLOW(brk),
#ifdef __s390__
        ALLOW(mmap), /* its arguments are in memory */
#elif defined(__NR_mmap2)
        ALLOW_WITHOUT(mmap2, 2, PROT_EXEC),
#else
        ALLOW_WITHOUT(mmap, 2, PROT_EXEC),
#endif
        ALLOW_WITHOUT(mprotect, 2, PROT_EXEC),
        ALLOW(mremap),
        ALLOW(munmap),
        ALLOW(madvise),

        ALLOW(capget),
        ALLOW(futex),
        ALLOW(getpid),
        ALLOW(getrandom),
        ALLOW(rt_sigaction),
        ALLOW(rt_sigprocmask),
        ALLOW(rt_sigreturn),
        ALLOW(sysinfo),
        ALLOW(exit),
        ALLOW(exit_group),
#ifdef __NR_clock_gettime
        ALLOW(clock_gettime),
#endif
#ifdef __NR_clock_gettime32
        ALLOW(clock_gettime32),
#endif
#ifdef __NR_clock_gettime64
        ALLOW(clock_gettime64),
#endif
        FAIL(ENOSYS),
};

int sandbox_filter_system_calls(void) {
        struct sock_fprog program = { .len = sizeof(filter) / sizeof(filter[0]), .filter = filter };

        if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0)
                return 0;
        /* Not in the kernel, or kept from this process. */
        return errno == EINVAL || errno == ENOSYS || errno == EPERM ? 0 : -errno;
}
