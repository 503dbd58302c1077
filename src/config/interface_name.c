/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config/interface_name.h"

#include <string.h>

#include "base/text.h"

const char *interface_name_fault(const char *name) {
        size_t size = strlen(name);

        if (size == 0)
                return "is empty; an interface name belongs there";
        /* The mistake behind a name with white space is more often `export eth0=…` than a long name. */
        for (size_t i = 0; i < size; i++)
                if (name[i] == ' ' || (name[i] >= '\t' && name[i] <= '\r'))
                        return "contains white space, which an interface name cannot";
        /* The kernel accepts both. */
        if (!text_is_plain(name))
                return text_is_utf8(name, size) ? "contains a control character"
                                                : "is not valid UTF-8, as an interface name must be here";
        if (size >= INTERFACE_NAME_SIZE)
                return "is longer than 15 bytes, the limit for an interface name";
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
                return "is a directory, not an interface name";
        if (strchr(name, '/'))
                return "contains \"/\", which an interface name cannot";
        if (strchr(name, ':'))
                return "contains \":\", which an interface name cannot (the MTU belongs to the device, "
                       "not to an alias)";
        /* The kernel's isspace() reads Latin-1, where this is a no-break space; it is also the end of
         * UTF-8's "à". */
        if (strchr(name, '\xa0'))
                return "contains the byte 0xa0, which the kernel takes for white space";
        return NULL;
}

bool interface_name_is_pattern(const char *name) {
        while (*name && *name != '*' && *name != '?' && *name != '[')
                name++;
        return *name;
}

const char *interface_pattern_fault(const char *name) {
        const char *open = NULL; /* what a [ begins with: itself, or the ! after it */

        for (const char *c = name; *c; c++) {
                if (strchr("^|\\\"'%,;", *c) || (unsigned char)*c >= 0x80 ||
                    (*c == '!' && (c == name || c[-1] != '[')))
                        return "is a pattern with a character that is special in other programs, or not in "
                               "ASCII; write ? in its place";
                if (*c == '[' && !open)
                        open = c + (c[1] == '!' ? 1 : 0);
                else if (*c == ']' && open && c > open + 1)
                        open = NULL;
        }
        return open ? "is a pattern with a [ that is not closed; write, for example, [0-9], or ? for any "
                      "one "
                      "character"
                    : NULL;
}
