/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "backends/network_mark.h"

#include <stdlib.h>
#include <string.h>

#include "system/systemd_ini.h"

void network_mark_write(const struct config_line *line, FILE *stream) {
        fprintf(stream, NETWORK_FILE_MARK "%s from %s", line->name, line->file);
        if (line->line > 0)
                fprintf(stream, ":%u", line->line);
}

/* A name has no white space in it. */
bool network_mark_read(const char *text, char ret_interface[static INTERFACE_NAME_SIZE]) {
        const char *name = text + strlen(NETWORK_FILE_MARK);
        size_t size;

        if (strncmp(text, NETWORK_FILE_MARK, strlen(NETWORK_FILE_MARK)) != 0)
                return false;
        size = strcspn(name, " \n");
        if (interface_name_fault(name, size))
                return false;
        memcpy(ret_interface, name, size);
        ret_interface[size] = '\0';
        return true;
}

/* The number behind the last `key` in the text; 0 where there is none. */
static uint32_t read_last(const char *text, const char *key) {
        const char *found = NULL;

        for (const char *next = strstr(text, key); next; next = strstr(next + 1, key))
                found = next;
        return found ? (uint32_t)strtoul(found + strlen(key), NULL, 10) : 0;
}

/* In a copy of a .link file the last one is ours. */
uint32_t network_mark_read_mtu(const char *text) {
        uint32_t mtu = read_last(text, "\nMTUBytes=");

        return mtu > 0 ? mtu : read_last(text, "\n" NETWORK_HOOK_VARIABLE);
}
