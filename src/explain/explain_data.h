/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Facts about a device and the machine, and the explanation that follows: plain data. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "plan/device_plan.h"
#include "plan/link_table.h"
#include "sources/parser/mtu_source.h"
#include "system/owner_state.h"
#include "system/systemd_ini.h"

/* Facts about a device. Nothing is owned. */
struct explain_device {
        const char *name;
        const struct link *link;           /* NULL: absent */
        char driver[32];                   /* of the hardware; or empty */
        bool is_renamed;                   /* since the kernel named it; and whether it has Wi-Fi, */
        bool is_wireless;                  /* of one that is renamed */
        uint32_t speed_mbit;               /* 0: not known */
        uint32_t original;                 /* its MTU before setmtu's first change; 0: not known */
        struct owners owners;              /* the managers that have it now */
        const struct config_line *line;    /* its line in setmtu's configuration, or NULL */
        const struct device_plan *planned; /* the plan for that line, or NULL */
        bool is_masked;                    /* the administrator has masked its unit */
        bool has_dhclient_hook;            /* setmtu's hook for dhclient is in effect */
        bool has_if_up_hook;               /* the same for that of ifupdown2 */
        const char *foreign_template;      /* the setmtu@.service that goes before setmtu's, or NULL */
};

/* Facts about the machine. Nothing is owned. */
struct explain_machine {
        const struct mtu_sources *sources;
        const struct link_table *links;
        const struct network_files *network_files; /* all .network files but setmtu's own, or NULL */
        bool is_partial;                           /* a file could not be read */
};

/* In the order in which they act. */
enum explain_phase {
        PHASE_BIRTH,      /* the driver */
        PHASE_NETDEV,     /* systemd-networkd makes the device */
        PHASE_EARLY_RULE, /* udev rules before 80-net-setup-link.rules */
        PHASE_LINK,       /* 80-net-setup-link.rules applies the .link file */
        PHASE_RULE,       /* udev rules after it */
        PHASE_UNIT,       /* once at boot */
        PHASE_MANAGER,    /* when the manager brings the device up */
        PHASE_PORT,       /* a bond or team takes it */
        PHASE_DHCP,       /* dhclient, when it has a lease */
        PHASE_SCRIPT,     /* rc.local, and daemons that start behind the network */
        PHASE_LATE_UNIT,  /* units that wait until the network is up, or for rc.local */
        PHASE_TUNED,
};

/* The kinds of steps that the rules distinguish. */
enum step_kind {
        KIND_OTHER,
        KIND_NETPLAN,
        KIND_LINK,
        KIND_NETWORKD_BYTES, /* MTUBytes= */
        KIND_NETWORKD_USE,   /* UseMTU= */
        KIND_NETWORKD_LEASE,
        KIND_PROFILE,      /* of NetworkManager */
        KIND_PROFILE_ELSE, /* what NetworkManager takes where a profile has no MTU */
        KIND_PROFILE_LEASE,
        KIND_INTERFACES,  /* interfaces(5) */
        KIND_POLICY,      /* of ifupdown2 */
        KIND_POLICY_ELSE, /* what ifupdown2 sets where nothing is written */
        KIND_IF_UP,       /* setmtu's hook where interfaces(5) has no mtu */
        KIND_DHCLIENT,
        KIND_DHCLIENT_LEASE,
};

enum explain_effect {
        EXPLAIN_WINS,
        EXPLAIN_SAME,       /* acts before the winner and sets the same */
        EXPLAIN_OVERRIDDEN, /* takes effect, and a later step sets another value */
        EXPLAIN_MAYBE,      /* may take effect; setmtu cannot tell */
        EXPLAIN_REFUSED,    /* acts, and the device does not take the value */
        EXPLAIN_IDLE,       /* does not take effect on this device now */
};

/* The effect of a step that acts until the winner is known. */
#define ACTS EXPLAIN_OVERRIDDEN

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
        bool repeats;     /* it acts again later, whatever came in between */
        const char *who;  /* what sets it, to begin a sentence with; NULL: the driver, setmtu, the kernel */
        const char *when; /* when that is, to end one with; NULL if `who` is */
        enum explain_phase phase; /* private, as are the next three */
        enum step_kind kind;
        const char *rank; /* the order in a phase; NULL: as they were found */
        size_t index;
        char reason[EXPLAIN_TEXT_SIZE]; /* why so; a clause without a full stop. From outside in part: not
                                           fit for a terminal as it is */
};

/* Whether it is setmtu's own line that sets it. */
static inline bool explain_step_is_own(const struct explain_step *step) {
        return strcmp(step->source, "setmtu") == 0;
}

struct explanation {
        struct explain_step *steps; /* in the order in which they act */
        size_t n_steps;
        const struct explain_step *winner; /* NULL: none is known to win */
        uint32_t expected;                 /* what the device should have by that; 0: not known */
        bool is_explained;                 /* it has that; also where it is absent */
        bool is_contradicted;              /* some steps do */
        char verdict[EXPLAIN_TEXT_SIZE];   /* one sentence: what it has and why */
        char advice[EXPLAIN_TEXT_SIZE];    /* one or two sentences: what to do; empty: nothing */
};

/* One device, with what comes of the facts for it. */
struct explained {
        struct explain_device device;
        struct explain_machine machine;
        struct explanation explanation;
};
