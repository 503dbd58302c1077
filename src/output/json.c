/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "output/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/pool.h"
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

json_t *json_count(uint32_t count) {
        return count > 0 ? json_integer(count) : json_null();
}

json_t *json_source(const struct config_line *line) {
        return json_text(line ? CONFIG_LINE_PLACE(line) : NULL);
}

/* Returns `value`, or frees it if adding a part has failed. */
static json_t *json_unless(json_t *value, int r) {
        if (r == 0)
                return value;
        json_decref(value);
        return NULL;
}

json_t *json_texts(const char *const *texts, size_t n) {
        json_t *array = json_array();

        for (size_t i = 0; i < n; i++)
                array = json_append(array, json_text(texts[i]));
        return array;
}

json_t *json_mistake(const struct diagnostic *diagnostic) {
        return json_pack("{ss so so so so}", "severity",
                         diagnostic->severity == DIAGNOSTIC_ERROR ? "error" : "warning", "name",
                         json_text(diagnostic->name), "file", json_text(diagnostic->file), "line",
                         json_count(diagnostic->line), "text", json_text(diagnostic->text));
}

json_t *json_append(json_t *array, json_t *value) {
        return json_unless(array, json_array_append_new(array, value));
}

json_t *json_set(json_t *object, const char *key, json_t *value) {
        return json_unless(object, json_object_set_new(object, key, value));
}

json_t *json_finite(double number) {
        return isfinite(number) ? json_real(number) : json_null();
}

static int put_piece(const char *piece, size_t size, void *text) {
        pool_text_put_part(text, piece, size);
        return 0;
}

bool json_print(json_t *value) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        struct pool_text text = { .pool = &pool };
        /* Not directly to stdout: if memory runs out, half a document would be there. Not with json_dumps()
         * either, which skips a part of a key without memory (2.14); a pool remembers the failure. */
        bool is_whole = value &&
                        json_dump_callback(value, put_piece, &text,
                                           JSON_INDENT(2) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(6)) ==
                                        0 &&
                        !pool.failed;

        json_decref(value);
        if (is_whole)
                puts(text.text);
        else
                log_out_of_memory();
        return is_whole;
}
