/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/shell/script.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "sources/parser/keyfile.h"
#include "sources/shell/mtu_command.h"
#include "sources/shell/program.h"
#include "sources/shell/shell_flow.h"
#include "sources/shell/shell_listing.h"
#include "sources/shell/shell_test.h"

/* All that is read for one text, with loops and calls. */
#define COMMANDS_MAX 50000u

/* A command that is being read. */
struct script {
        const struct source_parser *parser;
        struct mtu_source source;
        bool is_executed;        /* no shell runs it: what execve(2) refuses is not run */
        struct shell_flow *flow; /* its place is a struct script as well, for the whole text */
};

static void read_command(struct script *script, const struct shell_command *whole);

/* The only device for which a hook comes to this place. NULL: another one may come here, too. */
static const char *device_of_hook(const struct shell_flow *flow) {
        for (size_t i = 0; i < flow->variables.n_items; i++) {
                const struct shell_variable *variable = &flow->variables.items[i];

                if (shell_values_are_each(variable->among) && !variable->is_dynamic && *variable->value)
                        return variable->value;
        }
        return NULL;
}

static void run(struct shell_flow *flow, const struct shell_command *command) {
        struct script script = *(const struct script *)flow->frame.place;
        struct mtu_sources *sources = script.parser->sources;
        size_t first = sources->n_items;
        const char *device = device_of_hook(flow);

        script.flow = flow;
        script.is_executed &= flow->frame.depth == 0;
        script.source.line = flow->frame.line;
        if (flow->is_conditional)
                script.source.condition = "a script decides at run time whether to set it";
        read_command(&script, command);
        for (; device && first < sources->n_items; first++)
                if (!sources->items[first].condition && sources->items[first].device &&
                    strcmp(sources->items[first].device, device) != 0)
                        sources->items[first].condition =
                                        pool_print(flow->pool, "a hook sets it when %s comes up", device);
}

/* Scripts that it runs ---------------------------------------------------------------------------------- */

/* What to do about what is not followed. */
#define LOOK_THERE ": look there, and write a line for each device whose MTU it sets"

#define warn(script, ...) source_warn((script)->parser, (script)->source.line, __VA_ARGS__)

/* Says that a program is not followed, if it may set an MTU. */
static void report_unfollowed(const struct script *script, const char *path, const char *why) {
        if (strcasestr(path, "mtu") || (script->parser->is_about_mtu && !program_is_of_system(path)))
                warn(script, "runs %s, %s" LOOK_THERE, TEXT_SHOW(path), why);
}

/* What a loop goes over may be scripts. */
static bool list(struct shell_flow *flow, const char *pattern, struct pool_list *ret) {
        struct script script = *(const struct script *)flow->frame.place;
        const struct script_files *files = script.parser->files;

        if (files && files->list(files->userdata, pattern, false, ret))
                return true;
        script.source.line = flow->frame.line;
        report_unfollowed(&script, pattern, "whose files cannot be listed here");
        return false;
}

static mode_t mode_of(const struct shell_flow *flow, const char *path) {
        const struct script *script = flow->frame.place;
        const struct script_files *files = script->parser->files;
        mode_t mode = 0;

        if (files && *path == '/' && !shell_listing_is_volatile(path))
                (void)files->mode(files->userdata, path, &mode);
        return mode;
}

/* The same of a text that is no shell script. */
static void report_foreign(const struct script *script, const char *path, const char *text, size_t size) {
        if (source_mentions_mtu(text, size))
                warn(script, "runs %s, which mentions an MTU and is no shell script" LOOK_THERE,
                     TEXT_SHOW(path));
        else
                report_unfollowed(script, path, "which is no shell script");
}

/* python3 [OPTION…] FILE and its kind; behind -m MODULE, a file is an argument. */
static void read_foreign(const struct script *script, const struct shell_command *command) {
        const char *text;
        size_t size;

        for (size_t i = 1; i < command->n_words && !shell_word_is(&command->words[i], "-m"); i++)
                if (*command->words[i].text == '/' && !command->words[i].is_dynamic &&
                    source_read_file(script->parser, command->words[i].text, &text, &size)) {
                        shell_flow_charge(script->flow, size);
                        report_foreign(script, command->words[i].text, text, size);
                        return;
                }
}

/* What the script's file has another file do. */
static struct mtu_source source_in(const struct script *script, const char *path) {
        struct mtu_source source = script->source;

        if (!source.through) {
                source.through = source.file ? source.file : script->parser->file;
                source.through_line = source.line;
        }
        source.file = path;
        return source;
}

enum how {
        HOW_EXECUTED, /* by execve(2) alone */
        HOW_PROGRAM,  /* by a shell */
        HOW_SHELL,    /* sh FILE */
        HOW_SOURCED,  /* . FILE: what it sets, it sets for the script */
};

/* A reader of another text that the script runs. It sets nothing for the script. `only_exported`: it is
 * another program, which knows the script's variables from its environment alone. */
static struct shell_flow open_inner(const struct script *script, const struct script *place,
                                    const struct shell_command *arguments, bool only_exported) {
        struct shell_flow inner = *script->flow;

        inner.variables = shell_variables_copy(inner.pool, &script->flow->variables, only_exported);
        inner.variables.is_all = true;
        inner.variables.arguments = arguments;
        inner.outer = (struct shell_outer){ .text_ends = { .is_all = true, .is_unreachable = true } };
        inner.is_open = false;
        inner.functions = NULL;
        inner.n_functions = 0;
        inner.frame = (struct shell_frame){ .place = place, .depth = inner.frame.depth + 1 };
        return inner;
}

static void read_text(struct shell_flow *flow, const char *text, size_t size, unsigned line,
                      bool is_sourced) {
        const struct script *place = flow->frame.place;
        const struct shell_mistake mistake = shell_flow_read(flow, text, size, line, is_sourced);

        /* Scripts and crontabs are about anything. */
        if (source_mentions_mtu(text, size))
                shell_report(place->parser, &mistake, line);
}

/* What "." reads sets variables and functions for the script, which goes on behind its `return`. */
static void read_sourced(struct shell_flow *flow, const struct script *place, const char *text,
                         size_t size) {
        const struct shell_block around = flow->outer.function;
        const struct shell_frame frame = flow->frame;

        flow->frame.place = place;
        flow->frame.depth++;
        flow->outer.function = (struct shell_block){ true, { .is_all = true, .is_unreachable = true } };
        read_text(flow, text, size, 1, true);
        flow->frame = frame;
        flow->variables = shell_variables_merge(flow->pool, &flow->variables, &flow->outer.function.ends);
        flow->outer.function = around;
}

/* A path, from the folder on in which the program begins. What is sourced may be a mere name. */
static const char *absolute_path(const struct script *script, const char *path, enum how how) {
        const char *folder = script->parser->folder;

        if (*path == '/' || !folder || (how <= HOW_PROGRAM && !strchr(path, '/')))
                return path;
        return pool_print(source_pool(script->parser), "%s/%s", strcmp(folder, "/") == 0 ? "" : folder,
                          text_after(path, "./") ? path + strlen("./") : path);
}

/* Follows the script in `words[0]`, with its arguments behind it. */
static void follow(struct script *script, struct shell_command command, enum how how) {
        const char *path = absolute_path(script, command.words[0].text, how), *text = NULL, *why = NULL;
        /* Sets what setmtu's lines say. */
        bool is_of_setmtu = how <= HOW_PROGRAM && program_is_of_setmtu(path);
        struct shell_command arguments = shell_command_rest(&command, 1);
        struct source_parser *parser;
        struct script *place;
        struct shell_flow inner;
        size_t size = 0;

        if (strcmp(path, script->parser->file) == 0)
                return; /* it is being read */
        if (how <= HOW_PROGRAM && !strchr(path, '/'))
                why = "of which the folder is not known";
        else if (*path != '/' || !script->parser->files || command.words[0].is_dynamic ||
                 script->flow->frame.depth == SHELL_DEPTH_MAX) {
                script->flow->variables.is_all &= how != HOW_SOURCED;
                why = "which is not followed";
        } else if (!source_read_file(script->parser, path, &text, &size))
                why = "which cannot be read here";
        if (why) {
                if (!is_of_setmtu)
                        report_unfollowed(script, path, why);
                return;
        }
        shell_flow_charge(script->flow, size);
        if (how <= HOW_PROGRAM && !program_is_script(text, size, how == HOW_EXECUTED)) {
                if (!program_is_of_udev(path) && !(is_of_setmtu && text_after(text, "\177ELF")))
                        report_foreign(script, path, text, size);
                return;
        }
        parser = pool_take(source_pool(script->parser), sizeof(*parser));
        place = pool_take(source_pool(script->parser), sizeof(*place));
        if (!parser || !place)
                return;
        *parser = *script->parser;
        parser->file = path;
        parser->is_about_mtu = false;
        *place = (struct script){ .parser = parser, .source = source_in(script, path) };
        if (how == HOW_SOURCED) {
                read_sourced(script->flow, place, text, size);
                return;
        }
        inner = open_inner(script, place, &arguments, true);
        read_text(&inner, text, size, 1, false);
}

/* run-parts [OPTION…] FOLDER (run-parts(8)) */
static void run_parts(struct script *script, const struct shell_command *command) {
        const struct script_files *files = script->parser->files;
        struct pool_list paths = { 0 };
        const char *folder;
        size_t i = 1;
        bool is_other = false;

        for (; i < command->n_words && command->words[i].text[0] == '-'; i++) {
                const char *option = command->words[i].text;

                if (text_is_among(option, "--test --list"))
                        return;
                is_other |= text_after(option, "--regex") || text_after(option, "--lsbsysinit");
                if (text_is_among(option, "-a -u --arg --umask --regex"))
                        i++;
        }
        if (i >= command->n_words)
                return;
        folder = command->words[i].text;
        if (is_other || !files || *folder != '/' || command->words[i].is_dynamic ||
            !files->list(files->userdata, pool_print(source_pool(script->parser), "%s/*", folder), true,
                         &paths))
                report_unfollowed(script, folder, "whose scripts cannot be listed here");
        for (i = 0; i < paths.n_items; i++) {
                struct shell_word path = { paths.items[i] };

                follow(script, (struct shell_command){ .words = &path, .n_words = 1 }, HOW_EXECUTED);
        }
}

/* A text that is given to a program. */
struct input {
        const char *text; /* NULL: none is known */
        size_t size;
        unsigned line;    /* where it begins; 0: it is all in the line of the source */
        bool is_expanded; /* the shell that is running puts the values in */
};

/* What a command reads from its input: a here-document, <<<TEXT, echo TEXT |. */
static struct input find_input(const struct script *script, const struct shell_command *command) {
        const struct shell_command *before = &script->flow->before;
        struct pool_text printed = { .pool = source_pool(script->parser) };
        struct shell_word given = command->input;
        char *text;

        if (command->here) {
                shell_flow_charge(script->flow, command->here_size);
                text = pool_copy_part(source_pool(script->parser), command->here, command->here_size);
                text = lines_replace(source_pool(script->parser), text, "\\$", "$");
                return (struct input){ text, strlen(text),
                                       script->flow->frame.line + command->here_line - command->line,
                                       !command->is_literal };
        }
        if (before->end == '|' && before->n_words > 1 &&
            text_is_among(text_base_name(before->words[0].text), "echo printf"))
                for (size_t i = 1; i < before->n_words; i++) {
                        if (!printed.text && before->words[i].text[0] == '-')
                                continue;
                        pool_text_put(&printed, before->words[i].text);
                        pool_text_put(&printed, " ");
                        given = (struct shell_word){ printed.text,
                                                     given.is_dynamic || before->words[i].is_dynamic };
                }
        /* Of a value in it, the command says that it is not known. */
        if (!given.text || (given.is_dynamic && !strstr(given.text, " mtu ")))
                return (struct input){ 0 };
        text = pool_copy(source_pool(script->parser), given.text);
        keyfile_unescape(text); /* printf's \n */
        return (struct input){ text, strlen(text), 0, given.is_dynamic };
}

/* Reads what a shell runs, with its arguments. */
static void read_inner(struct script *script, const struct shell_command *arguments, struct input input) {
        struct shell_flow inner =
                        open_inner(script, script->flow->frame.place, arguments, !input.is_expanded);

        read_text(&inner, input.text, input.size, input.line > 0 ? input.line : script->source.line, false);
}

/* … | sed 's/$/ mtu 9000/' | sh */
static void report_unread_input(const struct script *script) {
        const struct shell_command *before = &script->flow->before;

        for (size_t i = 1; before->end == '|' && i < before->n_words; i++)
                if (strstr(before->words[i].text, "mtu")) {
                        warn(script,
                             "runs commands with an MTU that %s makes, which are not followed" LOOK_THERE,
                             TEXT_SHOW(before->words[0].text));
                        return;
                }
}

/* sh -c SCRIPT [NAME ARGUMENT…], sh FILE ARGUMENT…, sh <<SCRIPT; su [-] [USER] -c SCRIPT */
static void read_shell(struct script *script, const struct shell_command *command, bool is_su) {
        struct input input = { 0 };
        bool is_script = false;
        size_t i = 1;

        for (; i < command->n_words && (strchr("-+", command->words[i].text[0]) || (is_su && !is_script));
             i++) {
                is_script |= program_is_script_option(command->words[i].text) ||
                             (is_su && shell_word_is(&command->words[i], "--command"));
                i += shell_word_is(&command->words[i], "-o") ? 1 : 0;
        }
        if (i >= command->n_words) {
                if (script->flow->frame.depth < SHELL_DEPTH_MAX)
                        input = find_input(script, command);
                if (input.text)
                        read_inner(script, &(struct shell_command){ 0 }, input);
                else
                        report_unread_input(script);
                return;
        }
        if (!is_script) {
                follow(script, shell_command_rest(command, i), HOW_SHELL);
                return;
        }
        if (script->flow->frame.depth < SHELL_DEPTH_MAX) {
                const struct shell_command arguments = shell_command_rest(command, i + 2);
                const char *text = command->words[i].text;

                read_inner(script, &arguments,
                           (struct input){ text, strlen(text), 0, command->words[i].is_dynamic });
        }
}

/* Programs that act elsewhere, or only print. */
static const char elsewhere[] =
                "ssh docker podman kubectl lxc lxc-attach chroot unshare machinectl virsh "
                "echo printf logger log cat print die info warn error grep sed awk test [ [[";

/* Whether an unknown program is given a command that sets an MTU; one of no known name may be ip itself. */
static bool runs_ip(const struct shell_command *command) {
        bool is_ip = false;

        for (size_t i = 1; i < command->n_words; i++) {
                const struct shell_word *next = i + 1 < command->n_words ? &command->words[i + 1] : NULL;

                if (program_is_script_option(command->words[i].text) && next &&
                    (strstr(next->text, " mtu ") || text_ends_in(next->text, "/mtu")))
                        return true; /* screen -dm sh -c SCRIPT */
                if (shell_word_is(&command->words[i], "mtu") && (is_ip || command->words[0].is_dynamic) &&
                    next && (next->is_dynamic || isdigit((unsigned char)*next->text)))
                        return true;
                is_ip |= text_is_among(text_base_name(command->words[i].text), "ip ifconfig");
        }
        return false;
}

static void read_batch_text(struct script *script, struct mtu_source source, struct input input,
                            const struct shell_variables *variables) {
        struct pool *pool = source_pool(script->parser);
        struct shell shell = shell_open(pool, input.text, input.size, variables);
        struct shell_command words;

        while (*script->flow->n_left > 0 && shell_next(&shell, &words)) {
                struct shell_command command = { 0 };

                (*script->flow->n_left)--;
                shell_command_add(pool, &command, (struct shell_word){ "ip", false });
                for (size_t i = 0; i < words.n_words; i++)
                        shell_command_add(pool, &command, words.words[i]);
                if (input.line > 0)
                        source.line = input.line + words.line - 1;
                mtu_command_read(script->parser, source, &command, NULL);
        }
}

/* ip -batch FILE, or "-" for its input: a here-document, <<<TEXT, echo TEXT |. */
static void read_batch(struct script *script, const struct shell_command *command,
                       const struct shell_word *file) {
        struct input input = { .line = 1 };

        if (!shell_word_is(file, "-")) {
                if (*file->text == '/' && !file->is_dynamic &&
                    source_read_file(script->parser, file->text, &input.text, &input.size)) {
                        shell_flow_charge(script->flow, input.size);
                        read_batch_text(script, source_in(script, file->text), input, NULL);
                } else
                        warn(script,
                             "runs the commands in %s by ip -batch, which cannot be read here" LOOK_THERE,
                             TEXT_SHOW(file->text));
                return;
        }
        input = find_input(script, command);
        if (input.text)
                read_batch_text(script, script->source, input,
                                input.line > 0 ? &script->flow->variables : NULL);
        else if (source_mentions_mtu(script->parser->text, script->parser->size))
                warn(script, "runs the commands that ip -batch reads from its input, which is not "
                             "followed" LOOK_THERE);
}

/* As program_wrapper_size(), and $SUDO that is sudo or nothing. */
static size_t prefix_size(const struct script *script, const struct shell_command *command) {
        const char *name = command->n_words > 1 ? shell_test_variable(source_pool(script->parser),
                                                                      &command->words[0])
                                                : NULL;
        const struct shell_variable *variable =
                        name ? shell_variables_find(&script->flow->variables, name) : NULL;

        if (name && (variable ? variable->is_prefix : script->flow->variables.is_all))
                return 1;
        return program_wrapper_size(command);
}

/* wg-quick up NAME, or up FILE. Those in /etc/wireguard were read already; what they set does not act yet,
 * for lack of an enabled unit. */
static void start_tunnel(const struct script *script, const struct shell_word *tunnel) {
        const char *off = script->parser->inactive;
        struct source_parser parser = *script->parser;
        bool is_read = false;

        parser.file = strchr(tunnel->text, '/') ? tunnel->text
                                                : pool_print(source_pool(&parser), "/etc/wireguard/%s.conf",
                                                             tunnel->text);
        parser.inactive = off ? off : "nothing has started it yet";
        if (tunnel->is_dynamic || !parser.file)
                return;
        for (size_t i = 0; i < parser.sources->n_items && !is_read; i++)
                is_read = parser.sources->items[i].kind == SOURCE_WIREGUARD &&
                          strcmp(parser.sources->items[i].file, parser.file) == 0;
        if (!is_read && *tunnel->text == '/' && !text_after(tunnel->text, "/etc/wireguard/") &&
            parser.files && script->source.kind != SOURCE_WIREGUARD &&
            source_read_file(&parser, parser.file, &parser.text, &parser.size))
                parser.files->read_tunnel(&parser);
        for (size_t i = 0; i < parser.sources->n_items && !off; i++) {
                struct mtu_source *source = &parser.sources->items[i];

                if (source->kind != SOURCE_WIREGUARD || !source->inactive ||
                    strcmp(source->inactive, MTU_SOURCE_NOT_FOR_WG) == 0 ||
                    strcmp(source->file, parser.file) != 0)
                        continue;
                source->inactive = NULL;
                if (script->source.condition)
                        source->condition = script->source.condition;
        }
}

/* Takes off what wraps a command, and reads what it runs. */
static void read_command(struct script *script, const struct shell_command *whole) {
        struct shell_command command = *whole;
        const char *name;
        size_t n;

        while (command.n_words > 0 && (n = prefix_size(script, &command)) > 0)
                command = shell_command_rest(&command, n);
        if (command.n_words == 0)
                return;
        name = text_base_name(command.words[0].text);
        if (program_is_shell(name) || strcmp(name, "su") == 0)
                read_shell(script, &command, !program_is_shell(name));
        else if (text_is_among(name, ". source") && command.n_words > 1 && !script->is_executed)
                follow(script, shell_command_rest(&command, 1), HOW_SOURCED);
        else if (runs_ip(&command) && !text_is_among(name, elsewhere) && !text_is_among(name, "ip ifconfig"))
                warn(script, "runs a command that sets an MTU by %s, which setmtu does not know" LOOK_THERE,
                     TEXT_SHOW(name));
        else if (strcmp(name, "run-parts") == 0)
                run_parts(script, &command);
        else if (strcmp(name, "wg-quick") == 0 && command.n_words > 2 &&
                 shell_word_is(&command.words[1], "up"))
                start_tunnel(script, &command.words[2]);
        else if (program_is_interpreter(name))
                read_foreign(script, &command);
        else if ((strchr(command.words[0].text, '/') ||
                  shell_test_variable(source_pool(script->parser), &command.words[0])) &&
                 (!program_is_of_system(command.words[0].text) || strcasestr(name, "mtu")))
                follow(script, command, script->is_executed ? HOW_EXECUTED : HOW_PROGRAM);
        else if (mtu_command_batch(&command))
                read_batch(script, &command, mtu_command_batch(&command));
        else
                mtu_command_read(script->parser, script->source, &command,
                                 script->flow->before.end == '|' ? &script->flow->before : NULL);
}

/* Whole texts ------------------------------------------------------------------------------------------- */

/* A command, or where that is NULL, a text. */
static void read_all(const struct source_parser *parser, struct mtu_source source,
                     const struct shell_command *command, const char *text, size_t size,
                     const struct shell_variables *variables) {
        unsigned n_left = COMMANDS_MAX;
        const struct script script = { .parser = parser, .source = source, .is_executed = command != NULL };
        struct shell_flow flow = { .pool = source_pool(parser),
                                   .run = run,
                                   .list = list,
                                   .mode = mode_of,
                                   .frame = { .place = &script, .line = source.line },
                                   .n_left = &n_left,
                                   .outer.text_ends = { .is_all = true, .is_unreachable = true } };

        /* Shared by a command: its scripts copy them before they set one. The mark below is true of all. */
        if (variables)
                flow.variables = command ? *variables : shell_variables_copy(flow.pool, variables, false);
        for (size_t i = 0; i < flow.variables.n_items; i++)
                flow.variables.items[i].is_exported = true;
        flow.variables.is_all = true;
        if (command)
                run(&flow, command);
        else
                read_text(&flow, text, size, source.line, false);
        if (n_left == 0 && (parser->is_about_mtu || (text && source_mentions_mtu(text, size))))
                source_fail(parser, source.line, "runs more than %u commands; the rest is not read",
                            COMMANDS_MAX);
}

void script_read(const struct source_parser *parser, struct mtu_source source, const char *text, size_t size,
                 const struct shell_variables *variables) {
        read_all(parser, source, NULL, text, size, variables);
}

void script_read_words(const struct source_parser *parser, struct mtu_source source,
                       const struct shell_command *command, const struct shell_variables *variables) {
        read_all(parser, source, command, NULL, 0, variables);
}

/* Whether the first line names one of those languages: #!/usr/bin/env python3 */
static bool is_foreign(const struct source_parser *parser) {
        struct lines lines = source_lines(parser, false);
        char *rest = lines_next(&lines) ? lines.line : NULL;
        const char *program = rest && text_after(rest, "#!") ? (rest += 2, lines_word(&rest)) : NULL;

        if (program && strcmp(text_base_name(program), "env") == 0)
                program = lines_word(&rest);
        return program && program_is_interpreter(text_base_name(program));
}

/* What the hook is known to get. */
static struct shell_variables read_given(const struct source_parser *parser) {
        struct shell_variables given = { 0 };
        char *rest = pool_copy(source_pool(parser), parser->given ? parser->given : ""), *name;

        while ((name = strsep(&rest, ";"))) {
                const char *value = lines_split(name, '=');

                if (!value)
                        continue;
                shell_variables_add(source_pool(parser), &given,
                                    strpbrk(value, " !") ? (struct shell_variable){ .name = name,
                                                                                    .is_dynamic = true,
                                                                                    .among = value }
                                                         : (struct shell_variable){ .name = name,
                                                                                    .value = value });
        }
        return given;
}

void source_script_read(const struct source_parser *parser) {
        const struct shell_variables given = read_given(parser);

        if (!is_foreign(parser))
                script_read(parser, (struct mtu_source){ .kind = SOURCE_SCRIPT, .line = 1 }, parser->text,
                            parser->size, &given);
        else if (source_mentions_mtu(parser->text, parser->size) && !parser->inactive)
                source_warn(parser, 0, "mentions an MTU and is no shell script" LOOK_THERE);
}
