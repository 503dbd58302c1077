/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* bare_links DIR COUNT: the directories and symlinks that setmtu-generator makes for COUNT lines, eth0 and
 * so on, in a loop that reads and checks nothing. */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char *argv[]) {
        unsigned long count;
        int directory;

        if (argc != 3)
                return 2;
        directory = open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (directory < 0)
                return 1;
        count = strtoul(argv[2], NULL, 10);
        for (unsigned long i = 0; i < count; i++) {
                char wants[128], link[256];

                snprintf(wants, sizeof(wants), "sys-subsystem-net-devices-eth%lu.device.wants", i);
                snprintf(link, sizeof(link), "%s/setmtu@eth%lu.service", wants, i);
                if (mkdirat(directory, wants, 0755) < 0 ||
                    symlinkat(SYSTEM_UNIT_DIR "/setmtu@.service", directory, link) < 0)
                        return 1;
        }
        return 0;
}
