/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Reading files, for the stages of a scan. All paths are absolute and below $SETMTU_ROOT. Unreadable files
 * are reported; the pool of the sources, which owns all results, records lack of memory. */

#include <time.h>

#include "sources/format/readers.h"

/* The characters of names that run-parts(8) takes, and interfaces(5) in a folder. */
#define SCRIPT_NAME "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

struct scan_file {
        const char *name; /* in the path, behind the last slash */
        const char *path;
};

struct scan_files {
        struct scan_file *items;
        size_t n_items;
};

struct scan {
        const struct diagnostic_sink *sink;
        struct mtu_sources *sources;
        struct pool *pool;               /* of the sources */
        struct scan_files enabled_units; /* what stands in *.wants and *.requires (systemd.unit(5)), and
                                            services in runlevels of OpenRC */
        bool has_runlevels;
        struct script_files script_files;
        bool is_for_script; /* only an error of reading is reported: most of what scripts run does not matter
                             */
};

/* `scan` has to stay where it is. */
void scan_begin(struct scan *scan, const struct diagnostic_sink *sink, struct mtu_sources *sources);

/* Whether the first `n` files have one of that name. */
bool scan_files_have(const struct scan_files *files, size_t n, const char *name);

/* Reports a file or folder that is there and cannot be read. */
void scan_report_unread(const struct scan *scan, const char *path, int error);

/* Adds the files of a folder whose names end in `suffix`, by name. A folder that is not there is empty; one
 * that cannot be read is reported. */
void scan_add_folder(const struct scan *scan, const char *folder, const char *suffix,
                     struct scan_files *files);

/* All files in the folders, which a NULL ends, by their names; of files with one name that of the first
 * folder alone. */
struct scan_files scan_folders(const struct scan *scan, const char *const *folders, const char *suffix);

/* Adds what a pattern means as a shell takes it: glob(7). As above; false if a folder cannot be read. */
bool scan_add_matching(const struct scan *scan, const char *pattern, struct scan_files *files);

/* What patterns mean, which are apart by spaces. */
struct scan_files scan_matching(const struct scan *scan, const char *patterns);

/* Whether something is there; if that is not known, it is reported. */
bool scan_exists(const struct scan *scan, const char *path);

/* When a file was changed. 0: it is not known, which is reported. */
struct timespec scan_modified(const struct scan *scan, const char *path);

/* A parser of that file, whose text is to be read yet. */
struct source_parser scan_parser(const struct scan *scan, const char *path);

/* Reads the text of a file. False if it is not there, or cannot be read. */
bool scan_read_text(const struct scan *scan, const char *path, const char **ret_text, size_t *ret_size);

/* The same with its text. False if that is not there, or cannot be read. */
bool scan_open(const struct scan *scan, const char *path, struct source_parser *ret);

/* Reads the text of the parser's file and parses it. */
void scan_parse(const struct scan *scan, struct source_parser parser, source_reader *reader);

/* The same of a path, and of all files that patterns mean. */
void scan_file(const struct scan *scan, const char *path, source_reader *reader, const char *inactive);
void scan_all(const struct scan *scan, const char *patterns, source_reader *reader, const char *inactive);

/* Where unit files are, the first one that has a name first; NULL ends it. */
extern const char *const scan_unit_folders[];

/* Reads which units are enabled on this machine. */
void scan_enabled_units(struct scan *scan);
/* Adds one that is not among them. */
void scan_enable_unit(struct scan *scan, const char *unit);
bool scan_is_enabled(const struct scan *scan, const char *unit);

/* Why what the unit, or the service of OpenRC, manages is not managed, if it is installed and nothing asks
 * for it, or if networkd is enabled instead of it: "UNIT is not enabled". Otherwise NULL, also if that is
 * not known. */
const char *scan_why_off(const struct scan *scan, const char *unit);

/* The same of a service that OpenRC starts: "SERVICE is in no runlevel". NULL: it starts it, or another init
 * runs the machine. */
const char *scan_why_not_started(const struct scan *scan, const char *service);

/* Whether a service in a runlevel brings up devices. Without one, OpenRC starts any of them for a service
 * that needs a network: get_provided() in its librc-depend.c. */
bool scan_has_network(const struct scan *scan);

/* What a program asks of the scripts in its folders. */
enum script_rules {
        SCRIPT_EXECUTABLE = 1 << 0,
        SCRIPT_OF_ROOT = 1 << 1,   /* the owner is root, and no other user can write:
                                      NetworkManager-dispatcher(8) */
        SCRIPT_RUN_PARTS = 1 << 2, /* a name of letters, digits, "_" and "-": run-parts(8) */
        SCRIPT_AT_DOWN = 1 << 3,   /* it is run, but too late */
        SCRIPT_BY_KERNEL = 1 << 4, /* no shell runs what execve(2) refuses */
        SCRIPT_AS_UNIT = 1 << 5,   /* no unit has its name: systemd-sysv-generator(8) */
};

/* Why a script is not run when a device comes up, a clause without a full stop; NULL: it is run. */
const char *scan_why_not_run(const struct scan *scan, const char *path, unsigned rules);

/* The stage of units, which is in scan_units.c; and before it, adds the units that enabled ones start. */
void scan_units(const struct scan *scan);
void scan_started_units(struct scan *scan);

/* The stage of networkd and netplan, which is in scan_networkd.c. */
void scan_networkd(const struct scan *scan);

/* The stage of NetworkManager, which is in scan_networkmanager.c. */
void scan_networkmanager(const struct scan *scan);

/* The stage of cloud-init, which is in scan_cloud_init.c. */
void scan_cloud_init(const struct scan *scan);

/* The stage of ifupdown, which is in scan_ifupdown.c; and whether ifupdown2 replaces it. */
void scan_ifupdown(const struct scan *scan);
bool scan_has_ifupdown2(const struct scan *scan);

/* The stage of OpenRC, which is in scan_openrc.c; and before it, adds the services that others need. */
void scan_openrc(const struct scan *scan);
void scan_needed_services(struct scan *scan);

/* The value of a variable in a shell file. NULL: there is none, or it is not known. */
const char *scan_read_variable(const struct scan *scan, const char *path, const char *name);

/* One unit whose text is there, and whose name is the last part of the parser's file. Where the machine has
 * no instance of a template enabled, all act. */
void scan_unit_text(const struct scan *scan, const struct source_parser *parser);
