/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/script.h"

#include "sources/mtu_command.h"

int source_script_read(const struct reading *reading) {
        const struct mtu_command_context context = { .source = SOURCE_SCRIPT };

        return mtu_command_read_script(reading, &context, reading->text, reading->size, NULL, 0, 1);
}
