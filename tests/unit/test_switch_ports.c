/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The ports of switches, from recorded output of lldpd 1.0.16 and systemd 257, and from output of nobody. */

#include "rows.h"

#include "base/pool.h"
#include "base/whole_file.h"
#include "command/switch_port.h"

static const char *directory;

static const char *of(struct pool *pool, const char *text, size_t size, const char *device) {
        json_auto_t *port = switch_port_read(text, size, device);
        const char *name, *id;
        json_t *frame;

        assert_non_null(port);
        if (json_unpack(port, "{s:s, s:s, s:o !}", "name", &name, "port", &id, "largest_frame", &frame) <
            0) {
                assert_true(json_is_null(port));
                return "none";
        }
        return pool_print(pool, "%s|%s|%lld", name, id, (long long)json_integer_value(frame));
}

static const struct row {
        const char *name, *file, *device, *port;
} rows[] = {
        { "lldpd", "lldpctl.json", "eth0", "tor3|Ethernet12|9216" },
        { "lldpd: bytes of any kind", "lldpctl.json", "eth1",
          "\x1b[31mtor\xef\xbf\xbd\xc3\xa9\"<b>\n|Ethernet12|0" },
        { "lldpd: a host", "lldpctl.json", "eth2", "none" },
        { "lldpd: two switches", "lldpctl.json", "eth3", "none" },
        { "lldpd: a router", "lldpctl.json", "eth4", "leaf1|swp4|1518" },
        { "lldpd: it has heard nothing", "lldpctl.json", "eth5", "none" },
        { "networkd", "networkctl.json", "eth0", "tor3|Ethernet12|0" },
        { "networkd: bytes of any kind", "networkctl.json", "eth1",
          "\\033[31mtor\\377\\303\\251\\\"<b>\\n|Ethernet12|0" },
        { "networkd: a host", "networkctl.json", "eth2", "none" },
        { "networkd: two switches", "networkctl.json", "eth3", "none" },
        { "networkd: a router", "networkctl.json", "eth4", "leaf1|swp4|0" },
};

static void test_recording(void **state) {
        const struct row *row = *state;
        struct pool pool = { 0 };
        char *text;
        size_t size;

        assert_int_equal(whole_file_read_named(pool_print(&pool, "%s/%s", directory, row->file), &text,
                                               &size),
                         0);
        assert_string_equal(of(&pool, text, size, row->device), row->port);
        /* Nothing is read behind a part of it; once for each file. */
        for (size_t part = 0; part < size - 2 && strcmp(row->device, "eth0") == 0; part += 5) {
                char *copy = malloc(part + 1);

                assert_non_null(copy);
                memcpy(copy, text, part);
                assert_string_equal(of(&pool, copy, part, "eth0"), "none");
                free(copy);
        }
        pool_free(&pool);
        free(text);
}

#define LLDPD(members) "{\"lldp\":[{\"interface\":[" members "]}]}"
#define CHASSIS "\"name\":\"eth0\",\"chassis\":[{\"id\":[{\"value\":\"c6:14\"}]}]"
#define PORT "\"port\":[{\"id\":[{\"value\":\"7\"}]}]"
#define NETWORKD(members) "{\"Neighbors\":[{\"InterfaceName\":\"eth0\",\"Neighbors\":[" members "]}]}"

static const struct text_row {
        const char *name, *text, *port;
} text_rows[] = {
        { "nothing", "", "none" },
        { "a table", "LINK CHASSIS-ID SYSTEM-NAME\n", "none" },
        { "no object", "[]", "none" },
        { "lldpd: none", "{\"lldp\":[{}]}", "none" },
        { "lldpd: no list", "{\"lldp\":[{\"interface\":{\"eth0\":{}}}]}", "none" },
        { "lldpd: no neighbour", LLDPD("{},3,null,[]"), "none" },
        { "lldpd: no port", LLDPD("{" CHASSIS "}"), "none" },
        { "lldpd: no chassis", LLDPD("{\"name\":\"eth0\",\"chassis\":[]," PORT "}"), "none" },
        { "lldpd: a name that is none",
          LLDPD("{\"name\":\"eth0\",\"chassis\":[{\"id\":[{\"value\":3}]}]," PORT "}"), "none" },
        { "lldpd: a NUL",
          LLDPD("{\"name\":\"eth0\",\"chassis\":[{\"id\":[{\"value\":\"a\\u0000b\"}]}]," PORT "}"), "none" },
        { "lldpd: neither name nor capabilities", LLDPD("{" CHASSIS "," PORT "}"), "c6:14|7|0" },
        { "lldpd: a frame that is no number",
          LLDPD("{" CHASSIS
                ",\"port\":[{\"id\":[{\"value\":\"7\"}],\"mfs\":[{\"value\":\"99999999999999999999\"}]}]}"),
          "c6:14|7|0" },
        { "lldpd: others beside it",
          LLDPD("{},"
                "{" CHASSIS "," PORT "},{\"name\":\"eth1\"}"),
          "c6:14|7|0" },
        { "networkd: none", "{\"Neighbors\":[]}", "none" },
        { "networkd: no list", "{\"Neighbors\":{\"InterfaceName\":\"eth0\"}}", "none" },
        { "networkd: no neighbour", NETWORKD("{},3,null,[]"), "none" },
        { "networkd: no port", NETWORKD("{\"ChassisID\":\"c6:14\"}"), "none" },
        { "networkd: neither name nor capabilities", NETWORKD("{\"ChassisID\":\"c6:14\",\"PortID\":\"7\"}"),
          "c6:14|7|0" },
};

static void test_other(void **state) {
        const struct text_row *row = *state;
        struct pool pool = { 0 };

        assert_string_equal(of(&pool, row->text, strlen(row->text), "eth0"), row->port);
        pool_free(&pool);
}

int main(int argc, char **argv) {
        if (argc != 2)
                return EXIT_FAILURE;
        directory = argv[1];
        return RUN_ROWS("recordings", test_recording, rows) +
               RUN_ROWS("other output", test_other, text_rows);
}
