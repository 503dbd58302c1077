/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "store/original_mtu.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/whole_file.h"
#include "store/device_record.h"

#define UDEV_DATABASE_MAX (1024 * 1024)

int original_mtu_read(unsigned ifindex, struct original_mtu *ret) {
        CLEANUP(cleanup_free) char *text = NULL;
        struct original_mtu record;
        int r = device_record_read("", ifindex, &text);

        if (r < 0)
                return r;
        if (!device_record_find_text(text, "NAME=", record.name, sizeof(record.name)) ||
            !device_record_find_number(text, "ORIGINAL_MTU=", &record.original) ||
            !device_record_find_number(text, "SET_MTU=", &record.set))
                return -EBADMSG;
        *ret = record;
        return 0;
}

int original_mtu_write(unsigned ifindex, const struct original_mtu *record) {
        char text[256];

        snprintf(text, sizeof(text), "NAME=%s\nORIGINAL_MTU=%" PRIu32 "\nSET_MTU=%" PRIu32 "\n",
                 record->name, record->original, record->set);
        return device_record_write("", ifindex, text);
}

int original_mtu_remove(unsigned ifindex) {
        return device_record_remove("", ifindex);
}

struct forgetting {
        bool (*exists)(void *userdata, unsigned ifindex);
        void *userdata;
};

static void forget(void *userdata, unsigned ifindex) {
        struct forgetting *forgetting = userdata;

        if (!forgetting->exists(forgetting->userdata, ifindex))
                original_mtu_remove(ifindex);
}

void original_mtu_forget_gone(bool (*exists)(void *userdata, unsigned ifindex), void *userdata) {
        struct forgetting forgetting = { .exists = exists, .userdata = userdata };

        device_record_each("", forget, &forgetting);
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
        if (!device_record_find_number(text, "E:" UDEV_PROPERTY_ORIGINAL_MTU "=", &original) ||
            !device_record_find_number(text, "E:" UDEV_PROPERTY_MTU "=", &set))
                return -ENODATA;
        *ret_original = original;
        *ret_set = set;
        return 0;
}
