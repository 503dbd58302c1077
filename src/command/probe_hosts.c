/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/probe_hosts.h"

#include <errno.h>
#include <netdb.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "change/change_log.h"
#include "kernel/link.h"
#include "kernel/neighbour.h"

void probe_hosts_add(struct probe_hosts *hosts, const char *name) {
        (void)pool_add_once(&hosts->pool, &hosts->names, &hosts->n_names, name);
}

bool probe_hosts_add_file(struct probe_hosts *hosts, const char *file) {
        CLEANUP(cleanup_free) char *text = NULL;
        bool is_input = strcmp(file, "-") == 0;
        size_t size;
        int r = is_input ? whole_file_read_input(WHOLE_FILE_NAMED_MAX, &text, &size)
                         : whole_file_read_here(file, WHOLE_FILE_NAMED_MAX, &text, &size);
        char *rest = text, *line, *word, *further;

        file = is_input ? "standard input" : TEXT_SHOW(file);
        if (r < 0)
                return log_fail(false, "%s: %s", file, whole_file_named_fault(r));
        if (memchr(text, '\0', size))
                return log_fail(false,
                                "%s: has a NUL byte: it may be in UTF-16; write one host a line, in UTF-8",
                                file);
        for (unsigned number = 1; (line = strsep(&rest, "\n")); number++) {
                line[strcspn(line, "#")] = '\0';
                word = strtok_r(line, " \t\r", &further);
                if (!word)
                        continue;
                if (strtok_r(NULL, " \t\r", &further))
                        return log_fail(false, "%s: there is more than one host; write one a line",
                                        TEXT_PLACE(file, number));
                probe_hosts_add(hosts, word);
        }
        return true;
}

struct neighbours {
        struct probe_hosts *hosts;
        bool has_any;
};

static void add_neighbour(void *userdata, const struct sockaddr_storage *address) {
        struct neighbours *neighbours = userdata;
        char name[NI_MAXHOST];

        if (getnameinfo((const struct sockaddr *)address, sizeof(*address), name, sizeof(name), NULL, 0,
                        NI_NUMERICHOST) != 0)
                return;
        probe_hosts_add(neighbours->hosts, name);
        neighbours->has_any = true;
}

int probe_hosts_add_neighbours(struct probe_hosts *hosts, struct netlink_socket *socket, int family,
                               const char *interface) {
        struct link link = { .ifindex = 0 };
        struct neighbours neighbours = { .hosts = hosts };
        int r = interface ? link_get_by_name(socket, interface, &link) : 0;

        if (r == -ENODEV)
                return log_fail(EXIT_CODE_ABSENT, "%s: there is no such network device",
                                TEXT_SHOW(interface));
        if (r == 0)
                r = neighbour_each(socket, (sa_family_t)family, link.ifindex, add_neighbour, &neighbours);
        if (r < 0)
                return log_fail(EXIT_CODE_FAILURE, "the neighbour tables cannot be read: %s",
                                change_reason(socket, r));
        if (!neighbours.has_any)
                return log_fail(EXIT_CODE_FAILURE,
                                "no host is in the neighbour tables%s%s: nothing was sent to any "
                                "lately; name one",
                                interface ? " of " : "", interface ? TEXT_SHOW(interface) : "");
        return EXIT_CODE_DONE;
}
