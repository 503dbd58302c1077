/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* NAME=VALUE of a shell: ifcfg files, netctl, netifrc, environment files. */

#include <string.h>

#include "base/text.h"
#include "mentions/reader.h"

/* Words of ifconfig(8) in netifrc, with the device in the name of the variable: config_eth0="… mtu 9000". */
static void take_ifconfig(struct reader *reader, const char *device, const char *value) {
        char *rest = pool_copy(reader_pool(reader), value), *word;

        while ((word = lines_word(&rest)))
                if (strcmp(word, "mtu") == 0)
                        reader_add(reader, pool_copy_part(reader_pool(reader), device, strcspn(device, "_")),
                                   lines_word(&rest));
}

static void take_assignment(struct reader *reader, const char *name, const char *value) {
        /* Its options, to which its unit adds the command. */
        bool is_docker = reader->place && strcmp(reader->place->program, "Docker") == 0;

        if (strcmp(name, "MTU") == 0)
                reader_add(reader, reader->own_device, value);
        /* netifrc */
        else if (text_after(name, "mtu_"))
                reader_add(reader, text_after(name, "mtu_"), value);
        else if (text_after(name, "config_"))
                take_ifconfig(reader, text_after(name, "config_"), value);
        else if (!text_after(name, "ExecDown") && !text_after(name, "POST_DOWN") &&
                 !text_after(name, "PRE_DOWN"))
                reader_take_commands(reader,
                                     is_docker ? pool_print(reader_pool(reader), "dockerd %s", value)
                                               : value,
                                     reader->own_device);
}

void reader_read_assignments(struct reader *reader) {
        struct lines lines = lines_open(reader);
        const char *device = NULL, *value;

        while (lines_next(reader, &lines)) {
                char *equals = strchr(lines.line, '='), *rest = equals ? equals + 1 : NULL;

                /* A command, in a script that is read with these files. */
                if (!rest || strcspn(lines.line, " \t") < (size_t)(equals - lines.line)) {
                        reader_take_commands(reader, lines.line, reader->own_device);
                        continue;
                }
                *equals = '\0';
                value = lines_quoted_word(&rest);
                value = value ? value : "";
                if (text_is_among_any_case(lines.line, "DEVICE INTERFACE IFACE"))
                        device = pool_copy(reader_pool(reader), value);
                else
                        take_assignment(reader, lines.line, value);
        }
        if (device)
                reader_set_devices(reader, reader->first, device);
}
