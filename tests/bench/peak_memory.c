/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* peak_memory PROGRAM [ARGUMENT...]: runs PROGRAM and prints the most memory that it had resident, in KiB.
 *
 * Between fork() and exec() a child is a copy of its parent, and what it has then counts too (getrusage(2)).
 * So the parent must be the smaller one, which neither a shell nor Python is. Exits as PROGRAM did, or with
 * 126 where the memory cannot be told. */

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* What this process has resident, in KiB; 0 where that cannot be told (proc_pid_statm(5)). */
static long own_memory(void) {
        FILE *stream = fopen("/proc/self/statm", "re");
        long pages = 0;

        if (!stream)
                return 0;
        if (fscanf(stream, "%*d %ld", &pages) != 1)
                pages = 0;
        fclose(stream);
        return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int main(int argc, char *argv[]) {
        struct rusage child;
        long own = own_memory();
        int status;
        pid_t pid;

        if (argc < 2 || own == 0)
                return 126;
        pid = fork();
        if (pid < 0)
                return 126;
        if (pid == 0) {
                execvp(argv[1], argv + 1);
                _exit(127);
        }
        if (wait4(pid, &status, 0, &child) != pid || !WIFEXITED(status) || child.ru_maxrss <= own)
                return 126;
        printf("%ld\n", child.ru_maxrss);
        return WEXITSTATUS(status);
}
