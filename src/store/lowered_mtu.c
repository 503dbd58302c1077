/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "store/lowered_mtu.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "store/device_record.h"

#define PREFIX "fallen-"

int lowered_mtu_read(unsigned ifindex, struct lowered_mtu *ret) {
        CLEANUP(cleanup_free) char *text = NULL;
        struct lowered_mtu record;
        int r = device_record_read(PREFIX, ifindex, &text);

        if (r < 0)
                return r;
        if (!device_record_find_text(text, "NAME=", record.name, sizeof(record.name)) ||
            !device_record_find_number(text, "BEFORE_MTU=", &record.before) ||
            !device_record_find_number(text, "FALLEN_MTU=", &record.fallen))
                return -EBADMSG;
        *ret = record;
        return 0;
}

int lowered_mtu_write(unsigned ifindex, const struct lowered_mtu *record) {
        char text[256];

        snprintf(text, sizeof(text), "NAME=%s\nBEFORE_MTU=%" PRIu32 "\nFALLEN_MTU=%" PRIu32 "\n",
                 record->name, record->before, record->fallen);
        return device_record_write(PREFIX, ifindex, text);
}

int lowered_mtu_remove(unsigned ifindex) {
        return device_record_remove(PREFIX, ifindex);
}

void lowered_mtu_each(void (*take)(void *userdata, unsigned ifindex), void *userdata) {
        device_record_each(PREFIX, take, userdata);
}
