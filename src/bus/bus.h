/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A connection to one service over D-Bus. Functions return 0 or a negative errno; bus_error_text() has the
 * text of the reply. Calls from here never start the service. */

#include <stdbool.h>
#include <stdint.h>

#include "base/attributes.h"

struct sd_bus;
struct sd_bus_message;

/* Private, but for the files with a service's own calls. */
struct bus {
        struct sd_bus *bus;
        const char *service;
        bool is_silent; /* an answer timed out: no more requests are sent */
        char error_text[256];
};

/* Closes and frees, for CLEANUP(), too; NULL is fine. */
void bus_cleanup(struct bus **bus);

/* The error text of the last call that failed, from the reply or the errno. Never NULL; owned by the bus. If
 * the service does not answer in time, all later calls fail with -ETIMEDOUT at once. */
const char *bus_error_text(const struct bus *bus);

/* `connect` is sd_bus_open_system() or the like. Each call may take `timeout_us`. */
MUST_USE int bus_open(const char *service, int (*connect)(struct sd_bus **ret), uint64_t timeout_us,
                      struct bus **ret);

/* Stores the text, or that of the negative errno if it is NULL, and returns the errno. */
int bus_fail(struct bus *bus, const char *text, int r);

/* Calls a method with the arguments that `types` names as in sd_bus_message_append(3), and waits for the
 * answer. `ret_reply` may be NULL. */
int bus_call(struct bus *bus, const char *path, const char *interface, const char *method,
             struct sd_bus_message **ret_reply, const char *types, ...);

/* Reads a property of a basic type that is no text. */
MUST_USE int bus_get(struct bus *bus, const char *path, const char *interface, const char *name, char type,
                     void *ret);
