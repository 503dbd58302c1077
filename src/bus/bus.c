/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bus/bus.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>

#include "base/cleanup.h"

/* Errors that callers distinguish. libsystemd only guarantees general ones: sd_bus_error_get_errno(3). */
static const sd_bus_error_map errors[] = {
        SD_BUS_ERROR_MAP("org.freedesktop.systemd1.AlreadySubscribed", EALREADY),
        SD_BUS_ERROR_MAP("org.freedesktop.systemd1.NoSuchUnit", ENOENT),
        SD_BUS_ERROR_MAP("org.freedesktop.systemd1.UnitMasked", ERFKILL),
        SD_BUS_ERROR_MAP_END,
};

int bus_open(const char *service, int (*connect)(struct sd_bus **ret), uint64_t timeout_us,
             struct bus **ret) {
        CLEANUP(bus_cleanup) struct bus *bus = calloc(1, sizeof(*bus));
        int r;

        if (!bus)
                return -ENOMEM;
        bus->service = service;
        r = sd_bus_error_add_map(errors);
        if (r >= 0)
                r = connect(&bus->bus);
        if (r >= 0)
                r = sd_bus_set_method_call_timeout(bus->bus, timeout_us);
        if (r < 0)
                return r;
        *ret = bus;
        bus = NULL;
        return 0;
}

void bus_cleanup(struct bus **bus) {
        if (!*bus)
                return;
        sd_bus_flush_close_unref((*bus)->bus);
        free(*bus);
}

const char *bus_error_text(const struct bus *bus) {
        return bus->error_text;
}

/* A systemd that does not answer has stopped for good ("Freezing execution"): only one call waits for it. */
int bus_fail(struct bus *bus, const char *text, int r) {
        if (bus->is_silent)
                return -ETIMEDOUT;
        bus->is_silent = r == -ETIMEDOUT;
        if (bus->is_silent)
                sd_bus_close(bus->bus);
        snprintf(bus->error_text, sizeof(bus->error_text), "%s",
                 bus->is_silent ? "no answer in time"
                 : text         ? text
                                : strerror(-r));
        return r;
}

int bus_call(struct bus *bus, const char *path, const char *interface, const char *method,
             struct sd_bus_message **ret_reply, const char *types, ...) {
        CLEANUP(sd_bus_message_unrefp) sd_bus_message *message = NULL;
        CLEANUP(sd_bus_error_free) sd_bus_error error = SD_BUS_ERROR_NULL;
        va_list arguments;
        int r = sd_bus_message_new_method_call(bus->bus, &message, bus->service, path, interface, method);

        if (r >= 0)
                r = sd_bus_message_set_auto_start(message, 0);
        if (r < 0)
                return bus_fail(bus, NULL, r);
        va_start(arguments, types);
        r = sd_bus_message_appendv(message, types, arguments);
        va_end(arguments);
        if (r >= 0)
                r = sd_bus_call(bus->bus, message, 0, &error, ret_reply);
        return r < 0 ? bus_fail(bus, error.message, r) : 0;
}

int bus_get(struct bus *bus, const char *path, const char *interface, const char *name, char type,
            void *ret) {
        CLEANUP(sd_bus_error_free) sd_bus_error error = SD_BUS_ERROR_NULL;
        int r = sd_bus_get_property_trivial(bus->bus, bus->service, path, interface, name, &error, type,
                                            ret);

        return r < 0 ? bus_fail(bus, error.message, r) : 0;
}
