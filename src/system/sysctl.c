/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "system/sysctl.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/whole_file.h"

long long network_sysctl_read(const char *key, unsigned index) {
        CLEANUP(cleanup_free) char *text = NULL;
        char path[128];
        const char *rest;
        size_t size;

        snprintf(path, sizeof(path), "/proc/sys/%s", key);
        if (whole_file_read(path, 4096, &text, &size) < 0)
                return -1;
        rest = text;
        for (unsigned i = 0;; i++) {
                char *end;
                long long value = strtoll(rest, &end, 10);

                if (end == rest || value < 0)
                        return -1;
                if (i == index)
                        return value;
                rest = end;
        }
}
