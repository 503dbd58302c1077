/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What a process can still do once it is in the sandbox: each case is a process of its own. */

#include "rows.h"
#include "scratch_root.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "kernel/sandbox.h"

#define PAGE 4096

/* Exit statuses of a process, besides what errno was. */
enum { NO_SANDBOX = 253, NOT_IN_KERNEL, NOT_REACHED };

/* Each returns what its system call does: negative, with errno, if it fails. */

static long read_a_file(void) {
        char byte;
        int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);

        return fd < 0 ? fd : read(fd, &byte, 1);
}

static long write_in_its_directory(void) {
        int fd = open(in_root("/own/record"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

        return fd < 0 ? fd : write(fd, "x", 1);
}

static long replace_a_record(void) {
        for (int i = 0; i < 2; i++) {
                int r = whole_file_write_link("/own/record", "A=1\n");

                if (r < 0) {
                        errno = -r;
                        return -1;
                }
        }
        return readlink(in_root("/own/record"), (char[8]){ 0 }, 8) < 0 ? -1 : unlink(in_root("/own/record"));
}

static long write_elsewhere(void) {
        return open(in_root("/record"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
}

static long link_elsewhere(void) {
        return symlink("A=1", in_root("/record"));
}

static long remove_elsewhere(void) {
        return unlink(in_root("/other"));
}

/* Of a row that some processors leave out. */
#define NOT_EVERYWHERE __attribute__((unused))

static long open_netlink(void) {
        return socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0);
}

static NOT_EVERYWHERE long open_internet(void) {
        return socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

static NOT_EVERYWHERE long open_packet(void) {
        return socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
}

static long take_memory(void) {
        char *memory = malloc(4096 * PAGE);

        if (!memory)
                return -1;
        memset(memory, 1, 4096 * PAGE);
        free(memory);
        return 0;
}

static long map(int protection) {
        void *memory = mmap(NULL, PAGE, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        return memory == MAP_FAILED ? -1 : mprotect(memory, PAGE, PROT_READ);
}

static long map_data(void) {
        return map(PROT_READ | PROT_WRITE);
}

static NOT_EVERYWHERE long map_code(void) {
        return map(PROT_READ | PROT_EXEC);
}

static long make_code(void) {
        void *memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        return memory == MAP_FAILED ? -1 : mprotect(memory, PAGE, PROT_READ | PROT_EXEC);
}

static long start_process(void) {
        return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static long start_program(void) {
        return execl("/bin/true", "true", (char *)NULL);
}

static long send_signal(void) {
        return kill(getppid(), 0);
}

static long send_signal_to_thread(void) {
        return syscall(SYS_tgkill, getppid(), getppid(), 0);
}

static long make_set_user_id(void) {
        int fd = open(in_root("/other"), O_RDONLY | O_CLOEXEC);

        return fd < 0 ? fd : fchmod(fd, 04755);
}

static long trace_itself(void) {
        return ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

static long make_namespace(void) {
        return unshare(CLONE_NEWUSER);
}

#ifdef __x86_64__
/* getpid(2) by the numbers of i386, and by those of x32. */
static long make_call_of_i386(void) {
        long r = 20;

        if (access("/proc/sys/abi/vsyscall32", F_OK) < 0)
                (void)syscall(SYS_exit_group, NOT_IN_KERNEL);
        __asm__ volatile("int $0x80" : "+a"(r) : : "memory", "r8", "r9", "r10", "r11");
        errno = r < 0 ? (int)-r : 0;
        return r;
}

static long make_call_of_x32(void) {
        return syscall(0x40000000 | SYS_getpid);
}
#endif

enum part { EITHER, LANDLOCK, SECCOMP };

struct row {
        const char *name;
        long (*act)(void);
        int error;
        enum part part; /* without it in the kernel, the row is skipped */
};

static const struct row rows[] = {
        { "reads a file", read_a_file, 0, EITHER },
        { "writes in its directory", write_in_its_directory, 0, EITHER },
        { "replaces and removes a record", replace_a_record, 0, EITHER },
        { "makes no link elsewhere", link_elsewhere, EACCES, LANDLOCK },
        { "does not write elsewhere", write_elsewhere, EACCES, LANDLOCK },
        { "does not remove a file elsewhere", remove_elsewhere, EACCES, LANDLOCK },
        { "opens a netlink socket", open_netlink, 0, EITHER },
/* See sandbox.h. */
#if !defined(SYS_socketcall) || defined(__powerpc__)
        { "opens no internet socket", open_internet, EAFNOSUPPORT, SECCOMP },
        { "opens no packet socket", open_packet, EAFNOSUPPORT, SECCOMP },
#endif
        { "takes memory", take_memory, 0, EITHER },
        { "maps data", map_data, 0, EITHER },
#ifndef __s390__
        { "maps no code", map_code, EPERM, SECCOMP },
#endif
        { "makes no code of data", make_code, EPERM, SECCOMP },
        { "starts no process", start_process, ENOSYS, SECCOMP },
        { "starts no program", start_program, ENOSYS, SECCOMP },
        { "sends no signal", send_signal, ENOSYS, SECCOMP },
        { "sends no signal to a thread", send_signal_to_thread, ENOSYS, SECCOMP },
        { "makes no set-user-ID file", make_set_user_id, ENOSYS, SECCOMP },
        { "is not traced", trace_itself, ENOSYS, SECCOMP },
        { "makes no namespace", make_namespace, ENOSYS, SECCOMP },
#ifdef __x86_64__
        { "makes no call of i386", make_call_of_i386, ENOSYS, SECCOMP },
        { "makes no call of x32", make_call_of_x32, ENOSYS, SECCOMP },
#endif
};

static void act(const struct row *row) {
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || sandbox_write_only_in(in_root("/own")) < 0)
                _exit(NO_SANDBOX);
        /* Not by an emulator of user programs. */
        if (row->part == SECCOMP && prctl(PR_GET_SECCOMP) < 0)
                _exit(NOT_IN_KERNEL);
        if (sandbox_filter_system_calls() < 0)
                _exit(NO_SANDBOX);
        errno = 0;
        /* Before a call that does not return, AddressSanitizer looks at the signals' stack. */
        (void)syscall(SYS_exit_group, row->act() < 0 ? errno : 0);
}

static void test_sandbox(void **state) {
        const struct row *row = *state;
        int status = NOT_REACHED;
        pid_t child;

        /* -1, with the version asked for: not in this kernel. */
        if (row->part == LANDLOCK && syscall(SYS_landlock_create_ruleset, NULL, 0, 1) < 0)
                skip();
        child = fork();
        assert_true(child >= 0);
        if (child == 0)
                act(row);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        if (WEXITSTATUS(status) == NOT_IN_KERNEL)
                skip();
        assert_int_equal(WEXITSTATUS(status), row->error);
}

int main(void) {
        int n = 1;

        if (make_root(NULL) == 0 && mkdir(in_root("/own"), 0755) == 0 &&
            mknod(in_root("/other"), S_IFREG | 0600, 0) == 0)
                n = RUN_ROWS("sandbox", test_sandbox, rows);
        return remove_root(NULL) == 0 ? n : 1;
}
