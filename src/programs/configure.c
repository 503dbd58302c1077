/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu-configure: writes the files by which other services set an MTU, before they start. Run by
 * setmtu-configure.service; a generator may write units only. See setmtu-configure.service(8). */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "files/unit_mask.h"
#include "files/whole_file.h"
#include "programs/exit_code.h"
#include "programs/load_plan.h"
#include "programs/log.h"
#include "programs/standard_option.h"
#include "writers/udev_rules.h"

static const char help[] =
                "Usage: setmtu-configure\n"
                "\n"
                "Writes " UDEV_RULES_PATH " from /etc/conf.d/setmtu, or removes it where no\n"
                "line needs it. setmtu-configure.service runs this at boot; after an edit:\n"
                "systemctl restart setmtu-configure.\n"
                "\n"
                "      --help     show this and exit\n"
                "      --version  show the version and exit\n"
                "\n"
                "Exit status: 0 done, also where a line of the configuration is in error and left out;\n"
                "1 a file could not be read or written; 2 usage.\n";

/* The rules as text; NULL where memory is out. The caller frees it. */
static char *render_rules(const struct plan *plan, size_t *ret_size) {
        char *text = NULL;
        FILE *stream = open_memstream(&text, ret_size);

        if (!stream)
                return NULL;
        udev_rules_write(plan, stream);
        if (ferror(stream) | fclose(stream)) {
                free(text);
                return NULL;
        }
        return text;
}

static int save_rules(const struct plan *plan) {
        CLEANUP(cleanup_free) char *text = NULL;
        size_t size = 0;

        if (!plan->has_rules)
                return whole_file_remove(UDEV_RULES_PATH);
        text = render_rules(plan, &size);
        if (!text)
                return -ENOMEM;
        return whole_file_replace(UDEV_RULES_PATH, text, size);
}

static void log_and_note(void *userdata, const struct diagnostic *diagnostic) {
        bool *is_incomplete = userdata;

        load_plan_log_diagnostic(diagnostic);
        *is_incomplete |= diagnostic->whole_file;
}

static int configure(void) {
        bool is_incomplete = false;
        const struct diagnostic_sink sink = { .report = log_and_note, .userdata = &is_incomplete };
        struct config config;
        struct plan plan;
        int r;

        r = load_plan(&sink, &config, &plan);
        if (r == 0) {
                unit_mask_leave_out(&plan);
                /* Of a configuration that is there and cannot be read, what was read last is the better
                 * half. */
                if (is_incomplete && whole_file_exists(UDEV_RULES_PATH))
                        log_message(LOG_PRIORITY_WARNING, UDEV_RULES_PATH ": left as it was");
                else
                        r = save_rules(&plan);
                plan_free(&plan);
                config_free(&config);
        }
        if (r < 0) {
                log_message(LOG_PRIORITY_ERROR, UDEV_RULES_PATH ": %s", strerror(-r));
                return EXIT_CODE_FAILURE;
        }
        if (r > 0)
                log_message(LOG_PRIORITY_INFO, UDEV_RULES_PATH " written");
        return is_incomplete ? EXIT_CODE_FAILURE : EXIT_CODE_DONE;
}

int main(int argc, char *argv[]) {
        int exit_code;

        log_open("setmtu-configure");

        if (standard_option(argc, argv, "setmtu-configure", help, &exit_code))
                return exit_code;
        if (argc != 1) {
                log_message(LOG_PRIORITY_ERROR, "takes no arguments; see --help");
                return EXIT_CODE_USAGE;
        }
        return configure();
}
