/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "store/mtu_record.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/root.h"
#include "base/text.h"
#include "base/whole_file.h"

#define FOLDER MTU_RECORD_FOLDER
#define PATH_SIZE 96
#define RECORD_MAX 4096 /* what is read of one */
#define TEXT_MAX 512    /* what is written */
#define UDEV_DATABASE_MAX (1024 * 1024)

enum field_type { FIELD_NAME, FIELD_NUMBER, FIELD_SPEC, FIELD_PHASE };

/* One line of a record, KEY=VALUE, and the member that it is. */
struct field {
        const char *key;
        enum field_type type;
        size_t offset;
};

struct kind {
        const char *prefix; /* of the file's name */
        struct field fields[12];
};

static const struct kind originals = {
        "",
        {
                        { "NAME=", FIELD_NAME, offsetof(struct original_mtu, name) },
                        { "ORIGINAL_MTU=", FIELD_NUMBER, offsetof(struct original_mtu, original) },
                        { "SET_MTU=", FIELD_NUMBER, offsetof(struct original_mtu, set) },
        },
};

static const struct kind lowered = {
        "fallen-",
        {
                        { "NAME=", FIELD_NAME, offsetof(struct lowered_mtu, name) },
                        { "BEFORE_MTU=", FIELD_NUMBER, offsetof(struct lowered_mtu, before) },
                        { "FALLEN_MTU=", FIELD_NUMBER, offsetof(struct lowered_mtu, lowered) },
        },
};

static const struct kind kept = {
        "kept-",
        {
                        { "NAME=", FIELD_NAME, offsetof(struct kept_mtu, name) },
                        { "MTU=", FIELD_NUMBER, offsetof(struct kept_mtu, mtu) },
        },
};

static const struct kind put_backs = {
        "put-back-",
        {
                        { "NAME=", FIELD_NAME, offsetof(struct put_back_record, name) },
                        { "COUNT=", FIELD_NUMBER, offsetof(struct put_back_record, count) },
                        { "LAST=", FIELD_NUMBER, offsetof(struct put_back_record, last_s) },
                        { "REFUSED=", FIELD_NUMBER, offsetof(struct put_back_record, refused) },
        },
};

static const struct kind trials = {
        "trial.",
        {
                        { "NAME=", FIELD_NAME, offsetof(struct trial_record, name) },
                        { "REQUEST=", FIELD_SPEC, offsetof(struct trial_record, spec) },
                        { "ID=", FIELD_NUMBER, offsetof(struct trial_record, id) },
                        { "PHASE=", FIELD_PHASE, offsetof(struct trial_record, phase) },
                        { "WATCHER=", FIELD_NUMBER, offsetof(struct trial_record, watcher) },
                        { "BEFORE=", FIELD_NUMBER, offsetof(struct trial_record, before) },
                        { "TRIED=", FIELD_NUMBER, offsetof(struct trial_record, tried) },
                        { "DEADLINE=", FIELD_NUMBER, offsetof(struct trial_record, deadline_s) },
        },
};

/* The rest of a trial's record, where setmtu had changed the device before. */
static const struct kind formers = {
        "trial.",
        {
                        { "FORMER_NAME=", FIELD_NAME, offsetof(struct trial_record, former.name) },
                        { "FORMER_ORIGINAL=", FIELD_NUMBER, offsetof(struct trial_record, former.original) },
                        { "FORMER_SET=", FIELD_NUMBER, offsetof(struct trial_record, former.set) },
        },
};

static const char *const phases[] = {
        [TRIAL_CHANGING] = "changing",   [TRIAL_WAITING] = "waiting",   [TRIAL_CONFIRMING] = "confirming",
        [TRIAL_CONFIRMED] = "confirmed", [TRIAL_REVERTED] = "reverted", [TRIAL_SETTLED] = "settled",
        [TRIAL_CHANGED] = "changed",
};
#define N_PHASES (sizeof(phases) / sizeof(phases[0]))

static bool parse_phase(const char *text, const char *key, enum trial_phase *ret) {
        char word[16];

        if (!text_find_value(text, key, word, sizeof(word)))
                return false;
        for (size_t i = 0; i < N_PHASES; i++)
                if (strcmp(phases[i], word) == 0) {
                        *ret = (enum trial_phase)i;
                        return true;
                }
        return false;
}

static bool parse_field(const char *text, const struct field *field, void *member) {
        char spec[MTU_SPEC_TEXT_SIZE], fault[MTU_SPEC_FAULT_SIZE];

        switch (field->type) {
        case FIELD_NAME:
                return text_find_value(text, field->key, member, INTERFACE_NAME_SIZE);
        case FIELD_NUMBER:
                return text_find_number(text, field->key, member);
        case FIELD_SPEC:
                return text_find_value(text, field->key, spec, sizeof(spec)) &&
                       mtu_spec_parse(spec, strlen(spec), member, fault);
        case FIELD_PHASE:
                return parse_phase(text, field->key, member);
        }
        return false;
}

/* True where the text has all fields. */
static bool parse(const struct kind *kind, const char *text, void *record) {
        for (const struct field *field = kind->fields; field->key; field++)
                if (!parse_field(text, field, (char *)record + field->offset))
                        return false;
        return true;
}

static const char *format_field(char buffer[static MTU_SPEC_TEXT_SIZE], const struct field *field,
                                const void *member) {
        switch (field->type) {
        case FIELD_NUMBER:
                snprintf(buffer, MTU_SPEC_TEXT_SIZE, "%" PRIu32, *(const uint32_t *)member);
                return buffer;
        case FIELD_SPEC:
                return mtu_spec_format(buffer, member);
        case FIELD_PHASE:
                return phases[*(const enum trial_phase *)member];
        case FIELD_NAME:
                break;
        }
        return member;
}

static void format(const struct kind *kind, const void *record, char text[static TEXT_MAX]) {
        char buffer[MTU_SPEC_TEXT_SIZE];

        for (const struct field *field = kind->fields; field->key; field++) {
                const void *member = (const char *)record + field->offset;
                size_t used = strlen(text);

                snprintf(text + used, TEXT_MAX - used, "%s%s\n", field->key,
                         format_field(buffer, field, member));
        }
}

/* An ifindex is unique in its network namespace alone, and /run may be shared by several. */
static int path_of(const struct kind *kind, unsigned ifindex, char path[static PATH_SIZE]) {
        struct stat status;

        if (stat("/proc/self/ns/net", &status) < 0)
                return -errno;
        snprintf(path, PATH_SIZE, FOLDER "/%s%ju.%u", kind->prefix, (uintmax_t)status.st_ino, ifindex);
        return 0;
}

static int read_record(const struct kind *kind, unsigned ifindex, void *ret, size_t size) {
        CLEANUP(cleanup_free) char *text = NULL;
        union {
                struct original_mtu original;
                struct lowered_mtu lowered;
                struct kept_mtu kept;
                struct put_back_record put_back;
                struct trial_record trial;
        } record = { .trial = { 0 } };
        char path[PATH_SIZE];
        size_t text_size;
        int r = path_of(kind, ifindex, path);

        if (r == 0)
                r = whole_file_read(path, RECORD_MAX, &text, &text_size);
        if (r < 0)
                return r;
        assert(text);
        if (!parse(kind, text, &record))
                return -EBADMSG;
        if (kind == &trials)
                record.trial.has_former = parse(&formers, text, &record);
        memcpy(ret, &record, size);
        return 0;
}

static int write_record(const struct kind *kind, unsigned ifindex, const void *record) {
        char path[PATH_SIZE], text[TEXT_MAX] = "";
        int r = path_of(kind, ifindex, path);

        format(kind, record, text);
        if (kind == &trials && ((const struct trial_record *)record)->has_former)
                format(&formers, record, text);
        if (r == 0)
                r = whole_file_replace(path, text, strlen(text));
        return r < 0 ? r : 0;
}

static int remove_record(const struct kind *kind, unsigned ifindex) {
        char path[PATH_SIZE];
        int r = path_of(kind, ifindex, path);

        return r < 0 ? r : whole_file_remove(path);
}

/* Calls `take` for each record of this kind and network namespace. */
static void each_record(const struct kind *kind, void (*take)(void *userdata, unsigned ifindex),
                        void *userdata) {
        char buffer[PATH_MAX], own[PATH_SIZE];
        const char *folder = root_path(buffer, FOLDER);
        DIR *directory = folder ? opendir(folder) : NULL;
        struct dirent *entry;

        if (!directory)
                return;
        while ((entry = readdir(directory))) {
                const char *dot;
                unsigned ifindex;

                if (strncmp(entry->d_name, kind->prefix, strlen(kind->prefix)) != 0)
                        continue;
                dot = strchr(entry->d_name + strlen(kind->prefix), '.');
                ifindex = dot ? (unsigned)strtoul(dot + 1, NULL, 10) : 0;
                /* Only whole records, and only those of this network namespace. */
                if (ifindex > 0 && path_of(kind, ifindex, own) == 0 &&
                    strcmp(own + strlen(FOLDER "/"), entry->d_name) == 0)
                        take(userdata, ifindex);
        }
        closedir(directory);
}

int original_mtu_read(unsigned ifindex, struct original_mtu *ret) {
        return read_record(&originals, ifindex, ret, sizeof(*ret));
}

int original_mtu_write(unsigned ifindex, const struct original_mtu *record) {
        return write_record(&originals, ifindex, record);
}

int original_mtu_remove(unsigned ifindex) {
        return remove_record(&originals, ifindex);
}

void original_mtu_each(void (*take)(void *userdata, unsigned ifindex), void *userdata) {
        each_record(&originals, take, userdata);
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
        if (!text_find_number(text, "E:" UDEV_PROPERTY_ORIGINAL_MTU "=", &original) ||
            !text_find_number(text, "E:" UDEV_PROPERTY_MTU "=", &set))
                return -ENODATA;
        *ret_original = original;
        *ret_set = set;
        return 0;
}

int lowered_mtu_read(unsigned ifindex, struct lowered_mtu *ret) {
        return read_record(&lowered, ifindex, ret, sizeof(*ret));
}

int lowered_mtu_write(unsigned ifindex, const struct lowered_mtu *record) {
        return write_record(&lowered, ifindex, record);
}

int lowered_mtu_remove(unsigned ifindex) {
        return remove_record(&lowered, ifindex);
}

void lowered_mtu_each(void (*take)(void *userdata, unsigned ifindex), void *userdata) {
        each_record(&lowered, take, userdata);
}

bool lowered_mtu_holds(const struct link *link, struct lowered_mtu *ret) {
        return lowered_mtu_read(link->ifindex, ret) == 0 && ret->lowered == link->mtu &&
               strcmp(ret->name, link->name) == 0;
}

bool trial_record_is_overdue(const struct trial_record *record) {
        return clock_boottime_s() > record->deadline_s + TRIAL_GRACE_S;
}

int kept_mtu_read(unsigned ifindex, struct kept_mtu *ret) {
        return read_record(&kept, ifindex, ret, sizeof(*ret));
}

int kept_mtu_write(unsigned ifindex, const struct kept_mtu *record) {
        return write_record(&kept, ifindex, record);
}

int kept_mtu_remove(unsigned ifindex) {
        return remove_record(&kept, ifindex);
}

void kept_mtu_each(void (*take)(void *userdata, unsigned ifindex), void *userdata) {
        each_record(&kept, take, userdata);
}

int put_back_record_read(unsigned ifindex, struct put_back_record *ret) {
        return read_record(&put_backs, ifindex, ret, sizeof(*ret));
}

int put_back_record_write(unsigned ifindex, const struct put_back_record *record) {
        return write_record(&put_backs, ifindex, record);
}

int put_back_record_remove(unsigned ifindex) {
        return remove_record(&put_backs, ifindex);
}

void put_back_record_each(void (*take)(void *userdata, unsigned ifindex), void *userdata) {
        each_record(&put_backs, take, userdata);
}

int trial_record_read(unsigned ifindex, struct trial_record *ret) {
        struct trial_record record;
        int r = read_record(&trials, ifindex, &record, sizeof(record));

        if (r == 0 && record.phase >= TRIAL_CONFIRMED)
                return -ENOENT;
        if (r == 0)
                *ret = record;
        return r;
}

int trial_record_take_end(unsigned ifindex, uint32_t id, enum trial_phase *ret) {
        struct trial_record record;
        int r = read_record(&trials, ifindex, &record, sizeof(record));

        if (r == 0 && (record.id != id || record.phase < TRIAL_CONFIRMED))
                return -ENOENT;
        if (r < 0)
                return r;
        (void)trial_record_remove(ifindex);
        *ret = record.phase;
        return 0;
}

int trial_record_write(unsigned ifindex, const struct trial_record *record) {
        return write_record(&trials, ifindex, record);
}

int trial_record_remove(unsigned ifindex) {
        return remove_record(&trials, ifindex);
}

void trial_record_each(void (*take)(void *userdata, unsigned ifindex), void *userdata) {
        each_record(&trials, take, userdata);
}
