/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config/interface_name.h"

#include <string.h>

#include "base/text.h"

const char *interface_name_fault(const char *name, size_t size) {
        if (size == 0)
                return "is empty; an interface name belongs there";
        /* The mistake behind a name with white space is more often `export eth0=…` than a long name. */
        for (size_t i = 0; i < size; i++)
                if (name[i] == ' ' || (name[i] >= '\t' && name[i] <= '\r'))
                        return "contains white space, which an interface name cannot";
        if (!text_is_utf8(name, size))
                return "is not valid UTF-8, as an interface name must be here";
        if (size >= INTERFACE_NAME_SIZE)
                return "is longer than 15 bytes, the limit for an interface name";
        if ((size == 1 && name[0] == '.') || (size == 2 && memcmp(name, "..", 2) == 0))
                return "is a directory, not an interface name";
        for (size_t i = 0; i < size; i++) {
                if (name[i] == '/')
                        return "contains \"/\", which an interface name cannot";
                if (name[i] == ':')
                        return "contains \":\", which an interface name cannot (the MTU belongs to "
                               "the device, not to an alias)";
                /* U+0080 to U+009F: the kernel accepts them, and some terminals obey them. */
                if ((unsigned char)name[i] < 0x20 || name[i] == 0x7f ||
                    ((unsigned char)name[i] == 0xc2 && (unsigned char)name[i + 1] < 0xa0))
                        return "contains a control character";
                /* The kernel's isspace() reads Latin-1, where this is a no-break space; it is also the end
                 * of UTF-8's "à". */
                if ((unsigned char)name[i] == 0xa0)
                        return "contains the byte 0xa0, which the kernel takes for white space";
        }
        return NULL;
}
