/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "explain/explain_facts.h"

#include <errno.h>
#include <linux/netdevice.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/whole_file.h"
#include "kernel/ethtool.h"
#include "sources/scan/scan.h"
#include "store/mtu_record.h"
#include "system/network_files.h"
#include "system/owner_state.h"
#include "system/systemd_manager.h"
#include "system/unit_state.h"

/* Adds a file once, even if each device asks for it. */
static void add_unread(struct explain_facts *facts, const char *file) {
        (void)pool_list_add(&facts->sources.pool, &facts->unread, file);
        facts->is_partial = true;
}

/* The sink for mistakes in the sources. Collects unreadable files, to report them once. */
static void take_mistake(void *userdata, const struct diagnostic *diagnostic) {
        struct explain_facts *facts = userdata;

        if (diagnostic->whole_file)
                add_unread(facts, diagnostic->file);
        else
                facts->sink->report(facts->sink->userdata, diagnostic);
}

/* A foreign setmtu@.service that systemd prefers to one in /usr/lib: systemd.unit(5). */
static const char *find_foreign_template(struct explain_facts *facts) {
        static const char *const paths[] = {
                "/etc/systemd/system/setmtu@.service",
                "/run/systemd/system/setmtu@.service",
                "/usr/local/lib/systemd/system/setmtu@.service",
        };

        for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
                int r = whole_file_exists(paths[i]);

                if (r < 0)
                        add_unread(facts, paths[i]);
                if (r <= 0 || strcmp(paths[i], SYSTEM_UNIT_DIR "/setmtu@.service") == 0)
                        continue;
                /* The check of each device asks again, and reports what cannot be read. */
                return unit_is_masked("setmtu@.service") > 0 ? NULL : paths[i];
        }
        return NULL;
}

/* Whether that hook of setmtu exists and still asks setmtu-apply; otherwise it does nothing. */
static bool has_hook(struct explain_facts *facts, const char *path) {
        CLEANUP(cleanup_free) char *text = NULL;
        int r = whole_file_read(path, 64 * 1024, &text, &(size_t){ 0 });

        if (r < 0 && r != -ENOENT && r != -ENOTDIR)
                add_unread(facts, path);
        return r == 0 && strstr(text, "\nif [ -x /") && strstr(text, "/setmtu-apply --has-line ");
}

long long network_sysctl_read(const char *key, unsigned index) {
        CLEANUP(cleanup_free) char *text = NULL;
        char path[128], *rest, *end;
        long long value = 0;
        int r;

        snprintf(path, sizeof(path), "/proc/sys/%s", key);
        r = whole_file_read(path, 4096, &text, &(size_t){ 0 });
        if (r < 0)
                return r;
        rest = text;
        for (unsigned i = 0; i <= index; i++, rest = end) {
                value = strtoll(rest, &end, 10);
                if (end == rest || value < 0)
                        return -EBADMSG;
        }
        return value;
}

int explain_facts_make(const struct snapshot *snapshot, const struct diagnostic_sink *sink, bool is_brief,
                       struct explain_facts *ret) {
        const struct diagnostic_sink keep = { .report = take_mistake, .userdata = ret };
        int r;

        *ret = (struct explain_facts){ .snapshot = snapshot,
                                       .sink = sink,
                                       .is_brief = is_brief,
                                       .is_partial = snapshot->plan.config.is_partial,
                                       .ethtool = is_brief ? -1 : ethtool_open() };
        /* The scan has already reported unreadable files, .network files included. */
        if (scan_machine(&keep, &ret->sources) < 0 ||
            network_files_read(NETWORK_FILE_NETWORK, &diagnostic_silent, &ret->network_files) == -ENOMEM) {
                explain_facts_cleanup(ret);
                return -ENOMEM;
        }
        ret->may_be_masked = unit_may_be_masked();
        ret->device.foreign_template = find_foreign_template(ret);
        ret->device.has_dhclient_hook = has_hook(ret, "/etc/dhcp/dhclient-enter-hooks.d/setmtu");
        ret->device.has_if_up_hook = has_hook(ret, "/etc/network/if-up.d/setmtu");
        r = manager_is_here();
        if (r < 0)
                add_unread(ret, UNIT_SYSTEMD_FOLDER);
        ret->has_owners = r > 0;
        ret->sysctls = (struct network_sysctls){
                .tcp_mtu_probing = network_sysctl_read("net/ipv4/tcp_mtu_probing", 0),
                .tcp_rmem_max = network_sysctl_read("net/ipv4/tcp_rmem", 2),
                .tcp_wmem_max = network_sysctl_read("net/ipv4/tcp_wmem", 2),
                .rmem_max = network_sysctl_read("net/core/rmem_max", 0),
        };
        return 0;
}

void explain_facts_cleanup(struct explain_facts *facts) {
        network_files_free(&facts->network_files);
        mtu_sources_free(&facts->sources);
        if (facts->snapshot)
                cleanup_close(&facts->ethtool);
        *facts = (struct explain_facts){ .snapshot = NULL };
}

static uint32_t original_of(struct explain_facts *facts, const struct link *link) {
        struct original_mtu record;
        uint32_t original = 0, set;
        int r = original_mtu_read(link, &record);

        if (r == 0)
                return record.original;
        if (r != -ENOENT) {
                add_unread(facts, MTU_RECORD_FOLDER);
                return 0;
        }
        r = original_mtu_from_udev(link, &original, &set);
        if (r < 0 && r != -ENOENT && r != -ENODATA)
                add_unread(facts, "/run/udev/data");
        return original;
}

/* What the kernel and udev have made of the device's name. */
static void tell_renamed(struct explain_facts *facts, struct explain_device *device) {
        CLEANUP(cleanup_free) char *assigned = NULL;
        char path[128];
        int r;

        snprintf(path, sizeof(path), "/sys/class/net/%s/name_assign_type", device->name);
        r = whole_file_read(path, 4096, &assigned, &(size_t){ 0 });
        device->is_renamed = r == 0 && atoi(assigned) == NET_NAME_RENAMED;
        if (device->is_renamed) {
                snprintf(path, sizeof(path), "/sys/class/net/%s/phy80211", device->name);
                r = whole_file_exists(path);
                device->is_wireless = r > 0;
        }
        /* -EINVAL: the kernel does not say. */
        if (r < 0 && r != -EINVAL && r != -ENOENT && r != -ENODEV)
                add_unread(facts, "/sys/class/net");
}

int explain_facts_explain(struct explain_facts *facts, const char *name, const struct link *link,
                          const struct config_line *line, struct explained *ret) {
        struct explain_device *device = &ret->device;
        int r = 0;

        *ret = (struct explained){ .device = facts->device,
                                   .machine = { .sources = &facts->sources,
                                                .links = &facts->snapshot->links,
                                                .network_files = &facts->network_files,
                                                .is_partial = facts->is_partial } };
        device->name = name;
        device->link = link;
        device->line = line;
        device->planned = line ? plan_find(&facts->snapshot->plan, line->name) : NULL;
        if (device->planned && facts->may_be_masked)
                r = unit_is_device_masked(line->name);
        if (r < 0)
                add_unread(facts, "/etc/systemd/system");
        device->is_masked = r > 0;
        if (link && !facts->is_brief) {
                (void)ethtool_speed(facts->ethtool, link->name, &device->speed_mbit);
                if (!link->kind[0])
                        (void)ethtool_driver(facts->ethtool, link->name, device->driver);
                device->original = original_of(facts, link);
                tell_renamed(facts, device);
        }
        if (link && facts->has_owners) {
                r = owner_state_read(link, &device->owners);
                if (r < 0 && r != -ENOMEM)
                        add_unread(facts, "/run");
        }
        return r == -ENOMEM || facts->sources.pool.failed ? -ENOMEM : explanation_make(ret);
}

void explained_cleanup(struct explained *explained) {
        explanation_free(&explained->explanation);
        owners_free(&explained->device.owners);
}

void explain_facts_warn_unread(const struct explain_facts *facts) {
        const char *hint = geteuid() == 0 ? "" : "; root may";

        if (facts->unread.n_items == 1)
                log_warning("%s could not be read and is left out%s", facts->unread.items[0], hint);
        else if (facts->unread.n_items > 1)
                log_warning("%s and %zu more files could not be read and are left out%s",
                            facts->unread.items[0], facts->unread.n_items - 1, hint);
}
