/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Whatever is written about a device, some things hold: 20,000 devices with sources drawn at random. */

#include "explain/explanation.h"
#include "explain/note.h"
#include "rows.h"

static uint64_t seed = 1;

/* xorshift64*: the same on each machine. */
static unsigned draw(unsigned n) {
        seed ^= seed >> 12;
        seed ^= seed << 25;
        seed ^= seed >> 27;
        return (unsigned)((seed * 2685821657736338717ULL) >> 33) % n;
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

static char *copy(const char *text) {
        char *made = strdup(text);

        assert_non_null(made);
        return made;
}

static struct mtu_sources draw_sources(void) {
        struct mtu_sources sources = { 0 };

        for (unsigned n = draw(8); n > 0; n--) {
                struct mtu_source source = {
                        .kind = (enum source_kind)draw(SOURCE_COUNT),
                        .match = (enum source_match)draw(MATCH_OTHER + 1),
                        .file = DRAW(files),
                        .line = draw(3),
                        .mtu = DRAW(mtus),
                        .inactive = draw(5) == 0,
                        .conditional = draw(5) == 0,
                };

                if (source.match != MATCH_ANY)
                        source.device = DRAW(names);
                if (source.mtu > 0)
                        source.value = "9000";
                mtu_sources_add(&sources, &source);
        }
        assert_false(sources.pool.failed);
        return sources;
}

static void draw_owners(struct owners *owners) {
        for (unsigned i = 0; i < OWNER_COUNT; i++) {
                owners->has[i] = draw(3) == 0;
                if (owners->has[i] && draw(2))
                        owners->profile[i] = copy(DRAW(files));
        }
        if (draw(2))
                owners->link_file = copy(DRAW(files));
        if (draw(4) == 0) {
                owners->lease_mtu = 1400;
                owners->lease_file = copy("/run/NetworkManager/devices/7");
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
                };

                snprintf(link.name, sizeof(link.name), "eth%u", i - 7);
                snprintf(link.kind, sizeof(link.kind), "%s", DRAW(kinds));
                assert_errno(link_table_add(&links, &link), 0);
        }
        link_table_sort(&links);
        return links;
}

static void check_steps(const struct explanation *explanation) {
        const struct explain_step *winner = NULL;
        bool is_contradicted = false;

        for (size_t i = 0; i < explanation->n_steps; i++) {
                const struct explain_step *step = &explanation->steps[i];

                assert_true(step->reason[0]);
                assert_true(i == 0 || step[-1].phase <= step->phase);
                if (step->effect == EXPLAIN_WINS) {
                        assert_null(winner);
                        winner = step;
                }
                is_contradicted |= step->contradicts;
        }
        assert_ptr_equal(explanation->winner, winner);
        assert_int_equal(explanation->is_contradicted, is_contradicted);
        for (size_t i = 0; i < explanation->n_steps; i++) {
                const struct explain_step *step = &explanation->steps[i];

                /* Nothing acts behind the winner. */
                if (winner && (step->effect == EXPLAIN_OVERRIDDEN || step->effect == EXPLAIN_SAME))
                        assert_true(step < winner);
                if (step->effect == EXPLAIN_SAME)
                        assert_int_equal(step->mtu, winner->mtu);
                if (step->contradicts) {
                        assert_non_null(winner);
                        assert_true(step->file && step->mtu != winner->mtu && step->effect != EXPLAIN_IDLE);
                }
        }
}

/* For a failure to be understood. */
static void show(const struct explanation *explanation) {
        for (size_t i = 0; i < explanation->n_steps; i++) {
                const struct explain_step *step = &explanation->steps[i];

                print_message("%s %s %u %s%s: %s\n", step->source, step->file ? step->file : "-", step->mtu,
                              explain_effect_name(step->effect), step->contradicts ? " !" : "",
                              step->reason);
        }
        print_message("verdict: %s\nadvice: %s\n", explanation->verdict, explanation->advice);
}

static void check(const struct explain_device *device, const struct explanation *explanation) {
        check_steps(explanation);
        assert_true(explanation->verdict[0]);
        if ((explanation->is_contradicted || !explanation->is_explained) && !explanation->advice[0]) {
                show(explanation);
                fail_msg("no advice");
        }
        /* Where it is explained by a winner it has what that one sets. */
        if (device->link && explanation->winner && explanation->is_explained)
                assert_int_equal(explanation->expected, device->link->mtu);
        if (!device->link)
                assert_true(explanation->is_explained);
}

static void test_invariants(void **state) {
        (void)state;
        for (unsigned i = 0; i < 20000; i++) {
                struct link_table links = draw_links();
                struct mtu_sources sources = draw_sources();
                struct explain_machine machine = { .sources = &sources, .links = &links };
                struct config_line line = {
                        .name = "eth0", .spec.mtu = DRAW(mtus), .file = "/etc/conf.d/setmtu", .line = 1
                };
                struct device_plan planned = { .line = &line,
                                               .backend = (enum backend)draw(BACKEND_COUNT),
                                               .instance = "eth0",
                                               .has_rule = draw(2) };
                struct explain_device device = {
                        .name = "eth0",
                        .link = draw(8) ? link_table_by_ifindex(&links, 7) : NULL,
                        .addresses = { .mac = "52:54:00:12:34:56" },
                        .original = DRAW(mtus),
                        .is_masked = draw(8) == 0,
                        .foreign_template = draw(8) ? NULL : "/etc/systemd/system/setmtu@.service",
                        .line = draw(2) ? &line : NULL,
                };
                struct network_sysctls sysctls = { 0 };
                struct explain_note notes[EXPLAIN_NOTES_MAX];
                struct explanation explanation;

                if (device.line && draw(8))
                        device.planned = &planned;
                if (device.link)
                        draw_owners(&device.owners);
                assert_errno(explanation_make(&device, &machine, &explanation), 0);
                check(&device, &explanation);
                assert_true(note_make(&device, &links, &sysctls, &explanation, notes) <= EXPLAIN_NOTES_MAX);
                explanation_free(&explanation);
                owners_free(&device.owners);
                mtu_sources_free(&sources);
                link_table_free(&links);
        }
}

int main(void) {
        const struct CMUnitTest tests[] = { cmocka_unit_test(test_invariants) };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
