/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What else is said of a device: the notes, each with the least that calls for it and the most that does
 * not. */

#include "explain/explanation.h"
#include "explain/note.h"
#include "rows.h"

struct row {
        const char *name;
        uint32_t mtu;
        uint32_t max; /* 0: 9216 */
        uint32_t wanted;
        uint32_t speed;
        const char *driver;
        long long probing;
        long long rmem, wmem, core;
        /* A neighbour: below, on top, the controller, a port; and its MTU. */
        char neighbour;
        uint32_t neighbour_mtu;
        bool loopback;
        bool neighbour_has_line;
        const char *expected; /* the notes' names */
        const char *ends;     /* the last one, or NULL */
};

static const struct row rows[] = {
        { .name = "an ordinary device", .mtu = 1500, .speed = 100, .driver = "e1000e", .expected = "" },
        { .name = "a jumbo device",
          .mtu = 9000,
          .speed = 1000,
          .driver = "igb",
          .probing = 1,
          .expected = "" },
        { .name = "100 Mbit/s", .mtu = 9000, .speed = 100, .probing = 1, .expected = "speed" },
        { .name = "100 Mbit/s, and jumbo is wanted",
          .mtu = 1500,
          .wanted = 9000,
          .speed = 100,
          .probing = 1,
          .expected = "speed" },
        { .name = "999 Mbit/s", .mtu = 1501, .speed = 999, .probing = 1, .expected = "speed" },
        { .name = "no speed known", .mtu = 9000, .probing = 1, .expected = "" },
        { .name = "driver's maximum is 1500",
          .mtu = 1500,
          .max = 1500,
          .wanted = 9000,
          .probing = 1,
          .expected = "driver-max" },
        { .name = "driver's maximum is 1500, and nobody wants more",
          .mtu = 1500,
          .max = 1500,
          .wanted = 1500,
          .expected = "" },
        { .name = "driver's maximum is 1504",
          .mtu = 1500,
          .max = 1504,
          .wanted = 9000,
          .probing = 1,
          .expected = "" },
        { .name = "e1000e", .mtu = 1501, .driver = "e1000e", .probing = 1, .expected = "c-states" },
        { .name = "e1000", .mtu = 9000, .driver = "e1000", .probing = 1, .expected = "" },
        { .name = "1279", .mtu = 1279, .expected = "ipv6" },
        { .name = "1280", .mtu = 1280, .expected = "" },
        { .name = "1000 is wanted", .mtu = 1500, .wanted = 1000, .expected = "ipv6" },
        { .name = "no probing", .mtu = 1501, .expected = "tcp-mtu-probing" },
        { .name = "no probing, ordinary", .mtu = 1500, .expected = "" },
        { .name = "probing not known", .mtu = 9000, .probing = -1, .expected = "" },
        { .name = "buffers of 10 Gbit/s",
          .mtu = 9000,
          .speed = 10000,
          .probing = 1,
          .rmem = 6291456,
          .wmem = 4194304,
          .core = 212992,
          .expected = "tcp-buffers" },
        { .name = "one buffer a byte too small",
          .mtu = 9000,
          .speed = 10000,
          .probing = 1,
          .rmem = 12499999,
          .wmem = 12500000,
          .core = 12500000,
          .expected = "tcp-buffers" },
        { .name = "buffers that do",
          .mtu = 9000,
          .speed = 10000,
          .probing = 1,
          .rmem = 12500000,
          .wmem = 12500000,
          .core = 212992,
          .expected = "" },
        { .name = "buffers of 1 Gbit/s",
          .mtu = 9000,
          .speed = 1000,
          .probing = 1,
          .rmem = 6291456,
          .wmem = 4194304,
          .core = 212992,
          .expected = "" },
        { .name = "buffers not known",
          .mtu = 9000,
          .speed = 100000,
          .probing = 1,
          .rmem = -1,
          .wmem = -1,
          .core = -1,
          .expected = "" },
        { .name = "a smaller device below",
          .mtu = 9000,
          .probing = 1,
          .neighbour = 'l',
          .neighbour_mtu = 8999,
          .expected = "neighbour" },
        { .name = "a smaller device on top",
          .mtu = 9000,
          .probing = 1,
          .neighbour = 'u',
          .neighbour_mtu = 1500,
          .expected = "neighbour",
          .ends = "other0, the device on top of it, has 1500, less than the 9000 here. Give it a line of "
                  "its "
                  "own." },
        { .name = "a smaller device on top, with a line",
          .mtu = 9000,
          .probing = 1,
          .neighbour = 'u',
          .neighbour_mtu = 1500,
          .neighbour_has_line = true,
          .expected = "neighbour",
          .ends = "other0, the device on top of it, has 1500, less than the 9000 here. Its line is "
                  "/etc/conf.d/setmtu:7." },
        { .name = "a smaller bridge",
          .mtu = 9000,
          .probing = 1,
          .neighbour = 'c',
          .neighbour_mtu = 1500,
          .expected = "neighbour" },
        { .name = "a smaller port",
          .mtu = 9000,
          .probing = 1,
          .neighbour = 'p',
          .neighbour_mtu = 1500,
          .expected = "neighbour" },
        { .name = "a port as large",
          .mtu = 9000,
          .probing = 1,
          .neighbour = 'p',
          .neighbour_mtu = 9000,
          .expected = "" },
        { .name = "loopback", .mtu = 65536, .max = 65536, .loopback = true, .expected = "" },
        { .name = "all at once",
          .mtu = 9000,
          .speed = 100,
          .driver = "e1000e",
          .rmem = 1,
          .wmem = 1,
          .core = 1,
          .neighbour = 'p',
          .neighbour_mtu = 1500,
          .expected = "speed c-states tcp-mtu-probing tcp-buffers neighbour" },
};

static void test_notes(void **state) {
        const struct row *row = *state;
        struct link own = {
                .ifindex = 7, .name = "eth0", .mtu = row->mtu, .mtu_max = row->max ? row->max : 9216
        };
        struct link other = { .ifindex = 8, .name = "other0", .mtu = row->neighbour_mtu };
        struct config_line line = { .name = "other0", .file = "/etc/conf.d/setmtu", .line = 7 };
        struct device_status items[2] = { 0 };
        struct device_statuses statuses = { items, 2 };
        struct link_table links = { 0 };
        struct network_sysctls sysctls = { row->probing, row->rmem ? row->rmem : -1,
                                           row->wmem ? row->wmem : -1, row->core ? row->core : -1 };
        struct explain_step step = { .effect = EXPLAIN_WINS, .mtu = row->wanted };
        struct explanation explanation = { .steps = &step, .n_steps = 1, .expected = row->wanted };
        struct explain_note notes[EXPLAIN_NOTES_MAX];
        struct explain_device device = { .name = "eth0", .speed_mbit = row->speed };
        char got[256] = "";
        size_t n, used = 0;

        if (row->loopback)
                strcpy(own.name, "lo");
        if (row->driver)
                snprintf(device.driver, sizeof(device.driver), "%s", row->driver);
        switch (row->neighbour) {
        case 'l':
                own.lower_ifindex = 8;
                break;
        case 'u':
                other.lower_ifindex = 7;
                break;
        case 'c':
                own.controller_ifindex = 8;
                break;
        case 'p':
                other.controller_ifindex = 7;
                break;
        default:
                break;
        }
        assert_errno(link_table_add(&links, &own), 0);
        assert_errno(link_table_add(&links, &other), 0);
        link_table_sort(&links);
        device.link = link_table_by_ifindex(&links, 7);

        for (size_t i = 0; i < 2; i++)
                items[i].link = &links.links[i];
        items[1].line = row->neighbour_has_line ? &line : NULL;

        n = note_make(&(struct explained){ .device = device, .explanation = explanation }, &statuses,
                      &sysctls, notes);
        for (size_t i = 0; i < n; i++) {
                used += (size_t)snprintf(got + used, sizeof(got) - used, "%s%s", used ? " " : "",
                                         notes[i].name);
                /* A sentence, and what to do. */
                assert_int_equal(notes[i].text[strlen(notes[i].text) - 1], '.');
        }
        assert_string_equal(got, row->expected);
        if (row->ends)
                assert_string_equal(notes[n - 1].text, row->ends);
        link_table_free(&links);
}

int main(void) {
        return RUN_ROWS("notes", test_notes, rows);
}
