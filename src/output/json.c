/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "output/json.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/text.h"

json_t *json_text(const char *text) {
        static const char replacement[] = "\xef\xbf\xbd";
        char clean[1024];
        size_t size, used = 0;
        json_t *value;

        if (!text)
                return json_null();
        /* jansson takes no other text than UTF-8. */
        value = json_string(text);
        if (value)
                return value;
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

json_t *json_list(const struct pool_list *list) {
        json_t *array = json_array();

        for (size_t i = 0; i < list->n_items; i++)
                array = json_append(array, json_text(list->items[i]));
        return array;
}

json_t *json_append(json_t *array, json_t *value) {
        return json_unless(array, json_array_append_new(array, value));
}

json_t *json_set(json_t *object, const char *key, json_t *value) {
        return json_unless(object, json_object_set_new(object, key, value));
}

json_t *json_object_of(const struct json_member *members, size_t n) {
        json_t *object = json_object();

        for (size_t i = 0; i < n; i++)
                object = json_set(object, members[i].key, members[i].value);
        return object;
}

/* If memory ran out while printing, half of a document would be on stdout. Not with json_dumps(), which
 * skips a part of a key without memory (2.14); a stream remembers the failure. `form` is JSON_INDENT(2) or
 * 0. */
static bool print_document(json_t *value, size_t form) {
        CLEANUP(cleanup_free) char *text = NULL;
        FILE *stream = value ? open_memstream(&text, &(size_t){ 0 }) : NULL;
        bool is_whole = stream &&
                        json_dumpf(value, stream,
                                   form | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(6) | JSON_ENCODE_ANY) == 0;

        json_decref(value);
        if (stream) {
                is_whole &= !ferror(stream);
                is_whole &= fclose(stream) == 0;
        }
        /* fclose() succeeds even if it has no memory for the text (glibc's _IO_mem_finish()). */
        if (!is_whole || !text)
                return log_fail(false, LOG_OUT_OF_MEMORY);
        puts(text);
        return true;
}

bool json_print(json_t *value) {
        return print_document(value, JSON_INDENT(2));
}

bool json_print_line(json_t *value) {
        return print_document(value, 0) && fflush(stdout) == 0;
}
