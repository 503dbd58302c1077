/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/shell/exec_command.h"

#include <string.h>

#include "base/text.h"
#include "sources/shell/program.h"
#include "sources/shell/script.h"

/* Whether a shell would not pass on the word, or its end: && | ; >FILE 2>&1 #TEXT 9000; One with a space was
 * in quotes. */
static bool is_for_shell(const struct shell_word *word) {
        const char *text = word->text + strspn(word->text, "0123456789");
        size_t size = strspn(text, "&|<>;");

        if (strpbrk(word->text, " \t\n"))
                return false;
        return *word->text == '#' || (size > 0 && (!text[size] || strcspn(text, "<>") < size)) ||
               text_ends_in(word->text, ";");
}

/* The words as they would be written for a shell; if it is not the first one, from the end of word `i` on,
 * behind some command. */
static const char *as_text(struct pool *pool, const struct shell_command *command, size_t i) {
        struct pool_text text = { .pool = pool };

        if (i > 0) {
                pool_text_put(&text, "_ ");
                pool_text_put(&text,
                              text_ends_in(command->words[i].text, ";") ? ";" : command->words[i].text);
                i++;
        }
        for (; i < command->n_words; i++) {
                const char *word = command->words[i].text;
                bool is_plain = command->words[i].is_dynamic || is_for_shell(&command->words[i]);

                pool_text_put(&text, is_plain ? " " : " '");
                pool_text_put(&text, is_plain ? word : lines_replace(pool, word, "'", "'\\''"));
                pool_text_put(&text, is_plain ? "" : "'");
        }
        return text.text ? text.text : "";
}

/* ip link add NAME type KIND, of a kind that the kernel makes on top of a device alone, and without one: for
 * example ipoib_new_child_link(), vlan_newlink(). */
static bool lacks_link(const struct shell_command *command) {
        bool is_add = false, is_such = false;

        if (command->n_words == 0 || strcmp(text_base_name(command->words[0].text), "ip") != 0)
                return false;
        for (size_t i = 1; i < command->n_words; i++) {
                if (is_add && text_is_among(command->words[i].text, "link dev"))
                        return false;
                is_add |= shell_word_is(&command->words[i], "add");
                is_such |= shell_word_is(&command->words[i - 1], "type") &&
                           text_is_among(command->words[i].text,
                                         "vlan macvlan macvtap ipvlan ipvtap ipoib macsec");
        }
        return is_add && is_such;
}

bool exec_command_read(const struct source_parser *parser, struct mtu_source source,
                       const struct shell_command *command, const struct shell_variables *variables) {
        /* Those that check all words before they do something, and ifconfig, which takes one after the
         * other. Others may take any word. */
        static const char strict[] = "ip nmcli ovs-vsctl ethtool sleep", printing[] = "echo printf";
        const struct shell_command inner = program_skip_wrappers(command);
        const char *name = inner.n_words > 0 ? text_base_name(inner.words[0].text) : "";
        struct shell_command front = *command;
        struct source_parser own = *parser;
        bool is_strict = text_is_among(name, strict), is_ifconfig = strcmp(name, "ifconfig") == 0,
             has_front = !is_strict && !text_is_among(name, printing);
        const char *text;
        size_t n = 0;

        while (n < command->n_words && !is_for_shell(&command->words[n]))
                n++;
        front.n_words = is_ifconfig ? n : command->n_words;
        if (n == command->n_words || has_front)
                script_read_words(parser, source, &front, variables);
        if (n == command->n_words)
                return !lacks_link(&inner);
        /* The rest would act with a shell. */
        own.is_about_mtu = false;
        if (!own.inactive)
                own.inactive = pool_print(source_pool(parser),
                                          "no shell runs the command, and %s takes %s as a word",
                                          TEXT_SHOW(name), TEXT_SHOW(command->words[n].text));
        text = as_text(source_pool(parser), command, has_front ? n : 0);
        script_read(&own, source, text, strlen(text), variables);
        return !is_strict && !is_ifconfig;
}
