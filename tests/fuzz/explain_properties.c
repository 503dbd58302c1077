/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Whatever is written about a device, some things hold: the input draws a device and its sources. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/explanation.h"
#include "explain/note.h"
#include "properties.h"

static void show(const struct explanation *explanation);

static const struct explanation *shown; /* by the input, for a violation */

#define REQUIRE(condition)                                                              \
        do                                                                              \
                if (!(condition)) {                                                     \
                        fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
                        if (shown)                                                      \
                                show(shown);                                            \
                        abort();                                                        \
                }                                                                       \
        while (0)

static struct {
        const uint8_t *data;
        size_t size, used;
        uint64_t state;
} input;

/* A byte of the input, as long as there are some, and then what follows from them (xorshift64*). */
static unsigned draw(unsigned n) {
        if (input.used < input.size) {
                input.state = input.state * 31 + input.data[input.used];
                return input.data[input.used++] % n;
        }
        input.state ^= input.state >> 12;
        input.state ^= input.state << 25;
        input.state ^= input.state >> 27;
        return (unsigned)((input.state * 2685821657736338717ULL) >> 33) % n;
}

#define DRAW(list) ((list)[draw(sizeof(list) / sizeof((list)[0]))])

static const char *const files[] = {
        "/etc/systemd/network/10-eth0.link",
        "/etc/systemd/network/10-eth0.link.d/a.conf",
        "/run/systemd/network/10-netplan-eth0.link",
        "/etc/systemd/network/20-eth0.network",
        "/run/systemd/network/10-netplan-eth0.network",
        "/etc/udev/rules.d/70-a.rules",
        "/etc/udev/rules.d/90-b.rules",
        "/etc/NetworkManager/system-connections/lan.nmconnection",
        "/etc/NetworkManager/conf.d/a.conf",
        "/etc/netctl/lan",
        "/etc/netctl/interfaces/eth0",
        "/run/systemd/netif/leases/7",
        "/var/lib/NetworkManager/internal-1-eth0.lease",
        "/var/lib/dhcp/dhclient.eth0.leases",
        "/etc/rc.local",
        "a",
        "/",
};
static const char *const names[] = { "eth0", "eth1", "eth*", "52:54:00:12:34:56", "Driver=e1000e" };
static const char *const kinds[] = { "", "", "vlan", "bridge", "bond", "macvlan", "wireguard" };
static const uint32_t mtus[] = { 0, 60, 1000, 1280, 1500, 1500, 4000, 9000, 9216, 70000, UINT32_MAX };

static struct mtu_sources draw_sources(void) {
        struct mtu_sources sources = { 0 };

        for (unsigned n = draw(8); n > 0; n--) {
                struct mtu_source source = {
                        .kind = (enum source_kind)draw(SOURCE_COUNT),
                        .match = (enum source_match)draw(MATCH_OTHER + 1),
                        .file = DRAW(files),
                        .line = draw(3),
                        .mtu = DRAW(mtus),
                        .inactive = draw(5) == 0 ? "reason" : NULL,
                        .condition = draw(5) == 0 ? "reason" : NULL,
                };

                if (source.match != MATCH_ANY)
                        source.device = DRAW(names);
                if (source.mtu > 0)
                        source.value = "9000";
                mtu_sources_add(&sources, &source);
        }
        REQUIRE(!sources.pool.failed);
        return sources;
}

static void draw_owners(struct owners *owners) {
        for (unsigned i = 0; i < OWNER_COUNT; i++) {
                owners->has[i] = draw(3) == 0;
                if (owners->has[i] && draw(2))
                        owners->profile[i] = DRAW(files);
        }
        if (draw(2))
                owners->link_file = DRAW(files);
        if (draw(4) == 0) {
                owners->lease_mtu = 1400;
                owners->lease_file = "/run/NetworkManager/devices/7";
        }
}

static struct link_table draw_links(void) {
        struct link_table links = { 0 };

        for (unsigned i = 7; i < 10; i++) {
                struct link link = {
                        .ifindex = i,
                        .mtu = DRAW(mtus),
                        .mtu_min = draw(2) ? 68 : 0,
                        .mtu_max = DRAW(mtus),
                        .lower_ifindex = i == 7 && draw(3) == 0 ? 8 : 0,
                        .controller_ifindex = i == 7 && draw(3) == 0 ? 9 : 0,
                        .addresses.mac = "52:54:00:12:34:56",
                };

                snprintf(link.name, sizeof(link.name), "eth%u", i - 7);
                snprintf(link.kind, sizeof(link.kind), "%s", DRAW(kinds));
                REQUIRE(link_table_add(&links, &link) == 0);
        }
        link_table_sort(&links);
        return links;
}

static void check_steps(const struct explanation *explanation) {
        const struct explain_step *winner = NULL;
        bool is_contradicted = false;

        for (size_t i = 0; i < explanation->n_steps; i++) {
                const struct explain_step *step = &explanation->steps[i];

                REQUIRE(step->reason[0]);
                REQUIRE(i == 0 || step[-1].phase <= step->phase);
                if (step->effect == EXPLAIN_WINS) {
                        REQUIRE(!winner);
                        winner = step;
                }
                is_contradicted |= step->contradicts;
        }
        REQUIRE(explanation->winner == winner);
        REQUIRE(explanation->is_contradicted == is_contradicted);
        for (size_t i = 0; i < explanation->n_steps; i++) {
                const struct explain_step *step = &explanation->steps[i];

                /* Nothing acts behind the winner. */
                if (winner && (step->effect == EXPLAIN_OVERRIDDEN || step->effect == EXPLAIN_SAME))
                        REQUIRE(step < winner);
                if (step->effect == EXPLAIN_SAME)
                        REQUIRE(step->mtu == winner->mtu);
                if (step->contradicts) {
                        REQUIRE(winner);
                        REQUIRE(step->file && step->mtu != winner->mtu && step->effect != EXPLAIN_IDLE);
                }
        }
}

/* For a failure to be understood. */
static void show(const struct explanation *explanation) {
        for (size_t i = 0; i < explanation->n_steps; i++) {
                const struct explain_step *step = &explanation->steps[i];

                fprintf(stderr, "%s %s %u %s%s: %s\n", step->source, step->file ? step->file : "-",
                        step->mtu, explain_effect_name(step->effect), step->contradicts ? " !" : "",
                        step->reason);
        }
        fprintf(stderr, "verdict: %s\nadvice: %s\n", explanation->verdict, explanation->advice);
}

static void check(const struct explain_device *device, const struct explanation *explanation) {
        check_steps(explanation);
        REQUIRE(explanation->verdict[0]);
        REQUIRE(explanation->advice[0] || (explanation->is_explained && !explanation->is_contradicted));
        /* Where it is explained by a winner it has what that one sets. */
        if (device->link && explanation->winner && explanation->is_explained)
                REQUIRE(explanation->expected == device->link->mtu);
        if (!device->link)
                REQUIRE(explanation->is_explained);
}

static void begin(const uint8_t *data, size_t size) {
        shown = NULL;
        input.data = data;
        input.size = size;
        input.used = 0;
        input.state = 1;
}

/* With what is known of it. The input is to be begun before. */
static void check_device(void) {
        struct link_table links = draw_links();
        struct mtu_sources sources = draw_sources();
        struct config_line line = {
                .name = "eth0", .spec.mtu = DRAW(mtus), .file = "/etc/conf.d/setmtu", .line = 1
        };
        struct device_plan planned = { .line = &line,
                                       .backend = (enum backend)draw(BACKEND_COUNT),
                                       .instance = "eth0",
                                       .has_rule = draw(2) };
        struct explained explained = {
                .machine = { .sources = &sources, .links = &links },
                .device = {
                        .name = "eth0",
                        .link = draw(8) ? link_table_by_ifindex(&links, 7) : NULL,
                        .original = DRAW(mtus),
                        .is_masked = draw(8) == 0,
                        .foreign_template = draw(8) ? NULL : "/etc/systemd/system/setmtu@.service",
                        .line = draw(2) ? &line : NULL,
                },
        };
        struct network_sysctls sysctls = { 0 };
        struct device_status items[] = { { .link = link_table_by_ifindex(&links, 7),
                                           .line = explained.device.line } };
        struct device_statuses statuses = { items, 1 };
        struct explain_note notes[EXPLAIN_NOTES_MAX];
        struct explain_device *device = &explained.device;

        if (device->line && draw(8))
                device->planned = &planned;
        if (device->link)
                draw_owners(&device->owners);
        REQUIRE(explanation_make(&explained) == 0);
        shown = &explained.explanation;
        check(device, &explained.explanation);
        REQUIRE(note_make(&explained, &statuses, &sysctls, notes) <= EXPLAIN_NOTES_MAX);
        shown = NULL;
        explanation_free(&explained.explanation);
        owners_free(&device->owners);
        mtu_sources_free(&sources);
        link_table_free(&links);
}

void property_explain(const uint8_t *data, size_t size) {
        begin(data, size);
        check_device();
}
