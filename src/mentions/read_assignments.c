/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* NAME=VALUE of a shell: ifcfg files, netctl, netifrc, environment files. */

#include <string.h>

#include "base/text.h"
#include "mentions/reader.h"

static void take_assignment(struct reader *reader, const char *name, const char *value) {
        const char *device = text_after(name, "config_");
        struct pool *pool = reader_pool(reader);

        if (strcmp(name, "MTU") == 0)
                reader_add(reader, reader->own_device, value);
        /* netifrc */
        else if (text_after(name, "mtu_"))
                reader_add(reader, text_after(name, "mtu_"), value);
        /* Words of ifconfig(8), with the device in the name of the variable: config_eth0="… mtu 9000". */
        else if (device)
                reader_take_commands(reader,
                                     pool_print(pool, "ifconfig %.*s %s", (int)strcspn(device, "_"), device,
                                                value),
                                     NULL);
        /* Options, to which the unit adds the command. */
        else if (reader->place && strcmp(reader->place->program, "Docker") == 0)
                reader_take_commands(reader, pool_print(pool, "dockerd %s", value), NULL);
        else if (!text_after(name, "ExecDown") && !text_after(name, "POST_DOWN") &&
                 !text_after(name, "PRE_DOWN"))
                reader_take_commands(reader, value, reader->own_device);
}

void reader_read_assignments(struct reader *reader) {
        const char *device = NULL, *value;
        char *line;

        while ((line = reader_next_line(reader))) {
                char *equals = strchr(line, '='), *rest = equals ? equals + 1 : NULL;

                /* A command, in a script that is read with these files. */
                if (!rest || strcspn(line, " \t") < (size_t)(equals - line)) {
                        reader_take_commands(reader, line, reader->own_device);
                        continue;
                }
                *equals = '\0';
                value = reader_quoted_word(&rest);
                if (text_is_among_any_case(line, "DEVICE INTERFACE IFACE"))
                        device = value;
                else
                        take_assignment(reader, line, value);
        }
        if (device)
                reader_set_devices(reader, reader->first, device);
}
