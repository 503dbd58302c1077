/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Findings about a device from the configuration, its state, the settings of other programs, the devices
 * above and below it, and the probed paths. */

#include "command/facts_output.h"
#include "probe/path.h"

/* In ascending order of severity. */
enum diagnosis {
        DIAGNOSIS_FINE,
        DIAGNOSIS_NOT_KNOWN,
        DIAGNOSIS_NOT_LASTING,
        DIAGNOSIS_NOT_CARRIED,
        DIAGNOSIS_NOT_IN_EFFECT,
};

extern const char *const diagnosis_words[];

/* A host of the command line, probed. */
struct probed {
        struct path path;
        struct path_result result;
        int exit_code; /* of the search for it; the result is there where that is EXIT_CODE_DONE */
};

/* A mistake in the configuration. */
struct mistake {
        const char *name;    /* the device; or NULL */
        const char *reason;  /* FILE:LINE: text */
        const char *command; /* opens the file */
        /* What it means: an error; or a warning about a line by itself (EXIT_CODE_DONE, a note), about the
         * boot (EXIT_CODE_NOT_LASTING), or that lines contradict each other (EXIT_CODE_LOCAL_LIMIT). */
        int exit_code;
        bool is_contradiction; /* of another line, also as an error */
        bool is_reported;
};

struct doctor {
        struct facts facts;
        struct probed *hosts;
        size_t n_hosts;
        struct mistake *mistakes; /* in the configuration */
        size_t n_mistakes;
        int warning_exit_code; /* of the warnings that are being collected */
        bool is_json;
        json_t *document; /* an array of the devices so far; then the whole; NULL: memory is out */
        enum diagnosis worst;
        int exit_code;
        size_t n_bad; /* devices that are not fine */
};

/* One device; without a status, findings about no device. */
struct checkup {
        struct doctor *doctor;
        const struct device_status *status;
        const struct link *link;           /* NULL: absent */
        char name[TEXT_SHELL_WORD_SIZE];   /* for a shell */
        struct manager_facts facts;        /* of the link */
        const struct device_plan *planned; /* of its line; or NULL */
        bool is_kept;                      /* setmtu-keep.service puts its MTU back */
        enum diagnosis worst;
        json_t *findings;
        struct pool *pool;       /* of the rivals: for all texts; it records that memory was out */
        bool has_contradictions; /* of its line with another one's */
        /* As a finding says: its MTU is larger than what is below it carries, and IPv6 has less. */
        bool is_larger, is_ipv6_less;
};

/* Each of these adds to the findings of the checkup, the worst one first. Status, link, name and facts are
 * there. */

/* The mistakes of its line, its state, other settings, and the MTU of IPv6; without a device, the mistakes
 * not reported for any, and setmtu's units that have failed. */
void diagnosis_judge_device(struct checkup *checkup);
/* Whether the devices below carry the MTU of the link. */
void diagnosis_judge_below(struct checkup *checkup);
/* What the probes of the hosts reached by the device have found; without a device, of those that no device
 * leads to. */
void diagnosis_judge_hosts(struct checkup *checkup);

/* `exit_code` is that of the command if this is the worst finding, and says which diagnosis it is:
 * EXIT_CODE_DONE is that of a note.
 * `command`: NULL, or the next command; one that cannot be pasted is left out. Returns the finding, which is
 * not the caller's. */
json_t *diagnosis_add(struct checkup *checkup, int exit_code, const char *command, const char *format, ...)
                __attribute__((format(printf, 4, 5)));
/* advice_make() for the link. */
const char *diagnosis_command(struct checkup *checkup, uint32_t mtu);
/* The command that gives IPv6 the MTU of the link, for good. */
const char *diagnosis_ipv6_command(struct checkup *checkup);
