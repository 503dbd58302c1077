/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/json_text.h"

#include <stdio.h>

#include "base/text.h"

json_t *json_text_read(const struct reading *reading) {
        json_error_t error;
        json_t *json = json_loadb(reading->text, reading->size, 0, &error);
        char shown[TEXT_QUOTE_SIZE];

        if (!json)
                diagnostic_report(reading->sink, DIAGNOSTIC_ERROR, reading->file,
                                  error.line > 0 ? (unsigned)error.line : 0, NULL,
                                  "is not JSON here: %s; the file is not read",
                                  text_show(shown, error.text));
        return json;
}

void json_text_free(json_t **json) {
        json_decref(*json);
}

int json_text_add(const struct reading *reading, const json_t *value, struct draft *draft) {
        char number[32];

        draft->value = json_string_value(value);
        if (json_is_integer(value)) {
                snprintf(number, sizeof(number), "%" JSON_INTEGER_FORMAT, json_integer_value(value));
                draft->value = number;
        } else if (!draft->value) {
                draft->value = "";
                draft->unclear = "is neither a number nor a string";
        }
        return reading_add(reading, VALUE_DECIMAL, draft);
}
