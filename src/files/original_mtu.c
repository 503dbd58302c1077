/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "files/original_mtu.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/udev_property.h"
#include "files/root.h"
#include "files/whole_file.h"

#define FOLDER "/run/setmtu"
#define RECORD_MAX 4096
#define UDEV_DATABASE_MAX (1024 * 1024)

/* An ifindex is unique in its network namespace alone, and /run may be shared by several. */
static int record_name(unsigned ifindex, char *name, size_t size) {
        struct stat status;

        if (stat("/proc/self/ns/net", &status) < 0)
                return -errno;
        snprintf(name, size, "%ju.%u", (uintmax_t)status.st_ino, ifindex);
        return 0;
}

static int record_path(unsigned ifindex, char *path, size_t size) {
        char name[64];
        int r = record_name(ifindex, name, sizeof(name));

        if (r == 0)
                snprintf(path, size, FOLDER "/%s", name);
        return r;
}

/* The value of the line that begins with `key`, or NULL. */
static const char *find_value(const char *text, const char *key) {
        size_t length = strlen(key);

        while (text) {
                if (strncmp(text, key, length) == 0)
                        return text + length;
                text = strchr(text, '\n');
                if (text)
                        text++;
        }
        return NULL;
}

static bool find_number(const char *text, const char *key, uint32_t *ret) {
        const char *value = find_value(text, key);
        char *end;
        unsigned long long number;

        if (!value || *value < '0' || *value > '9')
                return false;
        number = strtoull(value, &end, 10);
        if ((*end != '\n' && *end != '\0') || number > UINT32_MAX)
                return false;
        *ret = (uint32_t)number;
        return true;
}

static int read_record(const char *path, struct original_mtu *ret) {
        CLEANUP(cleanup_free) char *text = NULL;
        struct original_mtu record = { 0 };
        const char *name;
        size_t size, length;
        int r = whole_file_read(path, RECORD_MAX, &text, &size);

        if (r < 0)
                return r;
        name = find_value(text, "NAME=");
        length = name ? strcspn(name, "\n") : 0;
        if (length == 0 || length >= sizeof(record.name) ||
            !find_number(text, "ORIGINAL_MTU=", &record.original) ||
            !find_number(text, "SET_MTU=", &record.set))
                return -EBADMSG;
        memcpy(record.name, name, length);
        *ret = record;
        return 0;
}

int original_mtu_read(unsigned ifindex, struct original_mtu *ret) {
        char path[PATH_MAX];
        int r = record_path(ifindex, path, sizeof(path));

        return r < 0 ? r : read_record(path, ret);
}

int original_mtu_write(unsigned ifindex, const struct original_mtu *record) {
        char path[PATH_MAX], text[256];
        int n, r = record_path(ifindex, path, sizeof(path));

        if (r < 0)
                return r;
        n = snprintf(text, sizeof(text), "NAME=%s\nORIGINAL_MTU=%" PRIu32 "\nSET_MTU=%" PRIu32 "\n",
                     record->name, record->original, record->set);
        r = whole_file_replace(path, text, (size_t)n);
        return r < 0 ? r : 0;
}

int original_mtu_remove(unsigned ifindex) {
        char path[PATH_MAX];
        int r = record_path(ifindex, path, sizeof(path));

        return r < 0 ? r : whole_file_remove(path);
}

void original_mtu_forget_gone(bool (*exists)(void *userdata, unsigned ifindex), void *userdata) {
        char buffer[PATH_MAX], own[64];
        const char *folder = root_path(buffer, FOLDER);
        DIR *directory = folder ? opendir(folder) : NULL;
        struct dirent *entry;

        if (!directory)
                return;
        while ((entry = readdir(directory))) {
                char path[sizeof(FOLDER) + sizeof(entry->d_name)];
                const char *dot = strchr(entry->d_name, '.');
                unsigned ifindex = dot ? (unsigned)strtoul(dot + 1, NULL, 10) : 0;

                /* Only whole records, and only those of this network namespace. */
                if (ifindex == 0 || record_name(ifindex, own, sizeof(own)) < 0 ||
                    strcmp(own, entry->d_name) != 0)
                        continue;
                snprintf(path, sizeof(path), FOLDER "/%s", entry->d_name);
                if (!exists(userdata, ifindex))
                        whole_file_remove(path);
        }
        closedir(directory);
}

int original_mtu_from_udev(unsigned ifindex, uint32_t *ret_original, uint32_t *ret_set) {
        CLEANUP(cleanup_free) char *text = NULL;
        char path[64];
        uint32_t original, set;
        size_t size;
        int r;

        snprintf(path, sizeof(path), "/run/udev/data/n%u", ifindex);
        r = whole_file_read(path, UDEV_DATABASE_MAX, &text, &size);
        if (r < 0)
                return r;
        if (!find_number(text, "E:" UDEV_PROPERTY_ORIGINAL_MTU "=", &original) ||
            !find_number(text, "E:" UDEV_PROPERTY_MTU "=", &set))
                return -ENODATA;
        *ret_original = original;
        *ret_set = set;
        return 0;
}
