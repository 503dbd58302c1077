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
#define TEXT_MAX 1024   /* what is written is never as long */
#define UDEV_DATABASE_MAX (1024 * 1024)

enum field_type { FIELD_TEXT, FIELD_NUMBER, FIELD_SPEC, FIELD_PHASE };

/* One line of a record, KEY=VALUE, and the member that it is. */
struct field {
        const char *key;
        enum field_type type;
        size_t offset;
        size_t size;      /* of FIELD_TEXT */
        bool is_optional; /* left out where it is empty or 0 */
};

#define NO_DEVICE ((size_t)-1)

struct kind {
        const char *prefix; /* of the file's name */
        size_t device;      /* offset of its device_identity, or NO_DEVICE */
        struct field fields[12];
};

#define TEXT(type, member) FIELD_TEXT, offsetof(type, member), sizeof(((type *)NULL)->member)
#define NUMBER(type, member) FIELD_NUMBER, offsetof(type, member), 0

static const struct kind originals = {
        "",
        offsetof(struct original_mtu, device),
        {
                        { "NAME=", TEXT(struct original_mtu, device.name), false },
                        { "ORIGINAL_MTU=", NUMBER(struct original_mtu, original), false },
                        { "SET_MTU=", NUMBER(struct original_mtu, set), false },
                        { "BEFORE_MTU=", NUMBER(struct original_mtu, before), true },
        },
};

static const struct kind lowered = {
        "fallen-",
        offsetof(struct lowered_mtu, device),
        {
                        { "NAME=", TEXT(struct lowered_mtu, device.name), false },
                        { "BEFORE_MTU=", NUMBER(struct lowered_mtu, before), false },
                        { "FALLEN_MTU=", NUMBER(struct lowered_mtu, lowered), false },
                        { "LAST_MTU=", NUMBER(struct lowered_mtu, last), true },
        },
};

/* Of these two, a device with the same ifindex and another name is another one to those who read them. */
static const struct kind kept = {
        "kept-",
        NO_DEVICE,
        {
                        { "NAME=", TEXT(struct kept_mtu, name), false },
                        { "MTU=", NUMBER(struct kept_mtu, mtu), false },
        },
};

static const struct kind put_backs = {
        "put-back-",
        NO_DEVICE,
        {
                        { "NAME=", TEXT(struct put_back_record, name), false },
                        { "COUNT=", NUMBER(struct put_back_record, count), false },
                        { "LAST=", NUMBER(struct put_back_record, last_s), false },
                        { "REFUSED=", NUMBER(struct put_back_record, refused), false },
        },
};

/* Records of an earlier version have no DEVICE=. */
static const struct kind trials = {
        "trial.",
        offsetof(struct trial_record, device),
        {
                        { "NAME=", TEXT(struct trial_record, name), false },
                        { "DEVICE=", TEXT(struct trial_record, device.name), true },
                        { "REQUEST=", FIELD_SPEC, offsetof(struct trial_record, spec), 0, false },
                        { "ID=", NUMBER(struct trial_record, id), false },
                        { "PHASE=", FIELD_PHASE, offsetof(struct trial_record, phase), 0, false },
                        { "WATCHER=", NUMBER(struct trial_record, watcher), false },
                        { "BEFORE=", NUMBER(struct trial_record, before), false },
                        { "TRIED=", NUMBER(struct trial_record, tried), false },
                        { "DEADLINE=", NUMBER(struct trial_record, deadline_s), false },
        },
};

/* The rest of a trial's record, where setmtu had changed the device before. */
static const struct field formers[] = {
        { "FORMER_ORIGINAL=", NUMBER(struct trial_record, former.original), false },
        { "FORMER_SET=", NUMBER(struct trial_record, former.set), false },
        { .key = NULL },
};

/* The rest of any record. */
static const struct field identities[] = {
        { "KIND=", TEXT(struct device_identity, kind), true },
        { "MAC=", TEXT(struct device_identity, mac), true },
        { "PERMANENT_MAC=", TEXT(struct device_identity, permanent), true },
        { "NETNS_COOKIE=", TEXT(struct device_identity, netns), true },
        { "BOOT_ID=", TEXT(struct device_identity, boot), true },
        { "SYSFS_INODE=", TEXT(struct device_identity, sysfs), true },
        { .key = NULL },
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
        case FIELD_TEXT:
                return text_find_value(text, field->key, member, field->size);
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

/* True where the text has all fields that it needs. */
static bool parse(const struct field *fields, const char *text, void *record) {
        for (const struct field *field = fields; field->key; field++)
                if (!parse_field(text, field, (char *)record + field->offset) && !field->is_optional)
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
        case FIELD_TEXT:
                break;
        }
        return member;
}

/* Of a text or a number. */
static bool is_left_out(const struct field *field, const void *member) {
        return field->is_optional && (field->type == FIELD_NUMBER ? *(const uint32_t *)member == 0
                                                                  : *(const char *)member == '\0');
}

static void format(const struct field *fields, const void *record, char text[static TEXT_MAX]) {
        char buffer[MTU_SPEC_TEXT_SIZE], *end = text + strlen(text);

        for (const struct field *field = fields; field->key; field++) {
                const void *member = (const char *)record + field->offset;

                if (!is_left_out(field, member))
                        end = stpcpy(stpcpy(stpcpy(end, field->key), format_field(buffer, field, member)),
                                     "\n");
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

union record {
        struct original_mtu original;
        struct lowered_mtu lowered;
        struct kept_mtu kept;
        struct put_back_record put_back;
        struct trial_record trial;
};

static int read_record(const struct kind *kind, unsigned ifindex, union record *ret) {
        CLEANUP(cleanup_free) char *text = NULL;
        union record record;
        char path[PATH_SIZE];
        size_t text_size;
        int r = path_of(kind, ifindex, path);

        if (r == 0)
                r = whole_file_read(path, RECORD_MAX, &text, &text_size);
        if (r < 0)
                return r;
        assert(text);
        memset(&record, 0, sizeof(record));
        if (!parse(kind->fields, text, &record))
                return -EBADMSG;
        if (kind->device != NO_DEVICE)
                (void)parse(identities, text, (char *)&record + kind->device);
        if (kind == &trials) {
                record.trial.has_former = parse(formers, text, &record);
                if (!*record.trial.device.name)
                        strcpy(record.trial.device.name, record.trial.name);
        }
        *ret = record;
        return 0;
}

/* The same of a record that counts for its own device alone. */
static int read_record_of(const struct kind *kind, const struct link *link, union record *ret) {
        int r = read_record(kind, link->ifindex, ret);

        if (r < 0)
                return r;
        r = device_identity_is((const struct device_identity *)((char *)ret + kind->device), link);
        return r == 0 ? -ENOENT : r < 0 ? r : 0;
}

/* Of a record with its identity in it. */
static int write_record(const struct kind *kind, unsigned ifindex, const void *record) {
        char path[PATH_SIZE], text[TEXT_MAX] = "";
        int r = path_of(kind, ifindex, path);

        format(kind->fields, record, text);
        if (kind == &trials && ((const struct trial_record *)record)->has_former)
                format(formers, record, text);
        if (kind->device != NO_DEVICE)
                format(identities, (const char *)record + kind->device, text);
        if (r == 0)
                r = whole_file_replace(path, text, strlen(text));
        return r < 0 ? r : 0;
}

static int remove_record(const struct kind *kind, unsigned ifindex) {
        char path[PATH_SIZE];
        int r = path_of(kind, ifindex, path);

        return r < 0 ? r : whole_file_remove(path);
}

static void close_folder(DIR **directory) {
        if (*directory)
                closedir(*directory);
}

/* The ifindex in the name of a record; 0: it is none, or not of the kind and network namespace of `own`, a
 * record's path. */
static unsigned ifindex_of(const char *own, const char *name) {
        size_t length = (size_t)(strrchr(own, '.') - own) + 1;
        char *end;
        unsigned long ifindex;

        own += strlen(FOLDER "/");
        length -= strlen(FOLDER "/");
        if (strncmp(name, own, length) != 0 || name[length] < '1' || name[length] > '9')
                return 0;
        ifindex = strtoul(name + length, &end, 10);
        return *end || ifindex > INT_MAX ? 0 : (unsigned)ifindex;
}

/* Calls `take` for each record of this kind and network namespace. */
static int each_record(const struct kind *kind, int (*take)(void *userdata, unsigned ifindex),
                       void *userdata) {
        CLEANUP(close_folder) DIR *directory = NULL;
        char buffer[PATH_MAX], own[PATH_SIZE];
        const char *folder = root_path(buffer, FOLDER);
        int error = path_of(kind, 1, own);

        if (error < 0)
                return error;
        directory = opendir(folder);
        if (!directory)
                return errno == ENOENT ? 0 : -errno;
        for (;;) {
                struct dirent *entry;
                unsigned ifindex;
                int r;

                errno = 0;
                entry = readdir(directory);
                if (!entry)
                        return error < 0 ? error : -errno;
                ifindex = ifindex_of(own, entry->d_name);
                r = ifindex > 0 ? take(userdata, ifindex) : 0;
                if (error == 0)
                        error = r;
        }
}

int original_mtu_read(const struct link *link, struct original_mtu *ret) {
        union record record;
        int r = read_record_of(&originals, link, &record);

        if (r == 0)
                *ret = record.original;
        return r;
}

int original_mtu_write(const struct link *link, const struct original_mtu *record) {
        struct original_mtu identified = *record;
        int r = device_identity_of(link, &identified.device);

        return r < 0 ? r : write_record(&originals, link->ifindex, &identified);
}

int original_mtu_remove(unsigned ifindex) {
        return remove_record(&originals, ifindex);
}

int original_mtu_each(int (*take)(void *userdata, unsigned ifindex), void *userdata) {
        return each_record(&originals, take, userdata);
}

/* Index 10 in one network namespace is not index 10 in another: 0 or -ENOENT. */
static int check_netns(const char *text) {
        char noted[DEVICE_IDENTITY_NETNS_SIZE] = "", own[DEVICE_IDENTITY_NETNS_SIZE];
        int r = device_identity_netns(own);

        (void)text_find_value(text, "E:" UDEV_PROPERTY_NETNS "=", noted, sizeof(noted));
        return r == 0 && strcmp(noted, own) != 0 ? -ENOENT : r;
}

int original_mtu_from_udev(const struct link *link, uint32_t *ret_original, uint32_t *ret_set) {
        CLEANUP(cleanup_free) char *text = NULL;
        char path[64];
        uint32_t original, set;
        size_t size;
        int r;

        snprintf(path, sizeof(path), "/run/udev/data/n%u", link->ifindex);
        r = whole_file_read(path, UDEV_DATABASE_MAX, &text, &size);
        if (r < 0)
                return r;
        if (!text_find_number(text, "E:" UDEV_PROPERTY_ORIGINAL_MTU "=", &original) ||
            !text_find_number(text, "E:" UDEV_PROPERTY_MTU "=", &set))
                return -ENODATA;
        r = check_netns(text);
        if (r < 0)
                return r;
        *ret_original = original;
        *ret_set = set;
        return 0;
}

int lowered_mtu_read(const struct link *link, struct lowered_mtu *ret) {
        union record record;
        int r = read_record_of(&lowered, link, &record);

        if (r == -EBADMSG ||
            (r == 0 && record.lowered.lowered != link->mtu && record.lowered.last != link->mtu))
                return -ENOENT;
        if (r == 0)
                *ret = record.lowered;
        return r;
}

int lowered_mtu_write(const struct link *link, const struct lowered_mtu *record) {
        struct lowered_mtu identified = *record;
        int r = device_identity_of(link, &identified.device);

        return r < 0 ? r : write_record(&lowered, link->ifindex, &identified);
}

int lowered_mtu_remove(unsigned ifindex) {
        return remove_record(&lowered, ifindex);
}

int lowered_mtu_each(int (*take)(void *userdata, unsigned ifindex), void *userdata) {
        return each_record(&lowered, take, userdata);
}

bool trial_record_is_overdue(const struct trial_record *record) {
        return clock_boottime_s() > record->deadline_s + TRIAL_GRACE_S;
}

int kept_mtu_read(unsigned ifindex, struct kept_mtu *ret) {
        union record record;
        int r = read_record(&kept, ifindex, &record);

        if (r == 0)
                *ret = record.kept;
        return r;
}

int kept_mtu_write(unsigned ifindex, const struct kept_mtu *record) {
        return write_record(&kept, ifindex, record);
}

int kept_mtu_remove(unsigned ifindex) {
        return remove_record(&kept, ifindex);
}

int kept_mtu_each(int (*take)(void *userdata, unsigned ifindex), void *userdata) {
        return each_record(&kept, take, userdata);
}

int put_back_record_read(unsigned ifindex, struct put_back_record *ret) {
        union record record;
        int r = read_record(&put_backs, ifindex, &record);

        if (r == 0)
                *ret = record.put_back;
        return r;
}

int put_back_record_write(unsigned ifindex, const struct put_back_record *record) {
        return write_record(&put_backs, ifindex, record);
}

int put_back_record_remove(unsigned ifindex) {
        return remove_record(&put_backs, ifindex);
}

int put_back_record_each(int (*take)(void *userdata, unsigned ifindex), void *userdata) {
        return each_record(&put_backs, take, userdata);
}

static int read_trial(unsigned ifindex, bool has_ended, struct trial_record *ret) {
        union record record;
        int r = read_record(&trials, ifindex, &record);

        if (r == 0 && (record.trial.phase >= TRIAL_CONFIRMED) != has_ended)
                return -ENOENT;
        if (r == 0)
                *ret = record.trial;
        return r;
}

int trial_record_read(unsigned ifindex, struct trial_record *ret) {
        return read_trial(ifindex, false, ret);
}

int trial_record_read_end(unsigned ifindex, struct trial_record *ret) {
        return read_trial(ifindex, true, ret);
}

int trial_record_write(unsigned ifindex, const struct trial_record *record) {
        return write_record(&trials, ifindex, record);
}

int trial_record_remove(unsigned ifindex) {
        return remove_record(&trials, ifindex);
}

int trial_record_each(int (*take)(void *userdata, unsigned ifindex), void *userdata) {
        return each_record(&trials, take, userdata);
}
