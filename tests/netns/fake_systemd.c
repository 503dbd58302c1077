/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* fake_systemd SOCKET: a systemd that has no units, and whose jobs are done at once. For one connection
 * after the other; prints each method and its unit, and first a line once it listens. */

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#define PATH "/org/freedesktop/systemd1"
#define INTERFACE "org.freedesktop.systemd1.Manager"

static void must(int r) {
        if (r < 0) {
                fprintf(stderr, "fake_systemd: %s\n", strerror(-r));
                exit(EXIT_FAILURE);
        }
}

static int end_job(sd_bus_message *message) {
        sd_bus *bus = sd_bus_message_get_bus(message);
        const char *unit;

        must(sd_bus_message_read(message, "s", &unit));
        printf("%s %s\n", sd_bus_message_get_member(message), unit);
        must(sd_bus_reply_method_return(message, "o", PATH "/job/1"));
        return sd_bus_emit_signal(bus, PATH, INTERFACE, "JobRemoved", "uoss", 1, PATH "/job/1", unit,
                                  "done");
}

static int answer(sd_bus_message *message, void *userdata, sd_bus_error *error) {
        const char *member = sd_bus_message_get_member(message);

        (void)error;
        if (strcmp(member, "Disconnected") == 0) {
                *(bool *)userdata = true;
                return 1;
        }
        if (strcmp(member, "ListUnitsByPatterns") == 0)
                return sd_bus_reply_method_return(message, "a(ssssssouso)", 0);
        if (strcmp(member, "StartUnit") == 0 || strcmp(member, "StopUnit") == 0 ||
            strcmp(member, "ReloadOrRestartUnit") == 0)
                return end_job(message);
        printf("%s\n", member);
        return sd_bus_reply_method_return(message, NULL);
}

static void serve(int connection) {
        const sd_id128_t id = { .qwords = { 1, 2 } };
        sd_bus *bus = NULL;
        bool is_over = false;

        must(sd_bus_new(&bus));
        must(sd_bus_set_fd(bus, connection, connection));
        must(sd_bus_set_server(bus, 1, id));
        must(sd_bus_set_sender(bus, "org.freedesktop.systemd1"));
        must(sd_bus_add_filter(bus, NULL, answer, &is_over));
        must(sd_bus_start(bus));
        while (!is_over) {
                int r = sd_bus_process(bus, NULL);

                if (r == 0)
                        r = sd_bus_wait(bus, UINT64_MAX);
                must(r);
        }
        sd_bus_close_unref(bus);
}

int main(int argc, char *argv[]) {
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

        if (argc != 2 || strlen(argv[1]) >= sizeof(address.sun_path))
                return EXIT_FAILURE;
        strcpy(address.sun_path, argv[1]);
        if (listening < 0 || bind(listening, (const struct sockaddr *)&address, sizeof(address)) < 0 ||
            listen(listening, 1) < 0)
                must(-errno);
        setvbuf(stdout, NULL, _IOLBF, 0);
        printf("ready\n");
        for (;;) {
                int connection = accept4(listening, NULL, NULL, SOCK_CLOEXEC);

                must(connection < 0 ? -errno : 0);
                serve(connection);
        }
}
