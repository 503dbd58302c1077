/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernel/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
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

int landlock_write_only_in(const char *folder) {
        struct landlock_path_beneath_attr beneath = { .allowed_access = LANDLOCK_ACCESS_FS_WRITE_FILE |
                                                                        LANDLOCK_ACCESS_FS_MAKE_REG |
                                                                        LANDLOCK_ACCESS_FS_REMOVE_FILE };
        struct landlock_ruleset_attr ruleset = {
                .handled_access_fs = beneath.allowed_access | LANDLOCK_ACCESS_FS_EXECUTE |
                                     LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                     LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                     LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SOCK |
                                     LANDLOCK_ACCESS_FS_MAKE_FIFO,
        };
        CLEANUP(cleanup_close) int fd = -1, rules = -1;
        int abi = create_ruleset(NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

        /* Not in the kernel, switched off, or kept from this process. */
        if (abi == -ENOSYS || abi == -EOPNOTSUPP || abi == -EPERM)
                return 0;
        if (abi < 0)
                return abi;
        if (abi >= ABI_WITH_TRUNCATE) {
                ruleset.handled_access_fs |= LANDLOCK_ACCESS_FS_TRUNCATE;
                beneath.allowed_access |= LANDLOCK_ACCESS_FS_TRUNCATE;
        }
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
