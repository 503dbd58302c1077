/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Commands that set an MTU, where their words say so: ip, ifconfig, nmcli, ovs-vsctl, and writes to
 * /sys/class/net/NAME/mtu. */

#include <string.h>

#include "base/text.h"
#include "mentions/reader.h"

#define WORDS_MAX 128
/* Of commands in the words of others: sh -c '…'. */
#define DEPTH_MAX 3

struct command {
        struct reader *reader;
        const char *device; /* for $IFACE and %i; NULL: not known */
        char *words[WORDS_MAX];
        size_t n_words;
        unsigned depth;
};

static void take_commands(struct command *outer, const char *text, unsigned depth);

/* The word with its variables; NULL if it is not known. */
static const char *expand(const struct command *command, const char *word) {
        if (text_is_among(word, "$IFACE ${IFACE} %i %I $Interface ${Interface} $1"))
                return command->device;
        return reader_expand(command->reader, word);
}

static void add_mention(const struct command *command, const char *device, const char *number) {
        device = device ? expand(command, device) : NULL;
        number = number ? expand(command, number) : NULL;
        reader_add(command->reader, device, number);
}

/* Whether the word is that one, or an abbreviation of it, as ip(8) takes them. */
static bool is_short_for(const char *word, const char *whole) {
        return *word && strncmp(word, whole, strlen(word)) == 0;
}

/* ip link set [dev] NAME … mtu N; ip link add … name NAME mtu N. `at` is the word "link", or one like it. */
static void take_link(const struct command *command, size_t at) {
        static const char with_value[] =
                        "link address addr alias master group txqueuelen qlen numtxqueues index mtu";
        const char *device = NULL, *name = NULL, *number = NULL, *action = command->words[at + 1];
        bool is_add = is_short_for(action, "add") || is_short_for(action, "replace");

        if (!is_add && !is_short_for(action, "set") && !is_short_for(action, "change"))
                return;
        for (size_t i = at + 2; i < command->n_words && !text_is_among(command->words[i], "type peer |");
             i++) {
                const char *word = command->words[i],
                           *next = i + 1 < command->n_words ? command->words[i + 1] : NULL;

                if (strcmp(word, "mtu") == 0 && next)
                        number = next;
                if (text_is_among(word, "dev name") && next && (!name || strcmp(word, "name") == 0))
                        name = next;
                if (text_is_among(word, with_value))
                        i++;
                else if (!device && !text_is_among(word, "up down dev name arp multicast"))
                        device = word;
        }
        if (number)
                add_mention(command, name ? name : device, number);
}

static void take_ip(const struct command *command, size_t at) {
        for (at++; at < command->n_words && *command->words[at] == '-'; at++)
                /* The devices of another namespace. */
                if (text_is_among(command->words[at], "-n -netns"))
                        return;
        if (at + 2 < command->n_words && is_short_for(command->words[at], "link"))
                take_link(command, at);
}

/* echo N >/sys/class/net/NAME/mtu, or N | tee there; udev has /sys%p/mtu for its device. */
static void take_write(const struct command *command, size_t at) {
        const char *word = command->words[at], *name = strstr(word, "/net/"), *number = NULL;
        size_t size = name ? strcspn(name += strlen("/net/"), "/") : 0;
        bool is_written = at > 0 && strcmp(command->words[at - 1], ">") == 0;

        for (size_t i = 0; i < at; i++) {
                const char *value = expand(command, command->words[i]),
                           *program = text_base_name(command->words[i]);

                is_written |= strcmp(program, "tee") == 0;
                /* The number of a descriptor comes before ">". */
                if (value && *value && value[strspn(value, "0123456789")] == '\0' &&
                    strcmp(command->words[i + 1], ">") != 0)
                        number = value;
                else if (!number && text_is_among(program, "echo printf"))
                        number = command->words[i + 1];
        }
        if (number && is_written)
                add_mention(command,
                            name && strcmp(name + size, "/mtu") == 0
                                            ? pool_copy_part(reader_pool(command->reader), name, size)
                                            : NULL,
                            number);
}

/* Programs whose number comes after a word, or after an "=" in it. */
static const struct program {
        const char *name;
        const char *key;
        const char *before; /* the words before a device's name; NULL: it is the first word */
        const char *device; /* the only one; NULL: the command names it */
} programs[] = {
        { .name = "ifconfig", .key = "mtu" },
        { .name = "nmcli", .key = "mtu", .before = "ifname" },
        { .name = "ovs-vsctl", .key = "mtu_request", .before = "interface Interface iface int" },
        { .name = "dockerd", .key = "--mtu", .device = "docker0" },
};

static void take_program(const struct command *command, size_t at, const struct program *program) {
        const char *device = program->device;

        if (!device && !program->before && at + 1 < command->n_words)
                device = command->words[at + 1];
        for (size_t i = at + 1; i < command->n_words; i++) {
                const char *word = command->words[i],
                           *next = i + 1 < command->n_words ? command->words[i + 1] : NULL;
                const char *rest = text_after(word, program->key), *end = strrchr(word, '.');
                /* NetworkManager has the MTU of a kind of device after its name, and that of IPv6. */
                bool is_key = (rest && !*rest) ||
                              (end && strcmp(end + 1, program->key) == 0 && !text_after(word, "ipv"));

                if ((is_key && next) || (rest && *rest == '=')) {
                        add_mention(command, device, is_key ? next : rest + 1);
                        return;
                }
                if (next && program->before && text_is_among(word, program->before))
                        device = next;
        }
}

static void take_command(struct command *command) {
        for (size_t i = 0; i < command->n_words; i++) {
                const char *word = command->words[i], *equals = strchr(word, '=');
                const char *name = text_base_name(equals ? equals + 1 : word);
                const char *value = *word == '$' ? expand(command, word) : NULL;

                if (strcmp(name, "netns") == 0 && i + 1 < command->n_words &&
                    strcmp(command->words[i + 1], "exec") == 0)
                        return;
                /* A command in a word, or in a variable. */
                value = value ? value : word;
                if (strpbrk(value, " \t\n") && strstr(value, "mtu") && command->depth < DEPTH_MAX)
                        take_commands(command, value, command->depth + 1);
                /* A line of ip -batch, or a program in a variable. */
                else if (strcmp(word, "link") == 0 && i + 2 < command->n_words &&
                         (i == 0 || *command->words[i - 1] == '$'))
                        take_link(command, i);
                else if (text_after(word, "/sys") && text_ends_in(word, "/mtu"))
                        take_write(command, i);
                if (strcmp(name, "ip") == 0)
                        take_ip(command, i);
                for (size_t j = 0; j < sizeof(programs) / sizeof(programs[0]); j++)
                        if (strcmp(name, programs[j].name) == 0)
                                take_program(command, i, &programs[j]);
        }
}

/* Ends a word at a shell's operator: a space around each, so that ">" is a word, and ";" and "&&" end the
 * command. */
static char *separate(struct pool *pool, const char *text) {
        char *separated = pool_take(pool, 3 * strlen(text) + 1), *to = separated, quote = '\0';

        for (; separated && *text; text++) {
                if (*text == '\\' && text[1] && quote != '\'') {
                        *to++ = *text++;
                } else if (quote ? *text == quote : *text == '"' || *text == '\'')
                        quote = quote ? '\0' : *text;
                else if (!quote && *text == '#' && (to == separated || text_is_space(to[-1])))
                        break;
                else if (!quote && (strchr("\n;&<>()`", *text) || (*text == '|' && text[1] == '|'))) {
                        *to++ = ' ';
                        *to++ = strchr("\n()`|", *text) ? ';' : *text;
                        *to++ = ' ';
                        continue;
                }
                *to++ = *text;
        }
        return separated;
}

static void take_commands(struct command *outer, const char *text, unsigned depth) {
        struct command command = { .reader = outer->reader, .device = outer->device, .depth = depth };
        char *rest = separate(reader_pool(outer->reader), text), *word;

        while (rest && (word = lines_quoted_word(&rest))) {
                if (strcmp(word, ";") != 0 && strcmp(word, "&") != 0) {
                        if (command.n_words < WORDS_MAX)
                                command.words[command.n_words++] = word;
                        continue;
                }
                take_command(&command);
                command.n_words = 0;
        }
        take_command(&command);
}

void reader_take_commands(struct reader *reader, const char *text, const char *device) {
        struct command command = { .reader = reader, .device = device };

        /* The word is in each of these commands. */
        if (strstr(text, "mtu"))
                take_commands(&command, text, 0);
}
