/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/switch_port.h"

#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/process.h"
#include "base/text.h"

/* Hosts announce themselves, too: by a cable, or through a switch that does not. */
static bool is_switch(const json_t *capabilities) {
        const json_t *capability;
        size_t i;

        json_array_foreach(capabilities, i, capability) {
                const char *type = json_string_value(json_object_get(capability, "type"));

                if (type && text_is_among(type, "Bridge Router") &&
                    json_is_true(json_object_get(capability, "enabled")))
                        return true;
        }
        return !capabilities;
}

static void add_of_lldpd(json_t *ports, json_t *neighbour, const char *device) {
        const char *interface, *name, *port, *frame = "";
        const json_t *capabilities = NULL;
        uint64_t largest = 0;

        /* The name replaces the ID. */
        if (json_unpack(neighbour, "{s:s, s:[{s:[{s:s}], s?[{s:s}], s?o}], s:[{s:[{s:s}], s?[{s:s}]}]}",
                        "name", &interface, "chassis", "id", "value", &name, "name", "value", &name,
                        "capability", &capabilities, "port", "id", "value", &port, "mfs", "value",
                        &frame) < 0 ||
            strcmp(interface, device) != 0 || !is_switch(capabilities))
                return;
        (void)text_parse_number(frame, 1, UINT16_MAX, &largest);
        (void)json_array_append_new(ports, json_pack("{ss ss so}", "name", name, "port", port,
                                                     "largest_frame", json_count((uint32_t)largest)));
}

static void add_of_networkd(json_t *ports, json_t *neighbour) {
        const char *name, *port;
        /* A bridge, 4, or a router, 16: IEEE 802.1AB, table 8-4. */
        int capabilities = 4;

        if (json_unpack(neighbour, "{s:s, s?s, s:s, s?i}", "ChassisID", &name, "SystemName", &name, "PortID",
                        &port, "EnabledCapabilities", &capabilities) == 0 &&
            (capabilities & (4 | 16)))
                (void)json_array_append_new(
                                ports, json_pack("{ss ss sn}", "name", name, "port", port, "largest_frame"));
}

json_t *switch_port_read(const char *text, size_t size, const char *device) {
        json_auto_t *heard = json_loadb(text, size, 0, NULL), *ports = json_array();
        json_t *list = NULL, *item, *neighbour;
        const char *interface;
        size_t i, j;

        (void)json_unpack(heard, "{s:[{s:o}]}", "lldp", "interface", &list);
        json_array_foreach(list, i, item) add_of_lldpd(ports, item, device);
        json_array_foreach(json_object_get(heard, "Neighbors"), i, item) {
                if (json_unpack(item, "{s:s}", "InterfaceName", &interface) < 0 ||
                    strcmp(interface, device) != 0)
                        continue;
                json_array_foreach(json_object_get(item, "Neighbors"), j, neighbour)
                                add_of_networkd(ports, neighbour);
        }
        return json_array_size(ports) == 1 ? json_incref(json_array_get(ports, 0)) : json_null();
}

json_t *switch_port_find(const char *device) {
        static const char *const words[] = {
                "sh", "-c", "{ lldpctl -f json0 || networkctl --json=short lldp; } 2>/dev/null", NULL
        };
        CLEANUP(cleanup_free) char *output = NULL;
        struct stat ours, its;
        size_t size;

        if (stat("/proc/self/ns/net", &ours) < 0 || stat("/proc/1/ns/net", &its) < 0 ||
            ours.st_ino != its.st_ino || process_read(words, 1, &output, &size) < 0)
                return json_null();
        return switch_port_read(output, size, device);
}
