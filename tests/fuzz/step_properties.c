/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Steps over random stacks, against a kernel that is written here once more from what its sources say. */

#include "properties.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "plan/stack.h"
#include "plan/step_text.h"

#define DEVICES_MAX 10

/* Says what does not hold, of which input. */
#define REQUIRE(condition)                          \
        do {                                        \
                if (!(condition))                   \
                        fail(#condition, __LINE__); \
        } while (0)

static const char *const kinds[] = { "",       "",       "vlan", "macvlan", "ipvlan", "vxlan",
                                     "macsec", "bridge", "bond", "team",    "gre",    "gre" };
static const uint32_t sizes[] = { 1400, 1450, 1468, 1500, 4000, 8000, 8950, 9000 };

static const uint8_t *input;
static size_t input_size;

/* What is being tried, for whoever reads of a failure. */
static const struct link_table *tried_links;
static struct device_status tried_statuses[DEVICES_MAX]; /* the MTU before a fall, and whether it is fixed */
static const struct steps *tried_steps;

static void fail(const char *condition, int line) {
        char reason[STEP_REASON_SIZE];

        for (size_t i = 0; tried_links && i < tried_links->n_links; i++) {
                const struct link *link = &tried_links->links[i];

                fprintf(stderr, "%s %s mtu %u on %u port of %u before %u\n", link->name, link->kind,
                        link->mtu, link->lower_ifindex, link->controller_ifindex,
                        tried_statuses[i].mtu_before_fall);
        }
        for (size_t i = 0; tried_links && i < tried_links->n_underlays; i++)
                fprintf(stderr, "%u sends by %u, route %u\n", tried_links->underlays[i].upper,
                        tried_links->underlays[i].ifindex, tried_links->underlays[i].mtu);
        for (size_t i = 0; tried_steps && i < tried_steps->n_items; i++) {
                const struct step *step = &tried_steps->items[i];

                fprintf(stderr, "%zu: %s %s %u: %s%s\n", i, step->link ? step->link->name : step->line->name,
                        step_action_name(step), step->to, step_reason_text(reason, step),
                        step->is_dependent ? " (dependent)" : "");
        }
        fprintf(stderr, "step_properties.c:%d: does not hold: %s\ninput:", line, condition);
        for (size_t i = 0; i < input_size; i++)
                fprintf(stderr, " %02x", input[i]);
        fputc('\n', stderr);
        abort();
}

/* The next byte; zeros after the end. */
static unsigned take(size_t *used) {
        return *used < input_size ? input[(*used)++] : 0;
}

/* The kernel: devices, and what each has. */
struct kernel {
        const struct link_table *links;
        uint32_t mtus[DEVICES_MAX];
        bool is_auto[DEVICES_MAX]; /* a bridge that has never been given an MTU */
};

static bool is_kind(const struct link *link, const char *kind) {
        return strcmp(link->kind, kind) == 0;
}

/* vlan_dev_change_mtu(), macvlan_change_mtu(), macsec_change_mtu(), vxlan_change_mtu(): what a device on
 * `lower` can have at the most; UINT32_MAX: whatever it likes. */
static uint32_t ceiling(const struct kernel *kernel, size_t index, size_t lower) {
        const struct link *link = &kernel->links->links[index];
        uint32_t mtu = kernel->mtus[lower];

        if (is_kind(link, "vlan"))
                return mtu - (is_kind(&kernel->links->links[lower], "macsec") ? 4 : 0);
        if (is_kind(link, "macvlan"))
                return mtu;
        if (is_kind(link, "macsec"))
                return mtu - 32;
        if (is_kind(link, "vxlan"))
                return mtu - 50;
        return UINT32_MAX;
}

/* Whether it is lowered with the device below it. */
static bool falls(const struct link_table *links, const struct link *link) {
        return is_kind(link, "macvlan") || is_kind(link, "macsec") ||
               (is_kind(link, "vlan") && !is_kind(&links->links[link->lower_ifindex - 1], "macsec"));
}

static void follow_smallest_port(struct kernel *kernel, size_t bridge, unsigned depth);

/* What other devices do once this one has changed: vlan_device_event(), macvlan_device_event(),
 * macsec_notify(), ipvlan_adjust_mtu(), bond_change_mtu(), br_mtu_auto_adjust(). */
static void tell(struct kernel *kernel, size_t index, unsigned depth) {
        const struct link *links = kernel->links->links, *link = &links[index];

        REQUIRE(depth < 64);
        for (size_t i = 0; i < kernel->links->n_links; i++) {
                if (links[i].lower_ifindex == link->ifindex) {
                        if (is_kind(&links[i], "ipvlan") && kernel->mtus[i] != kernel->mtus[index])
                                kernel->mtus[i] = kernel->mtus[index];
                        else if (falls(kernel->links, &links[i]) &&
                                 kernel->mtus[i] > ceiling(kernel, i, index))
                                kernel->mtus[i] = ceiling(kernel, i, index);
                        else
                                continue;
                        tell(kernel, i, depth + 1);
                }
                if (links[i].controller_ifindex == link->ifindex &&
                    (is_kind(link, "bond") || is_kind(link, "team")) &&
                    kernel->mtus[i] != kernel->mtus[index]) {
                        kernel->mtus[i] = kernel->mtus[index];
                        tell(kernel, i, depth + 1);
                }
                if (links[i].ifindex == link->controller_ifindex && kernel->is_auto[i])
                        follow_smallest_port(kernel, i, depth + 1);
        }
}

static void follow_smallest_port(struct kernel *kernel, size_t bridge, unsigned depth) {
        uint32_t smallest = UINT32_MAX;

        for (size_t i = 0; i < kernel->links->n_links; i++)
                if (kernel->links->links[i].controller_ifindex == kernel->links->links[bridge].ifindex &&
                    kernel->mtus[i] < smallest)
                        smallest = kernel->mtus[i];
        if (smallest == UINT32_MAX || smallest == kernel->mtus[bridge])
                return;
        kernel->mtus[bridge] = smallest;
        tell(kernel, bridge, depth);
}

/* A bond or team can have what all its ports can: bond_change_mtu(), team_change_mtu(). */
static bool may_have(const struct kernel *kernel, size_t index, uint32_t mtu) {
        const struct link *links = kernel->links->links, *link = &links[index];

        for (size_t i = 0; i < kernel->links->n_links; i++)
                if ((links[i].ifindex == link->lower_ifindex && mtu > ceiling(kernel, index, i)) ||
                    (links[i].controller_ifindex == link->ifindex && !is_kind(link, "bridge") &&
                     !may_have(kernel, i, mtu)))
                        return false;
        return true;
}

/* False where the kernel refuses. */
static bool change(struct kernel *kernel, size_t index, uint32_t mtu) {
        if (!may_have(kernel, index, mtu))
                return false;
        if (kernel->mtus[index] == mtu)
                return true;
        kernel->is_auto[index] = false;
        kernel->mtus[index] = mtu;
        tell(kernel, index, 0);
        return true;
}

static bool has_ports(const struct link *link) {
        return is_kind(link, "bridge") || is_kind(link, "bond") || is_kind(link, "team");
}

/* A tunnel sends by up to three devices before it. */
static void add_ways(struct link_table *table, unsigned upper, size_t *used) {
        for (unsigned i = take(used) % 4; i > 0; i--) {
                struct underlay *way = array_add(&table->underlays, &table->n_underlays, sizeof(*way));

                REQUIRE(way);
                *way = (struct underlay){ .upper = upper, .ifindex = take(used) % upper };
                if (take(used) % 4 == 0)
                        way->mtu = 1476;
        }
}

/* Whether all that `link` receives goes to such a device: netdev_rx_handler_register(), which one kind can
 * do. */
static bool handles(const char *kind) {
        return kind[0] && strcmp(kind, "vlan") != 0 && strcmp(kind, "vxlan") != 0 &&
               strcmp(kind, "gre") != 0;
}

/* Whether what follows the device has its MTU. Else it changes with that by the next rise, which is not
 * computed. */
static bool has_followed(const struct kernel *kernel, size_t index) {
        for (size_t i = index + 1; i < kernel->links->n_links; i++)
                if (is_kind(&kernel->links->links[i], "ipvlan") &&
                    kernel->links->links[i].lower_ifindex == index + 1 &&
                    kernel->mtus[i] != kernel->mtus[index])
                        return false;
        return true;
}

/* A device stands on one before it, or has one before it as its port; its MTU is one that the kernel lets
 * be. */
static void make_stack(struct link_table *table, struct kernel *kernel, size_t *used) {
        size_t n = 2 + take(used) % (DEVICES_MAX - 1);
        const char *handlers[DEVICES_MAX] = { NULL };

        *kernel = (struct kernel){ .links = table };
        for (size_t i = 0; i < n; i++) {
                struct link link = {
                        .ifindex = (unsigned)i + 1, .mtu_min = 68, .mtu_max = 65535, .up = take(used) & 1
                };
                size_t other = i > 0 ? take(used) % i : 0;
                const char *kind = i > 0 ? kinds[take(used) % (sizeof(kinds) / sizeof(kinds[0]))] : "";
                bool is_free;

                snprintf(link.name, sizeof(link.name), "d%zu", i);
                strcpy(link.kind, kind);
                /* macvlan_common_newlink() and ipvlan_link_new() take what such a device stands on. */
                if ((is_kind(&link, "macvlan") || is_kind(&link, "ipvlan")) &&
                    is_kind(&link, table->links[other].kind))
                        other = table->links[other].lower_ifindex - 1;
                is_free = i > 0 && handles(link.kind) && !is_kind(&table->links[other], "gre") &&
                          (!handlers[other] || (!has_ports(&link) && is_kind(&link, handlers[other])));
                if (handles(link.kind) && !has_ports(&link) && !is_free)
                        link.kind[0] = '\0';
                if (is_kind(&link, "gre"))
                        add_ways(table, link.ifindex, used);
                else if (link.kind[0] && !has_ports(&link))
                        link.lower_ifindex = (unsigned)other + 1;
                REQUIRE(link_table_add(table, &link) == 0);
                /* A bridge, bond or team takes the device before it for a port, if that is free and none of
                 * them itself. */
                is_free = is_free && !(has_ports(&link) && has_ports(&table->links[other]));
                /* An ipvlan refuses another address: team_port_add(), bond_enslave(). */
                if (is_kind(&link, "bond") || is_kind(&link, "team"))
                        is_free = is_free && !is_kind(&table->links[other], "ipvlan");
                if (is_free && has_ports(&link))
                        table->links[other].controller_ifindex = link.ifindex;
                if (is_free)
                        handlers[other] = kind;
        }
        link_table_sort(table);
        tried_links = table;
        tried_steps = NULL;
        for (size_t i = 0; i < n; i++) {
                const unsigned lower = table->links[i].lower_ifindex;
                uint32_t most = lower > 0 ? ceiling(kernel, i, lower - 1) : UINT32_MAX;

                /* A bond or team has no more than its port can have. */
                for (size_t j = 0; j < i && has_ports(&table->links[i]); j++)
                        if (table->links[j].controller_ifindex == table->links[i].ifindex)
                                most = kernel->mtus[j];
                kernel->mtus[i] = most < 1400 ? most : 1400;
                kernel->is_auto[i] = is_kind(&table->links[i], "bridge");
        }
        for (size_t i = 0; i < n; i++)
                if (take(used) % 3 > 0)
                        (void)change(kernel, i, sizes[take(used) % (sizeof(sizes) / sizeof(sizes[0]))]);
        for (size_t i = 0; i < n; i++) {
                bool has_fallen = take(used) % 4 == 0;
                uint32_t before = has_fallen ? sizes[take(used) % 8] : 0;

                table->links[i].mtu = kernel->mtus[i];
                tried_statuses[i].mtu_before_fall =
                                falls(table, &table->links[i]) && has_followed(kernel, i) ? before : 0;
                tried_statuses[i].is_fixed = take(used) % 8 == 0;
        }
}

static bool falls_later(const struct steps *steps, size_t index) {
        for (size_t i = index + 1; i < steps->n_items; i++)
                if (steps->items[i].action == STEP_FALL && steps->items[i].link == steps->items[index].link)
                        return true;
        return false;
}

/* Whether a port of it stands on another device, by which the kernel may refuse what the bond or team is
 * asked for. */
static bool has_high_port(const struct link_table *links, const struct link *setter) {
        for (size_t i = 0; i < links->n_links; i++)
                if (links->links[i].controller_ifindex == setter->ifindex && !is_kind(setter, "bridge") &&
                    links->links[i].lower_ifindex > 0)
                        return true;
        return false;
}

/* Carries the steps out, as change/carry_out.c does. False where one ends it that only the kernel can
 * refuse. */
static bool carry_out(struct kernel *kernel, const struct steps *steps) {
        bool is_done[64] = { false };

        tried_steps = steps;
        REQUIRE(steps->n_items < 64);
        for (size_t i = 0; i < steps->n_items; i++) {
                const struct step *step = &steps->items[i];
                size_t index;

                REQUIRE(step->after == STEP_NONE || step->after < i);
                REQUIRE(i == 0 || step->stage >= steps->items[i - 1].stage);
                if (step->action == STEP_ABSENT)
                        continue;
                index = (size_t)(step->link - kernel->links->links);
                if (step->action == STEP_SET) {
                        /* What follows its ports may not do so: that the executor looks at again. */
                        bool is_taken = (step->reason != STEP_BRIDGE_PINNED ||
                                         change(kernel, index, step->to + 1)) &&
                                        change(kernel, index, step->to);

                        if (!is_taken && has_high_port(kernel->links, step->link))
                                return false;
                        REQUIRE(is_taken || step->is_dependent);
                        is_done[i] = is_taken;
                } else
                        is_done[i] = step->action == STEP_KEEP && kernel->mtus[index] == step->to;
                REQUIRE(step->action != STEP_KEEP || is_done[i]);
        }
        /* What was done stays so: no later step takes it back, unless the lines contradict each other, which
         * shows as a fall. */
        for (size_t i = 0; i < steps->n_items; i++) {
                const struct step *step = &steps->items[i];

                if (is_done[i] && !step->is_dependent && !falls_later(steps, i))
                        REQUIRE(kernel->mtus[step->link - kernel->links->links] == step->to);
        }
        return true;
}

/* The largest packet of a device whose line says auto for which there is room everywhere. */
static uint32_t room_below(const struct kernel *kernel, const struct device_status *statuses, size_t index) {
        const struct link_table *links = kernel->links;
        const struct link *link = &links->links[index];
        uint32_t room = UINT32_MAX;

        for (size_t i = 0; i < links->n_links; i++) {
                const struct link *other = &links->links[i];
                uint32_t mtu = kernel->mtus[i], own = UINT32_MAX;

                if (other->ifindex == link->lower_ifindex)
                        own = is_kind(link, "ipvlan") ? mtu : ceiling(kernel, index, i);
                /* A port without a line has what its bond has. */
                if (other->controller_ifindex == link->ifindex &&
                    (is_kind(link, "bridge") || statuses[i].line))
                        own = mtu;
                if (other->ifindex == link->controller_ifindex && !is_kind(other, "bridge"))
                        own = mtu;
                for (size_t j = 0; j < links->n_underlays; j++) {
                        const struct underlay *way = &links->underlays[j];
                        uint32_t carried = way->mtu > 0 && way->mtu < mtu ? way->mtu : mtu;

                        if (way->upper == link->ifindex && way->ifindex == other->ifindex &&
                            carried - 24 < own)
                                own = carried - 24;
                }
                room = own < room ? own : room;
        }
        return room;
}

/* Whether lines contradict each other. */
static bool has_refusal(const struct steps *steps) {
        for (size_t i = 0; i < steps->n_items; i++)
                if (steps->items[i].action == STEP_REFUSE && steps->items[i].reason != STEP_IMPOSSIBLE)
                        return true;
        return false;
}

/* Whether a device gets more than the computation counts on: what it had before a fall, what the device
 * has that it follows and has not followed so far, or more after it has changed with that. */
static bool has_surplus(const struct kernel *kernel, const struct steps *steps) {
        const struct link *links = kernel->links->links;

        for (size_t i = 0; i < steps->n_items; i++)
                if (steps->items[i].reason == STEP_REGAINS || steps->items[i].reason == STEP_AFTER_LEADER)
                        return true;
        for (size_t i = 0; i < kernel->links->n_links; i++)
                /* The kernel would refuse much of what a bond does to a port that stands on a device. */
                if ((links[i].lower_ifindex > 0 && links[i].controller_ifindex > 0) ||
                    (is_kind(&links[i], "ipvlan") && links[links[i].lower_ifindex - 1].mtu != links[i].mtu))
                        return true;
        return false;
}

/* What was set because the line says auto is never too much for what is below; and one byte more would be.
 */
static void check_fits(const struct kernel *kernel, const struct device_statuses *statuses,
                       const struct steps *steps, bool is_all) {
        bool is_exact = is_all && !has_refusal(steps) && !has_surplus(kernel, steps);

        for (size_t i = 0; i < steps->n_items; i++) {
                const struct step *step = &steps->items[i];
                size_t index = step->link ? (size_t)(step->link - kernel->links->links) : 0;
                uint32_t room;

                if (!step->link || !step->line || !step->line->spec.is_auto || falls_later(steps, i) ||
                    (step->action != STEP_SET && step->action != STEP_KEEP))
                        continue;
                room = room_below(kernel, statuses->items, index);
                REQUIRE(room < UINT32_MAX);
                REQUIRE(kernel->mtus[index] <= room);
                REQUIRE(!is_exact || kernel->mtus[index] == room);
        }
}

/* Each device with a line has one step that says what becomes of it. */
static void check_lines(const struct device_statuses *statuses, const struct steps *steps) {
        for (size_t i = 0; i < statuses->n_items; i++) {
                size_t n = 0;

                for (size_t j = 0; j < steps->n_items; j++)
                        n += steps->items[j].line == statuses->items[i].line &&
                             steps->items[j].action != STEP_FALL;
                REQUIRE(!statuses->items[i].line || n == 1);
        }
}

static void ignore(void *userdata, const struct diagnostic *diagnostic) {
        (void)userdata;
        (void)diagnostic;
}

void property_steps(const uint8_t *data, size_t size) {
        const struct diagnostic_sink sink = { .report = ignore };
        struct link_table table = { .n_links = 0 };
        struct device_statuses statuses;
        struct steps steps;
        struct kernel kernel, once_more;
        struct config config;
        char text[DEVICES_MAX * 16 + 32] = "";
        size_t used = 0;
        bool contradict;

        input = data;
        input_size = size;
        make_stack(&table, &kernel, &used);
        for (size_t i = 0; i < table.n_links; i++)
                if (take(&used) % 3 > 0) {
                        unsigned which = take(&used) % 12;

                        if (which < 8)
                                snprintf(text + strlen(text), sizeof(text) - strlen(text), "d%zu=%u\n", i,
                                         sizes[which]);
                        else
                                snprintf(text + strlen(text), sizeof(text) - strlen(text), "d%zu=auto\n", i);
                }
        strcat(text, "away=9000\n");
        config = (struct config){ 0 };
        REQUIRE(config_parse_file(&config, "f", text, strlen(text), &sink) == 0);
        REQUIRE(device_statuses_make(&config, &table, &statuses) == 0);
        for (size_t i = 0; i < table.n_links; i++) {
                statuses.items[i].mtu_before_fall = tried_statuses[i].mtu_before_fall;
                statuses.items[i].is_fixed = tried_statuses[i].is_fixed;
        }

        once_more = kernel;
        REQUIRE(steps_make(&statuses, &table, NULL, 0, &steps) == 0);
        check_lines(&statuses, &steps);
        if (carry_out(&kernel, &steps))
                check_fits(&kernel, &statuses, &steps, true);
        contradict = has_refusal(&steps);
        steps_free(&steps);

        /* One device as its unit does it. */
        for (size_t i = 0; i < table.n_links; i++) {
                const struct step_target target = { .link = &table.links[i],
                                                    .line = statuses.items[i].line,
                                                    .mtu = sizes[take(&used) % 8] };

                kernel = once_more;
                if (!target.line)
                        continue;
                REQUIRE(steps_make(&statuses, &table, &target, 1, &steps) == 0);
                if (carry_out(&kernel, &steps) && !contradict)
                        check_fits(&kernel, &statuses, &steps, false);
                steps_free(&steps);
        }
        tried_links = NULL;
        tried_steps = NULL;
        device_statuses_free(&statuses);
        link_table_free(&table);
        config_free(&config);
}
