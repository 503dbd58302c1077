/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Lines of words, some of which begin what is about a device: interfaces(5), dhclient.conf(5) and its
 * leases, dhcpcd.conf(5), and options of pppd(8). */

#include <string.h>

#include "base/text.h"
#include "mentions/reader.h"

struct stanzas {
        struct reader *reader;
        const char *device; /* of the stanza, or NULL */
};

/* Options of DHCP: "supersede interface-mtu 1400;", "option interface_mtu", "static interface_mtu=1400". In
 * a list of requests there is no number. */
static void take_option(struct stanzas *stanzas, char *rest) {
        char *at = strstr(rest, strstr(rest, "interface_mtu") ? "interface_mtu" : "interface-mtu");

        if (!at)
                return;
        at += strlen("interface-mtu");
        at += strspn(at, " \t=");
        at[strcspn(at, ";, \t")] = '\0';
        reader_add(stanzas->reader, stanzas->device, at);
}

static void begin(struct stanzas *stanzas, char *rest) {
        char *device = lines_quoted_word(&rest);

        stanzas->device = NULL;
        if (!device)
                return;
        device[strcspn(device, ";")] = '\0';
        /* A pattern of interfaces(5) begins with a slash: /eth*=lan. */
        device += *device == '/';
        device[strcspn(device, "=/")] = '\0';
        stanzas->device = device;
}

static void take_line(struct stanzas *stanzas, const char *line) {
        char *rest = pool_copy(reader_pool(stanzas->reader), line), *word = lines_word(&rest);

        if (!word || text_is_among(word, "down pre-down post-down"))
                return;
        if (text_is_among(word, "iface interface"))
                begin(stanzas, rest);
        else if (text_is_among(word, "mapping }"))
                stanzas->device = NULL;
        else if (text_is_among(word, "up pre-up post-up"))
                reader_take_commands(stanzas->reader, rest, stanzas->device);
        else if (text_is_among(word,
                               "option static supersede default append prepend send request require also"))
                take_option(stanzas, rest);
        else if (text_is_among(word, "mtu ovs_mtu"))
                reader_add(stanzas->reader, stanzas->device, lines_word(&rest));
}

void reader_read_stanzas(struct reader *reader) {
        struct lines lines = lines_open(reader);
        struct stanzas stanzas = { .reader = reader, .device = reader->own_device };

        while (lines_next(reader, &lines)) {
                /* dhclient.conf may have all on one line: interface "eth0" { … }. */
                char *block = text_after(lines.line, "interface ") ? strchr(lines.line, '{') : NULL;

                if (block)
                        *block++ = '\0';
                take_line(&stanzas, lines.line);
                if (block)
                        take_line(&stanzas, block);
        }
}
