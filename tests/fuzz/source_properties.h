/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What must hold for any input of the readers in src/sources: findings are whole and presentable, lines are
 * of the text, reading it twice gives the same, and what import makes of them is a configuration that is
 * read back. */

#include "properties.h"

#define SOURCE_PROPERTIES(PROPERTY) \
        PROPERTY(script)            \
        PROPERTY(unit)              \
        PROPERTY(link)              \
        PROPERTY(network)           \
        PROPERTY(netplan)           \
        PROPERTY(nm_profile)        \
        PROPERTY(nm_conf)           \
        PROPERTY(ifupdown)          \
        PROPERTY(ifupdown2)         \
        PROPERTY(ifcfg)             \
        PROPERTY(netctl)            \
        PROPERTY(netctl_hook)       \
        PROPERTY(netcfg)            \
        PROPERTY(openrc)            \
        PROPERTY(cron)              \
        PROPERTY(wsl)               \
        PROPERTY(wireguard)         \
        PROPERTY(freebsd)           \
        PROPERTY(irix)              \
        PROPERTY(dhcpcd)            \
        PROPERTY(dhclient)          \
        PROPERTY(dhclient_leases)   \
        PROPERTY(lease)             \
        PROPERTY(lease_message)     \
        PROPERTY(udev_rule)         \
        PROPERTY(tuned)             \
        PROPERTY(docker)

#define DECLARE(name) property_function property_source_##name;
SOURCE_PROPERTIES(DECLARE)
#undef DECLARE

/* The format of any input can be asked for. */
property_function property_source_format;
