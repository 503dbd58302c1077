/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Scripts, crontab(5), and rules of udev(7). */

#include <string.h>

#include "base/text.h"
#include "mentions/reader.h"

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
                else if (text_after(key, "RUN") || strcmp(key, "PROGRAM") == 0)
                        reader_take_commands(reader, value, NULL);
        if (device)
                reader_set_devices(reader, first, device);
}

void reader_read_commands(struct reader *reader) {
        struct lines lines = lines_open(reader);
        bool is_rules = text_ends_in(reader->file, ".rules");

        while (lines_next(reader, &lines)) {
                if (is_rules)
                        take_rule(reader, lines.line);
                else
                        reader_take_commands(reader, lines.line, reader->own_device);
        }
}
