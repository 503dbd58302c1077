/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernel/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
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

int sandbox_write_only_in(const char *directory) {
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
        /* libc has no wrappers. */
        long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

        /* Not in the kernel, switched off, or kept from this process. */
        if (abi < 0)
                return errno == ENOSYS || errno == EOPNOTSUPP || errno == EPERM ? 0 : -errno;
        if (abi >= ABI_WITH_TRUNCATE)
                ruleset.handled_access_fs |= LANDLOCK_ACCESS_FS_TRUNCATE;
        beneath.parent_fd = fd = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
                return -errno;
        /* Without CAP_SYS_ADMIN, that is the condition. */
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
                return -errno;
        rules = (int)syscall(SYS_landlock_create_ruleset, &ruleset, sizeof(ruleset), 0);
        if (rules < 0 ||
            syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) < 0 ||
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
/* If it is this value, the next `n` instructions are left out. */
#define SKIP_IF(value, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, n, 0)

/* Lets the formatter fill lines. */
#define CALLS(...) __VA_ARGS__

/* Allowed whatever the arguments. Calls that not all architectures have are those of others under another
 * name. The numbers of x32 are those of x86-64 and a bit, and so are not among these. */
static const uint32_t allowed[] = {
        /* netlink */
        CALLS(__NR_bind, __NR_getsockname, __NR_getsockopt, __NR_setsockopt, __NR_sendto, __NR_recvfrom,
              __NR_recvmsg, __NR_ioctl),
        /* files */
        CALLS(__NR_read, __NR_write, __NR_writev, __NR_close, __NR_lseek, __NR_openat, __NR_faccessat,
              __NR_fcntl, __NR_flock, __NR_statx, __NR_readlinkat, __NR_getdents64, __NR_symlinkat,
              __NR_unlinkat, __NR_renameat2),
        /* memory, and the process */
        CALLS(__NR_brk, __NR_mremap, __NR_munmap, __NR_madvise, __NR_capget, __NR_futex, __NR_getpid,
              __NR_getrandom, __NR_rt_sigaction, __NR_rt_sigprocmask, __NR_rt_sigreturn, __NR_sysinfo,
              __NR_exit, __NR_exit_group),
#ifdef __NR_open
        CALLS(__NR_open, __NR_access, __NR_stat, __NR_lstat, __NR_readlink, __NR_symlink, __NR_unlink,
              __NR_rename),
#endif
#ifdef __NR_newfstatat
        CALLS(__NR_fstat, __NR_newfstatat),
#endif
#ifdef __NR_renameat
        __NR_renameat,
#endif
#ifdef __NR_fstat64
        CALLS(__NR_fstat64, __NR_fstatat64),
#endif
#ifdef __NR_clock_gettime
        __NR_clock_gettime,
#endif
#if defined(__NR_clock_gettime64) && defined(__NR__llseek)
        CALLS(__NR_clock_gettime64, __NR_fcntl64, __NR__llseek),
#endif
/* Of i386 and s390, whose libc has no other socket(2); the arguments of these are in memory. */
#if defined(__NR_socketcall) && !defined(__powerpc__)
        __NR_socketcall,
#endif
#ifdef __s390__
        __NR_mmap,
#endif
};

#ifdef __NR_mmap2
#define MAP_MEMORY __NR_mmap2
#else
#define MAP_MEMORY __NR_mmap
#endif

enum { N_BEFORE = 4, N_ALLOWED = sizeof(allowed) / sizeof(allowed[0]) };

static struct sock_filter filter[] = {
        LOAD(offsetof(struct seccomp_data, arch)),
        SKIP_IF(0, 1), /* the native one */
        FAIL(ENOSYS),
        LOAD(offsetof(struct seccomp_data, nr)),
        /* From here, the allowed calls jump to the end. */
        [N_BEFORE + N_ALLOWED] = SKIP_IF(__NR_socket, 3),
        SKIP_IF(__NR_mprotect, 5),
        SKIP_IF(MAP_MEMORY, 4),
        FAIL(ENOSYS),
        LOAD(ARGUMENT(0)),
        SKIP_IF(AF_NETLINK, 4),
        FAIL(EAFNOSUPPORT),
        LOAD(ARGUMENT(2)),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        FAIL(EPERM),
        RETURN(SECCOMP_RET_ALLOW),
};

/* The linker's name for the first bytes of this program. */
extern const ElfW(Ehdr) elf_header __asm__("__ehdr_start");

/* As linux/audit.h makes them of the ELF machine; x32 has the number of x86-64. */
static uint32_t native_architecture(void) {
        bool is_64_bit = sizeof(void *) == 8 || elf_header.e_machine == EM_X86_64;

        return elf_header.e_machine | (is_64_bit ? __AUDIT_ARCH_64BIT : 0) |
               (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __AUDIT_ARCH_LE : 0);
}

int sandbox_filter_system_calls(void) {
        struct sock_fprog program = { .len = sizeof(filter) / sizeof(filter[0]), .filter = filter };

        _Static_assert(sizeof(filter) / sizeof(filter[0]) <= UINT8_MAX, "longer than a jump");
        filter[1].k = native_architecture();
        for (size_t i = 0, at = N_BEFORE; i < N_ALLOWED; i++, at++)
                filter[at] = (struct sock_filter)SKIP_IF(allowed[i], (uint8_t)(program.len - 2 - at));
        if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0)
                return 0;
        /* Not in the kernel, or kept from this process. */
        return errno == EINVAL || errno == ENOSYS || errno == EPERM ? 0 : -errno;
}
