/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/shell/shell_listing.h"

#include <string.h>

#include "base/text.h"

/* A folder that is listed counts for so many bytes that are read. */
#define LIST_COST 4096u

/* No loop over more numbers is of interest. */
#define SEQ_MAX 256u

bool shell_listing_is_volatile(const char *path) {
        static const char *const folders[] = { "/sys/", "/proc/", "/dev/", "/run/", "/tmp/", "/var/run/" };

        for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
                if (text_after(path, folders[i]))
                        return true;
        return false;
}

/* `is_name`: without their folder. */
static bool add_files(struct shell_flow *flow, const char *pattern, bool is_name,
                      struct shell_command *ret) {
        struct pool_list paths = { 0 };

        if (*pattern != '/' || strpbrk(pattern, "$`({\\") || shell_listing_is_volatile(pattern))
                return false;
        shell_flow_charge(flow, LIST_COST);
        if (!flow->list(flow, pattern, &paths))
                return false;
        for (size_t i = 0; i < paths.n_items; i++)
                shell_command_add(flow->pool, ret,
                                  (struct shell_word){ is_name ? text_base_name(paths.items[i])
                                                               : paths.items[i] });
        return paths.n_items > 0;
}

/* ls FOLDER, ls PATTERN */
static bool add_ls(struct shell_flow *flow, const struct shell_command *command, struct shell_command *ret) {
        size_t i = 1;

        while (i < command->n_words && text_is_among(command->words[i].text, "-1 -d"))
                i++;
        if (i + 1 != command->n_words || *command->words[i].text == '-')
                return false;
        return command->words[i].is_dynamic
                               ? add_files(flow, command->words[i].text, false, ret)
                               : add_files(flow, pool_print(flow->pool, "%s/*", command->words[i].text),
                                           true, ret);
}

/* seq LAST, seq FIRST LAST */
static bool add_seq(struct shell_flow *flow, const struct shell_command *command,
                    struct shell_command *ret) {
        const struct shell_word *last = &command->words[command->n_words - 1];
        uint64_t from = 1, to;

        if (command->n_words < 2 || command->n_words > 3 || last->is_dynamic ||
            (command->n_words == 3 && (command->words[1].is_dynamic ||
                                       !text_parse_number(command->words[1].text, 0, SEQ_MAX, &from))) ||
            !text_parse_number(last->text, 0, SEQ_MAX, &to))
                return false;
        for (; from <= to; from++)
                shell_command_add(flow->pool, ret,
                                  (struct shell_word){ pool_print(flow->pool, "%u", (unsigned)from) });
        return true;
}

/* The words of $(ls …) or $(seq …). */
static bool add_listed(struct shell_flow *flow, const char *text, bool is_counted,
                       struct shell_command *ret) {
        size_t size = strlen(text), open = text_after(text, "$(") ? 2 : 1;
        struct shell_command command;
        struct shell shell;

        if (size <= open || (open == 1 && *text != '`'))
                return false;
        shell = shell_open(flow->pool, text + open, size - open - 1, &flow->variables);
        if (!shell_read(&shell, &command) || command.end || command.n_words == 0)
                return false;
        if (strcmp(command.words[0].text, "seq") == 0)
                return is_counted && add_seq(flow, &command, ret);
        return strcmp(command.words[0].text, "ls") == 0 && add_ls(flow, &command, ret);
}

/* /sys/class/net/eth*: the pattern stands for each device that it means, as a pattern of names. */
static bool add_devices(struct shell_flow *flow, const char *pattern, struct shell_command *ret) {
        const char *name = text_after(pattern, "/sys/class/net/");

        if (!name || *name == '*' || strpbrk(name, "$`(){\\"))
                return false;
        shell_command_add(flow->pool, ret, (struct shell_word){ pattern, .is_assumed = true });
        return true;
}

/* Puts in the paths that patterns mean, and the words that `$(ls …)` prints; and if `is_counted`, the
 * numbers of `$(seq …)`. False where there are none: the shell keeps a pattern that means nothing. */
static bool expand(struct shell_flow *flow, struct shell_command *words, bool is_counted) {
        struct shell_command expanded = { 0 };

        for (size_t i = 0; i < words->n_words; i++) {
                const struct shell_word *word = &words->words[i];

                if (!word->is_dynamic)
                        shell_command_add(flow->pool, &expanded, *word);
                else if (!add_devices(flow, word->text, &expanded) &&
                         !add_files(flow, word->text, false, &expanded) &&
                         !add_listed(flow, word->text, is_counted, &expanded))
                        return false;
        }
        *words = expanded;
        return true;
}

/* Whether the variable is used from here on. A loop that does not use its number tries again and again. */
static bool is_used(const struct shell *shell, const char *name) {
        const char *text = shell->text + shell->position;
        size_t size = shell->size - shell->position;
        const char *plain = pool_print(shell->pool, "$%s", name),
                   *braced = pool_print(shell->pool, "${%s", name);

        return memmem(text, size, plain, strlen(plain)) || memmem(text, size, braced, strlen(braced));
}

bool shell_listing_items(struct shell_flow *flow, const struct shell *shell,
                         const struct shell_command *head, struct shell_command *ret) {
        *ret = shell_command_rest(head, 3);
        if (head->n_words == 2 && flow->variables.arguments && !text_after(head->words[1].text, "(("))
                *ret = *flow->variables.arguments;
        else if (head->n_words < 3 || !shell_word_is(&head->words[0], "for") ||
                 !shell_word_is(&head->words[2], "in"))
                return false;
        flow->frame.line = flow->frame.first_line + head->line - 1;
        return !flow->is_trial && expand(flow, ret, is_used(shell, head->words[1].text));
}
