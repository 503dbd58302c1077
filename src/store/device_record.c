/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "store/device_record.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/directory.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "plan/stack.h"

#define PATH_SIZE 64
#define TEXT_MAX 1152 /* 1,001 are the most that is written */
#define UDEV_DATABASE_MAX (1024 * 1024)

enum field_type { FIELD_TEXT, FIELD_NUMBER, FIELD_SPEC };

/* A line KEY=VALUE, and its member of struct device_record. It is left out if that is empty or 0. */
struct field {
        const char *key;
        enum field_type type;
        size_t offset;
        size_t size; /* of FIELD_TEXT */
};

#define MEMBER(member) offsetof(struct device_record, member), sizeof(((struct device_record *)NULL)->member)
#define TEXT(member) FIELD_TEXT, MEMBER(member)
#define NUMBER(member) FIELD_NUMBER, MEMBER(member)

/* In this order. */
static const struct field fields[] = {
        { "NAME=", TEXT(device.name) },
        { "KIND=", TEXT(device.kind) },
        { "MAC=", TEXT(device.mac) },
        { "PERMANENT_MAC=", TEXT(device.permanent) },
        { "ORIGINAL_MTU=", NUMBER(original.original) },
        { "SET_MTU=", NUMBER(original.set) },
        { "SET_BEFORE=", NUMBER(original.before) },
        { "LOWERED_FROM=", NUMBER(lowered.before) },
        { "LOWERED_TO=", NUMBER(lowered.lowered) },
        { "LOWERED_LAST=", NUMBER(lowered.last) },
        { "KEEP_MTU=", NUMBER(kept.mtu) },
        { "KEEP_LINE=", NUMBER(kept.line) },
        { "KEEP_FILE=", TEXT(kept.file) },
        { "KEEP_AUTO=", NUMBER(kept.is_auto) },
        { "KEEP_COUNT=", NUMBER(tally.count) },
        { "KEEP_LAST=", NUMBER(tally.last_s) },
        { "KEEP_REFUSED=", NUMBER(tally.refused) },
        { "TRIAL_NAME=", TEXT(trial.name) },
        { "TRIAL_SPEC=", FIELD_SPEC, MEMBER(trial.spec) },
        { "TRIAL_ID=", NUMBER(trial.id) },
        { "TRIAL_BEFORE=", NUMBER(trial.before) },
        { "TRIAL_MTU=", NUMBER(trial.tried) },
        { "TRIAL_DEADLINE=", NUMBER(trial.deadline_s) },
        { "TRIAL_FORMER_ORIGINAL=", NUMBER(trial.former.original) },
        { "TRIAL_FORMER_SET=", NUMBER(trial.former.set) },
        { "TRIAL_PLACE=", NUMBER(trial.place) },
        { "TRIAL_CONFIRMING=", NUMBER(trial.is_confirming) },
};
#define N_FIELDS (sizeof(fields) / sizeof(fields[0]))

/* Parses a line that begins with the key. Returns its end, or NULL if the value is invalid. */
static const char *parse_field(const char *line, const struct field *field, void *member) {
        char value[MTU_SPEC_TEXT_SIZE], fault[MTU_SPEC_FAULT_SIZE];
        const char *end;

        if (field->type == FIELD_TEXT)
                return text_find_value(line, field->key, member, field->size);
        if (field->type == FIELD_NUMBER)
                return text_find_number(line, field->key, member);
        end = text_find_value(line, field->key, value, sizeof(value));
        return end && mtu_spec_parse(value, member, fault) ? end : NULL;
}

/* A key that is not known is of another version of setmtu, and means nothing. */
static int parse(const char *text, struct device_record *ret) {
        *ret = (struct device_record){ .device.name = "" };
        while (*text) {
                const struct field *field = fields;

                while (field < fields + N_FIELDS && !text_after(text, field->key))
                        field++;
                text = field < fields + N_FIELDS ? parse_field(text, field, (char *)ret + field->offset)
                                                 : text + strcspn(text, "\n");
                if (!text)
                        return -EBADMSG;
                text += *text == '\n';
        }
        return *ret->device.name ? 0 : -EBADMSG;
}

static const char *format_field(char buffer[static MTU_SPEC_TEXT_SIZE], const struct field *field,
                                const void *member) {
        if (field->type == FIELD_TEXT)
                return member;
        if (field->type == FIELD_SPEC)
                return mtu_spec_format(buffer, member);
        text_put_number(buffer, *(const uint32_t *)member);
        return buffer;
}

static bool is_left_out(const struct field *field, const void *member) {
        static const struct mtu_spec none = { .mtu = MTU_MAX };

        if (field->type == FIELD_SPEC)
                return mtu_spec_equals(member, &none);
        return field->type == FIELD_TEXT ? *(const char *)member == '\0' : *(const uint32_t *)member == 0;
}

static void format(const struct device_record *record, char text[static TEXT_MAX]) {
        char buffer[MTU_SPEC_TEXT_SIZE];

        *text = '\0';
        for (const struct field *field = fields; field < fields + N_FIELDS; field++) {
                const void *member = (const char *)record + field->offset;

                if (!is_left_out(field, member))
                        text = stpcpy(stpcpy(stpcpy(text, field->key), format_field(buffer, field, member)),
                                      "\n");
        }
}

/* An ifindex is unique only within a network namespace, and several may share /run. */
static int prefix_of(char prefix[static DEVICE_IDENTITY_NETNS_SIZE + 1]) {
        int r = device_identity_netns(prefix);

        strcpy(prefix + strlen(prefix), *prefix ? "." : "0.");
        return r;
}

static int path_of(unsigned ifindex, char path[static PATH_SIZE]) {
        char *prefix = stpcpy(path, DEVICE_RECORD_DIRECTORY "/");
        int r = prefix_of(prefix);

        text_put_number(prefix + strlen(prefix), ifindex);
        return r;
}

/* Reads the file, of whatever device it is. */
static int read_file(const char *path, char text[static TEXT_MAX], struct device_record *ret) {
        int r = whole_file_read_link(path, text, TEXT_MAX);

        if (r < 0)
                return r == -EINVAL || r == -EFBIG ? -EBADMSG : r;
        return parse(text, ret);
}

static int read_any(unsigned ifindex, struct device_record *ret) {
        char path[PATH_SIZE], text[TEXT_MAX];
        int r = path_of(ifindex, path);

        return r < 0 ? r : read_file(path, text, ret);
}

static unsigned parts_of(const struct device_record *record) {
        const struct keep_tally *tally = &record->tally;

        return (record->original.set > 0 ? DEVICE_RECORD_ORIGINAL : 0) |
               (record->lowered.before > 0 ? DEVICE_RECORD_LOWERED : 0) |
               (record->kept.mtu > 0 ? DEVICE_RECORD_KEPT : 0) |
               (tally->count > 0 || tally->refused > 0 ? DEVICE_RECORD_TALLY : 0) |
               (record->trial.id > 0 ? DEVICE_RECORD_TRIAL : 0);
}

static void copy_parts(struct device_record *to, const struct device_record *from, unsigned parts) {
        if (parts & DEVICE_RECORD_ORIGINAL)
                to->original = from->original;
        if (parts & DEVICE_RECORD_LOWERED)
                to->lowered = from->lowered;
        if (parts & DEVICE_RECORD_KEPT)
                to->kept = from->kept;
        if (parts & DEVICE_RECORD_TALLY)
                to->tally = from->tally;
        if (parts & DEVICE_RECORD_TRIAL)
                to->trial = from->trial;
}

/* Waits: no process holds the lock for longer than it takes to replace a file. */
static int take_lock(void) {
        CLEANUP(cleanup_close) int fd = whole_file_open_lock(DEVICE_RECORD_LOCK);
        int r = fd;

        while (fd >= 0 && flock(fd, LOCK_EX) < 0)
                if (errno != EINTR)
                        return -errno;
        fd = -1;
        return r;
}

/* Replaces the parts in the file, under the lock. -ENOENT if there is none. `device`: the one that the parts
 * belong to, which has none of the parts of another one; NULL: the one that the file is of. */
static int replace_parts(const char *path, const struct device_identity *device, unsigned parts,
                         const struct device_record *values) {
        CLEANUP(cleanup_close) int lock = take_lock();
        char former[TEXT_MAX], text[TEXT_MAX];
        struct device_record record;
        int r = lock < 0 ? lock : read_file(path, former, &record);

        if (r < 0)
                return r;
        if (device && !device_identity_matches(&record.device, device))
                record = (struct device_record){ .device.name = "" };
        if (device) {
                if (strcmp(record.device.name, device->name) != 0)
                        record.kept = (struct kept_mtu){ .mtu = 0 };
                record.device = *device;
        }
        copy_parts(&record, values, parts);
        if (parts_of(&record) == 0)
                return whole_file_remove(path);
        format(&record, text);
        if (strcmp(text, former) == 0)
                return 0;
        r = whole_file_write_link(path, text);
        /* Where there is no room for a second file: a part that is to be removed must not count any more. */
        if (r == -ENOSPC && strlen(text) < strlen(former) && whole_file_remove(path) == 0)
                r = whole_file_write_link(path, text);
        return r;
}

/* Mostly there is no file, and one system call makes it. That goes without the lock: therefore a file is
 * made in no other way, and replaced only where there is one. */
static int write_parts(unsigned ifindex, const struct device_identity *device, unsigned parts,
                       const struct device_record *values) {
        struct device_record own = { .device = *device };
        char path[PATH_SIZE], text[TEXT_MAX];
        int r = path_of(ifindex, path);

        if (r < 0)
                return r;
        copy_parts(&own, values, parts);
        format(&own, text);
        /* Again if another process removes the file in between. */
        do {
                r = parts_of(&own) > 0 ? whole_file_create_link(path, text) : -EEXIST;
                if (r == -EEXIST)
                        r = replace_parts(path, device, parts, values);
        } while (r == -ENOENT && parts_of(&own) > 0);
        return r == -ENOENT ? 0 : r;
}

int device_record_read(const struct link *link, struct device_record *ret) {
        int r = read_any(link->ifindex, ret);

        if (r == 0 && !device_identity_is(&ret->device, link))
                r = -ENOENT;
        if (r == 0 && strcmp(ret->device.name, link->name) != 0)
                ret->kept = (struct kept_mtu){ .mtu = 0 };
        if (r < 0)
                *ret = (struct device_record){ .device.name = "" };
        return r;
}

int device_record_write(const struct link *link, unsigned parts, const struct device_record *record) {
        struct device_identity device;

        device_identity_of(link, &device);
        return write_parts(link->ifindex, &device, parts, record);
}

int device_record_remove(unsigned ifindex, unsigned parts) {
        const struct device_record none = { .device.name = "" };
        char path[PATH_SIZE];
        struct device_record record;
        int r = path_of(ifindex, path);

        if (r == 0 && parts == DEVICE_RECORD_ALL)
                return whole_file_remove(path); /* also an invalid one */
        if (r == 0)
                r = read_any(ifindex, &record);
        if (r == 0 && parts_of(&record) & parts)
                r = replace_parts(path, NULL, parts, &none);
        return r == -ENOENT ? 0 : r;
}

int device_record_each(int (*take)(void *userdata, unsigned ifindex), void *userdata) {
        CLEANUP(directory_free) struct directory files = { 0 };
        char prefix[DEVICE_IDENTITY_NETNS_SIZE + 1];
        int error = prefix_of(prefix);

        if (error == 0)
                error = directory_list(DEVICE_RECORD_DIRECTORY, "", &files);
        if (error < 0)
                return error;
        for (size_t i = 0; i < files.n_names; i++) {
                const char *rest = text_after(files.names[i], prefix);
                uint64_t ifindex;
                int r = 0;

                if (rest && *rest != '0' && text_parse_number(rest, 1, INT_MAX, &ifindex))
                        r = take(userdata, (unsigned)ifindex);
                if (error == 0)
                        error = r;
        }
        return error;
}

int original_mtu_read(const struct link *link, struct original_mtu *ret) {
        struct device_record record;
        int r = device_record_read(link, &record);

        if (r == 0 && record.original.set == 0)
                return -ENOENT;
        if (r == 0)
                *ret = record.original;
        return r;
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
        struct original_mtu record;
        uint32_t set, is_added;

        return original_mtu_read(link, &record) == -ENOENT && read_udev(link, &text) == 0 &&
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

/* Finds the MTU to restore one day, and whether the present MTU is setmtu's already: the udev rule may have
 * set it. A device that the kernel lowered with the device below had more before. */
static int find_original(const struct link *link, uint32_t wanted, const struct device_record *former,
                         uint32_t *ret_original, bool *ret_was_ours) {
        const struct original_mtu *record = &former->original;
        uint32_t set;
        int r;

        *ret_original = record->original;
        *ret_was_ours = record->set == link->mtu || record->before == link->mtu;
        if (record->set > 0)
                return 0;
        *ret_original = former->lowered.before;
        if (wanted > link->mtu && lowered_mtu_counts(&former->lowered, link->mtu))
                return 0;
        r = original_mtu_from_udev(link, ret_original, &set);
        *ret_was_ours = r == 0 && set == link->mtu;
        if (!*ret_was_ours)
                *ret_original = link->mtu;
        return r == -ENOENT || r == -ENODATA ? 0 : r;
}

/* Whether the former record has this original MTU already, and the device's present name and address. */
static bool is_up_to_date(const struct link *link, const struct record_change *change) {
        const struct device_record *former = &change->former;

        return memcmp(&former->original, &change->own.original, sizeof(former->original)) == 0 &&
               strcmp(former->device.name, link->name) == 0 &&
               strcmp(former->device.mac, link->addresses.mac) == 0;
}

int record_change_begin(const struct link *link, uint32_t wanted, bool is_trial, bool is_kept,
                        struct record_change *ret) {
        struct device_record *own = &ret->own;
        uint32_t original = 0;
        bool was_ours = false;
        int r;

        own->original.original = ret->parts = ret->is_pinned = 0;
        r = device_record_read(link, &ret->former);
        if (r == 0 || r == -ENOENT)
                r = find_original(link, wanted, &ret->former, &original, &was_ours);
        ret->is_unread = r < 0;
        if (r < 0)
                return r;
        /* The udev rule's MTU is setmtu's; an MTU from others, or from before a lowering, is not. */
        own->original = (struct original_mtu){ .original = original,
                                               .set = wanted,
                                               .before = was_ours && link->mtu != wanted ? link->mtu : 0 };
        ret->is_pinned = stack_is_bridge(link) && link->mtu == wanted &&
                         ret->former.original.set != wanted && !(was_ours && original != wanted);
        if ((ret->former.original.set > 0 || original != wanted || ret->is_pinned) &&
            !is_up_to_date(link, ret))
                ret->parts |= DEVICE_RECORD_ORIGINAL;
        if (!is_trial && ret->former.kept.mtu > 0 && ret->former.kept.mtu != wanted) {
                own->kept = ret->former.kept;
                own->kept.mtu = is_kept ? wanted : 0;
                ret->parts |= DEVICE_RECORD_KEPT;
        }
        r = ret->parts ? device_record_write(link, ret->parts, own) : 0;
        ret->is_pinned &= r == 0;
        return r;
}

int lowered_mtu_read(const struct link *link, struct lowered_mtu *ret) {
        struct device_record record;
        int r = device_record_read(link, &record);

        if (r == -EBADMSG || (r == 0 && !lowered_mtu_counts(&record.lowered, link->mtu)))
                return -ENOENT;
        if (r == 0)
                *ret = record.lowered;
        return r;
}

int trial_record_read(unsigned ifindex, struct trial_record *ret) {
        struct device_record record;
        int r = read_any(ifindex, &record);

        if (r == 0 && record.trial.id == 0)
                return -ENOENT;
        if (r < 0)
                return r;
        *ret = record.trial;
        ret->ifindex = ifindex;
        ret->device = record.device;
        return 0;
}

static int add_trial(void *userdata, unsigned ifindex) {
        struct trial_records *records = userdata;
        struct trial_record record, *item;
        int r = trial_record_read(ifindex, &record);

        if (r == -ENOENT || r == -EBADMSG ||
            (r == 0 && records->id != TRIAL_RECORDS_ALL && record.id != records->id))
                return 0;
        if (r < 0)
                return r;
        item = array_add(&records->items, &records->n_items, sizeof(*item));
        if (!item)
                return -ENOMEM;
        *item = record;
        return 0;
}

static int by_place(const void *a, const void *b) {
        const struct trial_record *x = a, *y = b;

        return (x->place < y->place) - (x->place > y->place);
}

int trial_records_read(uint32_t id, struct trial_records *ret) {
        int r;

        *ret = (struct trial_records){ .id = id };
        r = device_record_each(add_trial, ret);
        if (ret->n_items > 1)
                qsort(ret->items, ret->n_items, sizeof(*ret->items), by_place);
        return r;
}

void trial_records_free(struct trial_records *records) {
        free(records->items);
        *records = (struct trial_records){ .n_items = 0 };
}

int trial_record_write(const struct trial_record *record) {
        const struct device_record values = { .trial = *record };

        return write_parts(record->ifindex, &record->device, DEVICE_RECORD_TRIAL, &values);
}
