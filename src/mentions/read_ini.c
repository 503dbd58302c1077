/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Sections of KEY=VALUE: units, .link, .network and .netdev files, NetworkManager's keyfiles, wg-quick(8),
 * tuned. */

#include <string.h>

#include "base/text.h"
#include "mentions/reader.h"

struct ini {
        struct reader *reader;
        char section[64];
        const char *devices; /* of the file; NULL: none are named */
};

/* Keys that name the devices of the file, with their sections. */
static bool names_devices(const char *section, const char *key) {
        char whole[128];

        snprintf(whole, sizeof(whole), "%s.%s", section, key);
        return text_is_among(whole, "Match.Name Match.OriginalName NetDev.Name connection.interface-name "
                                    "match.interface-name net.devices");
}

/* The MTU of a device; not of a route, nor of IPv6 alone. */
static bool is_mtu(const char *section, const char *key) {
        if (text_is_among(section, "Route NextHop ipv4 ipv6 IPv6AcceptRA"))
                return false;
        return text_is_among_any_case(key, "MTUBytes mtu") ||
               (text_ends_in(key, ".mtu") && !text_after(key, "ipv"));
}

static bool is_command(const char *section, const char *key) {
        return (text_after(key, "Exec") && !text_after(key, "ExecStop")) ||
               text_is_among_any_case(key, "PreUp PostUp") ||
               (strcmp(section, "boot") == 0 && strcmp(key, "command") == 0);
}

static void take_key(struct ini *ini, const char *key, char *value) {
        struct reader *reader = ini->reader;
        struct pool *pool = reader_pool(reader);

        if (names_devices(ini->section, key))
                ini->devices = strchr(value, '!') || ini->devices ? "" : pool_copy(pool, value);
        else if (strcmp(key, "UseMTU") == 0) {
                if (text_is_among_any_case(value, "yes true on 1"))
                        reader_add(reader, NULL, NULL);
        } else if (is_mtu(ini->section, key))
                reader_add(reader, reader->own_device, value);
        else if (is_command(ini->section, key))
                reader_take_commands(reader, value, reader->own_device);
}

void reader_read_ini(struct reader *reader) {
        struct ini ini = { .reader = reader };
        char *line;

        while ((line = reader_next_line(reader))) {
                char *equals = strchr(line, '=');

                if (*line == '[')
                        snprintf(ini.section, sizeof(ini.section), "%.*s", (int)strcspn(line + 1, "]"),
                                 line + 1);
                else if (equals) {
                        *equals = '\0';
                        take_key(&ini, text_trim(line), text_trim(equals + 1));
                }
        }
        if (ini.devices && *ini.devices)
                reader_set_devices(reader, reader->first, ini.devices);
}
