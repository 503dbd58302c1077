/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config/interface_name.h"

#include <string.h>

#include "base/text.h"

const char *interface_name_fault(const char *name, size_t size) {
        if (size == 0)
                return "is empty, where an interface's name belongs";
        /* The mistake behind a name with white space is more often `export eth0=…` than a long name. */
        for (size_t i = 0; i < size; i++)
                if (name[i] == ' ' || (name[i] >= '\t' && name[i] <= '\r'))
                        return "contains white space, which an interface name cannot";
        if (!text_is_utf8(name, size))
                return "is not UTF-8, which a name here has to be";
        if (size >= INTERFACE_NAME_SIZE)
                return "is longer than 15 bytes, the longest interface name there is";
        if ((size == 1 && name[0] == '.') || (size == 2 && memcmp(name, "..", 2) == 0))
                return "is a folder, not an interface name";
        for (size_t i = 0; i < size; i++) {
                if (name[i] == '/')
                        return "has a \"/\" in it, which an interface name cannot have";
                if (name[i] == ':')
                        return "has a \":\" in it, which an interface name cannot have (the MTU belongs to "
                               "the device, not to an alias)";
                if ((unsigned char)name[i] < 0x20 || name[i] == 0x7f)
                        return "has a control character in it";
                /* U+0080 to U+009F: the kernel accepts them, and some terminals obey them. */
                if ((unsigned char)name[i] == 0xc2 && (unsigned char)name[i + 1] < 0xa0)
                        return "has a control character in it";
                /* The kernel's isspace() reads Latin-1, where this is a no-break space; it is also the end
                 * of UTF-8's "à". */
                if ((unsigned char)name[i] == 0xa0)
                        return "has the byte 0xa0 in it, which the kernel takes for white space";
        }
        return NULL;
}
