/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Tries each property with its corpus, then with inputs put together from pieces that matter to it. The
 * inputs are the same in every run and on every machine.
 *
 *     test-properties CORPUS-DIR [PROPERTY [CASES]] */

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source_properties.h"

#define INPUT_MAX (64 * 1024)

/* May hold a NUL, hence the size. */
struct piece {
        const char *text;
        size_t size;
};
#define TEXT(literal) literal, sizeof(literal) - 1

static const struct piece bytes[] = {
        { TEXT("\0") },
        { TEXT("\x01") },
        { TEXT("\x1b[") },
        { TEXT("\x7f") },
        { TEXT("\xc2\x80") },
        { TEXT("\xc2\x9b") },
        { TEXT("\xc3\xa0") },
        { TEXT("\xe2\x80\xa8") },
        { TEXT("\xed\xa0") },
        { TEXT("\xf0\x9f\x98") },
        { TEXT("\xf4\x90\x80\x80") },
        { TEXT("\xff") },
        { TEXT("\\") },
        { TEXT("\"") },
        { TEXT("%s%n") },
        { TEXT("/../") },
        { TEXT("-") },
        { TEXT("\\x2d") },
        { TEXT("\\x00") },
        { TEXT("\\x5") },
        { TEXT("\xc3\xa9") },
        { TEXT("br-lan") },
        { TEXT("e0") },
        { TEXT(".") },
        { TEXT("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa") },
};

static const struct piece config_pieces[] = {
        { TEXT("\n") },
        { TEXT("\n") },
        { TEXT("\n") },
        { TEXT("\r\n") },
        { TEXT("\r") },
        { TEXT("=") },
        { TEXT("=") },
        { TEXT("=") },
        { TEXT(" ") },
        { TEXT("\t") },
        { TEXT("\"") },
        { TEXT("\"") },
        { TEXT("'") },
        { TEXT("\\") },
        { TEXT("\\\n") },
        { TEXT("#") },
        { TEXT(";") },
        { TEXT("$") },
        { TEXT("*") },
        { TEXT("%") },
        { TEXT("\0") },
        { TEXT("\x07") },
        { TEXT("\xef\xbb\xbf") },
        { TEXT("\xc2\x85") },
        { TEXT("\xc3\xa0") },
        { TEXT("\xff") },
        { TEXT("e0") },
        { TEXT("e1=9000\n") },
        { TEXT("\ne2=1500") },
        { TEXT("\ne3=\"4000 up\"\n") },
        { TEXT("br-lan") },
        { TEXT("a\\b") },
        { TEXT("../x") },
        { TEXT("a:1") },
        { TEXT("export ") },
        { TEXT("SETMTU_BACKEND=") },
        { TEXT("SETMTU_") },
        { TEXT("backend=") },
        { TEXT("unit") },
        { TEXT("networkd") },
        { TEXT(" up") },
        { TEXT("max") },
        { TEXT("9000") },
        { TEXT("68") },
        { TEXT("67") },
        { TEXT("1279") },
        { TEXT("2147483647") },
        { TEXT("2147483648") },
        { TEXT("99999999999999999999") },
        { TEXT("9k") },
        { TEXT("-1") },
        { TEXT("0") },
        { TEXT("interface0123456") },
        { TEXT("interface012345=1500\n") },
        { TEXT("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
               "a"
               "aaa") },
};

/* Mostly lines of few devices, so that the chosen one is often there, and what reaches over the end of a
 * line.
 */
static const struct piece edit_pieces[] = {
        { TEXT("\n") },
        { TEXT("\n") },
        { TEXT("\n") },
        { TEXT("\r\n") },
        { TEXT("\r") },
        { TEXT(" ") },
        { TEXT("\t") },
        { TEXT("=") },
        { TEXT("\"") },
        { TEXT("\"") },
        { TEXT("'") },
        { TEXT("\\") },
        { TEXT("\\\n") },
        { TEXT("#") },
        { TEXT("\0") },
        { TEXT("\xef\xbb\xbf") },
        { TEXT("\xef\xbb\xbfx=1500\n") },
        { TEXT("e0=9000\n") },
        { TEXT("e0 = 1500 \n") },
        { TEXT("e0=\"4000 up\"\r\n") },
        { TEXT("e0=9k") },
        { TEXT("e0='1500\n") },
        { TEXT("e0") },
        { TEXT("e1=9000\n") },
        { TEXT("e1=1500\\\n") },
        { TEXT("e1=\"1500\n") },
        { TEXT("e1=max\r") },
        { TEXT("\ne2=") },
        { TEXT("e3=68 backend=link") },
        { TEXT("br-lan=") },
        { TEXT("a\\b=1500\n") },
        { TEXT("\"=1500\n") },
        { TEXT("interface012345=1500\n") },
        { TEXT("up=1500\n") },
        { TEXT("up\"\n") },
        { TEXT("SETMTU_BACKEND=link\n") },
        { TEXT("SETMTU_BACKEND=auto\\\n") },
        { TEXT("1500") },
        { TEXT("9000") },
        { TEXT("max") },
        { TEXT(" up") },
        { TEXT(" backend=unit") },
};

static const struct piece command_line_pieces[] = {
        { TEXT(" ") },
        { TEXT(" ") },
        { TEXT("\n") },
        { TEXT("\0") },
        { TEXT("\"") },
        { TEXT("setmtu=") },
        { TEXT(" setmtu=") },
        { TEXT("\"setmtu=") },
        { TEXT(":") },
        { TEXT(":") },
        { TEXT(",") },
        { TEXT("=") },
        { TEXT("e0") },
        { TEXT("e1:9000") },
        { TEXT("zz0:1400") },
        { TEXT("br-lan") },
        { TEXT("max") },
        { TEXT("1500") },
        { TEXT("1279") },
        { TEXT("9k") },
        { TEXT("quiet") },
        { TEXT("\xc2\x85") },
        { TEXT("\xff") },
        { TEXT("\\") },
        { TEXT("up") },
        { TEXT("backend=link") },
        { TEXT("interface0123456") },
};

static const struct piece network_pieces[] = {
        { TEXT("[Match]\n") },
        { TEXT("\n[Match]\n") },
        { TEXT("[Link]\n") },
        { TEXT("\n[Link]\n") },
        { TEXT("\n[SR-IOV]\n") },
        { TEXT("[") },
        { TEXT("]") },
        { TEXT("\n") },
        { TEXT("\n") },
        { TEXT("\n") },
        { TEXT("\r\n") },
        { TEXT("\r") },
        { TEXT("\0") },
        { TEXT("=") },
        { TEXT("OriginalName=") },
        { TEXT("OriginalName=!e1 ") },
        { TEXT("Property=") },
        { TEXT("!") },
        { TEXT("*") },
        { TEXT("e0") },
        { TEXT("e1") },
        { TEXT(" ") },
        { TEXT("\t") },
        { TEXT("\\") },
        { TEXT("\\\n") },
        { TEXT("#") },
        { TEXT(";") },
        { TEXT("Name=") },
        { TEXT("NamePolicy=mac path") },
        { TEXT("MTUBytes=1500") },
        { TEXT("\"") },
        { TEXT("\xef\xbb\xbf") },
        { TEXT("\xff") },
        { TEXT("Driver=x") },
        { TEXT("\xc3\xa4") },
        { TEXT("VirtualFunction=1") },
        { TEXT("\n\n") },
};

static const struct piece record_pieces[] = {
        { TEXT("\n") },
        { TEXT("\n") },
        { TEXT("\n") },
        { TEXT("=") },
        { TEXT("\0") },
        { TEXT("NAME=") },
        { TEXT("NAME=e0\nORIGINAL_MTU=1500\n") },
        { TEXT("ORIGINAL_MTU=") },
        { TEXT("ORIGINAL_MTU=1500\n") },
        { TEXT("SET_MTU=") },
        { TEXT("SET_MTU=9000\n") },
        { TEXT("E:SETMTU_ORIGINAL_MTU=") },
        { TEXT("E:SETMTU_ORIGINAL_MTU=1500\n") },
        { TEXT("E:SETMTU_MTU=") },
        { TEXT("E:SETMTU_MTU=9000\n") },
        { TEXT("E:ID_BUS=pci\n") },
        { TEXT("G:systemd\n") },
        { TEXT("1500") },
        { TEXT("4294967295\n") },
        { TEXT("4294967296") },
        { TEXT("18446744073709551616") },
        { TEXT("-1") },
        { TEXT("+1") },
        { TEXT(" 1") },
        { TEXT("0x10") },
        { TEXT("interface012345") },
        { TEXT("interface0123456") },
        { TEXT("\xff") },
};

static const struct piece shell_pieces[] = {
        { TEXT("\n") },
        { TEXT("\n") },
        { TEXT(";") },
        { TEXT(" ") },
        { TEXT("\t") },
        { TEXT("&&") },
        { TEXT(" || ") },
        { TEXT("'") },
        { TEXT("\"") },
        { TEXT("\\") },
        { TEXT("\\\n") },
        { TEXT("#") },
        { TEXT("\0") },
        { TEXT("(") },
        { TEXT(")") },
        { TEXT("{") },
        { TEXT("}") },
        { TEXT("<<EOF\n") },
        { TEXT("\nEOF\n") },
        { TEXT(">") },
        { TEXT("2>&1") },
        { TEXT("$") },
        { TEXT("${") },
        { TEXT("$(") },
        { TEXT("`") },
        { TEXT("=") },
        { TEXT("*") },
        { TEXT("if ") },
        { TEXT("; then ") },
        { TEXT("; fi\n") },
        { TEXT("case x in ") },
        { TEXT(") ") },
        { TEXT(";;") },
        { TEXT("esac") },
        { TEXT("f() {\n") },
        { TEXT("for i in ") },
        { TEXT("; do ") },
        { TEXT("; done\n") },
        { TEXT("ip link set ") },
        { TEXT("/sbin/ip l s dev ") },
        { TEXT("ip link add link ") },
        { TEXT("ip -n a link set ") },
        { TEXT("eth0 ") },
        { TEXT("br-lan ") },
        { TEXT("eth0.5 ") },
        { TEXT("eth0:1 ") },
        { TEXT("$IFACE") },
        { TEXT("$Interface ") },
        { TEXT("$i ") },
        { TEXT(" mtu ") },
        { TEXT(" mtu 9000") },
        { TEXT(" mtu 0x2328 up") },
        { TEXT("ifconfig ") },
        { TEXT("sudo ") },
        { TEXT("echo 9000 >/sys/class/net/eth0/mtu\n") },
        { TEXT("Interface=eth0\n") },
        { TEXT("INTERFACE=eth1\n") },
        { TEXT("ExecUpPost='") },
        { TEXT("POST_UP=\"") },
        { TEXT("MTU=9000\n") },
        { TEXT("MTU='") },
        { TEXT("DEVICE=eth0\n") },
        { TEXT("HWADDR=52:54:00:12:34:56\n") },
        { TEXT("ONBOOT=no\n") },
        { TEXT("mtu_eth0=\"9000\"\n") },
        { TEXT("mtu_eth0_5=9000\n") },
        { TEXT("vlans_eth0=\"5 a\"\n") },
        { TEXT("ifconfig_alc0=\"mtu 9000\"\n") },
        { TEXT("ifconfig_alc0_5=\"inet\"\n") },
        { TEXT("vlans_alc0=5\n") },
        { TEXT("ifconfig_v0=\"vlandev alc0\"\n") },
        { TEXT("type vlan id 5\n") },
        { TEXT("9000") },
        { TEXT("1500") },
        { TEXT("\xff") },
        { TEXT("A=(") },
        { TEXT("+=") },
};

static const struct piece ini_pieces[] = {
        { TEXT("\n") },
        { TEXT("\n") },
        { TEXT("[") },
        { TEXT("]") },
        { TEXT("=") },
        { TEXT("#") },
        { TEXT(";") },
        { TEXT("\\") },
        { TEXT("\\\n") },
        { TEXT("\0") },
        { TEXT(" ") },
        { TEXT("\"") },
        { TEXT("'") },
        { TEXT("!") },
        { TEXT("*") },
        { TEXT(",") },
        { TEXT("[Service]\n") },
        { TEXT("[Install]\n") },
        { TEXT("ExecStart=") },
        { TEXT("ExecStart=\n") },
        { TEXT("ExecStart=/bin/sh -c '") },
        { TEXT("/usr/bin/ip link set dev %i up mtu ${%i}\n") },
        { TEXT("ip link set %I mtu $MTU") },
        { TEXT("${") },
        { TEXT("%%") },
        { TEXT("Environment=MTU=9000\n") },
        { TEXT("EnvironmentFile=-/etc/a\n") },
        { TEXT("\0eth0=9000\nMTU=1500\n") },
        { TEXT("[Match]\n") },
        { TEXT("[Link]\n") },
        { TEXT("[NetDev]\n") },
        { TEXT("[DHCPv4]\n") },
        { TEXT("UseMTU=yes\n") },
        { TEXT("Name=eth0\n") },
        { TEXT("OriginalName=eth* br-lan\n") },
        { TEXT("MACAddress=52:54:00:12:34:56\n") },
        { TEXT("Driver=x\n") },
        { TEXT("MTUBytes=") },
        { TEXT("MTUBytes=9K\n") },
        { TEXT("9000") },
        { TEXT("9G") },
        { TEXT("[connection]\n") },
        { TEXT("[connection-a]\n") },
        { TEXT("id=a\\sb\n") },
        { TEXT("interface-name=eth0\n") },
        { TEXT("autoconnect=false\n") },
        { TEXT("[ethernet]\n") },
        { TEXT("[vlan]\n") },
        { TEXT("[match]\n") },
        { TEXT("id=5\nparent=eth0\n") },
        { TEXT("mac-address=52:54:00:12:34:56\n") },
        { TEXT("mtu=9000\n") },
        { TEXT("ethernet.mtu=9000\n") },
        { TEXT("match-device=interface-name:=eth0,mac:52-54-00-12-34-56;\n") },
        { TEXT("except:") },
        { TEXT("type:ethernet") },
        { TEXT("[net]\n") },
        { TEXT("[net_a]\ntype=net\n") },
        { TEXT("devices=eth0,!eth1\n") },
        { TEXT("mtu=${a}\n") },
        { TEXT("include=") },
        { TEXT("\xff") },
        { TEXT("\x1b") },
};

static const struct piece line_pieces[] = {
        { TEXT("\n") },
        { TEXT("\n") },
        { TEXT(" ") },
        { TEXT("\t") },
        { TEXT("\\\n") },
        { TEXT("#") },
        { TEXT("\0") },
        { TEXT(";") },
        { TEXT("{") },
        { TEXT("}") },
        { TEXT(",") },
        { TEXT("\"") },
        { TEXT("\"") },
        { TEXT("=") },
        { TEXT("==") },
        { TEXT("+=") },
        { TEXT("auto eth0\n") },
        { TEXT("allow-hotplug eth0 /eth*/\n") },
        { TEXT("iface eth0 inet static\n") },
        { TEXT("iface br-lan inet6 auto\n") },
        { TEXT("iface eth* inet manual\n") },
        { TEXT("iface ") },
        { TEXT("mtu 9000\n") },
        { TEXT(" mtu ") },
        { TEXT("9k") },
        { TEXT("up ip link set $IFACE mtu 9000\n") },
        { TEXT("post-up ") },
        { TEXT("source a/*\n") },
        { TEXT("source-directory b\n") },
        { TEXT("mapping ") },
        { TEXT("interface eth0\n") },
        { TEXT("ssid x\n") },
        { TEXT("static interface_mtu=9000\n") },
        { TEXT("option interface_mtu\n") },
        { TEXT("interface \"eth0\" {\n") },
        { TEXT("supersede interface-mtu 9000;\n") },
        { TEXT("default interface-mtu ") },
        { TEXT("request interface-mtu, routers;") },
        { TEXT("lease {\n") },
        { TEXT("option interface-mtu 9000;\n") },
        { TEXT("MTU=1450\n") },
        { TEXT("KERNEL==\"eth0\", ") },
        { TEXT("NAME=\"lan0\", ") },
        { TEXT("ATTR{mtu}=\"9000\"\n") },
        { TEXT("ATTR{mtu}=\"") },
        { TEXT("ATTR{address}==\"52:54:00:12:34:56\", ") },
        { TEXT("DRIVERS==\"x\", ") },
        { TEXT("RUN+=\"/sbin/ip link set %k mtu 9000\"\n") },
        { TEXT("KERNEL==\"eth0|eth*\", ") },
        { TEXT("e\"") },
        { TEXT("netmask 0 mtu 9000\n") },
        { TEXT("9000") },
        { TEXT("\xff") },
        { TEXT("\x1b[") },
        { TEXT("inet6 ") },
        { TEXT("dhcp ") },
};

static const struct piece tree_pieces[] = {
        { TEXT("\n") },
        { TEXT("\n  ") },
        { TEXT("\n    ") },
        { TEXT("\n      ") },
        { TEXT(": ") },
        { TEXT("- ") },
        { TEXT("{") },
        { TEXT("}") },
        { TEXT("[") },
        { TEXT("]") },
        { TEXT(",") },
        { TEXT("\"") },
        { TEXT("'") },
        { TEXT("#") },
        { TEXT("&a ") },
        { TEXT("*a ") },
        { TEXT("~") },
        { TEXT("null") },
        { TEXT("\0") },
        { TEXT("\t") },
        { TEXT("!") },
        { TEXT("%") },
        { TEXT("|") },
        { TEXT(">") },
        { TEXT("network:") },
        { TEXT("network: ") },
        { TEXT("ethernets:") },
        { TEXT("vlans:") },
        { TEXT("  eth0:") },
        { TEXT("br-lan: ") },
        { TEXT("mtu: 9000") },
        { TEXT("mtu: ") },
        { TEXT("match: {name: \"eth*\"}") },
        { TEXT("macaddress: 52:54:00:12:34:56") },
        { TEXT("set-name: lan0") },
        { TEXT("driver: x") },
        { TEXT("9000") },
        { TEXT("\"9000\"") },
        { TEXT("{\"address\": {\"defaults\": {\"mtu\": \"9000\"}}}") },
        { TEXT("\"iface_defaults\": {\"eth0\": {\"mtu\": 9000}}") },
        { TEXT("\"mtu\": 1450") },
        { TEXT("\"bridge\": \"br0\"") },
        { TEXT("1e9") },
        { TEXT("true") },
        { TEXT("\xff") },
        { TEXT("\xef\xbb\xbf") },
        { TEXT("---\n") },
        { TEXT("...\n") },
        { TEXT("<<: *a") },
        { TEXT("? ") },
};

static const struct piece iperf3_pieces[] = {
        { TEXT("{") },
        { TEXT("}") },
        { TEXT("[") },
        { TEXT("]") },
        { TEXT(",") },
        { TEXT(":") },
        { TEXT("\"") },
        { TEXT("{\"error\":\"") },
        { TEXT("\"}") },
        { TEXT("the server is busy") },
        { TEXT("Connection refused") },
        { TEXT("\\u001b") },
        { TEXT("\\u0000") },
        { TEXT("{\"start\":{\"test_start\":{\"reverse\":1}},\"end\":{\"sum_received\":{\"bits_per_"
               "second\":") },
        { TEXT("{\"end\":{\"sum_received\":{\"bits_per_second\":") },
        { TEXT("},\"sum_received_bidir_reverse\":{\"bits_per_second\":") },
        { TEXT("},\"sum_sent\":{\"retransmits\":") },
        { TEXT("},\"cpu_utilization_percent\":{\"host_total\":") },
        { TEXT("},\"intervals\":[{\"streams\":[{\"snd_cwnd\":14600,\"pmtu\":") },
        { TEXT("}]}]}") },
        { TEXT("}}}") },
        { TEXT("}}") },
        { TEXT("1e308") },
        { TEXT("1e309") },
        { TEXT("-1") },
        { TEXT("0") },
        { TEXT("9007199254740993") },
        { TEXT("99999999999999999999") },
        { TEXT("1500") },
        { TEXT("1.5e9") },
        { TEXT("null") },
        { TEXT("true") },
        { TEXT("NaN") },
        { TEXT("\0") },
        { TEXT("\xff") },
        { TEXT("\xc2\x9b") },
};

/* Numbers by which a stack of devices is made. */
static const struct piece stack_pieces[] = {
        { TEXT("\x82\xb7\x0e\xee\x7f\x1a\x50") }, { TEXT("\x39\xbe\xf0\x7e\xc2\x34\x7f") },
        { TEXT("\x06\x6e\xd0\x8f\x5d\xc7\x51") }, { TEXT("\x24\x47\xe3\x40\x43\x00\x02") },
        { TEXT("\x6b\x6e\x54\x55\x94\xa0\x65") }, { TEXT("\x68\x5d\x64\xc4\x98\x0b\xb8") },
        { TEXT("\xd4\x54\x4a\x87\x21\xa9\x9a") }, { TEXT("\x01\xad\x21\x9e\xb5\x9c\xf6") },
        { TEXT("\xa1\x5e\xf6\xf1\x5a\x1d\x83") }, { TEXT("\x0b\xb7\xce\x09\xd6\xbb\xc0") },
        { TEXT("\x04\xe7\x17\x5c\x64\x3c\x7d") }, { TEXT("\xec\xb0\xb5\x80\xec\x37\xbc") },
        { TEXT("\x97\x12\xdd\x2e\x6a\xae\xb9") }, { TEXT("\x4b\xae\x8d\x2f\x9f\xa2\x9c") },
        { TEXT("\x5a\x28\x4c\x9e\xf7\x52\x18") }, { TEXT("\x29\xcf\x10\x79\xb0\x80\xe9") },
        { TEXT("\xd7\x4a\x1c\x10\xfc\xab\x6a") }, { TEXT("\x42\x43\xd3\x36\x56\xde\xbe") },
        { TEXT("\x4c\x1e\xd7\x96\x48\xe8\x56") }, { TEXT("\xe8\xf9\xa2\xf5\x8c\x95\xf0") },
        { TEXT("\xce\x4b\x39\xc1\x5b\xff\xad") }, { TEXT("\x5c\x2d\xfb\x8b\xb8\x20\xb6") },
        { TEXT("\x11\x9c\xba\x8f\xf8\x87\x96") }, { TEXT("\xae\x5b\x05\xf2\x80\xa6\x8c") },
        { TEXT("\xed\x93\xb6\xb2\x8c\xb0\xd1") }, { TEXT("\xb3\x58\xe6\xba\xab\x48\x55") },
        { TEXT("\x65\xb9\xf4\x90\x28\xd5\x57") }, { TEXT("\xd7\x9a\x8a\x0e\x64\x51\xe1") },
};

#define PIECES(table) table, sizeof(table) / sizeof(table[0])

/* Parts of echo messages: headers of IPv4 and of both ICMPs, with the identifier and cookie of the property.
 */
static const struct piece packet_pieces[] = {
        { TEXT("\x45\0\0\x30\0\0\0\0\x40\x01\0\0\x0a\0\0\x01\x0a\0\0\x02") },
        { TEXT("\x46\0\0\x30\0\0\0\0\x40\x01\0\0\x0a\0\0\x01\x0a\0\0\x02\x94\x04\0\0") },
        { TEXT("\x4f") },
        { TEXT("\0\0\0\0mt\0\x01") },
        { TEXT("\0\0\xff\xffmt\0\x02") },
        { TEXT("\x08\0\0\0mt\0\x01") },
        { TEXT("\x80\0\0\0mt\0\x01") },
        { TEXT("\x81\0\0\0mt\0\x01") },
        { TEXT("setmtu!\0") },
        { TEXT("setmtu") },
        { TEXT("\0\0\0\0\0\0\0\0") },
};

static const struct {
        const char *name; /* also of its folder in the corpus */
        property_function *holds;
        const struct piece *pieces;
        size_t n_pieces;
        unsigned long cases; /* together a second, or two */
} properties[] = {
        { "config_file", property_config_file, PIECES(config_pieces), 60000 },
        { "bad_line", property_bad_line, PIECES(config_pieces), 60000 },
        { "config_edit", property_config_edit, PIECES(edit_pieces), 30000 },
        { "command_line", property_command_line, PIECES(command_line_pieces), 60000 },
        { "bad_argument", property_bad_argument, PIECES(command_line_pieces), 60000 },
        { "unit_name", property_unit_name, PIECES(bytes), 60000 },
        { "text_quote", property_text_quote, PIECES(bytes), 60000 },
        { "steps", property_steps, PIECES(stack_pieces), 40000 },
        { "udev_rules", property_udev_rules, PIECES(config_pieces), 40000 },
        { "networkmanager_conf", property_networkmanager_conf, PIECES(config_pieces), 20000 },
        { "network_file", property_network_file, PIECES(network_pieces), 60000 },
        { "original_mtu", property_original_mtu, PIECES(record_pieces), 4000 },
        { "source_script", property_source_script, PIECES(shell_pieces), 6000 },
        { "source_ifcfg", property_source_ifcfg, PIECES(shell_pieces), 6000 },
        { "source_netctl", property_source_netctl, PIECES(shell_pieces), 6000 },
        { "source_netctl_hook", property_source_netctl_hook, PIECES(shell_pieces), 6000 },
        { "source_netcfg", property_source_netcfg, PIECES(shell_pieces), 6000 },
        { "source_openrc", property_source_openrc, PIECES(shell_pieces), 6000 },
        { "source_freebsd", property_source_freebsd, PIECES(shell_pieces), 6000 },
        { "source_unit", property_source_unit, PIECES(ini_pieces), 6000 },
        { "source_link", property_source_link, PIECES(ini_pieces), 6000 },
        { "source_network", property_source_network, PIECES(ini_pieces), 6000 },
        { "source_nm_profile", property_source_nm_profile, PIECES(ini_pieces), 6000 },
        { "source_nm_conf", property_source_nm_conf, PIECES(ini_pieces), 6000 },
        { "source_tuned", property_source_tuned, PIECES(ini_pieces), 6000 },
        { "source_netplan", property_source_netplan, PIECES(tree_pieces), 6000 },
        { "source_ifupdown2", property_source_ifupdown2, PIECES(tree_pieces), 6000 },
        { "source_docker", property_source_docker, PIECES(tree_pieces), 6000 },
        { "source_ifupdown", property_source_ifupdown, PIECES(line_pieces), 6000 },
        { "source_irix", property_source_irix, PIECES(line_pieces), 6000 },
        { "source_dhcpcd", property_source_dhcpcd, PIECES(line_pieces), 6000 },
        { "source_dhclient", property_source_dhclient, PIECES(line_pieces), 6000 },
        { "source_dhclient_leases", property_source_dhclient_leases, PIECES(line_pieces), 6000 },
        { "source_lease", property_source_lease, PIECES(line_pieces), 6000 },
        { "source_udev_rule", property_source_udev_rule, PIECES(line_pieces), 6000 },
        { "source_lease_message", property_source_lease_message, PIECES(bytes), 6000 },
        { "source_format", property_source_format, PIECES(ini_pieces), 3000 },
        { "iperf3_json", property_iperf3_json, PIECES(iperf3_pieces), 60000 },
        { "probe_packet", property_probe_packet, PIECES(packet_pieces), 20000 },
        { "probe_method", property_probe_method, PIECES(bytes), 1000 },
};

/* xorshift64*: small, the same everywhere, and good enough to choose pieces by. */
static uint64_t random_state;

static size_t random_below(size_t limit) {
        random_state ^= random_state >> 12;
        random_state ^= random_state << 25;
        random_state ^= random_state >> 27;
        return (size_t)((random_state * 2685821657736338717u) >> 33) % limit;
}

/* Mostly pieces, now and then a byte that nobody thought of, and once in a while something long. */
static size_t compose(uint8_t *input, const struct piece *pieces, size_t n_pieces) {
        size_t size = 0, n = random_below(random_below(100) == 0 ? 400 : 16);

        for (size_t i = 0; i < n; i++)
                if (random_below(10) == 0)
                        input[size++] = (uint8_t)random_below(256);
                else {
                        const struct piece *piece = &pieces[random_below(n_pieces)];
                        size_t times = random_below(1000) == 0 ? 100 : 1;

                        for (; times > 0 && size + piece->size < INPUT_MAX; times--) {
                                memcpy(input + size, piece->text, piece->size);
                                size += piece->size;
                        }
                }
        return size;
}

/* In a block of exactly its size, so that AddressSanitizer sees a step beyond it. */
static void try(property_function *holds, const uint8_t *input, size_t size) {
        uint8_t *exact = malloc(size > 0 ? size : 1);

        if (!exact)
                abort();
        memcpy(exact, input, size);
        holds(exact, size);
        free(exact);
}

/* Returns how many there were; none is a mistake of the caller's, not a pass. */
static unsigned long try_corpus(property_function *holds, const char *corpus, const char *name) {
        static uint8_t input[INPUT_MAX];
        char path[PATH_MAX];
        unsigned long n = 0;
        struct dirent *entry;
        DIR *directory;

        snprintf(path, sizeof(path), "%s/%s", corpus, name);
        directory = opendir(path);
        if (!directory)
                return 0;
        while ((entry = readdir(directory))) {
                FILE *stream;
                size_t size;

                if (entry->d_name[0] == '.')
                        continue;
                if (snprintf(path, sizeof(path), "%s/%s/%s", corpus, name, entry->d_name) >= PATH_MAX)
                        abort();
                stream = fopen(path, "re");
                if (!stream) {
                        perror(path);
                        exit(1);
                }
                size = fread(input, 1, sizeof(input), stream);
                fclose(stream);
                try(holds, input, size);
                n++;
        }
        closedir(directory);
        return n;
}

int main(int argc, char *argv[]) {
        static uint8_t input[INPUT_MAX + 1];
        bool is_known = argc < 3;

        if (argc < 2 || argc > 4) {
                fprintf(stderr, "Usage: test-properties CORPUS-DIR [PROPERTY [CASES]]\n");
                return 2;
        }
        for (size_t i = 0; i < sizeof(properties) / sizeof(properties[0]); i++) {
                unsigned long seeds, cases = argc > 3 ? strtoul(argv[3], NULL, 10) : properties[i].cases;

                if (argc > 2 && strcmp(argv[2], properties[i].name) != 0)
                        continue;
                is_known = true;
                seeds = try_corpus(properties[i].holds, argv[1], properties[i].name);
                if (seeds == 0) {
                        fprintf(stderr, "test-properties: no corpus in %s/%s\n", argv[1],
                                properties[i].name);
                        return 1;
                }
                random_state = 20240229 + i;
                for (unsigned long n = 0; n < cases; n++)
                        try(properties[i].holds, input,
                            compose(input, properties[i].pieces, properties[i].n_pieces));
                printf("%s: holds for %lu seeds and %lu random inputs\n", properties[i].name, seeds, cases);
                fflush(stdout);
        }
        if (!is_known)
                fprintf(stderr, "test-properties: there is no property %s\n", argv[2]);
        return is_known ? 0 : 1;
}
