/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/format/mtu_command.h"

#include <string.h>

#include "base/text.h"
#include "sources/format/readers.h"

/* The fewest words behind the program's name that can set an MTU. */
#define N_WORDS_MIN 3

static bool is(const struct shell_word *word, const char *text) {
        return strcmp(word->text, text) == 0;
}

/* ip takes any beginning of these words: matches() in iproute2's lib/utils.c. */
static bool begins(const char *whole, const struct shell_word *word) {
        return *word->text && strncmp(whole, word->text, strlen(word->text)) == 0;
}

/* What a command sets. Does not own the words. */
struct said {
        const struct shell_word *device;
        const struct shell_word *mtu;
        const struct shell_word *parent; /* of a device that the command creates */
        bool is_group;
        bool up;
};

/* Skips assignments, and commands that run the rest as a command. */
static size_t skip_front(const struct shell_word *words, size_t n) {
        static const char runners[] = "sudo doas exec command nohup busybox env";
        size_t i = 0, name_size;

        while (i < n && (shell_assignment(&words[i], &name_size) || (i > 0 && words[i].text[0] == '-') ||
                         text_is_among(text_base_name(words[i].text), runners)))
                i++;
        return i;
}

/* Skips the options of ip in front of the object, with their arguments. False if ip acts in another network
 * namespace, or reads its commands from a file. */
static bool skip_ip_options(const struct shell_word *words, size_t n, size_t *i) {
        while (*i < n && words[*i].text[0] == '-') {
                const char *option = words[*i].text + 1;

                option += *option == '-' ? 1 : 0;
                if (*option && (strncmp("netns", option, strlen(option)) == 0 ||
                                strncmp("batch", option, strlen(option)) == 0))
                        return false;
                *i += text_is_among(option, "rc rcvbuf l loops f family") ? 2 : 1;
        }
        return true;
}

/* The keywords of ip-link(8) that take an argument. */
static const char with_word[] =
                "txqueuelen qlen txqlen address broadcast brd peer netns master vrf alias arp multicast "
                "allmulticast promisc trailers dynamic carrier mode state index numtxqueues numrxqueues "
                "addrgenmode protodown gso_max_size gso_max_segs gro_max_size link-netns link-netnsid "
                "altname xdp xdpgeneric xdpdrv xdpoffload";

static bool read_ip(const struct shell_word *words, size_t n, struct said *ret) {
        const struct shell_word *name = NULL; /* the new name */
        size_t i = 0;
        bool makes;

        if (!skip_ip_options(words, n, &i) || i + N_WORDS_MIN > n || !begins("link", &words[i]))
                return false;
        i++;
        makes = begins("add", &words[i]);
        if (!makes && !begins("set", &words[i]))
                return false;
        for (i++; i < n; i++) {
                const struct shell_word *next = i + 1 < n ? &words[i + 1] : NULL;

                if (is(&words[i], "up") || is(&words[i], "down"))
                        ret->up = is(&words[i], "up");
                else if (is(&words[i], "type") || (is(&words[i], "netns") && !makes))
                        /* The rest is for the type. A device that leaves the namespace takes its MTU. */
                        break;
                else if (is(&words[i], "nomaster") || is(&words[i], "novrf"))
                        ;
                else if (is(&words[i], "mtu") && next)
                        ret->mtu = &words[++i];
                else if ((is(&words[i], "dev") || (makes && is(&words[i], "name"))) && next)
                        ret->device = &words[++i];
                else if (is(&words[i], "group") && next) {
                        ret->is_group = !ret->device && !makes;
                        if (ret->is_group)
                                ret->device = next;
                        i++;
                } else if (is(&words[i], "link") && makes && next)
                        ret->parent = &words[++i];
                else if (is(&words[i], "name") && next)
                        name = &words[++i];
                else if (text_is_among(words[i].text, with_word))
                        i++;
                else if (!ret->device)
                        ret->device = &words[i];
        }
        if (name && ret->device && !ret->is_group)
                ret->device = name;
        return ret->device != NULL;
}

static bool read_ifconfig(const struct shell_word *words, size_t n, struct said *ret) {
        size_t i = 0;

        while (i < n && words[i].text[0] == '-')
                i++;
        if (i + N_WORDS_MIN > n)
                return false;
        ret->device = &words[i];
        for (i++; i < n; i++)
                if (is(&words[i], "mtu") && i + 1 < n)
                        ret->mtu = &words[++i];
                else if (is(&words[i], "vlandev") && i + 1 < n)
                        ret->parent = &words[++i];
                else if (is(&words[i], "up") || is(&words[i], "down"))
                        ret->up = is(&words[i], "up");
        return true;
}

/* Reads `echo 9000 >/sys/class/net/eth0/mtu`. ret->device points to `ret_device`. */
static bool read_sys_write(struct pool *pool, const struct shell_word *words, size_t n,
                           const struct shell_word *output, struct said *ret,
                           struct shell_word *ret_device) {
        const char *begin, *end;

        if (!output->text || n < 2 || (!is(&words[0], "echo") && !is(&words[0], "printf")))
                return false;
        begin = text_after(output->text, "/sys/class/net/");
        end = begin ? strchr(begin, '/') : NULL;
        if (!end || strcmp(end, "/mtu") != 0)
                return false;
        *ret_device = (struct shell_word){ pool_copy_part(pool, begin, (size_t)(end - begin)),
                                           output->is_dynamic };
        ret->device = ret_device;
        ret->mtu = &words[n - 1];
        return true;
}

static void add(const struct source_parser *parser, struct mtu_source source, const struct said *said) {
        const char *device = said->device->text;
        struct pool *pool = source_pool(parser);

        source.up = said->up;
        if (said->is_group)
                match_set(&source, MATCH_OTHER, pool_print(pool, "group %s", device));
        else if (said->device->is_dynamic) {
                match_set(&source, MATCH_OTHER, device);
                source.unclear = "only the running script knows the device";
        } else /* in eth0:1, only eth0 is the device */
                match_set(&source, MATCH_NAME, pool_copy_part(pool, device, strcspn(device, ":")));
        if (said->mtu) {
                source.value = said->mtu->text;
                if (said->mtu->is_dynamic)
                        source.unclear = "only the running script knows it";
        } else if (said->device->is_dynamic || !source_inherit(parser, said->parent->text, &source))
                return;
        source_add(parser, VALUE_C, &source);
}

void mtu_command_read(const struct source_parser *parser, struct mtu_source source,
                      const struct shell_command *command) {
        size_t i = skip_front(command->words, command->n_words), n = command->n_words - i;
        const struct shell_word *words;
        struct shell_word device;
        struct said said = { 0 };
        const char *name;
        bool is_found;

        if (n == 0)
                return;
        words = command->words + i;
        name = text_base_name(words[0].text);
        if (strcmp(name, "ip") == 0)
                is_found = read_ip(words + 1, n - 1, &said);
        else if (strcmp(name, "ifconfig") == 0)
                is_found = read_ifconfig(words + 1, n - 1, &said);
        else
                is_found = read_sys_write(source_pool(parser), words, n, &command->output, &said, &device);
        source.conditional = command->conditional;
        if (is_found && (said.mtu || said.parent))
                add(parser, source, &said);
}

void mtu_command_read_script(const struct source_parser *parser, struct mtu_source source, const char *text,
                             size_t size, const struct shell_variables *variables) {
        struct shell shell = shell_open(source_pool(parser), text, size, variables);
        unsigned line = source.line;
        struct shell_command command;

        while (shell_next(&shell, &command)) {
                source.line = line + command.line - 1;
                mtu_command_read(parser, source, &command);
        }
        shell_check_end(&shell, parser, line);
}

void source_script_read(const struct source_parser *parser) {
        mtu_command_read_script(parser, (struct mtu_source){ .kind = SOURCE_SCRIPT, .line = 1 },
                                parser->text, parser->size, NULL);
}
