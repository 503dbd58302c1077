/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "system/name_policy.h"

#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/whole_file.h"

bool name_policy_is_enabled(void) {
        static const char *const no[] = { "0", "no", "n", "false", "f", "off" };
        CLEANUP(cleanup_free) char *text = NULL;
        bool is_enabled = true;
        char *rest, *word;
        size_t size;

        if (whole_file_read("/proc/cmdline", 64 * 1024, &text, &size) < 0)
                return true;
        rest = text;
        while ((word = strsep(&rest, " \t\n"))) {
                if (strncmp(word, "net.ifnames=", strlen("net.ifnames=")) != 0)
                        continue;
                is_enabled = true;
                for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
                        is_enabled = is_enabled && strcasecmp(word + strlen("net.ifnames="), no[i]) != 0;
        }
        return is_enabled;
}
