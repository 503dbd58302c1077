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
property_function property_text_escape;
/* The steps over any stack of devices are taken by the kernel, in their order, and end as they say. */
property_function property_steps;
/* The udev rules of any configuration hold a line for each device and nothing that came from outside. */
property_function property_udev_rules;
/* The file for NetworkManager says of each device what the plan says, and is read back so. */
/* A .link file is copied as it was read, and matches one name. */
property_function property_network_file;
/* udev's database is read as it stands, or refused. */
property_function property_udev_mtu;
/* So is the record of a device in /run/setmtu: what was read is written as it was. */
property_function property_device_record;
/* Whatever is in the files of network managers, reading them ends, with words of one line. */
/* Each policy of a .link file's NamePolicy= gives its condition in the copy. */
/* A time is within its limits, or refused; a larger limit takes no less. */
property_function property_seconds;
/* Whatever the kernel answers about devices or routes, names end, indexes are there, and it ends. */
property_function property_link_answer;
property_function property_route_answer;
/* Whatever it answers about TCP connections, each has an address, and nothing larger is said to be proven
 * than what IP carries. */
property_function property_connection_answer;
/* Whatever comes beside a packet or an ICMP error, reading it ends, and events are of the kinds there are.
 */
property_function property_probe_answer;
/* A mention is in its line, and its device and number are in the file; so for each kind of syntax. */
property_function property_mentions_ini;
property_function property_mentions_tree;
property_function property_mentions_stanzas;
property_function property_mentions_assignments;
property_function property_mentions_commands;
/* Whatever bytes the records of the kernel hold, what is said of them is plain text that fits. */
property_function property_history;
/* So for whatever the maps of the recorder hold, which may change while they are read. */
property_function property_history_maps;
/* What iperf3 printed is a report with sane numbers, or a fault that is presentable. */
property_function property_iperf3_json;
/* A probe's answer or an ICMP error's quote of it is ours, whole, or refused. */
property_function property_probe_packet;
/* Whatever comes back, a probing ends in time and sends nothing that cannot be sent. */
property_function property_probe_method;
