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
