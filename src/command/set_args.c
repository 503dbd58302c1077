/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/set_args.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "command/check.h"

int set_args_parse(const struct command_line *line, struct set_args *ret) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        char *equals = strchr(line->words[0], '=');
        const char *value = "";
        char fault[MTU_SPEC_FAULT_SIZE];
        struct set_args args = { .word = line->words[0] };

        if (!equals && line->n_words < 2)
                return log_fail(EXIT_CODE_USAGE, "%s: the MTU is missing, for example 9000; see --help",
                                args.word);
        /* As in the file: IFACE=MTU. */
        if (equals) {
                *equals = '\0';
                value = equals + 1;
        }
        for (int i = 1; i < line->n_words; i++)
                value = pool_print(&pool, "%s %s", value, line->words[i]);
        if (pool.failed)
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        if (!mtu_spec_parse(value, &args.line.spec, fault))
                return log_fail(EXIT_CODE_USAGE, "%s: %s", args.word, fault);
        *ret = args;
        return EXIT_CODE_DONE;
}

int set_args_resolve(struct set_args *args, struct snapshot *snapshot) {
        struct mtu_spec *spec = &args->line.spec;
        const struct link *link = link_table_by_name(&snapshot->links, args->word);
        const struct config_line *line =
                        device_statuses_line(&snapshot->statuses, &snapshot->plan.config, link, args->word);
        const char *name = link ? link->name : args->word;
        const char *fault = interface_name_fault(name);
        struct device_status status;
        enum backend backend;

        if (!fault && !link && interface_name_is_pattern(name))
                fault = interface_pattern_fault(name);
        if (fault)
                return log_fail(EXIT_CODE_USAGE, "\"%.64s\" %s", name, fault);
        if (link && strcmp(link->name, args->word) != 0)
                log_info("%s is another name of %s", args->word, link->name);
        strcpy(args->line.name, name);
        args->link = link;
        args->former = line;
        if (line) {
                spec->up |= line->spec.up;
                spec->keep |= line->spec.keep;
                if (!spec->has_backend) {
                        spec->has_backend = line->spec.has_backend;
                        spec->backend = line->spec.backend;
                }
        }
        backend = spec->has_backend ? spec->backend : snapshot->plan.config.backend;
        if (spec->mtu == MTU_MAX && !backend_has_unit(backend))
                return log_fail(EXIT_CODE_FAILURE, "%s: backend %s does not support %s; give a number", name,
                                backend_name(backend), spec->is_auto ? "auto" : "max");
        if (!backend_has_unit(backend) && !args->is_runtime && !check_line(&args->line, backend))
                return EXIT_CODE_FAILURE;
        if (link && spec->is_auto && snapshot_fit_line(snapshot, link, &args->line) < 0)
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        status = device_status_of(link, &args->line);
        args->wanted = status.wanted;
        if (!link || status.state != DEVICE_STATE_IMPOSSIBLE)
                return EXIT_CODE_DONE;
        return log_fail(EXIT_CODE_FAILURE, "%s: %s", link->name, DEVICE_FAULT(link, args->wanted));
}
