/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Formats in JSON, with jansson. */

#include <jansson.h>
#include <stdio.h>

#include "base/text.h"
#include "sources/format/readers.h"

/* Reports text that is not JSON; NULL then. */
static json_t *read_json(const struct source_parser *parser) {
        json_error_t error;
        json_t *json = json_loadb(parser->text, parser->size, 0, &error);

        if (!json)
                source_fail(parser, error.line > 0 ? (unsigned)error.line : 0,
                            "is not JSON here: %s; the file is not read", TEXT_SHOW(error.text));
        return json;
}

/* Adds the value of `mtu`, a number or a string; another type is unclear. NULL: not set. */
static void add(const struct source_parser *parser, enum source_kind kind, const char *device,
                const json_t *mtu) {
        struct mtu_source source = { .kind = kind,
                                     .match = device ? MATCH_NAME : MATCH_ANY,
                                     .device = device,
                                     .value = json_string_value(mtu) };
        char number[32];

        if (!mtu)
                return;
        /* _get_mgmt_iface_default_prefix() in ifupdown2's ifupdownmain.py. */
        if (kind == SOURCE_IFUPDOWN2 && device && text_after(device, "eth"))
                source.inactive = "to ifupdown2, a name that begins with eth is a management interface, and "
                                  "takes no policy of its own";
        if (json_is_integer(mtu)) {
                snprintf(number, sizeof(number), "%" JSON_INTEGER_FORMAT, json_integer_value(mtu));
                source.value = number;
        } else if (!source.value) {
                source.value = "";
                source.unclear = "is neither a number nor a string";
        }
        source_add(parser, VALUE_DECIMAL, &source);
}

void source_docker_read(const struct source_parser *parser) {
        json_auto_t *root = read_json(parser);
        const json_t *mtu = json_object_get(root, "mtu");
        const char *bridge = json_string_value(json_object_get(root, "bridge"));

        /* 0 is the same as not set. */
        if (!json_is_integer(mtu) || json_integer_value(mtu) != 0)
                add(parser, SOURCE_DOCKER, bridge && *bridge ? bridge : "docker0", mtu);
}

/* {"address": {"defaults": {"mtu": "9000"}, "iface_defaults": {"eth0": {"mtu": "4000"}}}}: the values for
 * devices that set none themselves. Other modules have an mtu that means nothing. */
void source_ifupdown2_read(const struct source_parser *parser) {
        json_auto_t *root = read_json(parser);
        const json_t *policy = json_object_get(root, "address");
        const char *device;
        json_t *settings;

        add(parser, SOURCE_IFUPDOWN2, NULL, json_object_get(json_object_get(policy, "defaults"), "mtu"));
        json_object_foreach(json_object_get(policy, "iface_defaults"), device, settings)
                        add(parser, SOURCE_IFUPDOWN2, device, json_object_get(settings, "mtu"));
}
