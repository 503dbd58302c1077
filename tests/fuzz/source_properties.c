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
#include "sources/choice.h"
#include "sources/dhcp.h"
#include "sources/docker.h"
#include "sources/format.h"
#include "sources/freebsd.h"
#include "sources/ifcfg.h"
#include "sources/ifupdown.h"
#include "sources/ifupdown2.h"
#include "sources/irix.h"
#include "sources/netctl.h"
#include "sources/netplan.h"
#include "sources/network.h"
#include "sources/networkmanager.h"
#include "sources/openrc.h"
#include "sources/script.h"
#include "sources/tuned.h"
#include "sources/udev_rule.h"
#include "sources/unit.h"

typedef int source_reader(const struct reading *reading);

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

/* One line of text, harmless on a terminal. */
static bool is_presentable(const char *text) {
        for (const unsigned char *c = (const unsigned char *)text; *c; c++)
                if (*c < 0x20 || *c == 0x7f || (*c == 0xc2 && c[1] < 0xa0))
                        return false;
        return text_is_utf8(text, strlen(text));
}

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
        REQUIRE(is_presentable(diagnostic->text));
        REQUIRE(diagnostic->line <= size + 1);
}

static bool is_equal(const char *a, const char *b) {
        return a && b ? strcmp(a, b) == 0 : a == b;
}

static void check_finding(const uint8_t *data, size_t size, const struct finding *finding) {
        REQUIRE((unsigned)finding->source < SOURCE_COUNT);
        REQUIRE(source_name(finding->source) != NULL);
        REQUIRE(finding->file != NULL);
        REQUIRE(finding->line <= size + 1);
        REQUIRE((finding->device == NULL) == (finding->match == FINDING_ANY));
        REQUIRE(finding->mtu == 0 || !finding->unclear);
        REQUIRE(finding->mtu == 0 || finding->value);
        REQUIRE(finding->mtu > 0 || !finding->value || finding->unclear);
        REQUIRE(finding->mtu <= INT32_MAX);
}

/* What is taken of them can be written down, and means the same when it is read. */
static void check_choices(const uint8_t *data, size_t size, const struct findings *findings) {
        static char names[][8] = { "eth0", "br-lan" };
        struct device items[] = { { names[0], "52:54:00:12:34:56", true },
                                  { names[1], "02:00:00:00:00:01", false } };
        const struct devices devices = { items, 2 };
        struct told told = { data, size, 0 };
        const struct diagnostic_sink sink = { check_diagnostic, &told };
        CLEANUP(choices_free) struct choices choices = { 0 };
        CLEANUP(cleanup_free) char *text = NULL;
        struct config config;
        size_t length = 0, n = 0;
        FILE *stream;

        if (choices_make(findings, &devices, &choices) < 0)
                abort();
        for (size_t i = 0; i < choices.n_refusals; i++)
                REQUIRE(is_presentable(choices.refusals[i].why));
        stream = open_memstream(&text, &length);
        if (!stream)
                abort();
        /* Not in the first line, where a byte order mark is none of a name. */
        fputs("#\n", stream);
        for (size_t i = 0; i < choices.n_items; i++)
                if (choices.items[i].taken) {
                        fprintf(stream, "%s=%" PRIu32 "\n", choices.items[i].device,
                                choices.items[i].taken->mtu);
                        n++;
                }
        fclose(stream);
        config_init(&config);
        if (config_parse_file(&config, "lines", text, length, &sink) < 0)
                abort();
        REQUIRE(config.n_lines == n);
        for (size_t i = 0; i < choices.n_items; i++) {
                const struct config_line *line = config_find(&config, choices.items[i].device);

                REQUIRE(!choices.items[i].taken || (line && line->spec.mtu == choices.items[i].taken->mtu));
        }
        config_free(&config);
}

static void check_all(const uint8_t *data, size_t size, const struct findings *findings,
                      const struct findings *again) {
        REQUIRE(findings->n_items == again->n_items);
        for (size_t i = 0; i < findings->n_items; i++) {
                const struct finding *a = &findings->items[i], *b = &again->items[i];

                check_finding(data, size, a);
                REQUIRE(a->mtu == b->mtu && a->line == b->line && is_equal(a->device, b->device) &&
                        is_equal(a->value, b->value) && is_equal(a->unclear, b->unclear));
        }
        check_choices(data, size, findings);
}

static void check(const uint8_t *data, size_t size, const char *file, source_reader *reader) {
        struct findings findings[2] = { 0 };
        struct told told[2] = { { data, size, 0 }, { data, size, 0 } };

        for (size_t i = 0; i < 2; i++) {
                const struct diagnostic_sink sink = { check_diagnostic, &told[i] };
                const struct reading reading = { .file = file,
                                                 .text = (const char *)data,
                                                 .size = size,
                                                 .sink = &sink,
                                                 .findings = &findings[i] };

                if (reader(&reading) < 0)
                        abort();
        }
        REQUIRE(told[0].n == told[1].n);
        check_all(data, size, &findings[0], &findings[1]);
        findings_free(&findings[0]);
        findings_free(&findings[1]);
}

static int read_irix(const struct reading *reading) {
        static const char netif[] = "if1name=tg1\n";

        return source_irix_read(reading, netif, strlen(netif));
}

static int read_lease(const struct reading *reading) {
        return source_lease_read(reading, "eth0");
}

static int read_lease_message(const struct reading *reading) {
        return source_lease_read_message(reading, "eth0");
}

#define READER(name, file, reader)                                      \
        void property_source_##name(const uint8_t *data, size_t size) { \
                check(data, size, file, reader);                        \
        }

READER(script, "/etc/rc.local", source_script_read)
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
READER(freebsd, "/etc/rc.conf", source_freebsd_read)
READER(irix, "/etc/config/ifconfig-1.options", read_irix)
READER(dhcpcd, "/etc/dhcpcd.conf", source_dhcpcd_read)
READER(dhclient, "/etc/dhcp/dhclient.conf", source_dhclient_read)
READER(dhclient_leases, "/var/lib/dhcp/dhclient.leases", source_dhclient_leases_read)
READER(lease, "/run/systemd/netif/leases/2", read_lease)
READER(lease_message, "/var/lib/dhcpcd/eth0.lease", read_lease_message)
READER(udev_rule, "/etc/udev/rules.d/a.rules", source_udev_rule_read)
READER(docker, "/etc/docker/daemon.json", source_docker_read)

/* Two texts in one input, apart by a NUL. */
static void split(const uint8_t *data, size_t size, size_t *ret_first, size_t *ret_second) {
        const uint8_t *end = size > 0 ? memchr(data, '\0', size) : NULL;

        *ret_first = end ? (size_t)(end - data) : size;
        *ret_second = end ? *ret_first + 1 : size;
}

void property_source_ifupdown(const uint8_t *data, size_t size) {
        char included[64];
        size_t position = 0, before;
        bool is_folder;

        check(data, size, "/etc/network/interfaces", source_ifupdown_read);
        check(data, size, "/etc/network/interfaces", source_ifupdown2_interfaces_read);
        source_ifupdown_brings_up((const char *)data, size, "eth0");
        do {
                before = position;
                if (!source_ifupdown_included((const char *)data, size, &position, &is_folder, included,
                                              sizeof(included)))
                        break;
                REQUIRE(position > before);
        } while (true);
        REQUIRE(position <= size);
}

void property_source_netctl(const uint8_t *data, size_t size) {
        struct told told = { data, size, 0 };
        const struct diagnostic_sink sink = { check_diagnostic, &told };
        const struct reading reading = {
                .file = "/etc/netctl/a", .text = (const char *)data, .size = size, .sink = &sink
        };
        CLEANUP(cleanup_free) char *interface = NULL;

        if (source_netctl_interface(&reading, &interface) < 0)
                abort();
        check(data, size, "/etc/netctl/a", source_netctl_read);
}

void property_source_tuned(const uint8_t *data, size_t size) {
        char included[64] = "";

        check(data, size, "/etc/tuned/a/tuned.conf", source_tuned_read);
        source_tuned_include((const char *)data, size, included, sizeof(included));
        REQUIRE(strlen(included) < sizeof(included));
}

/* The unit, and behind a NUL the file that it takes its values from. */
void property_source_unit(const uint8_t *data, size_t size) {
        struct findings findings[2] = { 0 };
        static const struct unit_instance instances[] = { { "eth0", false }, { "br\\x2dlan", false } };
        static const char *const names[] = { "setmtu@.service", "a.service", "a@b.service" };
        size_t first, second;

        split(data, size, &first, &second);
        for (size_t name = 0; name < sizeof(names) / sizeof(names[0]); name++) {
                for (size_t i = 0; i < 2; i++) {
                        struct told told = { data, size, 0 };
                        const struct diagnostic_sink sink = { check_diagnostic, &told };
                        struct network_file file = { .name = strdup(names[name]), .path = strdup("/etc/a") };
                        const struct unit_environment_file environment = {
                                .path = "/etc/conf.d/setmtu",
                                .text = (const char *)data + second,
                                .size = size - second,
                        };
                        const struct unit_text unit = { .name = names[name],
                                                        .file = &file,
                                                        .environment_files = &environment,
                                                        .n_environment_files = 1,
                                                        .instances = instances,
                                                        .n_instances = name == 0 ? 2 : 0 };
                        const struct reading reading = { .file = "/etc/a",
                                                         .sink = &sink,
                                                         .findings = &findings[i] };
                        size_t position = 0;

                        if (network_file_parse(&file, (const char *)data, first) == 0) {
                                if (source_unit_read(&reading, &unit) < 0)
                                        abort();
                                source_unit_is_candidate(&file);
                                while (source_unit_environment_file(&file, &position))
                                        ;
                        }
                        network_file_free(&file);
                }
                check_all(data, size, &findings[0], &findings[1]);
                findings_free(&findings[0]);
                findings_free(&findings[1]);
        }
}

void property_source_format(const uint8_t *data, size_t size) {
        const struct source_format *format = source_format_recognise("a", (const char *)data, size);

        REQUIRE(!format || source_format_find(format->name) == format);
        if (format && format->read)
                check(data, size, "a", format->read);
}
