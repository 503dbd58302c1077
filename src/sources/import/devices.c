/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/import/devices.h"

#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/folder.h"
#include "base/whole_file.h"
#include "sources/format/networkmanager_conf.h"

#define FOLDER "/sys/class/net"

/* Without its newline. Reading a device that is being removed gives -ENODEV or -ENOENT: then it is NULL. */
static int read_attribute(const struct device *device, const char *name, char **ret) {
        char path[PATH_MAX];
        int r;

        snprintf(path, sizeof(path), FOLDER "/%s/%s", device->name, name);
        r = whole_file_read(path, 4096, ret, &(size_t){ 0 });
        if (r == 0)
                (*ret)[strcspn(*ret, "\n")] = '\0';
        return r == -ENOENT || r == -ENODEV ? 0 : r;
}

static int has_attribute(const struct device *device, const char *name, bool *ret) {
        char path[PATH_MAX];
        int r;

        snprintf(path, sizeof(path), FOLDER "/%s/%s", device->name, name);
        r = whole_file_exists(path);
        *ret = r > 0;
        return r;
}

static int read_device(struct device *device) {
        CLEANUP(cleanup_free) char *mac = NULL, *assigned = NULL;
        int r = has_attribute(device, "device", &device->is_hardware);

        if (r >= 0)
                r = has_attribute(device, "phy80211", &device->is_wireless);
        if (r < 0)
                return r;
        r = read_attribute(device, "address", &mac);
        if (!mac || !match_read_mac(mac, device->mac))
                device->mac[0] = '\0';
        if (r == 0)
                r = read_attribute(device, "addr_assign_type", &assigned);
        device->is_changed = assigned && strcmp(assigned, "0") != 0;
        return r;
}

struct devices devices_read(struct mtu_sources *sources, const struct diagnostic_sink *sink) {
        CLEANUP(folder_free) struct folder names = { 0 };
        struct devices devices = { .sources = sources };
        struct pool *pool = &sources->pool;
        int r = folder_list(FOLDER, "", FOLDER_WITH_HIDDEN, &names), error = r == -ENOENT ? 0 : r;

        devices.items = pool_take(pool, names.n_names * sizeof(*devices.items));
        for (; devices.items && devices.n_items < names.n_names; devices.n_items++) {
                struct device *device = &devices.items[devices.n_items];

                device->name = pool_copy(pool, names.names[devices.n_items]);
                r = read_device(device);
                error = r < 0 ? r : error;
        }
        if (error == -ENOMEM)
                pool->failed = true;
        else if (error < 0)
                diagnostic_report_file(sink, FOLDER, "cannot be read: %s", strerror(-error));
        return devices;
}

/* The number of devices with this address that are, or are not, hardware. */
static size_t count(const struct devices *devices, const char *mac, bool is_hardware) {
        size_t n = 0;

        for (size_t i = 0; i < devices->n_items; i++)
                n += strcmp(devices->items[i].mac, mac) == 0 && devices->items[i].is_hardware == is_hardware;
        return n;
}

static bool is_meant(const struct devices *devices, const struct device *device,
                     const struct mtu_source *source) {
        if (source->type)
                return device->is_hardware && device->is_wireless == (strcmp(source->type, "wifi") == 0);
        if (source->match == MATCH_GLOB)
                return fnmatch(source->device, device->name, 0) == 0;
        if (source->match != MATCH_MAC || fnmatch(source->device, device->mac, 0) != 0)
                return false;
        return device->is_hardware ||
               (count(devices, device->mac, true) == 0 && count(devices, device->mac, false) == 1);
}

const struct device *devices_meant(const struct devices *devices, const struct mtu_source *source,
                                   size_t *position) {
        while (*position < devices->n_items) {
                const struct device *device = &devices->items[(*position)++];

                if (is_meant(devices, device, source))
                        return device;
        }
        return NULL;
}

const char *devices_why_idle(const struct devices *devices, const struct device *device,
                             const struct mtu_source *source) {
        struct mtu_sources *sources = devices->sources;
        const char *hiding =
                        mtu_source_hiding_file(source, device->name, device->is_hardware ? device->mac : "");

        if (hiding)
                return pool_print(&sources->pool, MTU_SOURCE_HIDDEN, hiding);
        if (source->kind != SOURCE_NETWORKMANAGER || !source->type)
                return NULL;
        if (pool_list_has(&sources->nm_left_devices, device->name))
                return nm_why_not_ifupdowns(sources);
        return nm_why_unmanaged(sources, &(struct nm_device){ device->name, source->type, device->mac });
}

/* Whether the source is for another device of that name: a network card that is not here any more. One that
 * is here, initscripts give the name that its ifcfg file has (rename_device). */
static bool is_for_another(const struct devices *devices, const struct device *device,
                           const struct mtu_source *source) {
        return source->address && !source->condition && device->is_hardware && !device->is_changed &&
               device->mac[0] && strcmp(device->mac, source->address) != 0 &&
               (source->kind != SOURCE_IFCFG || count(devices, source->address, true) == 0);
}

static bool are_several(const struct devices *devices, const struct mtu_source *source) {
        const struct device *device;
        size_t position = 0, n = 0;

        while ((device = devices_meant(devices, source, &position)))
                n += !devices_why_idle(devices, device, source);
        return n > 1;
}

/* Whether the machine has the device, or a profile of NetworkManager makes it. */
static bool is_known(const struct devices *devices, const char *name) {
        const struct mtu_sources *sources = devices->sources;
        bool is_there = false;

        for (size_t i = 0; i < devices->n_items && !is_there; i++)
                is_there = strcmp(devices->items[i].name, name) == 0;
        for (size_t i = 0; i < sources->n_profiles && !is_there; i++)
                is_there = sources->profiles[i].device && strcmp(sources->profiles[i].device, name) == 0;
        return is_there;
}

/* The device below a VLAN of the usual name, NAME.ID, to which no setting gives as much: then the kernel
 * refuses it (vlan_dev_change_mtu()), unless that device has it by itself. NULL: there is none here. */
static const char *find_small_lower(const struct devices *devices, const struct mtu_source *source) {
        const char *dot = source->match == MATCH_NAME ? strrchr(source->device, '.') : NULL;
        size_t size = dot ? (size_t)(dot - source->device) : 0;
        const char *lower;

        if (size == 0 || !dot[1] || dot[1 + strspn(dot + 1, "0123456789")] || source->mtu <= 1500 ||
            text_after(source->device, "ib") ||
            (source->kind != SOURCE_NETWORK && source->kind != SOURCE_NETWORKMANAGER))
                return NULL;
        lower = pool_copy_part(&devices->sources->pool, source->device, size);
        for (size_t i = 0; i < devices->sources->n_items; i++) {
                const struct mtu_source *other = &devices->sources->items[i];

                if (!other->inactive && (other->mtu == 0 || other->mtu >= source->mtu) &&
                    (other->match != MATCH_NAME || strcmp(other->device, lower) == 0))
                        return NULL;
        }
        return is_known(devices, lower) ? lower : NULL;
}

void devices_settle(const struct devices *devices, bool is_of_machine) {
        struct mtu_sources *sources = devices->sources;

        for (size_t i = 0; i < sources->n_items; i++) {
                struct mtu_source *source = &sources->items[i];
                const char *lower;

                if (source->is_single && !source->condition && are_several(devices, source))
                        source->condition = "NetworkManager activates the profile on one device at a time";
                lower = is_of_machine && !source->condition && !source->inactive
                                        ? find_small_lower(devices, source)
                                        : NULL;
                if (lower)
                        source->condition = pool_print(&sources->pool,
                                                       "no setting gives %s, below it, as much", lower);

                for (size_t j = 0; source->match == MATCH_NAME && j < devices->n_items; j++) {
                        const struct device *device = &devices->items[j];
                        const char *why;

                        if (strcmp(device->name, source->device) != 0)
                                continue;
                        why = devices_why_idle(devices, device, source);
                        if (why)
                                source->inactive = why;
                        else if (is_of_machine && !source->inactive &&
                                 is_for_another(devices, device, source))
                                source->inactive = MTU_SOURCE_OF_ANOTHER;
                }
        }
}

bool devices_have(const struct devices *devices, const char *name, const char *mac) {
        for (size_t i = 0; i < devices->n_items; i++)
                if (strcmp(devices->items[i].name, name) == 0)
                        return strcmp(devices->items[i].mac, mac) == 0;
        return false;
}
