/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* write-config NAME MTU: one device's line in the configuration file, for config-write-crash to interrupt.
 */

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "config/config_edit.h"
#include "store/config_files.h"
#include "store/config_write.h"

static int write_line(const char *name, const struct mtu_spec *spec) {
        CLEANUP(config_write_cleanup) struct config_write *write = NULL;
        CLEANUP(cleanup_free) char *text = NULL;
        const char *old;
        size_t size;
        int r = config_write_open(CONFIG_FILE, &write, &old, &size);

        if (r == 0)
                r = config_edit_set(old, size, name, spec, &text, &size);
        return r < 0 ? r : config_write_replace(write, text, size);
}

int main(int argc, char *argv[]) {
        char fault[MTU_SPEC_FAULT_SIZE];
        struct mtu_spec spec;
        int r;

        if (argc != 3 || !mtu_spec_parse(argv[2], &spec, fault)) {
                fprintf(stderr, "Usage: write-config NAME MTU\n");
                return 2;
        }
        r = write_line(argv[1], &spec);
        if (r < 0)
                fprintf(stderr, "write-config: %s\n", strerror(-r));
        return r < 0;
}
