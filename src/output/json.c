/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "output/json.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"

json_t *json_text(const char *text) {
        static const char replacement[] = "\xef\xbf\xbd";
        char clean[1024];
        size_t size, used = 0;

        if (!text)
                return json_null();
        for (size = strlen(text); size > 0 && used + 5 < sizeof(clean);) {
                size_t length = text_utf8_length(text, size);

                memcpy(clean + used, length > 0 ? text : replacement, length > 0 ? length : 3);
                used += length > 0 ? length : 3;
                text += length > 0 ? length : 1;
                size -= length > 0 ? length : 1;
        }
        return json_stringn(clean, used);
}

json_t *json_mtu(uint32_t mtu) {
        return mtu > 0 ? json_integer(mtu) : json_null();
}

json_t *json_source(const struct config_line *line) {
        char place[CONFIG_LINE_PLACE_SIZE];

        return json_text(line ? config_line_place(place, line) : NULL);
}

bool json_print(json_t *value) {
        bool is_done = value && json_dumpf(value, stdout,
                                           JSON_INDENT(2) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(6)) == 0;

        if (is_done)
                putchar('\n');
        else if (!value)
                log_out_of_memory();
        json_decref(value);
        return is_done;
}
