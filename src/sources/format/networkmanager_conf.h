/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Which devices NetworkManager manages, by NetworkManager.conf(5): all files that source_nm_conf_read() has
 * read for the sources so far, of which later ones override earlier ones. */

#include "sources/parser/source_parser.h"

/* What a profile says of its device; NULL: nothing. */
struct nm_device {
        const char *name;
        const char *type;
        const char *mac;
};

/* Why the device is left alone, a clause in the sources' pool; NULL: it is managed, or that is not known. */
const char *nm_why_unmanaged(struct mtu_sources *sources, const struct nm_device *device);

/* A udev rule sets NM_UNMANAGED for the devices that this word of a device list means. */
void nm_set_unmanaged(const struct source_parser *parser, const char *spec, const char *value,
                      unsigned line);

/* The same of all devices with an iface stanza of interfaces(5); static. */
const char *nm_why_not_ifupdowns(const struct mtu_sources *sources);
