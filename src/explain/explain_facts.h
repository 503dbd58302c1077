/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The input of explanations: files of this machine, the state of its managers, and its devices. */

#include "change/snapshot.h"
#include "explain/explanation.h"
#include "explain/note.h"

struct explain_facts {
        const struct snapshot *snapshot;    /* not owned; NULL: the facts are not made */
        const struct diagnostic_sink *sink; /* not owned */
        struct mtu_sources sources;
        struct network_files network_files;
        struct explain_device device; /* what is the same for all devices */
        bool may_be_masked;           /* a unit of setmtu may, or setmtu@.service */
        bool is_brief;                /* skips what conflicts do not depend on: original MTUs and hardware */
        bool has_owners;              /* the managers' state in /run is that of these devices */
        struct pool_list unread;      /* files that this user cannot read; in the pool of the sources */
        bool is_partial;              /* there are such, or one of setmtu's own configuration */
        struct network_sysctls sysctls;
        int ethtool; /* a negative number: not open, and neither speeds nor drivers are known */
};

/* Mistakes in files go to `sink` and cost no more than themselves; files that cannot be read are kept in
 * `unread`. `ret` stays where it is. -ENOMEM is the only error. */
MUST_USE int explain_facts_make(const struct snapshot *snapshot, const struct diagnostic_sink *sink,
                                bool is_brief, struct explain_facts *ret);
void explain_facts_cleanup(struct explain_facts *facts); /* for CLEANUP(); of one that is all zeros, too */

/* Explains the device of that name; `link` or `line` may be NULL. -ENOMEM is the only error; `ret` is to be
 * cleaned up then, too. */
MUST_USE int explain_facts_explain(struct explain_facts *facts, const char *name, const struct link *link,
                                   const struct config_line *line, struct explained *ret);
void explained_cleanup(struct explained *explained); /* for CLEANUP(); of one that is all zeros, too */

/* Warns, once, of the files that could not be read: root may be able to. */
NONNULL void explain_facts_warn_unread(const struct explain_facts *facts);

/* Reads /proc/sys/KEY, where KEY has slashes for its dots: the number with this index in it, counted from 0.
 * A negative errno where it cannot be had; -EBADMSG: there is no such number. */
long long network_sysctl_read(const char *key, unsigned index);
