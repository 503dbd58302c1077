/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/switch_port.h"

#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "bench/measured_process.h"
#include "output/json.h"

/* LLDP allows for a few hundred bytes of each neighbour. */
#define OUTPUT_MOST (1024 * 1024)

/* System capabilities, IEEE 802.1AB, table 8-4. */
#define CAPABILITY_BRIDGE 0x04
#define CAPABILITY_ROUTER 0x10

void switch_ports_free(struct switch_ports *ports) {
        pool_free(&ports->pool);
}

/* Other hosts announce themselves, too, and are heard through a switch that does not. */
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

static void add_port(struct switch_ports *ports, const char *device, const char *name, const char *port,
                     const char *frame) {
        struct switch_port *item = pool_add(&ports->pool, &ports->items, &ports->n_items, sizeof(*item));
        uint64_t largest = 0;

        if (!item)
                return;
        if (frame)
                (void)text_parse_number(frame, 1, UINT16_MAX, &largest);
        *item = (struct switch_port){
                .device = pool_copy(&ports->pool, device),
                .name = pool_copy(&ports->pool, name),
                .port = pool_copy(&ports->pool, port),
                .largest_frame = (uint32_t)largest,
        };
}

static void add_of_lldpd(struct switch_ports *ports, json_t *neighbour) {
        const char *device, *name, *port, *frame = NULL;
        const json_t *capabilities = NULL;

        /* The name replaces the ID. */
        if (json_unpack(neighbour, "{s:s, s:[{s:[{s:s}], s?[{s:s}], s?o}], s:[{s:[{s:s}], s?[{s:s}]}]}",
                        "name", &device, "chassis", "id", "value", &name, "name", "value", &name,
                        "capability", &capabilities, "port", "id", "value", &port, "mfs", "value",
                        &frame) == 0 &&
            is_switch(capabilities))
                add_port(ports, device, name, port, frame);
}

static void add_of_networkd(struct switch_ports *ports, json_t *link) {
        json_t *neighbours = NULL, *neighbour;
        const char *device;
        size_t i;

        if (json_unpack(link, "{s:s, s:o}", "InterfaceName", &device, "Neighbors", &neighbours) < 0)
                return;
        json_array_foreach(neighbours, i, neighbour) {
                int capabilities = CAPABILITY_BRIDGE;
                const char *name, *port;

                if (json_unpack(neighbour, "{s:s, s?s, s:s, s?i}", "ChassisID", &name, "SystemName", &name,
                                "PortID", &port, "EnabledCapabilities", &capabilities) == 0 &&
                    (capabilities & (CAPABILITY_BRIDGE | CAPABILITY_ROUTER)))
                        add_port(ports, device, name, port, NULL);
        }
}

void switch_ports_add(struct switch_ports *ports, const char *text, size_t size) {
        json_t *document = size <= OUTPUT_MOST ? json_loadb(text, size, 0, NULL) : NULL, *list, *item;
        size_t i;

        if (json_unpack(document, "{s:[{s:o}]}", "lldp", "interface", &list) == 0)
                json_array_foreach(list, i, item) add_of_lldpd(ports, item);
        else if (json_unpack(document, "{s:o}", "Neighbors", &list) == 0)
                json_array_foreach(list, i, item) add_of_networkd(ports, item);
        json_decref(document);
}

static void ask(struct switch_ports *ports, const char *const *words) {
        CLEANUP(measured_process_cleanup) struct measured_process result = { .output = NULL };
        struct progress progress = { .is_shown = false };
        const struct measured_process_call call = {
                .arguments = words,
                .name = words[0],
                .keeps_output = true,
                .limit_s = 1,
                .limit_note = "",
                .progress = &progress,
        };
        char fault[RUN_FAULT_SIZE];

        if (measured_process_run(&call, &result, fault) == RUN_DONE && result.status == 0)
                switch_ports_add(ports, result.output, result.output_size);
}

/* Only root can see the namespace of PID 1. */
static void ask_all(struct switch_ports *ports) {
        static const char *const lldpd[] = { "lldpctl", "-f", "json0", NULL };
        static const char *const networkd[] = { "networkctl", "--json=short", "lldp", NULL };
        struct stat ours, its;

        ports->is_asked = true;
        if (stat("/proc/self/ns/net", &ours) < 0 || stat("/proc/1/ns/net", &its) < 0 ||
            ours.st_ino != its.st_ino)
                return;
        ask(ports, lldpd);
        if (ports->n_items == 0)
                ask(ports, networkd);
}

const struct switch_port *switch_ports_find(struct switch_ports *ports, const struct path *path,
                                            const struct path_result *result) {
        const struct switch_port *found = NULL;

        if (!verdict_is_near(&result->verdict))
                return NULL;
        if (!ports->is_asked)
                ask_all(ports);
        for (size_t i = 0; i < ports->n_items && !ports->pool.failed; i++) {
                if (strcmp(ports->items[i].device, path->link.name) != 0)
                        continue;
                if (found)
                        return NULL;
                found = &ports->items[i];
        }
        return found;
}
