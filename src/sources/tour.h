/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the parts of a survey have in common: files are read where they are there. All paths are absolute and
 * taken behind $SETMTU_ROOT. Functions return 0 or -ENOMEM; what cannot be read the sink is told. */

#include <stddef.h>

#include "base/folder.h"
#include "sources/enabled.h"
#include "sources/reading.h"

struct tour {
        const struct diagnostic_sink *sink;
        struct findings *findings;
        struct enabled_units enabled;
};

typedef int tour_reader(const struct reading *reading);

/* Reads the text of a file. Returns 1; 0 where it is not there, or cannot be read. */
int tour_read_text(const struct tour *tour, const char *path, char **ret_text, size_t *ret_size);

/* Has the file read. */
int tour_read_file(const struct tour *tour, const char *path, tour_reader *reader, bool inactive);

/* All files of the folder whose names end in `suffix`, by name. */
int tour_read_folder(const struct tour *tour, const char *folder, const char *suffix, tour_reader *reader,
                     bool inactive);

/* Lists the paths of all files in the folders, which a NULL ends, by their names; of files with one name
 * that of the first folder alone. The caller frees. */
int tour_list(const struct tour *tour, const char *const *folders, const char *suffix, struct folder *ret);

/* Lists a folder; one that is not there is empty. */
int tour_list_folder(const struct tour *tour, const char *path, const char *suffix, struct folder *ret);

/* The name of the device with that index, in `ret`; false where there is none: /sys/class/net. */
bool tour_device_name(unsigned long ifindex, char *ret, size_t ret_size);

/* Whether this is a file that somebody may execute, whoever asks: scripts that nobody may are not run, and
 * folders are none. */
bool tour_is_executable(const char *path);

/* The stages that are not in survey.c. */
int survey_units(struct tour *tour);
int survey_networkd(struct tour *tour);
int survey_ifupdown(struct tour *tour);
int survey_netctl(struct tour *tour);
int survey_leases(struct tour *tour);

/* One unit whose text is there, and whose name is the last part of `path`. Where the machine has no instance
 * of a template enabled, all act. */
int survey_unit_text(struct tour *tour, const char *path, const char *text, size_t size);
