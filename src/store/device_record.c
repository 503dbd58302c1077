/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "store/device_record.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/root.h"
#include "base/whole_file.h"

#define RECORD_MAX 4096

static int record_name(const char *prefix, unsigned ifindex, char *name, size_t size) {
        struct stat status;

        if (stat("/proc/self/ns/net", &status) < 0)
                return -errno;
        snprintf(name, size, "%s%ju.%u", prefix, (uintmax_t)status.st_ino, ifindex);
        return 0;
}

int device_record_path(const char *prefix, unsigned ifindex, char path[static DEVICE_RECORD_PATH_SIZE]) {
        char name[64];
        int r = record_name(prefix, ifindex, name, sizeof(name));

        if (r == 0)
                snprintf(path, DEVICE_RECORD_PATH_SIZE, DEVICE_RECORD_FOLDER "/%s", name);
        return r;
}

int device_record_read(const char *prefix, unsigned ifindex, char **ret_text) {
        char path[DEVICE_RECORD_PATH_SIZE];
        size_t size;
        int r = device_record_path(prefix, ifindex, path);

        return r < 0 ? r : whole_file_read(path, RECORD_MAX, ret_text, &size);
}

int device_record_write(const char *prefix, unsigned ifindex, const char *text) {
        char path[DEVICE_RECORD_PATH_SIZE];
        int r = device_record_path(prefix, ifindex, path);

        if (r == 0)
                r = whole_file_replace(path, text, strlen(text));
        return r < 0 ? r : 0;
}

int device_record_remove(const char *prefix, unsigned ifindex) {
        char path[DEVICE_RECORD_PATH_SIZE];
        int r = device_record_path(prefix, ifindex, path);

        return r < 0 ? r : whole_file_remove(path);
}

void device_record_each(const char *prefix, void (*take)(void *userdata, unsigned ifindex), void *userdata) {
        char buffer[PATH_MAX], own[64];
        const char *folder = root_path(buffer, DEVICE_RECORD_FOLDER);
        DIR *directory = folder ? opendir(folder) : NULL;
        size_t length = strlen(prefix);
        struct dirent *entry;

        if (!directory)
                return;
        while ((entry = readdir(directory))) {
                const char *dot;
                unsigned ifindex;

                if (strncmp(entry->d_name, prefix, length) != 0)
                        continue;
                dot = strchr(entry->d_name + length, '.');
                ifindex = dot ? (unsigned)strtoul(dot + 1, NULL, 10) : 0;
                /* Only whole records, and only those of this network namespace. */
                if (ifindex > 0 && record_name(prefix, ifindex, own, sizeof(own)) == 0 &&
                    strcmp(own, entry->d_name) == 0)
                        take(userdata, ifindex);
        }
        closedir(directory);
}

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

bool device_record_find_text(const char *text, const char *key, char *ret, size_t size) {
        const char *value = find_value(text, key);
        size_t length = value ? strcspn(value, "\n") : 0;

        if (length == 0 || length >= size)
                return false;
        memcpy(ret, value, length);
        ret[length] = '\0';
        return true;
}

bool device_record_find_number(const char *text, const char *key, uint32_t *ret) {
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
