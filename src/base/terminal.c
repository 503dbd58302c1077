/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int terminal_columns(int fd) {
        struct winsize size;

        return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool terminal_is_capable(int fd) {
        const char *terminal = getenv("TERM");

        return isatty(fd) && !(terminal && strcmp(terminal, "dumb") == 0);
}
