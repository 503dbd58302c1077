/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Commands that set an MTU, where their words say so: ip, ifconfig, nmcli, ovs-vsctl, dockerd, and writes to
 * /sys/class/net/NAME/mtu. Only words are looked at: a quote ends one, as a space does, so that a command in
 * the words of another, such as sh -c '…', is read like any other. */

#include <string.h>

#include "base/text.h"
#include "mentions/reader.h"

/* What the words of one command have said so far. */
struct command {
        struct reader *reader;
        const char *own_device; /* of the file or stanza; NULL: not known */
        const char *previous;   /* the word before */
        const char *device;     /* NULL: none is named */
        const char *number;     /* the MTU; NULL: none */
        const char *written;    /* what a write to a file would write; NULL: nothing */
        bool is_ip, is_setter;  /* a program that sets MTUs is among the words */
        bool is_tee;
        bool expects_device; /* the next word is one, unless it is a keyword */
        bool is_over;        /* what follows is about another device */
};

static void add_mention(struct command *command, const char *device, const char *number) {
        if (device && text_is_among(device, "$IFACE ${IFACE} %i %I $Interface ${Interface} $1"))
                device = command->own_device;
        reader_add(command->reader, device, number);
}

/* `is_pipe`: what this command writes is what the next one reads. */
static void end_command(struct command *command, bool is_pipe) {
        if (command->number && command->is_setter)
                add_mention(command, command->device, command->number);
        *command = (struct command){ .reader = command->reader,
                                     .own_device = command->own_device,
                                     .previous = "",
                                     .written = is_pipe ? command->written : NULL };
}

/* Whether the next word is the MTU. NetworkManager has that of a kind of device after its name, and that of
 * IPv6. */
static bool is_key(const char *word) {
        return text_is_among(word, "mtu --mtu mtu_request") ||
               (text_ends_in(word, ".mtu") && !text_after(word, "ipv"));
}

/* A write to /sys/class/net/NAME/mtu, by ">" or tee(1); udev has /sys%p/mtu for its device. */
static void take_write(struct command *command, const char *word) {
        const char *name = strstr(word, "/net/");
        size_t size = name ? strcspn(name += strlen("/net/"), "/") : 0;

        if (command->written && (command->is_tee || strcmp(command->previous, ">") == 0))
                add_mention(command,
                            name && strcmp(name + size, "/mtu") == 0
                                            ? pool_copy_part(reader_pool(command->reader), name, size)
                                            : NULL,
                            command->written);
}

static void take_program(struct command *command, const char *name) {
        command->is_ip |= strcmp(name, "ip") == 0;
        command->is_tee |= strcmp(name, "tee") == 0;
        command->is_setter |= text_is_among(name, "ifconfig nmcli ovs-vsctl dockerd");
        command->expects_device |= strcmp(name, "ifconfig") == 0;
        if (strcmp(name, "dockerd") == 0)
                command->device = "docker0";
}

static void take_word(struct command *command, const char *word) {
        static const char devices[] = "dev name ifname iface int interface Interface";
        static const char keywords[] =
                        "link address addr alias arp dev group index interface iface int Interface "
                        "master mtu multicast name qlen txqueuelen type";
        const char *previous = command->previous, *rest = strchr(word, '=');
        bool is_link = text_is_among(previous, "link lin li l"), is_flag = text_is_among(word, "up down");

        if (is_key(previous))
                command->number = word;
        else if (text_is_among(previous, devices))
                command->device = word;
        else if (rest && (text_after(word, "mtu_request=") || text_after(word, "--mtu=")))
                command->number = rest + 1;
        else if (text_after(word, "/sys") && text_ends_in(word, "/mtu"))
                take_write(command, word);
        else if (is_link && text_is_among(word, "add ad a replace set se s change"))
                command->is_ip = command->is_setter = command->expects_device = true;
        else if (strcmp(word, "netns") == 0 ||
                 (command->is_ip && text_is_among(word, "-n -netns peer type")))
                command->is_over = true;
        else if (command->expects_device && !is_flag) {
                command->expects_device = false;
                if (!text_is_among(word, keywords))
                        command->device = word;
        }
        if (word[strspn(word, "0123456789")] == '\0' ||
            (!command->written && text_is_among(text_base_name(previous), "echo printf")))
                command->written = word;
        take_program(command, text_base_name(word));
        command->previous = word;
}

void reader_take_commands(struct reader *reader, const char *text, const char *device) {
        struct command command = { .reader = reader, .own_device = device, .previous = "" };

        /* The word is in each of these commands. */
        if (!strstr(text, "mtu"))
                return;
        while (*text && *text != '#') {
                size_t size = strcspn(text, TEXT_SPACE "\"'\\;&|<>()`");

                /* The number of a descriptor comes before ">". */
                if (size > 0 && !command.is_over &&
                    !(text[size] == '>' && strspn(text, "0123456789") == size))
                        take_word(&command, pool_copy_part(reader_pool(reader), text, size));
                text += size;
                if (*text == '>')
                        command.previous = ">";
                else if (*text == '|')
                        end_command(&command, text[1] != '|');
                else if (*text && strchr("\n;&()`", *text))
                        end_command(&command, false);
                text += *text != '\0';
        }
        end_command(&command, false);
}

/* Scripts, crontab(5), and rules of udev(7) ------------------------------------------------------------- */

/* A key of a rule, such as ATTR{mtu}, with its operator and value: the value, or NULL. `*rest` is behind it
 * then. */
static const char *take_key(char **rest, const char **ret_operator, const char **ret_value) {
        char *key = *rest + strspn(*rest, ", \t"), *begin = strchr(key, '"'),
             *end = begin ? strchr(begin + 1, '"') : NULL;
        char *at;

        if (!end)
                return NULL;
        *begin = *end = '\0';
        *rest = end + 1;
        at = key + strcspn(key, "=!+-:");
        *ret_operator = *at == '=' && at[1] == '=' ? "==" : *at == '!' ? "!=" : "=";
        *ret_value = begin + 1;
        *at = '\0';
        return text_trim(key);
}

static void take_rule(struct reader *reader, char *rest) {
        const char *key, *operator, * value, *device = NULL;
        size_t first = reader->mentions->n_items;

        while ((key = take_key(&rest, &operator, & value)))
                if (strcmp(operator, "==") == 0) {
                        if (text_is_among(key, "KERNEL NAME ENV{INTERFACE} ENV{ID_NET_NAME}") && *value)
                                device = device && strcmp(device, "*") != 0 ? device : value;
                } else if (strcmp(operator, "=") != 0)
                        ;
                else if (strcmp(key, "ATTR{mtu}") == 0)
                        reader_add(reader, NULL, value);
                else if (strcmp(key, "NAME") == 0)
                        device = value;
                else if (text_after(key, "RUN"))
                        reader_take_commands(reader, value, NULL);
        if (device)
                reader_set_devices(reader, first, device);
}

void reader_read_commands(struct reader *reader) {
        bool is_rules = text_ends_in(reader->file, ".rules");
        char *line;

        while ((line = reader_next_line(reader)))
                if (is_rules)
                        take_rule(reader, line);
                else
                        reader_take_commands(reader, line, reader->own_device);
}
