/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What is easily got wrong of each format. A source shows as DEVICE=MTU@LINE, with "?" for an MTU that is
 * not clear,
 * "-" for none, and behind it "~" where a condition decides, "!" where it does not act, "^" where it brings
 * the link up,
 * "<PARENT" where it takes the MTU of another device. */

#include "rows.h"

#include "base/cleanup.h"
#include "sources/format/readers.h"
#include "sources/shell/script.h"

struct row {
        const char *name;
        source_reader *read;
        const char *file;
        const char *text;
        const char *expected;
        unsigned diagnostics;
};

static void count_diagnostic(void *userdata, const struct diagnostic *diagnostic) {
        (void)diagnostic;
        (*(unsigned *)userdata)++;
}

static void show(FILE *stream, const struct mtu_source *source) {
        static const char *const marks[] = {
                [MATCH_ANY] = "any:", [MATCH_NAME] = "",        [MATCH_GLOB] = "glob:",
                [MATCH_MAC] = "mac:", [MATCH_OTHER] = "other:",
        };

        fprintf(stream, "%s%s%s=", ftell(stream) > 0 ? " " : "", marks[source->match],
                source->device ? source->device : "");
        if (source->mtu > 0)
                fprintf(stream, "%u", source->mtu);
        else
                putc(source->unclear ? '?' : '-', stream);
        fprintf(stream, "@%u%s%s%s%s%s", source->line, source->condition ? "~" : "",
                source->inactive ? "!" : "", source->up ? "^" : "", source->parent ? "<" : "",
                source->parent ? source->parent : "");
}

static void test_read(void **state) {
        const struct row *row = *state;
        CLEANUP(mtu_sources_free) struct mtu_sources sources = { 0 };
        CLEANUP(cleanup_free) char *seen = NULL;
        unsigned n = 0;
        const struct diagnostic_sink sink = { count_diagnostic, &n };
        const struct source_parser parser = { .file = row->file ? row->file : "a",
                                              .text = row->text,
                                              .size = strlen(row->text),
                                              .sink = &sink,
                                              .sources = &sources };
        FILE *stream;
        size_t size;

        row->read(&parser);
        assert_false(sources.pool.failed);
        stream = open_memstream(&seen, &size);
        assert_non_null(stream);
        for (size_t i = 0; i < sources.n_items; i++)
                show(stream, &sources.items[i]);
        fclose(stream);
        assert_string_equal(seen, row->expected);
        assert_int_equal(n, row->diagnostics);
}

static void read_ifupdown2(const struct source_parser *parser) {
        struct ifupdown all = { .is_second = true, .is_whole = true };

        ifupdown_add(&all, parser);
        ifupdown_read(&all);
}

#define DOUBLE_8 "A=$A$A\nA=$A$A\nA=$A$A\nA=$A$A\nA=$A$A\nA=$A$A\nA=$A$A\nA=$A$A\n"

static const struct row rows[] = {
        { "script: mtu before dev", source_script_read, NULL, "ip link set mtu 9000 dev eth0", "eth0=9000@1",
          0 },
        { "script: dev is not needed", source_script_read, NULL, "ip l s eth0 mtu 9000", "eth0=9000@1", 0 },
        { "script: full path, options", source_script_read, NULL,
          "/usr/sbin/ip -4 -o link set eth0 mtu 9000", "eth0=9000@1", 0 },
        { "script: octal as ip reads it", source_script_read, NULL, "ip link set eth0 mtu 021450",
          "eth0=9000@1", 0 },
        { "script: a unit that ip refuses", source_script_read, NULL, "ip link set eth0 mtu 9k", "eth0=?@1",
          0 },
        { "script: the MTU of a route is none", source_script_read, NULL,
          "ip route add default dev eth0 mtu 1400\nip addr add 10.0.0.1/8 dev eth0", "", 0 },
        { "script: another namespace", source_script_read, NULL,
          "ip -netns a link set eth0 mtu 9000\nip netns exec a ip link set eth0 mtu 9000", "", 0 },
        { "script: into another namespace", source_script_read, NULL, "ip link set eth0 netns a mtu 9000",
          "", 0 },
        { "script: show is not set", source_script_read, NULL, "ip link show eth0 | grep mtu", "", 0 },
        { "script: a device named mtu", source_script_read, NULL, "ip link set dev mtu mtu 9000",
          "mtu=9000@1", 0 },
        { "script: a device is renamed", source_script_read, NULL, "ip link set eth0 name lan0 mtu 9000",
          "lan0=9000@1", 0 },
        { "script: commented out", source_script_read, NULL,
          "# ip link set eth0 mtu 9000\n  #ip link set a mtu 1", "", 0 },
        { "script: a comment behind it", source_script_read, NULL, "ip link set eth0 mtu 9000 # jumbo",
          "eth0=9000@1", 0 },
        { "script: a # inside a word", source_script_read, NULL, "ip link set a#b mtu 9000", "a#b=9000@1",
          0 },
        { "script: quotes", source_script_read, NULL, "ip 'link' set \"eth0\" mtu \"90\"'00'", "eth0=9000@1",
          0 },
        { "script: continued", source_script_read, NULL,
          "ip link set \\\n eth0 \\\r\n mtu 9000\nip l s a mtu 70", "eth0=9000@1 a=70@4", 0 },
        { "script: a variable of a block", source_script_read, NULL,
          "if a; then M=9000; ip link set a mtu $M; else ip link set b mtu $M; fi\nip link set c mtu $M",
          "a=9000@1~ b=?@1~ c=?@2", 0 },
        { "script: a variable of an earlier block", source_script_read, NULL,
          "if a; then M=9000; fi; if b; then ip link set a mtu $M; fi", "a=?@1~", 0 },
        { "script: a variable by condition", source_script_read, NULL,
          "M=1500; [ $1 ] && M=9000; ip link set a mtu $M", "a=?@1", 0 },
        { "script: && behind sleep is no condition", source_script_read, NULL,
          "sleep 5 && ip l s a mtu 70 && ip l s b mtu 70; x && ip l s c mtu 70", "a=70@1 b=70@1 c=70@1~",
          0 },
        { "script: a hook for one device", source_script_read, NULL,
          "D=a; I=$1\nif [ \"$I\" = \"$D\" -a \"$2\" = up ]; then ip l s $I mtu 70; fi\nip l s $I mtu 80",
          "a=70@2~ other:the device is $I=80@3", 0 },
        { "script: a hook, with &&", source_script_read, NULL,
          "[ \"$IFACE\" = a ] && ip l s $IFACE mtu 70\nip l s $IFACE mtu 80",
          "a=70@1~ other:the device is $IFACE=80@2", 0 },
        { "script: a hook that exits", source_script_read, NULL,
          "[ \"$IFACE\" = a ] || exit 0\nip l s $IFACE mtu 70", "a=70@2", 0 },
        { "script: a hook that exits, with if", source_script_read, NULL,
          "if [ \"$1\" != a ]; then\n exit 0\nfi\nip l s $1 mtu 70", "a=70@4", 0 },
        { "script: a hook that exits for this one", source_script_read, NULL,
          "[ $1 = a ] && exit\nip l s $1 mtu 70", "other:the device is $1=70@2", 0 },
        { "script: a hook, with case", source_script_read, NULL,
          "case $1 in a) ip l s $1 mtu 70;; b|c) ip l s $1 mtu 80;; *) ip l s $1 mtu 90;; esac",
          "a=70@1~ other:the device is $1=80@1~ other:the device is $1=90@1~", 0 },
        { "script: a default", source_script_read, NULL,
          "ip link set ${D:-a} mtu ${M:=9000}; M=1; ip l s b mtu ${M:-2}", "a=9000@1 b=1@1", 0 },
        { "script: an argument has no default", source_script_read, NULL, "ip link set ${1:-a} mtu 9000",
          "other:the device is ${1:-a}=9000@1", 0 },
        { "script: loops", source_script_read, NULL,
          "for a in x y; do for b in 1 2; do ip l s $a$b mtu 70; done; done; ip l s $a mtu 80",
          "x1=70@1 x2=70@1 y1=70@1 y2=70@1 y=80@1", 0 },
        { "script: an array's loop", source_script_read, NULL,
          "A=(x y)\nfor a in \"${A[@]}\"; do ip l s \"$a\" mtu 70; done", "x=70@2 y=70@2", 0 },
        { "script: a loop in a condition", source_script_read, NULL,
          "if a; then for b in x y; do ip l s $b mtu 70; done; fi", "x=70@1~ y=70@1~", 0 },
        { "script: a loop over what is not known", source_script_read, NULL,
          "for a in $(ls); do ip l s $a mtu 70; done", "other:the device is $a=70@1~", 0 },
        { "script: a function", source_script_read, NULL,
          "f() { ip link set $1 mtu $2; }\nf a 70\n[ \"$x\" ] && f b 80", "a=70@1 b=80@1~", 0 },
        { "script: a function that calls itself", source_script_read, NULL,
          "f() {\n ip link set $1 mtu 70\n f $1\n}\nf a", "a=70@2 a=70@2 a=70@2 a=70@2", 0 },
        { "script: a function that makes a function", source_script_read, NULL,
          "f() {\n g() { :; }\n}\nh() { ip l s a mtu 70; }\nf\nh", "a=70@4", 0 },
        { "script: a subshell behind case", source_script_read, NULL,
          "case $1 in a) :;; esac\n(b)\nip l s $1 mtu 70", "other:the device is $1=70@3", 0 },
        { "script: a function that nothing calls", source_script_read, NULL, "f() { ip l s a mtu 70; }",
          "a=70@1~", 0 },
        { "script: sh -c with arguments", source_script_read, NULL, "sh -ec 'ip l s $1 mtu $2' x a 70",
          "a=70@1", 0 },
        { "script: sudo, timeout, env", source_script_read, NULL,
          "sudo -u root timeout -k 5 10 env -i A=1 nice -n 5 ip l s a mtu 70", "a=70@1", 0 },
        { "script: nsenter", source_script_read, NULL,
          "nsenter -t 1 -n ip l s a mtu 70; nsenter --net=/run/netns/b ip l s b mtu 70; nsenter -t 1 -m ip "
          "l s c "
          "mtu 70",
          "a=70@1 c=70@1", 0 },
        { "script: tee", source_script_read, NULL,
          "echo 3900 | sudo tee /sys/class/net/a/mtu >/dev/null; tee /sys/class/net/b/mtu <<<70; echo 1 || "
          "tee "
          "/sys/class/net/c/mtu",
          "a=3900@1 b=70@1", 0 },
        { "script: a path that is not known", source_script_read, NULL, "echo 70 >\"$d/mtu\"",
          "other:the device is $d=70@1", 0 },
        { "script: nmcli", source_script_read, NULL,
          "nmcli con mod lan 802-3-ethernet.mtu 70; nmcli d mod a ethernet.mtu 80; nmcli c add type "
          "ethernet "
          "ifname b con-name b mtu 90; nmcli c m lan ethernet.mtu 0",
          "other:the profile is lan=70@1 a=80@1 b=90@1", 0 },
        { "script: ovs-vsctl", source_script_read, NULL,
          "ovs-vsctl add-port br0 a -- set Interface a type=internal mtu_request=9000", "a=9000@1", 0 },
        { "script: what setmtu does not know", source_script_read, NULL,
          "retry 5 ip link set a mtu 70; ssh h ip link set b mtu 70; echo ip link set c mtu 70", "", 1 },
        { "script: a program that is not followed", source_script_read, NULL,
          "/opt/set-mtu.sh eth0; /opt/other", "", 1 },
        { "script: a variable", source_script_read, NULL, "M=9000\nip link set eth0 mtu $M", "eth0=9000@2",
          0 },
        { "script: a single quote keeps the dollar", source_script_read, NULL, "ip link set '$x' mtu 9000",
          "$x=9000@1", 0 },
        { "script: a command's output", source_script_read, NULL,
          "ip link set `cat /x` mtu 9000; ip link set $(cat ')') mtu 9000",
          "other:the device is `cat /x`=9000@1 other:the device is $(cat ')')=9000@1", 0 },
        { "script: braces and patterns", source_script_read, NULL, "ip link set eth{0,1} mtu 9000",
          "other:the device is eth{0,1}=9000@1", 0 },
        { "script: braces in a loop", source_script_read, NULL,
          "for i in {0..2} 7{a,b}; do ip link set e$i mtu 9000; done",
          "e0=9000@1 e1=9000@1 e2=9000@1 e7a=9000@1 e7b=9000@1", 0 },
        { "script: a loop with braces in another one", source_script_read, NULL,
          "for a in {1..2}; do for b in {3..4}; do ip link set e$a$b mtu 9000; done; done",
          "e13=9000@1 e14=9000@1 e23=9000@1 e24=9000@1", 0 },
        { "script: more commands than are read", source_script_read, NULL,
          "for a in {1..250}; do for b in {1..250}; do :; done; done; ip link set a mtu 9000", "", 1 },
        { "script: braces that are none", source_script_read, NULL,
          "for i in {a..c} {2..1} {01..2} {1..99999} {1..2}{3..4}; do ip link set e$i mtu 9000; done",
          "other:the device is e$i=9000@1~", 0 },
        { "script: shift", source_script_read, NULL,
          "f() { local d=$1; shift; local m=$1; shift; ip link set $d mtu $m; }; f a 9000; f b 1500",
          "a=9000@1 b=1500@1", 0 },
        { "script: shift on a condition", source_script_read, NULL,
          "f() { [ -e x ] && shift; ip link set $1 mtu 9000; }; f a", "other:the device is $1=9000@1", 0 },
        { "script: shift on a condition that is known", source_script_read, NULL,
          "f() { [ $1 = -v ] && shift; ip link set $1 mtu 9000; }; f a; f -v b", "a=9000@1 b=9000@1", 0 },
        { "script: arguments behind other words", source_script_read, NULL,
          "run() { nice -n 5 ip -d \"$@\" up; }; run link set a mtu 9000", "a=9000@1^", 0 },
        { "script: a default in a default", source_script_read, NULL,
          "B=b; ip link set ${A:-${B:-c}} mtu ${M:-${N:-\"9000\"}}", "b=9000@1", 0 },
        { "script: a loop in the background", source_script_read, NULL,
          "while true; do sleep 60; done 2>/dev/null &\nip link set dev a mtu 9000", "a=9000@2", 0 },
        { "script: exit in the background", source_script_read, NULL,
          "M=9000\n{ M=1500; exit; } & ip link set dev a mtu $M", "a=9000@2", 0 },
        { "script: several on a line", source_script_read, NULL,
          "ip link set a up; ip link set a mtu 9000 & ip link set b mtu 1500", "a=9000@1 b=1500@1", 0 },
        { "script: and, or", source_script_read, NULL,
          "ip link set a mtu 9000 || ip link set a mtu 1500 &&\nip link set b mtu 9000",
          "a=9000@1 a=1500@1~ b=9000@2", 0 },
        { "script: if and its end", source_script_read, NULL,
          "if x; then\nip link set a mtu 9000\nfi\nip link set b mtu 9000", "a=9000@2~ b=9000@4", 0 },
        { "script: if true", source_script_read, NULL,
          "if true; then\nip link set a mtu 9000\nelse\nip link set b mtu 9000\nfi", "a=9000@2", 0 },
        { "script: a function and its end", source_script_read, NULL,
          "f() {\nip link set a mtu 9000\n}\nip link set b mtu 9000", "b=9000@4 a=9000@2~", 0 },
        { "script: function, the other way", source_script_read, NULL,
          "function f {\nip link set a mtu 9000\n}\nip link set b mtu 9000", "b=9000@4 a=9000@2~", 0 },
        { "script: a group is no condition", source_script_read, NULL, "{ ip link set a mtu 9000; }",
          "a=9000@1", 0 },
        { "script: case", source_script_read, NULL,
          "case $1 in\nstart) ip link set a mtu 9000 ;;\nesac\nip link set b mtu 9000", "a=9000@2~ b=9000@4",
          0 },
        { "script: a here-document", source_script_read, NULL,
          "cat <<-'E'\nip link set a mtu 9000\n\tE\nip link set b mtu 9000", "b=9000@4", 0 },
        { "script: two here-documents", source_script_read, NULL,
          "cat <<A <<B\nip link set a mtu 9000\nA\nip link set a mtu 9000\nB\nip link set b mtu 9000",
          "b=9000@6", 0 },
        { "script: redirections", source_script_read, NULL, "ip link set a mtu 9000 >/dev/null 2>&1",
          "a=9000@1", 0 },
        { "script: sysfs", source_script_read, NULL, "echo 9000 >/sys/class/net/eth0/mtu", "eth0=9000@1",
          0 },
        { "script: sysfs of a variable", source_script_read, NULL, "echo 9000 >/sys/class/net/$i/mtu",
          "other:the device is $i=9000@1", 0 },
        { "script: not that file", source_script_read, NULL, "echo 9000 >/sys/class/net/eth0/tx_queue_len",
          "", 0 },
        { "script: a quote without end", source_script_read, NULL, "ip link set a mtu 9000\necho 'x\n",
          "a=9000@1", 1 },
        { "script: a VLAN takes its parent's", source_script_read, NULL,
          "ip link set a mtu 9000\nip link add link a name a.5 type vlan id 5", "a=9000@1 a.5=9000@2<a", 0 },
        { "script: a VLAN made before does not", source_script_read, NULL,
          "ip link add link a name a.5 type vlan id 5\nip link set a mtu 9000", "a=9000@2", 0 },
        { "script: what is behind type is the kind's", source_script_read, NULL,
          "ip link add a type vxlan id 5 mtu 9000", "", 0 },
        { "script: up", source_script_read, NULL,
          "ip link set a up mtu 9000; ifconfig b 10.0.0.1 mtu 9000 up", "a=9000@1^ b=9000@1^", 0 },
        { "script: an alias is its device", source_script_read, NULL, "ifconfig eth0:1 mtu 9000",
          "eth0=9000@1", 0 },
        { "script: runners", source_script_read, NULL,
          "LC_ALL=C sudo -n env A=b ip link set a mtu 9000\nbusybox ifconfig b mtu 1400",
          "a=9000@1 b=1400@2", 0 },
        { "script: sums", source_script_read, NULL,
          "M=1500\nip link set a mtu $(( M + 2*(3 - 1) ))\nip link set b mtu $((${M} % 1000 / 2))\n"
          "ip link set c mtu \"$(( -1 * -$M ))\"",
          "a=1504@2 b=250@3 c=1500@4", 0 },
        { "script: sums that are not computed", source_script_read, NULL,
          "ip link set a mtu $((010 + 1490))\nip link set b mtu $((1500 / 0))\n"
          "ip link set c mtu $((1500 - N))\nip link set d mtu $((3000000000))\n"
          "ip link set e mtu $((1 << 10))",
          "a=?@1 b=?@2 c=?@3 d=?@4 e=?@5", 0 },
        { "script: words that only look like it", source_script_read, NULL,
          "echo ip link set a mtu 9000\nzip link set a mtu 9000", "", 0 },

        { "netctl: quotes inside quotes", source_netctl_read, "/etc/netctl/x",
          "Interface=eth0\nExecUpPost=\"ip link set '$Interface' mtu 9000\"", "eth0=9000@2", 0 },
        { "netctl: told later than used", source_netctl_read, "/etc/netctl/x",
          "ExecUpPost='ip link set $Interface mtu 9000'\nInterface=eth0", "eth0=9000@1", 0 },
        { "netctl: the last one counts", source_netctl_read, "/etc/netctl/x",
          "ExecUpPost='ip link set a mtu 9000'\nExecUpPost='ip link set a mtu 1500'", "a=1500@2", 0 },
        { "netctl: on several lines", source_netctl_read, "/etc/netctl/x",
          "ExecUpPost='true\nip link set a mtu 9000'", "a=9000@2", 0 },
        { "netctl: arrays", source_netctl_read, "/etc/netctl/x",
          "Address=('10.0.0.1/8' # one\n'10.0.0.2/8')\nExecUpPost='ip link set a mtu 9000'", "a=9000@3", 0 },

        { "ifupdown: a comment continues nothing", source_ifupdown_read, NULL,
          "iface a inet manual\n # was 1500 \\\n mtu 9000", "a=9000@3", 0 },
        { "udev: a comment continues nothing", source_udev_rule_read, NULL,
          "# x \\\nACTION==\"add\", SUBSYSTEM==\"net\", KERNEL==\"a\", ATTR{mtu}=\"9000\"", "a=9000@2", 0 },
        { "NetworkManager.conf: of several kinds", source_nm_conf_read, NULL,
          "[connection-x]\nmatch-device=interface-name:a\nethernet.mtu=9000\nwifi.mtu=1400", "a=?@4", 0 },
        { "NetworkManager.conf: the same of several kinds", source_nm_conf_read, NULL,
          "[connection-x]\nmatch-device=interface-name:a\nethernet.mtu=9000\nwifi.mtu=9000", "a=9000@4", 0 },
        { "ifupdown: an alias", source_ifupdown_read, NULL, "iface eth0:1 inet manual\n mtu 9000",
          "eth0=9000@2", 0 },
        { "ifupdown: dhcp takes none", source_ifupdown_read, NULL, "iface a inet dhcp\n mtu 9000",
          "a=9000@2!", 0 },
        { "ifupdown: a stanza without a family is for ifupdown2", source_ifupdown_read, NULL,
          "iface a inet dhcp\n mtu 9000\niface b\n", "a=9000@2", 0 },
        { "ifupdown2: dhcp takes it", read_ifupdown2, NULL, "auto a\niface a inet dhcp\n mtu 9000",
          "a=9000@3", 0 },
        { "ifupdown2: a port of what is brought up", read_ifupdown2, NULL,
          "auto br0\niface br0\n bridge-ports bond0\niface bond0\n bond-slaves a\n mtu 9000\niface a\n"
          " mtu 9000\niface b\n mtu 4000",
          "bond0=9000@6 a=9000@8 b=4000@10!", 0 },
        { "ifupdown2: a port of a bond without an MTU", read_ifupdown2, NULL,
          "auto bond0\niface bond0\n bond-slaves a\niface a\n mtu 9000", "a=9000@5!", 0 },
        { "ifupdown2: the first MTU, and nothing inherited", read_ifupdown2, NULL,
          "auto a\nauto b\niface a\n mtu 9000\n mtu 4000\niface b inherits a", "a=9000@4", 0 },
        { "ifupdown2: the device below a VLAN", read_ifupdown2, NULL,
          "auto a.5\niface a\n mtu 9000\niface a.5\n mtu 1500", "a=9000@3 a.5=1500@5", 0 },
        { "ifupdown2: a template's variable", read_ifupdown2, NULL, "auto swp${i}\niface swp${i}\n mtu 9216",
          "other:the device is swp${i}=9216@3", 0 },
        { "ifupdown: a stanza inherits", source_ifupdown_read, NULL,
          "iface t inet manual\n mtu 9000\niface a inet manual inherits t\niface b inet manual inherits t\n"
          " mtu 1400\n",
          "a=9000@2 b=1400@5", 0 },
        { "ifupdown: static without an address", source_ifupdown_read, NULL,
          "iface a inet static\n mtu 9000\niface b inet static\n address 192.0.2.1/24\n mtu 9000",
          "a=9000@2! b=9000@5", 0 },
        { "ifupdown: static with an address of another stanza", source_ifupdown_read, NULL,
          "iface t inet static\n address 192.0.2.1/24\niface a inet static inherits t\n mtu 9000",
          "a=9000@4", 0 },
        { "ifupdown: it inherits from itself", source_ifupdown_read, NULL,
          "auto a\niface a inherits a\n mtu 9000", "a=9000@3", 0 },
        { "ifupdown: a template", source_ifupdown_read, NULL,
          "template t inet manual\n mtu 9000\niface a inherits t", "a=9000@2", 0 },
        { "ifupdown: auto with a stanza's name", source_ifupdown_read, NULL,
          "auto a=office\niface office inet manual\n mtu 9000", "a=9000@3", 0 },
        { "ifupdown: a mapping", source_ifupdown_read, NULL,
          "mapping a\n script s\n map HOME home\niface home inet manual\n mtu 9000", "a=9000@5~", 0 },
        { "ifupdown: IPv6 below the device's", source_ifupdown_read, NULL,
          "iface a inet manual\n mtu 9000\niface a inet6 manual\n mtu 1400", "a=9000@2 a=1400@4!", 0 },
        { "ifupdown: IPv6 above the device's", source_ifupdown_read, NULL,
          "iface a inet manual\n mtu 1500\niface a inet6 manual\n mtu 9000", "a=1500@2 a=9000@4", 0 },
        { "ifupdown: the shell that it runs drops a comment", source_ifupdown_read, NULL,
          "iface a inet manual\n mtu 9000 # jumbo", "a=9000@2", 0 },
        { "ifupdown: a comment of which the shell makes a mistake", source_ifupdown_read, NULL,
          "iface a inet6 manual\n mtu 9000\t# jumbo", "a=9000@2!", 0 },
        { "ifupdown: a family and a method by two stanzas", source_ifupdown_read, NULL,
          "iface t inet dhcp\niface u inherits t\niface a inherits u\n mtu 9000", "a=9000@4!", 0 },
        { "ifupdown: of two stanzas, that of the family", source_ifupdown_read, NULL,
          "iface t inet manual\n mtu 9000\niface t inet6 manual\n mtu 8000\niface a inet6 manual inherits t",
          "a=8000@4", 0 },
        { "ifupdown: of a mapping", source_ifupdown_read, NULL, "iface a inet manual\nmapping b\n mtu 9000",
          "", 0 },
        { "ifupdown: $IFACE", source_ifupdown_read, NULL,
          "iface a inet dhcp\n up ip link set ${IFACE} mtu 9000", "a=9000@2", 0 },
        { "ifupdown: down is not up", source_ifupdown_read, NULL,
          "iface a inet dhcp\n down ip link set a mtu 9000", "", 0 },
        { "ifupdown2: policy", source_ifupdown2_read, NULL,
          "{\"address\": {\"iface_defaults\": {\"a\": {\"mtu\": [1]}}}}", "a=?@0", 0 },
        { "ifupdown2: not an object", source_ifupdown2_read, NULL, "[1]", "", 0 },
        { "ifupdown2: not JSON", source_ifupdown2_read, NULL, "{", "", 1 },

        { "ifcfg: the last one counts", source_ifcfg_read, "ifcfg-a", "DEVICE=a\nMTU=1500\nMTU=9000",
          "a=9000@3", 0 },
        { "ifcfg: a variable that doubles with each line", source_ifcfg_read, "ifcfg-a",
          "MTU=9000\nA=12345678\n" DOUBLE_8 DOUBLE_8 DOUBLE_8 DOUBLE_8 "B=$A$A", "a=9000@1", 0 },
        { "ifcfg: DEVICE goes before the file's name", source_ifcfg_read, "ifcfg-x",
          "DEVICE='a'\nMTU=\"9000\"", "a=9000@2", 0 },
        { "ifcfg: by address", source_ifcfg_read, "ifcfg-x", "HWADDR=AA-BB-CC-DD-EE-FF\nMTU=9000",
          "mac:aa:bb:cc:dd:ee:ff=9000@2", 0 },
        { "ifcfg: hexadecimal is no number there", source_ifcfg_read, "ifcfg-a", "MTU=0x2328", "a=?@1", 0 },

        { "link: K is 1024", source_link_read_text, "a.link", "[Match]\nOriginalName=a\n[Link]\nMTUBytes=9K",
          "a=9216@4", 0 },
        { "link: an empty value takes it back", source_link_read_text, "a.link",
          "[Match]\nOriginalName=a\n[Link]\nMTUBytes=9000\nMTUBytes=", "", 0 },
        { "link: the name that it gives", source_link_read_text, "a.link",
          "[Match]\nMACAddress=aabb.ccdd.eeff\n[Link]\nName=lan0\nMTUBytes=9000", "lan0=9000@5", 0 },
        { "link: inverted", source_link_read_text, "a.link",
          "[Match]\nOriginalName=!a\n[Link]\nMTUBytes=9000", "other:OriginalName=!a=9000@4", 0 },
        { "link: no match", source_link_read_text, "a.link", "[Link]\nMTUBytes=9000", "", 1 },
        { "network: MTUBytes= turns UseMTU= off", source_network_read_text, "a.network",
          "[Match]\nName=a\n[DHCPv4]\nUseMTU=yes\n[Link]\nMTUBytes=9000", "a=9000@6", 0 },
        { "network: MTUBytes= in another section", source_network_read_text, "a.network",
          "[Match]\nName=a\n[Network]\nDHCP=yes\nMTUBytes=9000", "a=9000@5!", 0 },
        { "network: MTU= in the right section", source_network_read_text, "a.network",
          "[Match]\nName=a\n[Link]\nMTU=9000", "a=9000@4!", 0 },
        { "network: MTUBytes= in another section beside the right one", source_network_read_text,
          "a.network", "[Match]\nName=a\n[Link]\nMTUBytes=4000\n[Network]\nMTUBytes=9000", "a=4000@4", 0 },
        { "network: the MTU of a route is none", source_network_read_text, "a.network",
          "[Match]\nName=a\n[Route]\nMTUBytes=9000", "", 0 },
        { "network: a line that is continued", source_network_read_text, "a.network",
          "[Match]\nName=a \\\n  b\n[Link]\nMTUBytes=9000", "a=9000@5 b=9000@5", 0 },

        { "netplan: flow style", source_netplan_read, NULL, "{network: {ethernets: {a: {mtu: 9000}}}}",
          "a=9000@1", 0 },
        { "netplan: an underscore is no number", source_netplan_read, NULL,
          "network:\n ethernets:\n  a: {mtu: 9_000}", "a=?@3~", 1 },
        { "netplan: the MTU of a route is none", source_netplan_read, NULL,
          "network:\n ethernets:\n  a:\n   routes: [{to: default, mtu: 9000}]", "", 0 },
        { "netplan: the name that it gives", source_netplan_read, NULL,
          "network:\n ethernets:\n  a: {mtu: 9000, match: {driver: x}, set-name: lan0}", "lan0=9000@3", 0 },
        { "netplan: no mapping", source_netplan_read, NULL, "- network\n- ethernets", "", 0 },
        { "netplan: empty", source_netplan_read, NULL, "", "", 0 },

        { "NetworkManager: 0 is automatic", source_nm_profile_read, NULL,
          "[connection]\ninterface-name=a\n[ethernet]\nmtu=0", "", 0 },
        { "NetworkManager: the old name of the section", source_nm_profile_read, NULL,
          "[connection]\ninterface-name=a\n[802-3-ethernet]\nmtu=9000", "a=9000@4", 0 },
        { "NetworkManager: for every device", source_nm_profile_read, NULL, "[ethernet]\nmtu=9000",
          "any:=9000@2", 0 },
        { "NetworkManager: a commented line", source_nm_profile_read, NULL,
          "[connection]\ninterface-name=a\n[ethernet]\n#mtu=9000", "", 0 },
        { "NetworkManager: the first section last", source_nm_conf_read, NULL,
          "[connection-a]\nmatch-device=a\nethernet.mtu=1\n[connection-b]\nmatch-device=a\nethernet.mtu=2",
          "a=2@6 a=1@3", 0 },
        { "NetworkManager: literal", source_nm_conf_read, NULL,
          "[connection]\nmatch-device=interface-name:=a*\nethernet.mtu=9000", "a*=9000@3", 0 },
        { "NetworkManager: pattern", source_nm_conf_read, NULL,
          "[connection]\nmatch-device=interface-name:a*\nethernet.mtu=9000", "glob:a*=9000@3", 0 },
        { "NetworkManager: our own", source_nm_conf_read, NULL,
          "[connection-setmtu-a]\nmatch-device=interface-name:=a\nethernet.mtu=9000", "", 0 },

        { "udev: a match is no assignment", source_udev_rule_read, NULL,
          "KERNEL==\"a\", ATTR{mtu}==\"9000\"", "", 0 },
        { "udev: alternatives", source_udev_rule_read, NULL, "KERNEL==\"a|b*\", ATTR{mtu}=\"9000\"",
          "a=9000@1 glob:b*=9000@1", 0 },
        { "udev: an empty command", source_udev_rule_read, NULL, "ATTR{mtu}==\"1500\", RUN+=\"\"", "", 0 },
        { "udev: not that one", source_udev_rule_read, NULL, "KERNEL!=\"a\", ATTR{mtu}=\"9000\"",
          "other:KERNEL!=a=9000@1", 0 },
        { "wg-quick", source_wireguard_read, "/etc/wireguard/wg0.conf",
          "[Interface]\nPrivateKey = x\nMTU = 1420\nPostUp = ip link set %i mtu 1380; ip l s a mtu "
          "70\n[Peer]\nMTU = 1",
          "wg0=1420@3 wg0=1380@4 a=70@4", 0 },
        { "cron", source_cron_read, "/etc/cron.d/mtu",
          "MAILTO=x\n# c\n@reboot root ip l s a mtu 70\n*/5 * * * * root sleep 5; /sbin/ip l s b mtu 80",
          "a=70@3 b=80@4", 0 },
        { "cron: a user's", source_cron_read, "/var/spool/cron/crontabs/root", "@reboot ip l s a mtu 70",
          "a=70@1", 0 },
        { "cron: cut", source_cron_read, "c", "* *", "", 0 },
        { "wsl.conf", source_wsl_read, "/etc/wsl.conf",
          "[boot]\nsystemd=true\ncommand = \"ip l s a mtu 70\"", "a=70@3", 0 },
        { "dhclient-IFACE.conf", source_dhclient_read, "/etc/dhcp/dhclient-a.conf",
          "supersede interface-mtu 9000;\ninterface \"b\" { supersede interface-mtu 70; }",
          "a=9000@1 b=70@2!", 0 },
        { "cloud-init: version 1", source_netplan_read, NULL,
          "network:\n version: 1\n config:\n - type: physical\n   name: a\n   mtu: 9000\n - {type: vlan, "
          "name: a.5, "
          "subnets: [{type: static, mtu: 1400}]}\n - type: nameserver",
          "a=9000@6 a.5=1400@7", 0 },
        { "cloud-init: without network:", source_netplan_read, "network-config",
          "version: 2\nethernets: {a: {mtu: 9000}}", "a=9000@2", 0 },
        { "cloud-init: commands", source_netplan_read, "user-data",
          "#cloud-config\nbootcmd:\n- ip l s a mtu 70 || true\n- [ip, link, set, b, mtu, '80']\nruncmd:\n- "
          "ip l s c mtu 90",
          "a=70@3 b=80@4 c=90@6~", 0 },
        { "netplan: what is not its", source_netplan_read, NULL, "interfaces:\n- name: a\n  mtu: 9000", "",
          1 },
        { "netplan: other YAML", source_netplan_read, NULL, "- mtu: 9000", "", 1 },
        { "netplan: other YAML without an MTU", source_netplan_read, NULL, "a: b", "", 0 },
        { "udev: a name that it gives", source_udev_rule_read, NULL,
          "ATTR{address}==\"aa:bb:cc:dd:ee:ff\", NAME=\"lan0\", ATTR{mtu}=\"9000\"", "lan0=9000@1", 0 },
        { "udev: continued", source_udev_rule_read, NULL, "KERNEL==\"a\", \\\n ATTR{mtu}=\"9000\"",
          "a=9000@1", 0 },
        { "udev: spaces", source_udev_rule_read, NULL, "KERNEL == \"a\" , ATTR{mtu} = \"9000\"", "a=9000@1",
          0 },

        { "freebsd: the last one counts", source_freebsd_read, NULL,
          "ifconfig_a=\"mtu 1500\"\nifconfig_a=\"mtu 9000\"", "a=9000@2", 0 },
        { "freebsd: a VLAN with its own", source_freebsd_read, NULL,
          "vlans_a=5\nifconfig_a_5=\"mtu 4000\"\nifconfig_a=\"mtu 9000\"", "a=9000@3 a.5=4000@2", 0 },
        { "freebsd: VLANs of a device without one", source_freebsd_read, NULL,
          "vlans_a=5\nifconfig_a_5=\"inet 10.0.0.1/8\"\nifconfig_a=up", "", 0 },
        { "openrc: a name with a dash", source_openrc_read, NULL, "mtu_br_lan=9000", "glob:br?lan=9000@1",
          0 },
        { "openrc: a VLAN of the file", source_openrc_read, NULL, "vlans_eth0=\"5\"\nmtu_eth0_5=9000",
          "eth0.5=9000@2", 0 },
        { "dhcpcd: a block ends with the next", source_dhcpcd_read, NULL,
          "interface a\nstatic interface_mtu=9000\ninterface b\noption interface_mtu", "a=9000@2! b=-@4!",
          0 },
        { "dhclient: a comment, a block", source_dhclient_read, NULL,
          "# supersede interface-mtu 1;\ninterface \"a\" {\nsupersede interface-mtu 9000;\n}\nrequest "
          "interface-mtu;",
          "a=9000@3 any:=-@5", 0 },
        { "dhclient: a string with what is not one", source_dhclient_read, NULL,
          "send x \"} supersede interface-mtu 1;\";\nsupersede interface-mtu 9000;", "any:=9000@2", 0 },
        { "leases: the last one", source_dhclient_leases_read, NULL,
          "lease {\ninterface \"a\";\noption interface-mtu 9000;\n}\nlease {\ninterface \"a\";\n}", "", 0 },
        { "tuned: another plug-in", source_tuned_read, NULL, "[net]\ntype=disk\nmtu=9000", "", 0 },
        { "tuned: without devices", source_tuned_read, NULL, "[net]\nmtu=9000", "any:=9000@2", 0 },
        { "docker: its own bridge", source_docker_read, NULL, "{\"bridge\": \"br0\", \"mtu\": 1450}",
          "br0=1450@0", 0 },
};

int main(void) {
        return RUN_ROWS("sources", test_read, rows);
}
