/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What must hold for any input whatsoever, one function a property. libFuzzer calls them with inputs that it
 * grows (fuzz_main.c), the unit suite with pseudo-random ones and with the corpus (random_main.c). */

#include <stddef.h>
#include <stdint.h>

/* Tries one input, which is `size` bytes at `data` and not a byte more. Where the property does not hold,
 * says so with the input on stderr and aborts. */
typedef void property_function(const uint8_t *data, size_t size);

/* A file's text: good lines are legal, each diagnostic is presentable, reading it twice gives the same. */
property_function property_config_file;
/* A line put anywhere between others costs itself alone. */
property_function property_bad_line;
/* A kernel command line's text: as for a file's. */
property_function property_command_line;
/* Something between two commas of `setmtu=` costs itself alone. */
property_function property_bad_argument;
/* An edit changes one device's line, or takes its lines out, and every other byte and meaning stays. */
property_function property_config_edit;
/* Escaping and unescaping a unit's name are each other's reverse. */
property_function property_unit_name;
/* A quoted text is clean, fits, and can be read back. */
property_function property_text_quote;
/* The steps over any stack of devices are taken by the kernel, in their order, and end as they say. */
property_function property_steps;
/* The udev rules of any configuration hold a line for each device and nothing that came from outside. */
property_function property_udev_rules;
/* The file for NetworkManager says of each device what the plan says, and is read back so. */
property_function property_networkmanager_conf;
/* A .link file is copied as it was read, and matches one name. */
property_function property_network_file;
/* The record in /run/setmtu and udev's database are read as they stand, or refused. */
property_function property_original_mtu;
/* What iperf3 printed is a report with sane numbers, or a fault that is presentable. */
property_function property_iperf3_json;
/* A probe's answer or an ICMP error's quote of it is ours, whole, or refused. */
property_function property_probe_packet;
/* Whatever comes back, a probing ends in time and sends nothing that cannot be sent. */
property_function property_probe_method;
