/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/set_args.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/text.h"

int set_args_parse(const struct command_line *line, struct set_args *ret) {
        char *equals = strchr(line->words[0], '=');
        /* As in the file: IFACE=MTU. */
        bool is_line = equals && (line->n_words < 2 || !isdigit((unsigned char)*line->words[1]));
        const char *mtu = is_line ? equals + 1 : line->words[1];
        char fault[MTU_SPEC_FAULT_SIZE];
        struct set_args args = { .word = line->words[0] };

        if (is_line)
                *equals = '\0';
        if (!is_line && line->n_words < 2)
                return log_fail(EXIT_CODE_USAGE, "%s: the MTU is missing, for example 9000; see --help",
                                args.word);
        if (!mtu_spec_parse(mtu, strlen(mtu), &args.line.spec, fault))
                return log_fail(EXIT_CODE_USAGE, "%s: %s", args.word, fault);
        for (int i = is_line ? 1 : 2; i < line->n_words; i++) {
                const char *option = line->words[i];

                if (strcmp(option, "up") == 0)
                        args.line.spec.up = true;
                else if (strcmp(option, "keep") == 0)
                        args.line.spec.keep = true;
                else
                        return log_fail(EXIT_CODE_USAGE,
                                        "%s: after the MTU only \"up\" and \"keep\" are options, not "
                                        "\"%.64s\"",
                                        args.word, option);
        }
        *ret = args;
        return EXIT_CODE_DONE;
}

/* Lists the devices but lo, as many as fit: NICs come before virtual devices. */
static void list_present(const struct link_table *links, char *text, size_t size) {
        size_t used = 0;

        for (size_t i = 0; i < links->n_links && used < size; i++)
                if (strcmp(links->links[i].name, "lo") != 0)
                        used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "",
                                                 links->links[i].name);
        if (used >= size)
                strcpy(text + size - sizeof("..."), "...");
}

int set_args_resolve(struct set_args *args, const struct snapshot *snapshot) {
        struct mtu_spec *spec = &args->line.spec;
        const struct link *link = link_table_by_name(&snapshot->links, args->word);
        const struct config_line *line = snapshot_line(snapshot, link, args->word);
        const char *name = link ? link->name : line ? line->name : args->word;
        const char *fault = interface_name_fault(name);
        const char *meant = link || line || args->is_certain
                                            ? NULL
                                            : link_table_alike(&snapshot->links, args->word);
        struct device_status status;
        enum backend backend;

        if (fault)
                return log_fail(EXIT_CODE_USAGE, "\"%.64s\" %s", name, fault);
        if (link && strcmp(link->name, args->word) != 0)
                log_info("%s is another name of %s", args->word, link->name);
        strcpy(args->line.name, name);
        if (!link && !line)
                list_present(&snapshot->links, args->present, sizeof(args->present));
        if (meant)
                snprintf(args->meant, sizeof(args->meant), "%s", meant);
        if (link) {
                args->found = *link;
                args->link = &args->found;
        }

        if (line) {
                spec->up |= line->spec.up;
                spec->keep |= line->spec.keep;
                if (!spec->has_backend) {
                        spec->has_backend = line->spec.has_backend;
                        spec->backend = line->spec.backend;
                }
        }
        args->backend = snapshot->plan.config.backend;
        backend = spec->has_backend ? spec->backend : args->backend;
        if (spec->mtu == MTU_MAX && !backend_has_unit(backend))
                return log_fail(EXIT_CODE_FAILURE, "%s: backend %s does not support max; give a number",
                                name, backend_name(backend));
        status = device_status_of(link, &args->line);
        args->wanted = status.wanted;
        if (status.state != DEVICE_STATE_IMPOSSIBLE)
                return EXIT_CODE_DONE;
        return log_fail(EXIT_CODE_FAILURE, "%s: %s", link->name, DEVICE_FAULT(link, args->wanted));
}
