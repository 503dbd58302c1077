/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Lines of words, some of which begin what is about a device: interfaces(5), dhclient.conf(5) and its
 * leases, dhcpcd.conf(5), and options of pppd(8). */

#include <string.h>

#include "base/text.h"
#include "mentions/reader.h"

/* Options of DHCP: "supersede interface-mtu 1400;", "option interface_mtu", "static interface_mtu=1400". In
 * a list of requests there is no number. */
static void take_option(struct reader *reader, char *rest) {
        char *at = strstr(rest, strstr(rest, "interface_mtu") ? "interface_mtu" : "interface-mtu");

        if (!at)
                return;
        at += strlen("interface-mtu");
        at += strspn(at, " \t=");
        at[strcspn(at, ";, \t")] = '\0';
        reader_add(reader, reader->own_device, at);
}

static void take_line(struct reader *reader, const char *line) {
        char *rest = pool_copy(reader_pool(reader), line), *word = strtok_r(rest, TEXT_SPACE, &rest);

        if (!word || text_is_among(word, "down pre-down post-down"))
                return;
        if (text_is_among(word, "iface interface")) {
                word = reader_quoted_word(&rest);
                /* A lease has one after the quotes. */
                word[strcspn(word, ";")] = '\0';
                reader->own_device = word;
        } else if (text_is_among(word, "mapping }"))
                reader->own_device = NULL;
        else if (text_is_among(word, "up pre-up post-up"))
                reader_take_commands(reader, rest, reader->own_device);
        else if (text_is_among(word,
                               "option static supersede default append prepend send request require also"))
                take_option(reader, rest);
        else if (text_is_among(word, "mtu ovs_mtu"))
                reader_add(reader, reader->own_device, strtok_r(rest, TEXT_SPACE, &rest));
}

void reader_read_stanzas(struct reader *reader) {
        char *line;

        while ((line = reader_next_line(reader))) {
                /* dhclient.conf may have all on one line: interface "eth0" { … }. */
                char *block = text_after(line, "interface ") ? strchr(line, '{') : NULL;

                if (block)
                        *block++ = '\0';
                take_line(reader, line);
                if (block)
                        take_line(reader, block);
        }
}
