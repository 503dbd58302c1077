/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "store/mtu_record.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/directory.h"
#include "base/text.h"
#include "base/whole_file.h"

#define DIRECTORY MTU_RECORD_DIRECTORY
#define PATH_SIZE 96
#define TEXT_MAX 1024 /* more than is ever written */
#define UDEV_DATABASE_MAX (1024 * 1024)

enum field_type { FIELD_TEXT, FIELD_NUMBER, FIELD_SPEC, FIELD_PHASE };

/* A line KEY=VALUE of a record, and its struct member. */
struct field {
        const char *key;
        enum field_type type;
        size_t offset;
        size_t size;      /* of FIELD_TEXT */
        bool is_optional; /* left out if it is empty or 0 */
};

struct kind {
        const char *prefix; /* of the file's name */
        bool is_by_name;    /* the file's name ends in the device's name; otherwise in its ifindex */
        size_t size;        /* of the struct, which begins with its device_identity */
        struct field fields[14];
};

#define TEXT(type, member) FIELD_TEXT, offsetof(type, member), sizeof(((type *)NULL)->member)
#define NUMBER(type, member) FIELD_NUMBER, offsetof(type, member), 0

static const struct kind kinds[] = {
        [MTU_RECORD_ORIGINAL] = {
                "", false, sizeof(struct original_mtu), {
                        { "NAME=", TEXT(struct original_mtu, device.name), false },
                        { "ORIGINAL_MTU=", NUMBER(struct original_mtu, original), false },
                        { "SET_MTU=", NUMBER(struct original_mtu, set), false },
                        { "BEFORE_MTU=", NUMBER(struct original_mtu, before), true },
                },
        },
        [MTU_RECORD_LOWERED] = {
                "fallen-", false, sizeof(struct lowered_mtu), {
                        { "NAME=", TEXT(struct lowered_mtu, device.name), false },
                        { "BEFORE_MTU=", NUMBER(struct lowered_mtu, before), false },
                        { "FALLEN_MTU=", NUMBER(struct lowered_mtu, lowered), false },
                        { "LAST_MTU=", NUMBER(struct lowered_mtu, last), true },
                },
        },
        [MTU_RECORD_KEPT] = {
                "kept-", true, sizeof(struct kept_mtu), {
                        { "NAME=", TEXT(struct kept_mtu, device.name), false },
                        { "MTU=", NUMBER(struct kept_mtu, mtu), false },
                        { "LINE=", NUMBER(struct kept_mtu, line), true },
                        { "FILE=", TEXT(struct kept_mtu, file), true },
                },
        },
        [MTU_RECORD_PUT_BACK] = {
                "put-back-", true, sizeof(struct put_back_record), {
                        { "NAME=", TEXT(struct put_back_record, device.name), false },
                        { "COUNT=", NUMBER(struct put_back_record, count), false },
                        { "LAST=", NUMBER(struct put_back_record, last_s), false },
                        { "REFUSED=", NUMBER(struct put_back_record, refused), false },
                },
        },
        [MTU_RECORD_TRIAL] = {
                "trial.", false, sizeof(struct trial_record), {
                        { "NAME=", TEXT(struct trial_record, name), false },
                        { "DEVICE=", TEXT(struct trial_record, device.name), false },
                        { "REQUEST=", FIELD_SPEC, offsetof(struct trial_record, spec), 0, false },
                        { "ID=", NUMBER(struct trial_record, id), false },
                        { "PHASE=", FIELD_PHASE, offsetof(struct trial_record, phase), 0, false },
                        { "WATCHER=", NUMBER(struct trial_record, watcher), true },
                        { "BEFORE=", NUMBER(struct trial_record, before), false },
                        { "TRIED=", NUMBER(struct trial_record, tried), false },
                        { "DEADLINE=", NUMBER(struct trial_record, deadline_s), false },
                        { "FORMER_ORIGINAL=", NUMBER(struct trial_record, former.original), true },
                        { "FORMER_SET=", NUMBER(struct trial_record, former.set), true },
                },
        },
};

/* More fields of every record. */
static const struct field identities[] = {
        { "KIND=", TEXT(struct device_identity, kind), true },
        { "MAC=", TEXT(struct device_identity, mac), true },
        { "PERMANENT_MAC=", TEXT(struct device_identity, permanent), true },
        { "NETNS_COOKIE=", TEXT(struct device_identity, netns), true },
        { "BOOT_ID=", TEXT(struct device_identity, boot), true },
        { "SYSFS_LINK=", TEXT(struct device_identity, sysfs), true },
        { .key = NULL },
};

static const char *const phases[] = {
        [TRIAL_CHANGING] = "changing",   [TRIAL_WAITING] = "waiting",   [TRIAL_CONFIRMING] = "confirming",
        [TRIAL_CONFIRMED] = "confirmed", [TRIAL_REVERTED] = "reverted", [TRIAL_SETTLED] = "settled",
        [TRIAL_CHANGED] = "changed",
};
#define N_PHASES (sizeof(phases) / sizeof(phases[0]))

static const char *parse_field(const char *text, const struct field *field, void *member) {
        char value[MTU_SPEC_TEXT_SIZE], fault[MTU_SPEC_FAULT_SIZE];
        const char *end;

        if (field->type == FIELD_TEXT)
                return text_find_value(text, field->key, member, field->size);
        if (field->type == FIELD_NUMBER)
                return text_find_number(text, field->key, member);
        end = text_find_value(text, field->key, value, sizeof(value));
        if (end && field->type == FIELD_SPEC)
                return mtu_spec_parse(value, strlen(value), member, fault) ? end : NULL;
        for (size_t i = 0; end && i < N_PHASES; i++)
                if (strcmp(phases[i], value) == 0) {
                        *(enum trial_phase *)member = (enum trial_phase)i;
                        return end;
                }
        return NULL;
}

/* The text has the fields in their order, as format_fields() puts them. The result is where the last one
 * ends, or NULL if a required one is missing. */
static const char *parse_fields(const struct field *fields, const char *text, void *record) {
        for (const struct field *field = fields; field->key; field++) {
                const char *end = parse_field(text, field, (char *)record + field->offset);

                if (!end && !field->is_optional)
                        return NULL;
                text = end ? end : text;
        }
        return text;
}

static const char *format_field(char buffer[static MTU_SPEC_TEXT_SIZE], const struct field *field,
                                const void *member) {
        if (field->type == FIELD_TEXT)
                return member;
        if (field->type == FIELD_SPEC)
                return mtu_spec_format(buffer, member);
        if (field->type == FIELD_PHASE)
                return phases[*(const enum trial_phase *)member];
        text_put_number(buffer, *(const uint32_t *)member);
        return buffer;
}

/* Optional fields are texts or numbers. */
static bool is_left_out(const struct field *field, const void *member) {
        return field->is_optional && (field->type == FIELD_NUMBER ? *(const uint32_t *)member == 0
                                                                  : *(const char *)member == '\0');
}

static void format_fields(const struct field *fields, const void *record, char text[static TEXT_MAX]) {
        char buffer[MTU_SPEC_TEXT_SIZE], *end = text + strlen(text);

        for (const struct field *field = fields; field->key; field++) {
                const void *member = (const char *)record + field->offset;

                if (!is_left_out(field, member))
                        end = stpcpy(stpcpy(stpcpy(end, field->key), format_field(buffer, field, member)),
                                     "\n");
        }
}

/* An ifindex and a name are unique only within a network namespace, and several may share /run. */
static int path_of(enum mtu_record_kind kind, const struct link *link, char path[static PATH_SIZE]) {
        uint64_t inode;
        int r = device_identity_netns_inode(&inode);
        char *end;

        if (r < 0)
                return r;
        end = stpcpy(text_put_number(stpcpy(stpcpy(path, DIRECTORY "/"), kinds[kind].prefix), inode), ".");
        if (kinds[kind].is_by_name)
                strcpy(end, link->name);
        else
                text_put_number(end, link->ifindex);
        return 0;
}

union record {
        struct device_identity device; /* all of them begin with it */
        struct original_mtu original;
        struct lowered_mtu lowered;
        struct kept_mtu kept;
        struct put_back_record put_back;
        struct trial_record trial;
};

/* -ENOENT also if the record is of another device; that of a trial is of any. */
static int read_record(enum mtu_record_kind kind, const struct link *link, void *ret) {
        char path[PATH_SIZE], text[TEXT_MAX];
        const char *rest;
        union record record;
        int r = path_of(kind, link, path);

        if (r == 0)
                r = whole_file_read_link(path, text, sizeof(text));
        if (r < 0)
                return r == -EINVAL || r == -EFBIG ? -EBADMSG : r;
        memset(&record, 0, sizeof(record));
        rest = parse_fields(kinds[kind].fields, text, &record);
        if (!rest || !parse_fields(identities, rest, &record))
                return -EBADMSG;
        if (kind != MTU_RECORD_TRIAL) {
                r = device_identity_is(&record.device, link);
                if (r <= 0)
                        return r == 0 ? -ENOENT : r;
        }
        memcpy(ret, &record, kinds[kind].size);
        return 0;
}

/* Gives the record the identity of `link`; that of a trial has its own. */
static int write_record(enum mtu_record_kind kind, const struct link *link, const void *record) {
        char path[PATH_SIZE], text[TEXT_MAX] = "";
        union record identified;
        int r = path_of(kind, link, path);

        memcpy(&identified, record, kinds[kind].size);
        if (r == 0 && kind != MTU_RECORD_TRIAL)
                r = device_identity_of(link, &identified.device);
        if (r < 0)
                return r;
        /* For any device with this name, in this namespace and boot. */
        if (kinds[kind].is_by_name)
                *identified.device.kind = *identified.device.mac = *identified.device.permanent =
                                *identified.device.sysfs = '\0';
        format_fields(kinds[kind].fields, &identified, text);
        format_fields(identities, &identified, text);
        return whole_file_write_link(path, text);
}

int mtu_record_remove(enum mtu_record_kind kind, const struct link *link) {
        char path[PATH_SIZE];
        int r = path_of(kind, link, path);

        return r < 0 ? r : whole_file_remove(path);
}

/* Parses the file name of a record. False if it is none, or not of the network namespace `inode`. */
static bool parse_file_name(const char *name, const char *inode, enum mtu_record_kind *ret_kind,
                            struct link *ret) {
        enum mtu_record_kind kind = MTU_RECORD_ORIGINAL;
        const char *rest;
        uint64_t ifindex;

        for (; kind <= MTU_RECORD_TRIAL; kind++) {
                rest = text_after(name, kinds[kind].prefix);
                rest = rest ? text_after(rest, inode) : NULL;
                if (rest && *rest++ == '.')
                        break;
        }
        if (kind > MTU_RECORD_TRIAL)
                return false;
        *ret_kind = kind;
        *ret = (struct link){ .ifindex = 0 };
        if (kinds[kind].is_by_name) {
                if (interface_name_fault(rest, strlen(rest)))
                        return false;
                strcpy(ret->name, rest);
                return true;
        }
        if (*rest == '0' || !text_parse_number(rest, 1, INT_MAX, &ifindex))
                return false;
        ret->ifindex = (unsigned)ifindex;
        return true;
}

int mtu_record_each(unsigned wanted,
                    int (*take)(void *userdata, enum mtu_record_kind kind, const struct link *link),
                    void *userdata) {
        CLEANUP(directory_free) struct directory directory = { 0 };
        char inode[TEXT_NUMBER_SIZE];
        uint64_t number = 0;
        int error = device_identity_netns_inode(&number);

        if (error < 0)
                return error;
        text_put_number(inode, number);
        error = directory_list(DIRECTORY, "", 0, &directory);
        if (error < 0)
                return error == -ENOENT ? 0 : error;
        for (size_t i = 0; i < directory.n_names; i++) {
                enum mtu_record_kind kind;
                struct link link;
                int r = 0;

                if (parse_file_name(directory.names[i], inode, &kind, &link) && (wanted & 1u << kind))
                        r = take(userdata, kind, &link);
                if (error == 0)
                        error = r;
        }
        return error;
}

int original_mtu_read(const struct link *link, struct original_mtu *ret) {
        return read_record(MTU_RECORD_ORIGINAL, link, ret);
}

int original_mtu_write(const struct link *link, const struct original_mtu *record) {
        return write_record(MTU_RECORD_ORIGINAL, link, record);
}

/* -ENOENT in another network namespace, where the ifindex is that of another device. */
static int check_netns(const char *text) {
        char noted[DEVICE_IDENTITY_NETNS_SIZE] = "", own[DEVICE_IDENTITY_NETNS_SIZE];
        int r = device_identity_netns(own);

        (void)text_find_value(text, "E:" UDEV_PROPERTY_NETNS "=", noted, sizeof(noted));
        return r == 0 && strcmp(noted, own) != 0 ? -ENOENT : r;
}

/* Reads the udev database of the device. */
static int read_udev(const struct link *link, char **ret_text) {
        char path[sizeof("/run/udev/data/n") + TEXT_NUMBER_SIZE];

        text_put_number(stpcpy(path, "/run/udev/data/n"), link->ifindex);
        return whole_file_read(path, UDEV_DATABASE_MAX, ret_text, &(size_t){ 0 });
}

int original_mtu_from_udev(const struct link *link, uint32_t *ret_original, uint32_t *ret_set) {
        CLEANUP(cleanup_free) char *text = NULL;
        uint32_t original, set;
        int r = read_udev(link, &text);

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

bool original_mtu_is_from_addition(const struct link *link) {
        CLEANUP(cleanup_free) char *text = NULL;
        char path[PATH_SIZE];
        uint32_t set, is_added;

        return path_of(MTU_RECORD_ORIGINAL, link, path) == 0 && whole_file_is_link(path) == 0 &&
               read_udev(link, &text) == 0 &&
               text_find_number(text, "E:" UDEV_PROPERTY_ADDED "=", &is_added) &&
               text_find_number(text, "E:" UDEV_PROPERTY_MTU "=", &set) && set == link->mtu &&
               check_netns(text) == 0;
}

int original_mtu_find(const struct link *link, struct original_mtu *ret) {
        uint32_t original, set;
        int r = original_mtu_read(link, ret);

        if (r != -ENOENT)
                return r;
        r = original_mtu_from_udev(link, &original, &set);
        if (r == -ENODATA || (r == 0 && set != link->mtu))
                return -ENOENT;
        if (r == 0)
                *ret = (struct original_mtu){ .original = original, .set = set, .before = set };
        return r;
}

int lowered_mtu_read(const struct link *link, struct lowered_mtu *ret) {
        struct lowered_mtu record = { .before = 0 };
        int r = read_record(MTU_RECORD_LOWERED, link, &record);

        if (r == -EBADMSG || (r == 0 && record.lowered != link->mtu && record.last != link->mtu))
                return -ENOENT;
        if (r == 0)
                *ret = record;
        return r;
}

int lowered_mtu_write(const struct link *link, const struct lowered_mtu *record) {
        return write_record(MTU_RECORD_LOWERED, link, record);
}

int kept_mtu_read(const struct link *link, struct kept_mtu *ret) {
        return read_record(MTU_RECORD_KEPT, link, ret);
}

int kept_mtu_write(const struct link *link, const struct kept_mtu *record) {
        return write_record(MTU_RECORD_KEPT, link, record);
}

int put_back_record_read(const struct link *link, struct put_back_record *ret) {
        return read_record(MTU_RECORD_PUT_BACK, link, ret);
}

int put_back_record_write(const struct link *link, const struct put_back_record *record) {
        return write_record(MTU_RECORD_PUT_BACK, link, record);
}

bool trial_record_is_overdue(const struct trial_record *record) {
        return clock_boottime_s() > record->deadline_s + TRIAL_GRACE_S;
}

static int read_trial(unsigned ifindex, bool has_ended, struct trial_record *ret) {
        struct trial_record record = { .id = 0 };
        int r = read_record(MTU_RECORD_TRIAL, &(struct link){ .ifindex = ifindex }, &record);

        if (r == 0 && (record.phase >= TRIAL_CONFIRMED) != has_ended)
                return -ENOENT;
        record.ifindex = ifindex;
        if (r == 0)
                *ret = record;
        return r;
}

int trial_record_read(unsigned ifindex, struct trial_record *ret) {
        return read_trial(ifindex, false, ret);
}

int trial_record_read_end(unsigned ifindex, struct trial_record *ret) {
        return read_trial(ifindex, true, ret);
}

int trial_record_write(unsigned ifindex, const struct trial_record *record) {
        return write_record(MTU_RECORD_TRIAL, &(struct link){ .ifindex = ifindex }, record);
}

int trial_record_remove(unsigned ifindex) {
        return mtu_record_remove(MTU_RECORD_TRIAL, &(struct link){ .ifindex = ifindex });
}
