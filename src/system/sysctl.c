/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "system/sysctl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/whole_file.h"

long long network_sysctl_read(const char *key, unsigned index) {
        CLEANUP(cleanup_free) char *text = NULL;
        char path[128];
        const char *rest;
        size_t size;
        int r;

        snprintf(path, sizeof(path), "/proc/sys/%s", key);
        r = whole_file_read(path, 4096, &text, &size);
        if (r < 0)
                return r;
        rest = text;
        for (unsigned i = 0;; i++) {
                char *end;
                long long value = strtoll(rest, &end, 10);

                if (end == rest || value < 0)
                        return -EBADMSG;
                if (i == index)
                        return value;
                rest = end;
        }
}
