/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/shell/mtu_command.h"

#include <string.h>

#include "base/text.h"

/* The fewest words behind the program's name that can set an MTU. */
#define N_WORDS_MIN 3

/* ip takes any beginning of these words: matches() in iproute2's lib/utils.c. */
static bool begins(const char *whole, const struct shell_word *word) {
        return *word->text && strncmp(whole, word->text, strlen(word->text)) == 0;
}

/* Whether the word at `*i` is the key, whose argument is the next one: goes to that. */
static bool takes(const struct shell_word *words, size_t n, size_t *i, const char *key,
                  const struct shell_word **ret) {
        if (*i + 1 >= n || !shell_word_is(&words[*i], key))
                return false;
        *ret = &words[++*i];
        return true;
}

/* What a command sets. Does not own the words. */
struct said {
        const struct shell_word *device;
        const struct shell_word *mtu;
        const struct shell_word *parent; /* of a device that the command creates */
        const char *condition;           /* the device that is meant, if it has no name here; or NULL */
        bool is_group;
        bool is_elsewhere; /* it is made in another network namespace */
        bool up;
};

/* Skips the options of ip in front of the object, with their arguments. False if ip acts in another network
 * namespace. `ret_batch`: the file from which it reads its commands, if any. */
static bool skip_ip_options(const struct shell_word *words, size_t n, size_t *i,
                            const struct shell_word **ret_batch) {
        while (*i < n && words[*i].text[0] == '-') {
                const char *option = words[*i].text + 1;
                bool is_batch;

                option += *option == '-' ? 1 : 0;
                if (*option && strncmp("netns", option, strlen(option)) == 0)
                        return false;
                is_batch = *option && strncmp("batch", option, strlen(option)) == 0;
                if (is_batch && *i + 1 < n)
                        *ret_batch = &words[*i + 1];
                *i += is_batch || text_is_among(option, "rc rcvbuf l loops f family") ? 2 : 1;
        }
        return true;
}

const struct shell_word *mtu_command_batch(const struct shell_command *command) {
        const struct shell_word *batch = NULL;
        size_t i = 1;

        return strcmp(text_base_name(command->words[0].text), "ip") == 0 &&
                                               skip_ip_options(command->words, command->n_words, &i, &batch)
                               ? batch
                               : NULL;
}

/* The keywords of ip-link(8) that take an argument. */
static const char with_word[] =
                "txqueuelen qlen txqlen address broadcast brd peer netns master vrf alias arp multicast "
                "allmulticast promisc trailers dynamic carrier mode state index numtxqueues numrxqueues "
                "addrgenmode protodown gso_max_size gso_max_segs gro_max_size link-netns link-netnsid "
                "altname xdp xdpgeneric xdpdrv xdpoffload";

static bool read_ifconfig(const struct shell_word *words, size_t n, struct said *ret) {
        size_t i = 0;

        while (i < n && words[i].text[0] == '-')
                i++;
        if (i + N_WORDS_MIN > n)
                return false;
        ret->device = &words[i];
        for (i++; i < n; i++)
                if (!takes(words, n, &i, "mtu", &ret->mtu) &&
                    !takes(words, n, &i, "vlandev", &ret->parent) &&
                    (shell_word_is(&words[i], "up") || shell_word_is(&words[i], "down")))
                        ret->up = shell_word_is(&words[i], "up");
        return true;
}

/* Reads a write to /sys/class/net/eth0/mtu. ret->device points to `ret_device`. */
static bool read_sys_write(struct pool *pool, const struct shell_word *file, const struct shell_word *value,
                           struct said *ret, struct shell_word *ret_device) {
        const char *begin, *end;

        if (!file->text || !value->text)
                return false;
        begin = text_after(file->text, "/sys/class/net/");
        end = begin ? strrchr(begin, '/') : NULL;
        if (!end && file->is_dynamic && text_ends_in(file->text, "/mtu")) {
                /* "$path/mtu" */
                begin = file->text;
                end = strrchr(begin, '/');
        }
        if (!end || strcmp(end, "/mtu") != 0)
                return false;
        *ret_device = (struct shell_word){ pool_copy_part(pool, begin, (size_t)(end - begin)),
                                           file->is_dynamic };
        ret->device = ret_device;
        ret->mtu = value;
        return true;
}

static bool prints(const struct shell_command *command) {
        return command && command->n_words >= 2 &&
               text_is_among(text_base_name(command->words[0].text), "echo printf");
}

/* echo 9000 >FILE, echo 9000 | tee FILE, tee FILE <<<9000 */
static bool read_write(struct pool *pool, const struct shell_command *command,
                       const struct shell_command *input, struct said *ret, struct shell_word *ret_device) {
        const struct shell_word *value;

        if (prints(command))
                return read_sys_write(pool, &command->output, &command->words[command->n_words - 1], ret,
                                      ret_device);
        if (strcmp(text_base_name(command->words[0].text), "tee") != 0)
                return false;
        value = prints(input) ? &input->words[input->n_words - 1] : &command->input;
        for (size_t i = 1; i < command->n_words; i++)
                if (read_sys_write(pool, &command->words[i], value, ret, ret_device))
                        return true;
        return false;
}

/* nmcli(1): connection modify ID SETTING.mtu N, connection add … ifname NAME … mtu N, device modify NAME …
 * The first letters of words are enough. ret->device may point to `ret_device`. */
static bool read_nmcli(const struct source_parser *parser, const struct shell_word *words, size_t n,
                       struct said *ret, struct shell_word *ret_device) {
        const struct shell_word *profile = NULL, *type = NULL;
        bool is_device, is_modify;
        size_t i = 0;

        while (i < n && words[i].text[0] == '-')
                i++;
        if (i + N_WORDS_MIN > n)
                return false;
        is_device = begins("device", &words[i]);
        if (!is_device && !begins("connection", &words[i]))
                return false;
        is_modify = begins("modify", &words[i + 1]);
        if (!is_modify && !begins("add", &words[i + 1]))
                return false;
        i += 2;
        if (is_modify && text_is_among(words[i].text, "id uuid path --temporary"))
                i++;
        if (is_modify && i < n) {
                if (is_device)
                        ret->device = &words[i];
                else {
                        *ret_device = (struct shell_word){ source_profile_device(parser, words[i].text),
                                                           words[i].is_dynamic };
                        ret->device = ret_device->text ? ret_device : NULL;
                        ret->condition = pool_print(source_pool(parser), "the profile is %s", words[i].text);
                }
                i++;
        }
        for (; i + 1 < n; i++)
                if (!takes(words, n, &i, "ifname", &ret->device) &&
                    !takes(words, n, &i, "con-name", &profile) && !takes(words, n, &i, "type", &type) &&
                    (shell_word_is(&words[i], "mtu") || text_ends_in(words[i].text, ".mtu")))
                        ret->mtu = &words[++i];
        if (!is_modify && ret->device && !ret->device->is_dynamic && (profile || type)) {
                const char *device = ret->device->text;
                const char *id = profile ? profile->text
                                         : pool_print(source_pool(parser), "%s-%s", type->text, device);

                source_add_profile(parser, &(struct mtu_profile){ .id = id, .device = device });
        }
        if (!ret->device && !ret->condition)
                ret->condition = "the new profile is used";
        return ret->mtu && strcmp(ret->mtu->text, "0") != 0 && strcmp(ret->mtu->text, "auto") != 0;
}

/* In a hook, what interfaces(5) or a lease says, which is read there. */
static bool is_passed_on(const struct shell_word *value) {
        return value->is_dynamic && text_is_among(value->text, "$IF_MTU ${IF_MTU} $new_interface_mtu "
                                                               "${new_interface_mtu}");
}

/* Adds what a command sets, if it does. */
static void add(const struct source_parser *parser, const struct mtu_source *command,
                const struct said *said) {
        const char *device = said->device ? said->device->text : NULL;
        struct mtu_source source = *command;
        struct pool *pool = source_pool(parser);

        /* No program sets an MTU that is empty. */
        if (said->mtu ? is_passed_on(said->mtu) || !*said->mtu->text : !said->parent)
                return;
        if ((!device && !said->condition) || said->is_elsewhere)
                return;
        source.up = said->up;
        if (!device)
                match_set(&source, MATCH_OTHER, said->condition);
        else if (said->is_group)
                match_set(&source, MATCH_OTHER, pool_print(pool, "the group is %s", device));
        else if (said->device->is_dynamic)
                match_set(&source, MATCH_OTHER, pool_print(pool, DEVICE_UNKNOWN "%s", device));
        else /* in eth0:1, only eth0 is the device; a pattern comes from a udev rule */
                match_set_word(&source, pool_copy_part(pool, device, strcspn(device, ":")));
        if (said->mtu) {
                source.value = said->mtu->text;
                if (said->mtu->is_dynamic)
                        source.unclear = "only the running script knows it";
        } else if (!device || said->device->is_dynamic ||
                   !source_inherit(parser, said->parent->text, &source))
                return;
        source_add(parser, VALUE_C, &source);
}

/* Reads what stands behind `ip link add` or `set`, or behind `peer`. Returns the number of words in front of
 * those that are for the type of the device. */
static size_t read_link(const struct shell_word *words, size_t n, bool makes, struct said *ret) {
        const struct shell_word *name = NULL; /* the new name */
        size_t i = 0;

        for (; i < n; i++) {
                const struct shell_word *next = i + 1 < n ? &words[i + 1] : NULL;

                if (shell_word_is(&words[i], "up") || shell_word_is(&words[i], "down"))
                        ret->up = shell_word_is(&words[i], "up");
                else if (shell_word_is(&words[i], "type") || (shell_word_is(&words[i], "netns") && !makes))
                        /* A device that leaves the namespace takes its MTU. */
                        break;
                else if (shell_word_is(&words[i], "nomaster") || shell_word_is(&words[i], "novrf") ||
                         takes(words, n, &i, "mtu", &ret->mtu) || takes(words, n, &i, "dev", &ret->device) ||
                         takes(words, n, &i, "name", makes ? &ret->device : &name) ||
                         (makes && takes(words, n, &i, "link", &ret->parent)))
                        ;
                else if (shell_word_is(&words[i], "group") && next) {
                        ret->is_group = !ret->device && !makes;
                        if (ret->is_group)
                                ret->device = next;
                        i++;
                } else if (text_is_among(words[i].text, with_word)) {
                        ret->is_elsewhere |= shell_word_is(&words[i], "netns") && next &&
                                             !shell_word_is(next, "1");
                        i++;
                } else if (!ret->device)
                        ret->device = &words[i];
        }
        if (name && ret->device && !ret->is_group)
                ret->device = name;
        return i;
}

static void read_ip(const struct source_parser *parser, const struct mtu_source *source,
                    const struct shell_word *words, size_t n) {
        const struct shell_word *batch = NULL;
        struct said said = { 0 }, peer = { 0 };
        size_t i = 0;
        bool makes;

        if (!skip_ip_options(words, n, &i, &batch) || i + N_WORDS_MIN > n || !begins("link", &words[i]))
                return;
        makes = begins("add", &words[i + 1]);
        if (!makes && !begins("set", &words[i + 1]))
                return;
        i += 2;
        i += read_link(words + i, n - i, makes, &said);
        add(parser, source, &said);
        /* type veth peer name veth1 mtu 9000 */
        while (i < n && !shell_word_is(&words[i], "peer"))
                i++;
        if (makes && i < n) {
                (void)read_link(words + i + 1, n - i - 1, true, &peer);
                add(parser, source, &peer);
        }
}

/* ovs-vsctl(8): … set interface NAME … mtu_request=N, also for several in one call */
static void read_ovs(const struct source_parser *parser, const struct mtu_source *source,
                     const struct shell_word *words, size_t n) {
        struct said said = { 0 };

        for (size_t i = 0; i < n; i++) {
                const char *value = text_after(words[i].text, "mtu_request=");

                if (i + 2 < n && shell_word_is(&words[i], "set") &&
                    strncasecmp(words[i + 1].text, "int", 3) == 0)
                        said.device = &words[i + 2];
                if (!value || !said.device)
                        continue;
                said.mtu = &(struct shell_word){ value, words[i].is_dynamic };
                add(parser, source, &said);
        }
}

/* dockerd --mtu=N, of its own bridge or that of --bridge=NAME; docker network create, with the options of
 * its driver. `bridge`: what it is called without one; NULL: nobody knows. */
static void read_docker(const struct source_parser *parser, const struct mtu_source *command,
                        const struct shell_word *words, size_t n, const char *bridge) {
        static const char mtus[] = "--mtu com.docker.network.driver.mtu",
                          bridges[] = "--bridge -b com.docker.network.bridge.name";
        struct shell_word made = { .text = bridge }, mtu = { 0 };
        struct mtu_source source = *command;

        source.kind = SOURCE_DOCKER;
        for (size_t i = 0; i < n; i++) {
                const char *text = text_after(words[i].text, "--opt="), *value, *name;
                struct shell_word *option;

                text = text ? text : words[i].text;
                value = strchr(text, '=');
                name = pool_copy_part(source_pool(parser), text, strcspn(text, "="));
                option = text_is_among(name, mtus) ? &mtu : text_is_among(name, bridges) ? &made : NULL;
                if (option && value)
                        *option = (struct shell_word){ value + 1, words[i].is_dynamic };
                else if (option && i + 1 < n)
                        *option = words[++i];
        }
        add(parser, &source,
            &(struct said){ .device = made.text ? &made : NULL,
                            .mtu = mtu.text ? &mtu : NULL,
                            .condition = "docker makes the network" });
}

/* VyOS: set interfaces ethernet eth0 mtu 9000 */
static void report_vyos(const struct source_parser *parser, unsigned line, const struct shell_word *words,
                        size_t n) {
        for (size_t i = 1; i + 1 < n && shell_word_is(&words[0], "interfaces"); i++)
                if (shell_word_is(&words[i], "mtu"))
                        source_warn(parser, line,
                                    "sets an MTU of %s in the configuration of VyOS, which setmtu does not "
                                    "read",
                                    TEXT_SHOW(words[i + 1].text));
}

void mtu_command_read(const struct source_parser *parser, struct mtu_source source,
                      const struct shell_command *command, const struct shell_command *input) {
        const char *name = text_base_name(command->words[0].text);
        const struct shell_word *words = command->words + 1;
        size_t n = command->n_words - 1;
        struct shell_word made = { 0 };
        struct said said = { 0 };
        bool is_found = false;

        if (strcmp(name, "ip") == 0)
                read_ip(parser, &source, words, n);
        else if (strcmp(name, "ifconfig") == 0)
                is_found = read_ifconfig(words, n, &said);
        else if (strcmp(name, "nmcli") == 0)
                is_found = read_nmcli(parser, words, n, &said, &made);
        else if (strcmp(name, "ovs-vsctl") == 0)
                read_ovs(parser, &source, words, n);
        else if (text_is_among(name, "dockerd dockerd-current"))
                read_docker(parser, &source, words, n, "docker0");
        else if (strcmp(name, "docker") == 0 && n > 2 && shell_word_is(&words[0], "network"))
                read_docker(parser, &source, words, n, NULL);
        else if (strcmp(name, "set") == 0)
                report_vyos(parser, source.line, words, n);
        else
                is_found = read_write(source_pool(parser), command, input, &said, &made);
        if (is_found)
                add(parser, &source, &said);
}
