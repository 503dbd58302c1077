/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A text that is read for findings. A reader of one format is a function of a reading alone: it opens
 * nothing. It returns 0 or -ENOMEM; what it cannot read it tells to the sink, and reads on. */

#include "sources/finding.h"

struct reading {
        const char *file; /* its name in findings and messages, shown as it is */
        const char *text; /* not owned; may hold any byte, and no NUL behind it */
        size_t size;
        const struct diagnostic_sink *sink;
        struct findings *findings;
        bool inactive;     /* of all that is in it */
        const char *owner; /* as in a finding, or NULL: of all that is in it, if the format has no other */
};

/* A finding to be. What it points to is copied. */
struct draft {
        enum source source;
        enum finding_match match;
        const char *device;
        const char *file; /* NULL: that of the reading */
        unsigned line;
        const char *value; /* NULL where there is none */
        uint32_t mtu;      /* 0: it is read from `value` */
        const char *unclear;
        bool inactive; /* besides that of the reading */
        bool conditional;
        bool up;
        const char *owner; /* NULL: that of the reading */
        const char *through;
        unsigned through_line;
        const char *parent;
};

/* How a program reads a number. */
enum value_rule {
        VALUE_DECIMAL, /* digits alone */
        VALUE_C,       /* strtoul() with base 0, as iproute2 does: 0x2328 and 021450 are 9000 */
        VALUE_SIZE,    /* with K, M or G of 1024: parse_size() in systemd's src/basic/parse-util.c */
};

/* The bytes that `value` says, or 0 with `ret_unclear`, a static clause that says why not. */
uint32_t value_read(const char *value, enum value_rule rule, const char **ret_unclear);

/* Adds a finding. Where it has a value, and neither `mtu` nor `unclear`, the value is read by the rule. */
int reading_add(const struct reading *reading, enum value_rule rule, const struct draft *draft);

/* Tells the sink of a line: as an error where what comes after it is not read, as a warning where no more
 * than it is lost. */
__attribute__((format(printf, 3, 4))) void reading_fail(const struct reading *reading, unsigned line,
                                                        const char *format, ...);
__attribute__((format(printf, 3, 4))) void reading_warn(const struct reading *reading, unsigned line,
                                                        const char *format, ...);
