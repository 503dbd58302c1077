/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* JSON helpers of the commands. Values are new references; NULL if memory is out. A value with a NULL part
 * becomes NULL itself, as with json_pack(): an incomplete document is never printed. */

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/attributes.h"
#include "base/pool.h"
#include "config/config.h"

/* A string, or null for NULL. Bytes that are not UTF-8 become U+FFFD: a device's name may hold any. */
json_t *json_text(const char *text);

/* A number; null for 0, which stands for none. */
json_t *json_count(uint32_t count);

/* Where a line stands: "FILE:LINE"; null for NULL. */
json_t *json_source(const struct config_line *line);

/* An array of strings, each as by json_text(). */
json_t *json_list(const struct pool_list *list);

/* Adds a part to an array or an object, each of which may be NULL, and takes both over. Returns the array or
 * object, or frees it and returns NULL. */
MUST_USE json_t *json_append(json_t *array, json_t *value);
MUST_USE json_t *json_set(json_t *object, const char *key, json_t *value);

/* An object of these members: JSON_OBJECT({ { "name", json_text(name) }, { "mtu", json_count(mtu) } }). */
struct json_member {
        const char *key;
        json_t *value; /* is taken over */
};
#define JSON_OBJECT(...)                                        \
        json_object_of((const struct json_member[])__VA_ARGS__, \
                       sizeof((const struct json_member[])__VA_ARGS__) / sizeof(struct json_member))
/* Adds such an object to an array. */
#define JSON_ADD(array, ...) ((array) = json_append((array), JSON_OBJECT(__VA_ARGS__)))
MUST_USE json_t *json_object_of(const struct json_member *members, size_t n);

/* Prints `value` on stdout, completely or not at all, and releases it. False if memory was out, which is
 * logged. */
MUST_USE bool json_print(json_t *value);

/* The same on one line, which is not held back. */
MUST_USE bool json_print_line(json_t *value);
