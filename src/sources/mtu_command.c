/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/mtu_command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

/* Behind the program's name: the fewest that say anything of an MTU. */
#define N_WORDS_MIN 3

static const char *last_part(const char *path) {
        const char *slash = strrchr(path, '/');

        return slash ? slash + 1 : path;
}

static bool is(const struct shell_word *word, const char *text) {
        return strcmp(word->text, text) == 0;
}

/* ip takes any beginning of these words: matches() in iproute2's lib/utils.c. */
static bool begins(const char *whole, const struct shell_word *word) {
        return *word->text && strncmp(whole, word->text, strlen(word->text)) == 0;
}

/* What a command says, its words not owned. */
struct said {
        const struct shell_word *device;
        const struct shell_word *mtu;
        const struct shell_word *parent; /* of a device that is made */
        bool is_group;
        bool up;
};

/* Steps over what may stand before a command: assignments, and commands that run it. */
static size_t skip_front(const struct shell_word *words, size_t n) {
        static const char *const runners[] = {
                "sudo", "doas", "exec", "command", "nohup", "busybox", "env"
        };
        size_t i = 0, name_size;
        bool is_runner = true;

        while (i < n && is_runner) {
                is_runner = shell_assignment(&words[i], &name_size) != NULL ||
                            (i > 0 && words[i].text[0] == '-');
                for (size_t j = 0; !is_runner && j < sizeof(runners) / sizeof(runners[0]); j++)
                        is_runner = strcmp(last_part(words[i].text), runners[j]) == 0;
                i += is_runner ? 1 : 0;
        }
        return i;
}

/* Options of ip that are in front of the object; those that take a word. False where it is about another
 * network namespace, or reads its commands elsewhere. */
static bool skip_ip_options(const struct shell_word *words, size_t n, size_t *i) {
        while (*i < n && words[*i].text[0] == '-') {
                const char *option = words[*i].text + 1;

                option += *option == '-' ? 1 : 0;
                if (*option && (strncmp("netns", option, strlen(option)) == 0 ||
                                strncmp("batch", option, strlen(option)) == 0))
                        return false;
                *i += strcmp(option, "rc") == 0 || strcmp(option, "rcvbuf") == 0 ||
                                                      strcmp(option, "l") == 0 ||
                                                      strcmp(option, "loops") == 0 ||
                                                      strcmp(option, "f") == 0 ||
                                                      strcmp(option, "family") == 0
                                      ? 2
                                      : 1;
        }
        return true;
}

/* The words of ip link that take another one. */
static bool takes_word(const struct shell_word *word) {
        static const char *const words[] = {
                "txqueuelen", "qlen",         "txqlen",       "address",      "broadcast",   "brd",
                "peer",       "netns",        "master",       "vrf",          "alias",       "arp",
                "multicast",  "allmulticast", "promisc",      "trailers",     "dynamic",     "carrier",
                "mode",       "state",        "index",        "numtxqueues",  "numrxqueues", "addrgenmode",
                "protodown",  "gso_max_size", "gso_max_segs", "gro_max_size", "link-netns",  "link-netnsid",
                "altname",    "xdp",          "xdpgeneric",   "xdpdrv",       "xdpoffload"
        };

        for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
                if (is(word, words[i]))
                        return true;
        return false;
}

static bool read_ip(const struct shell_word *words, size_t n, struct said *ret) {
        const struct shell_word *name = NULL; /* the one that it gives */
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
                        /* What comes then is for the kind; and a device that leaves takes its MTU along. */
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
                else if (takes_word(&words[i]))
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

#define SYS_FOLDER "/sys/class/net/"
#define SYS_FILE "/mtu"

/* echo 9000 >/sys/class/net/eth0/mtu. The caller frees the device's text. */
static bool read_sys_write(const struct shell_word *words, size_t n, const struct shell_word *output,
                           struct said *ret, struct shell_word *ret_device) {
        const char *begin, *end;

        if (!output->text || n < 2 || (!is(&words[0], "echo") && !is(&words[0], "printf")))
                return false;
        begin = strncmp(output->text, SYS_FOLDER, strlen(SYS_FOLDER)) == 0
                                ? output->text + strlen(SYS_FOLDER)
                                : NULL;
        end = begin ? strchr(begin, '/') : NULL;
        if (!end || strcmp(end, SYS_FILE) != 0)
                return false;
        *ret_device = (struct shell_word){ strndup(begin, (size_t)(end - begin)), output->is_dynamic };
        ret->device = ret_device;
        ret->mtu = &words[n - 1];
        return ret_device->text != NULL;
}

/* What was given to `parent` last, by this script. NULL: nothing. */
static const struct finding *find_parent(const struct reading *reading, const char *parent) {
        for (size_t i = reading->findings->n_items; i > 0; i--) {
                const struct finding *finding = &reading->findings->items[i - 1];

                if (finding->match == FINDING_NAME && strcmp(finding->device, parent) == 0 &&
                    strcmp(finding->file, reading->file) == 0)
                        return finding;
        }
        return NULL;
}

static int add(const struct reading *reading, const struct mtu_command_context *context,
               const struct said *said, bool conditional, unsigned line) {
        CLEANUP(cleanup_free) char *device = strdup(said->device->text);
        struct draft draft = {
                .source = context->source,
                .match = said->is_group ? FINDING_OTHER : FINDING_NAME,
                .device = device,
                .file = context->file,
                .line = line,
                .conditional = conditional,
                .inactive = context->inactive,
                .up = said->up,
                .owner = context->owner,
                .through = context->through,
                .through_line = context->through_line,
        };

        if (!device)
                return -ENOMEM;
        if (!said->is_group && !said->device->is_dynamic)
                /* An alias is none of the device's names. */
                device[strcspn(device, ":")] = '\0';
        if (said->is_group) {
                free(device);
                device = NULL;
                if (asprintf(&device, "group %s", said->device->text) < 0) {
                        device = NULL;
                        return -ENOMEM;
                }
                draft.device = device;
        } else if (said->device->is_dynamic) {
                draft.match = FINDING_OTHER;
                draft.unclear = "the device is told only when the script runs";
        }
        if (said->mtu) {
                draft.value = said->mtu->text;
                if (said->mtu->is_dynamic)
                        draft.unclear = "it is told only when the script runs";
        } else {
                const struct finding *parent =
                                said->parent ? find_parent(reading, said->parent->text) : NULL;

                if (!parent || said->device->is_dynamic)
                        return 0;
                draft.value = parent->value;
                draft.mtu = parent->mtu;
                draft.unclear = parent->unclear;
                draft.parent = said->parent->text;
        }
        return reading_add(reading, VALUE_C, &draft);
}

int mtu_command_read(const struct reading *reading, const struct mtu_command_context *context,
                     const struct shell_command *command, unsigned line) {
        size_t i = skip_front(command->words, command->n_words), n = command->n_words - i;
        const struct shell_word *words = n > 0 ? command->words + i : NULL;
        struct shell_word device = { 0 };
        struct said said = { 0 };
        const char *name;
        bool is_found;
        int r = 0;

        if (n == 0)
                return 0;
        name = last_part(words[0].text);
        if (strcmp(name, "ip") == 0)
                is_found = read_ip(words + 1, n - 1, &said);
        else if (strcmp(name, "ifconfig") == 0)
                is_found = read_ifconfig(words + 1, n - 1, &said);
        else
                is_found = read_sys_write(words, n, &command->output, &said, &device);
        if (is_found && (said.mtu || said.parent))
                r = add(reading, context, &said, command->conditional, line);
        free(device.text);
        return r;
}

int mtu_command_read_script(const struct reading *reading, const struct mtu_command_context *context,
                            const char *text, size_t size, const struct shell_variable *variables,
                            size_t n_variables, unsigned line) {
        struct shell_command command;
        struct shell shell;
        int r;

        shell_open(&shell, text, size, variables, n_variables);
        while ((r = shell_next(&shell, &command)) > 0) {
                r = mtu_command_read(reading, context, &command, line + command.line - 1);
                shell_command_free(&command);
                if (r < 0)
                        return r;
        }
        if (r == 0 && shell.open_quote > 0)
                reading_fail(reading, line + shell.open_quote - 1,
                             "a quote or bracket that begins here has no end; what comes after it is not "
                             "understood");
        return r;
}
