/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "source_properties.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "config/config.h"
#include "sources/format/format.h"
#include "sources/format/readers.h"
#include "sources/format/unit_files.h"
#include "sources/import/import_selection.h"
#include "sources/shell/script.h"

_Noreturn static void violated(const uint8_t *data, size_t size, int line, const char *expression) {
        fprintf(stderr, "%s:%d: does not hold: %s\ninput of %zu bytes: printf '", __FILE__, line, expression,
                size);
        for (size_t i = 0; i < size; i++)
                if (isalnum(data[i]) || (data[i] != 0 && strchr(" =.,:;#_-\"/", data[i])))
                        putc(data[i], stderr);
                else
                        fprintf(stderr, "\\%03o", data[i]);
        fputs("'\n", stderr);
        abort();
}

#define REQUIRE(expression)                                          \
        do {                                                         \
                if (!(expression))                                   \
                        violated(data, size, __LINE__, #expression); \
        } while (0)

struct told {
        const uint8_t *data;
        size_t size;
        unsigned n;
};

static void check_diagnostic(void *userdata, const struct diagnostic *diagnostic) {
        struct told *told = userdata;
        const uint8_t *data = told->data;
        size_t size = told->size;

        told->n++;
        REQUIRE(diagnostic->file && *diagnostic->file);
        REQUIRE(diagnostic->text && *diagnostic->text);
        REQUIRE(text_is_plain(diagnostic->text));
        REQUIRE(diagnostic->line <= size + 1);
}

static bool is_equal(const char *a, const char *b) {
        return a && b ? strcmp(a, b) == 0 : a == b;
}

static void check_source(const uint8_t *data, size_t size, const struct mtu_source *source) {
        REQUIRE((unsigned)source->kind < SOURCE_COUNT);
        REQUIRE(source_kind_name(source->kind) != NULL);
        REQUIRE(source->file != NULL);
        REQUIRE(source->line <= size + 1);
        REQUIRE((source->device == NULL) == (source->match == MATCH_ANY));
        REQUIRE(source->mtu == 0 || !source->unclear);
        REQUIRE(source->mtu == 0 || source->value);
        REQUIRE(source->mtu > 0 || !source->value || source->unclear);
        REQUIRE(source->mtu <= INT32_MAX);
}

/* What is taken of them can be written down, and means the same when it is read. */
static void check_selection(const uint8_t *data, size_t size, struct mtu_sources *sources) {
        static char names[][8] = { "eth0", "br-lan" };
        struct device items[] = { { names[0], "52:54:00:12:34:56", true },
                                  { names[1], "02:00:00:00:00:01", false } };
        const struct devices devices = { items, 2, sources };
        struct told told = { data, size, 0 };
        const struct diagnostic_sink sink = { check_diagnostic, &told };
        CLEANUP(import_selection_free) struct import_selection selection = { 0 };
        CLEANUP(cleanup_free) char *text = NULL;
        struct config config;
        size_t length = 0, n = 0;
        FILE *stream;

        if (import_selection_make(&devices, &selection) < 0)
                abort();
        for (size_t i = 0; i < selection.n_refusals; i++)
                REQUIRE(text_is_plain(selection.refusals[i].why));
        stream = open_memstream(&text, &length);
        if (!stream)
                abort();
        /* Not in the first line, where a byte order mark is none of a name. */
        fputs("#\n", stream);
        for (size_t i = 0; i < selection.n_devices; i++)
                if (selection.devices[i].taken) {
                        fprintf(stream, "%s=%" PRIu32 "\n", selection.devices[i].name,
                                selection.devices[i].taken->mtu);
                        n++;
                }
        fclose(stream);
        config = (struct config){ 0 };
        if (config_parse_file(&config, "lines", text, length, &sink) < 0)
                abort();
        REQUIRE(config.n_lines == n);
        for (size_t i = 0; i < selection.n_devices; i++) {
                const struct config_line *line = config_find(&config, selection.devices[i].name);

                REQUIRE(!selection.devices[i].taken ||
                        (line && line->spec.mtu == selection.devices[i].taken->mtu));
        }
        config_free(&config);
}

static void check_all(const uint8_t *data, size_t size, struct mtu_sources *sources,
                      const struct mtu_sources *again) {
        REQUIRE(sources->n_items == again->n_items);
        for (size_t i = 0; i < sources->n_items; i++) {
                const struct mtu_source *a = &sources->items[i], *b = &again->items[i];

                check_source(data, size, a);
                REQUIRE(a->mtu == b->mtu && a->line == b->line && is_equal(a->device, b->device) &&
                        is_equal(a->value, b->value) && is_equal(a->unclear, b->unclear));
        }
        check_selection(data, size, sources);
}

/* Two parsers of one text with sinks and sources of their own, which are to say the same. */
struct twins {
        struct mtu_sources sources[2];
        struct told told[2];
        struct diagnostic_sink sinks[2];
        struct source_parser parsers[2];
};

static void make_twins(struct twins *twins, const uint8_t *data, size_t size, const char *file) {
        static const char netif[] = "if1name=tg1\n";

        for (size_t i = 0; i < 2; i++) {
                twins->sources[i] = (struct mtu_sources){ 0 };
                twins->told[i] = (struct told){ data, size, 0 };
                twins->sinks[i] = (struct diagnostic_sink){ check_diagnostic, &twins->told[i] };
                twins->parsers[i] = (struct source_parser){ .file = file,
                                                            .text = (const char *)data,
                                                            .size = size,
                                                            .sink = &twins->sinks[i],
                                                            .sources = &twins->sources[i],
                                                            .device = "eth0",
                                                            .beside = netif,
                                                            .beside_size = strlen(netif) };
        }
}

static void check_twins(const uint8_t *data, size_t size, struct twins *twins) {
        REQUIRE(!twins->sources[0].pool.failed && !twins->sources[1].pool.failed);
        REQUIRE(twins->told[0].n == twins->told[1].n);
        check_all(data, size, &twins->sources[0], &twins->sources[1]);
        mtu_sources_free(&twins->sources[0]);
        mtu_sources_free(&twins->sources[1]);
}

static void check(const uint8_t *data, size_t size, const char *file, source_reader *reader) {
        struct twins twins;

        make_twins(&twins, data, size, file);
        reader(&twins.parsers[0]);
        reader(&twins.parsers[1]);
        check_twins(data, size, &twins);
}

#define READER(name, file, reader)                                      \
        void property_source_##name(const uint8_t *data, size_t size) { \
                check(data, size, file, reader);                        \
        }

READER(link, "/etc/systemd/network/10-a.link", source_link_read_text)
READER(network, "/etc/systemd/network/10-a.network", source_network_read_text)
READER(netplan, "/etc/netplan/a.yaml", source_netplan_read)
READER(nm_profile, "/etc/NetworkManager/system-connections/a", source_nm_profile_read)
READER(nm_conf, "/etc/NetworkManager/NetworkManager.conf", source_nm_conf_read)
READER(ifupdown2, "/etc/network/ifupdown2/policy.d/a.json", source_ifupdown2_read)
READER(ifcfg, "/etc/sysconfig/network/ifcfg-eth0", source_ifcfg_read)
READER(netctl_hook, "/etc/netctl/interfaces/eth0", source_netctl_hook_read)
READER(netcfg, "/etc/network.d/a", source_netcfg_read)
READER(openrc, "/etc/conf.d/net", source_openrc_read)
READER(cron, "/etc/cron.d/mtu", source_cron_read)
READER(wsl, "/etc/wsl.conf", source_wsl_read)
READER(wireguard, "/etc/wireguard/wg0.conf", source_wireguard_read)
READER(freebsd, "/etc/rc.conf", source_freebsd_read)
READER(irix, "/etc/config/ifconfig-1.options", source_irix_read)
READER(dhcpcd, "/etc/dhcpcd.conf", source_dhcpcd_read)
READER(dhclient, "/etc/dhcp/dhclient.conf", source_dhclient_read)
READER(dhclient_leases, "/var/lib/dhcp/dhclient.leases", source_dhclient_leases_read)
READER(lease, "/run/systemd/netif/leases/2", source_lease_read)
READER(lease_message, "/var/lib/dhcpcd/eth0.lease", source_lease_read_message)
READER(docker, "/etc/docker/daemon.json", source_docker_read)

static void check_units(const uint8_t *data, size_t size, const struct pool_list *units) {
        REQUIRE(units->n_items <= SOURCES_MAX);
        for (size_t i = 0; i < units->n_items; i++)
                REQUIRE(*units->items[i]);
}

void property_source_script(const uint8_t *data, size_t size) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        struct pool_list units = { 0 };

        check(data, size, "/etc/rc.local", source_script_read);
        source_systemctl_starts(&pool, pool_copy_part(&pool, (const char *)data, size), &units);
        check_units(data, size, &units);
        for (size_t i = 0; i < units.n_items; i++)
                REQUIRE(!strpbrk(units.items[i], "/$ \t\"'`") && strchr(units.items[i], '.'));
}

void property_source_udev_rule(const uint8_t *data, size_t size) {
        struct pool_list units = { 0 };
        struct twins twins;

        check(data, size, "/etc/udev/rules.d/a.rules", source_udev_rule_read);
        make_twins(&twins, data, size, "/etc/udev/rules.d/a.rules");
        source_udev_wants(&twins.parsers[0], &units);
        check_units(data, size, &units);
        check_twins(data, size, &twins);
}

/* Two texts in one input, apart by a NUL. */
static void split(const uint8_t *data, size_t size, size_t *ret_first, size_t *ret_second) {
        const uint8_t *end = size > 0 ? memchr(data, '\0', size) : NULL;

        *ret_first = end ? (size_t)(end - data) : size;
        *ret_second = end ? *ret_first + 1 : size;
}

static void read_ifupdown2(const struct source_parser *parser) {
        struct ifupdown all = { .is_second = true, .is_whole = true };

        ifupdown_add(&all, parser);
        ifupdown_read(&all);
}

static void forget_included(struct ifupdown *all, const char *file, const char *path, bool is_folder) {
        (void)all;
        (void)file;
        (void)path;
        (void)is_folder;
}

static void read_including(const struct source_parser *parser) {
        struct ifupdown all = { .may_be_second = true, .is_whole = true, .include = forget_included };

        ifupdown_add(&all, parser);
        ifupdown_read(&all);
}

void property_source_ifupdown(const uint8_t *data, size_t size) {
        check(data, size, "/etc/network/interfaces", source_ifupdown_read);
        check(data, size, "/etc/network/interfaces", read_ifupdown2);
        check(data, size, "/etc/network/interfaces", read_including);
}

void property_source_netctl(const uint8_t *data, size_t size) {
        struct twins twins;

        make_twins(&twins, data, size, "/etc/netctl/a");
        REQUIRE(is_equal(source_netctl_interface(&twins.parsers[0]),
                         source_netctl_interface(&twins.parsers[1])));
        check_twins(data, size, &twins);
        check(data, size, "/etc/netctl/a", source_netctl_read);
}

void property_source_tuned(const uint8_t *data, size_t size) {
        const char *included;
        struct twins twins;

        check(data, size, "/etc/tuned/a/tuned.conf", source_tuned_read);
        make_twins(&twins, data, size, "/etc/tuned/a/tuned.conf");
        included = source_tuned_include(&twins.parsers[0]);
        REQUIRE(!included || strlen(included) < size);
        check_twins(data, size, &twins);
}

/* The unit, and behind a NUL the file that it takes its values from. */
void property_source_unit(const uint8_t *data, size_t size) {
        static const char *instances[] = { "eth0", "br\\x2dlan" };
        static const char *const names[] = { "setmtu@.service", "a.service", "a@b.service" };
        size_t first, second;

        split(data, size, &first, &second);
        for (size_t name = 0; name < sizeof(names) / sizeof(names[0]); name++) {
                struct twins twins;

                make_twins(&twins, data, size, "/etc/a");
                for (size_t i = 0; i < 2; i++) {
                        struct network_file file = network_file_open(names[name], "/etc/a");
                        struct unit_environment_file environment = {
                                .path = "/etc/conf.d/setmtu",
                                .text = (const char *)data + second,
                                .size = size - second,
                        };
                        const struct unit_text unit = { .name = names[name],
                                                        .file = &file,
                                                        .environment_files = &environment,
                                                        .n_environment_files = 1,
                                                        .instances = { instances, name == 0 ? 2 : 0 } };

                        if (network_file_parse(&file, (const char *)data, first) == 0) {
                                source_unit_read(&twins.parsers[i], &unit);
                                source_unit_is_candidate(&file, &(bool){ false });
                        }
                        network_file_free(&file);
                }
                check_twins(data, size, &twins);
        }
}

void property_source_format(const uint8_t *data, size_t size) {
        const struct source_format *format = source_format_recognise("a", (const char *)data, size);

        REQUIRE(!format || format->foreign || source_format_find(format->name) == format);
        if (format && format->read)
                check(data, size, "a", format->read);
}
