/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/docker.h"

#include "base/cleanup.h"
#include "sources/json_text.h"

int source_docker_read(const struct reading *reading) {
        CLEANUP(json_text_free) json_t *root = json_text_read(reading);
        const json_t *mtu = json_object_get(root, "mtu");
        const char *bridge = json_string_value(json_object_get(root, "bridge"));

        /* 0: as without. */
        if (!mtu || (json_is_integer(mtu) && json_integer_value(mtu) == 0))
                return 0;
        return json_text_add(reading, mtu,
                             &(struct draft){ .source = SOURCE_DOCKER,
                                              .match = FINDING_NAME,
                                              .device = bridge && *bridge ? bridge : "docker0" });
}
