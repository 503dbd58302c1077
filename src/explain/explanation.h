/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Everything that sets a device's MTU, or may, in the order in which it acts, and who wins. No I/O: what is
 * known of the device and of the machine comes in, and sentences go out. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/device_plan.h"
#include "plan/link_table.h"
#include "sources/mtu_source.h"
#include "system/device_owner.h"
#include "system/systemd_ini.h"

/* What is known of a device. Nothing is owned. */
struct explain_device {
        const char *name;
        const struct link *link; /* NULL: absent */
        struct link_addresses addresses;
        char driver[32];                   /* of the hardware; or empty */
        uint32_t speed_mbit;               /* 0: not known */
        uint32_t original;                 /* its MTU before setmtu's first change; 0: not known */
        struct owners owners;              /* who has it now */
        const struct config_line *line;    /* its line in setmtu's configuration, or NULL */
        const struct device_plan *planned; /* what is made of that line, or NULL: nothing */
        bool is_masked;                    /* the administrator has masked its unit */
        const char *foreign_template;      /* the setmtu@.service that goes before setmtu's, or NULL */
};

/* What is known of the machine. Nothing is owned. */
struct explain_machine {
        const struct mtu_sources *sources;
        const struct link_table *links;
        const struct network_files *link_files; /* all .link files but setmtu's own, or NULL */
};

enum explain_effect {
        EXPLAIN_WINS,
        EXPLAIN_SAME,       /* acts before the winner and sets the same */
        EXPLAIN_OVERRIDDEN, /* acts, and what comes later sets something else */
        EXPLAIN_MAYBE,      /* may act; it takes more than is known to tell */
        EXPLAIN_REFUSED,    /* acts, and the device does not take the value */
        EXPLAIN_IDLE,       /* does not act on this device as things are */
};

#define EXPLAIN_TEXT_SIZE 640

struct explain_step {
        const char *source;               /* a word: that of source_kind_name(), or driver, kernel, setmtu */
        const struct mtu_source *written; /* NULL: one of builtin_sources_make() */
        const char *file;                 /* NULL: it is written nowhere */
        unsigned line;                    /* 0: not known */
        const char *value;                /* as it is written, or NULL */
        uint32_t mtu;                     /* in bytes, what the device would get from it; 0: not known */
        enum explain_effect effect;
        bool contradicts; /* it acts, or may, and sets something else than the winner */
        unsigned phase;   /* private, and the next three: enum explain_phase */
        unsigned kind;    /* enum step_kind */
        const char *rank; /* the order in a phase; NULL: as they were found */
        size_t index;
        char reason[EXPLAIN_TEXT_SIZE]; /* why so; a clause without a full stop. From outside in part: not
                                           fit for a terminal as it is */
};

struct explanation {
        struct explain_step *steps; /* in the order in which they act */
        size_t n_steps;
        const struct explain_step *winner; /* NULL: nobody can be told to win */
        uint32_t expected;                 /* what the device should have by that; 0: not known */
        bool is_explained;                 /* it has that; also where it is absent */
        bool is_contradicted;              /* some steps do */
        char verdict[EXPLAIN_TEXT_SIZE];   /* one sentence: what it has and why */
        char advice[EXPLAIN_TEXT_SIZE];    /* one or two sentences: what to do; empty: nothing */
};

/* -ENOMEM, with `ret` untouched, is the only error. It points into the device and the machine. */
int explanation_make(const struct explain_device *device, const struct explain_machine *machine,
                     struct explanation *ret);
void explanation_free(struct explanation *explanation);

/* wins, same, overridden, maybe, refused, idle. */
const char *explain_effect_name(enum explain_effect effect);
