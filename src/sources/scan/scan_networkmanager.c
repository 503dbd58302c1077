/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The profiles and the configuration of NetworkManager. */

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "sources/format/networkmanager_conf.h"
#include "sources/scan/scan_files.h"

/* Whether NetworkManager takes the file for a profile: nms_keyfile_utils_should_ignore_file() in its
 * nms-keyfile-utils.c. What g_file_set_contents() has begun to write ends in six letters or digits. */
static bool is_profile(const struct scan_file *file) {
        const char *ending = strrchr(file->name, '.');

        if (!text_after(file->path, "/etc/"))
                return text_ends_in(file->name, ".nmconnection");
        return !text_ends_in(file->name, "~") &&
               (!ending || (!text_is_among_any_case(ending, ".pem .der") &&
                            (strlen(ending) != strlen(".ABC123") || strpbrk(ending, "_-"))));
}

/* The first one counts: NMSKeyfileStorageType. */
static const char *const profile_folders[] = { "/run/NetworkManager/system-connections",
                                               "/etc/NetworkManager/system-connections",
                                               "/usr/lib/NetworkManager/system-connections" };

struct profile {
        struct source_parser parser;
        size_t folder;
        struct timespec modified;
};

/* Of profiles with one UUID, NetworkManager takes that of an earlier folder, the newest, the last by name:
 * cmp_fcn() in its nms-keyfile-storage.c. */
static int compare_importance(const void *a, const void *b) {
        const struct profile *first = a, *second = b;

        if (first->folder != second->folder)
                return first->folder < second->folder ? -1 : 1;
        if (first->modified.tv_sec != second->modified.tv_sec)
                return first->modified.tv_sec > second->modified.tv_sec ? -1 : 1;
        if (first->modified.tv_nsec != second->modified.tv_nsec)
                return first->modified.tv_nsec > second->modified.tv_nsec ? -1 : 1;
        return strcmp(second->parser.file, first->parser.file);
}

static int compare_files(const void *a, const void *b) {
        return strcmp(((const struct profile *)a)->parser.file, ((const struct profile *)b)->parser.file);
}

static void scan_profiles(const struct scan *scan, const char *off) {
        struct profile *profiles = NULL;
        size_t n_profiles = 0;

        for (size_t i = 0; i < sizeof(profile_folders) / sizeof(profile_folders[0]); i++) {
                struct scan_files files = { 0 };

                scan_add_folder(scan, profile_folders[i], "", &files);
                for (size_t j = 0; j < files.n_items; j++) {
                        struct profile profile = { .folder = i };

                        if (!is_profile(&files.items[j]) ||
                            !scan_open(scan, files.items[j].path, &profile.parser))
                                continue;
                        profile.parser.inactive = off;
                        profile.modified = scan_modified(scan, profile.parser.file);
                        pool_put(scan->pool, &profiles, &n_profiles, &profile, sizeof(profile));
                }
        }
        if (n_profiles == 0)
                return;
        qsort(profiles, n_profiles, sizeof(*profiles), compare_importance);
        for (size_t i = 0; i < n_profiles; i++)
                source_nm_profile_name(&profiles[i].parser);
        qsort(profiles, n_profiles, sizeof(*profiles), compare_files);
        for (size_t i = 0; i < n_profiles; i++)
                source_nm_profile_read(&profiles[i].parser);
}

/* First the defaults for profiles without an MTU, then the profiles. */
void scan_networkmanager(const struct scan *scan) {
        /* A file overrides another one of its name. Of others, a folder's come behind those of the next. */
        static const char *const conf[] = { "/etc/NetworkManager/conf.d", "/run/NetworkManager/conf.d",
                                            "/usr/lib/NetworkManager/conf.d", NULL };
        const char *off = scan_why_off(scan, "NetworkManager.service");
        const struct scan_files files = scan_folders(scan, conf, ".conf");

        for (size_t folder = 3; folder-- > 0;) {
                if (folder == 0)
                        scan_file(scan, "/etc/NetworkManager/NetworkManager.conf", source_nm_conf_read, off);
                for (size_t i = 0; i < files.n_items; i++)
                        if (text_after(files.items[i].path, conf[folder]))
                                scan_file(scan, files.items[i].path, source_nm_conf_read, off);
        }
        scan_profiles(scan, off);
}
