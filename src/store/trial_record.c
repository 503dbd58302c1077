/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "store/trial_record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "store/device_record.h"

#define PREFIX "trial."

int trial_record_read(unsigned ifindex, struct trial_record *ret) {
        CLEANUP(cleanup_free) char *text = NULL;
        char request[MTU_SPEC_TEXT_SIZE], fault[MTU_SPEC_FAULT_SIZE];
        struct trial_record record = { 0 };
        int r = device_record_read(PREFIX, ifindex, &text);

        if (r < 0)
                return r;
        if (!device_record_find_text(text, "NAME=", record.name, sizeof(record.name)) ||
            !device_record_find_text(text, "REQUEST=", request, sizeof(request)) ||
            !mtu_spec_parse(request, strlen(request), &record.spec, fault) ||
            !device_record_find_number(text, "ID=", &record.id) ||
            !device_record_find_number(text, "BEFORE=", &record.before) ||
            !device_record_find_number(text, "TRIED=", &record.tried) ||
            !device_record_find_number(text, "DEADLINE=", &record.deadline_s))
                return -EBADMSG;
        record.has_former = device_record_find_text(text, "FORMER_NAME=", record.former.name,
                                                    sizeof(record.former.name)) &&
                            device_record_find_number(text, "FORMER_ORIGINAL=", &record.former.original) &&
                            device_record_find_number(text, "FORMER_SET=", &record.former.set);
        *ret = record;
        return 0;
}

int trial_record_write(unsigned ifindex, const struct trial_record *record) {
        char text[512], request[MTU_SPEC_TEXT_SIZE];
        int n;

        mtu_spec_format(request, &record->spec);
        n = snprintf(text, sizeof(text),
                     "NAME=%s\nREQUEST=%s\nID=%" PRIu32 "\nBEFORE=%" PRIu32 "\nTRIED=%" PRIu32
                     "\nDEADLINE=%" PRIu32 "\n",
                     record->name, request, record->id, record->before, record->tried, record->deadline_s);
        if (record->has_former)
                snprintf(text + n, sizeof(text) - (size_t)n,
                         "FORMER_NAME=%s\nFORMER_ORIGINAL=%" PRIu32 "\nFORMER_SET=%" PRIu32 "\n",
                         record->former.name, record->former.original, record->former.set);
        return device_record_write(PREFIX, ifindex, text);
}

int trial_record_remove(unsigned ifindex) {
        return device_record_remove(PREFIX, ifindex);
}

void trial_record_each(void (*take)(void *userdata, unsigned ifindex), void *userdata) {
        device_record_each(PREFIX, take, userdata);
}
